"""The command `steadfast`: its help, and how it shows how far a run is."""

import io
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadfast.command import running
from steadfast.command.main import SUBCOMMANDS, main, parser, subcommand_parser
from steadfast.command.progress import Progress, ProgressDisplay, duration
from steadfast.command.running import STOPPED, number_of_cores
from steadfast.core.config import put_over
from steadfast.core.errors import UserError
from steadfast.core.home import project_folder

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_help_fits_a_screen_and_shows_an_example_that_is_understood(name):
    made = subcommand_parser(name)
    lines = made.format_help().splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    examples = [line.split(" ")[1:] for line in lines if line.startswith("example: ")]
    assert examples
    for command, own, *arguments in examples:
        assert (command, own) == ("steadfast", name)
        made.parse_args(arguments)


def test_the_command_lists_its_subcommands_on_a_screen():
    lines = parser().format_help().splitlines()
    assert len(lines) <= 24
    assert all(any(line.strip().startswith(name) for line in lines) for name in SUBCOMMANDS)


@pytest.mark.parametrize("words", [["advice"], ["score"], ["--colour"]])
def test_a_call_that_is_not_understood_ends_with_usage(words, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert capsys.readouterr().err.startswith("usage: steadfast ")


def test_it_runs_as_a_folder_and_as_a_module():
    for call in ([str(ROOT / "scripts")], ["-m", "steadfast"]):
        variables = os.environ | {"PYTHONPATH": str(ROOT / "scripts")}
        command = [sys.executable, *call, "--version"]
        done = subprocess.run(command, capture_output=True, text=True, env=variables, check=True)
        assert re.fullmatch(r"steadfast \d+\.\d+\.\d+\n", done.stdout)


def without_yaml(*words: str) -> subprocess.CompletedProcess:
    """Run the command as after `pip install steadfast`, which brings no YAML."""
    code = "import sys; sys.modules['yaml'] = None; import steadfast.command.main as m; m.main()"
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_package_that_is_not_installed_is_named_in_one_line_and_help_needs_none():
    done = without_yaml("reproduce")
    assert done.returncode == 1
    assert done.stderr.startswith("steadfast: yaml: is not installed; install all that this needs")
    assert len(done.stderr.splitlines()) == 1
    for name in SUBCOMMANDS:
        assert without_yaml(name, "--help").returncode == 0


def test_the_projects_folder_is_the_checkout():
    assert project_folder() == ROOT


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5"])
def test_cores_that_are_no_number_are_refused(text):
    with pytest.raises(UserError, match=r"--cores: '.*' is neither a whole number"):
        number_of_cores(text)


VALUES = st.recursive(
    st.none() | st.integers(), lambda inner: st.dictionaries(st.sampled_from("abc"), inner)
)
MAPPINGS = st.dictionaries(st.sampled_from("abc"), VALUES)


def plainly_updated(base: dict, changes: dict) -> dict:
    """As Snakemake joins config files: key by key below mappings of both."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            plainly_updated(base[key], value)
        else:
            base[key] = value
    return base


@given(MAPPINGS, MAPPINGS)
def test_a_config_is_put_over_another_as_snakemake_does_it(base, changes):
    joined = put_over(base, changes)
    assert joined == plainly_updated(put_over({}, base), put_over({}, changes))


# Progress

TABLE = """Job stats:
job          count
---------  -------
load_data        1
select           4
all              1
total            6

"""


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def play(progress: Progress, clock: Clock, *lines: str | float) -> None:
    """Lines that Snakemake prints, and seconds that pass between them."""
    for line in lines:
        if isinstance(line, str):
            progress.read(line)
        else:
            clock.now += line


def ended(job: int, rule: str, done: int) -> list[str]:
    return [f"Finished jobid: {job} (Rule: {rule})", f"{done} of 6 steps (9%) done"]


def test_time_left_follows_the_jobs_that_have_ended():
    clock = Clock()
    progress = Progress(2, clock)
    play(progress, clock, *TABLE.splitlines())
    assert (progress.done, progress.total) == (0, 6)
    assert progress.share() == 0
    play(progress, clock, "Job 5: Loading the data set wine", 2.0, *ended(5, "load_data", 1))
    play(progress, clock, "Job 1: wine: selecting by mid", "Job 2: wine: selecting by miq")
    play(progress, clock, 10.0, *ended(1, "select", 2), *ended(2, "select", 3))
    # Two selections took ten seconds each; usually it is three, which counts as 0.8 of the four.
    a_selection = (2 * 10 + 0.8 * 3) / 2.8
    # Two of them and the target are left, on two cores.
    assert progress.seconds_left() == pytest.approx((2 * a_selection + 1) / 2)
    assert progress.share() == pytest.approx(11 / (11 + a_selection + 0.5))
    play(progress, clock, "Job 3: wine: selecting by cmim", 4.0)
    assert progress.seconds_left() == pytest.approx((2 * a_selection + 1 - 4) / 2)
    assert progress.line() == " 63% · 3 of 6 jobs · about 5 s left · wine: selecting by cmim"


def test_the_share_never_falls_and_ends_at_all():
    clock = Clock()
    progress = Progress(1, clock)
    play(progress, clock, *TABLE.splitlines(), "Job 1: a", 1.0, *ended(1, "select", 1))
    before = progress.share()
    play(progress, clock, "Job 2: b", 500.0, *ended(2, "select", 2))
    assert progress.share() >= before
    play(progress, clock, "6 of 6 steps (100%) done")
    assert progress.share() == 1
    assert "left" not in progress.line()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "5 s"), (32, "30 s"), (56, "1 min"), (1499, "25 min"), (3700, "1 h 2 min")],
)
def test_durations_are_rounded_as_estimates_are(seconds, words):
    assert duration(seconds) == words


def test_plain_lines_come_now_and_then_and_none_when_quiet():
    for quiet, expected in ((False, 2), (True, 0)):
        clock, out = Clock(), io.StringIO()
        display = ProgressDisplay(Progress(1, clock), out, quiet)
        for line in TABLE.splitlines():
            display.read(line)
        for job in range(5):
            clock.now += 3
            display.read(f"Job {job}: wine: selecting by mid")
        display.close()
        assert len(out.getvalue().splitlines()) == expected
        assert "\r" not in out.getvalue()


LOCKED = """
import sys
print({line!r})
print("LockException:")
print("Error: Directory cannot be locked.")
sys.exit(1)
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "steadfast: at work here: another run (pid 7); wait until it has ended",
            "at work here: another run (pid 7); wait until it has ended",
        ),
        (
            "Building DAG of jobs...",
            "another run is at work in this folder; if none is: snakemake --cores 2 --unlock",
        ),
    ],
)
def test_a_locked_folder_is_one_line(tmp_path, monkeypatch, line, told):
    """Who is at work, where the workflow knows; else what to type."""
    (tmp_path / "snakemake.py").write_text(LOCKED.format(line=line))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT / 'scripts'}")
    with pytest.raises(UserError) as locked:
        running.run_snakemake(["snakemake", "--cores", "2"], 2, True)
    assert str(locked.value) == told


FAKE = """
import sys, time
print('''{table}''', flush=True)
print("Job 1: wine: selecting by mid", flush=True)
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("Terminating processes on user request", flush=True)
    sys.exit(1)
"""


def test_on_a_terminal_one_line_changes_and_an_interrupt_says_how_to_go_on(tmp_path):
    """A stand-in for Snakemake that waits; the interrupt reaches both, as in a terminal."""
    (tmp_path / "snakemake.py").write_text(FAKE.format(table=TABLE))
    call = "from steadfast.command import running; running.run_snakemake(['snakemake'], 2, False)"
    variables = os.environ | {"PYTHONPATH": f"{tmp_path}:{ROOT / 'scripts'}"}
    above, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", call],
        stdout=terminal,
        stderr=terminal,
        env=variables,
        start_new_session=True,
    )
    os.close(terminal)
    shown = b""
    while b"selecting" not in shown:
        shown += os.read(above, 1000)
    os.killpg(process.pid, signal.SIGINT)
    deadline = time.time() + 20
    while time.time() < deadline:
        try:
            shown += os.read(above, 1000)
        except OSError:  # the other end is closed
            break
    assert process.wait(20) == 130
    text = shown.decode()
    assert re.search(r"\r +0% · 0 of 6 jobs · about \d+ s left · wine: selecting by mid", text)
    assert text.rstrip().endswith(STOPPED)
    assert "Traceback" not in text


@pytest.mark.parametrize("command", [["advise", "t.csv"], ["reproduce", "gulgezen2009"]])
def test_a_folder_that_cannot_be_written_is_one_line(command, tmp_path, monkeypatch, capsys):
    rows = "".join(f"{row % 7},{row % 3},{'ab'[row % 2]}\n" for row in range(40))
    (tmp_path / "t.csv").write_text("x,y,class\n" + rows)
    (tmp_path / "results").write_text("a file where the folder would be")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert re.match(r"steadfast: results: \S+ cannot be written \(", str(stopped.value))
    assert "\n" not in str(stopped.value)


def test_a_mistake_in_a_config_names_the_option(tmp_path, monkeypatch):
    (tmp_path / "own.yaml").write_text("overides: {}\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"^steadfast: the command line, or --config: overides: "):
        main(["reproduce", "--config", "own.yaml"])
