"""Runs that are killed at random moments, alone or beside another run."""

import signal
from pathlib import Path

from chaos.damages import damage
from chaos.running import LONGEST, Process, files
from chaos.trial import DEAD_END, Trial, checksums

#: Who is killed, and how: the whole run most often.
WAYS = [
    ("all", signal.SIGKILL),
    ("all", signal.SIGKILL),
    ("snakemake", signal.SIGKILL),
    ("job", signal.SIGKILL),
    ("job", signal.SIGTERM),
    ("all", signal.SIGINT),
    ("snakemake", signal.SIGTERM),
]
#: Words by which a run says that another one has the folder.
BUSY = ("another run", "locked", "at work")


def kill(trial: Trial, times: int) -> None:
    """Kill a run several times in a row, then let it end: the bytes are the undisturbed ones."""
    draw = trial.draw
    form = draw.choice(trial.whole.side.forms)
    share = draw.choice([1.0, draw.uniform(0.1, 1.0), draw.uniform(0.1, 1.0)])
    trial.copy()
    trial.unmake(share)
    for _ in range(times):
        whom, sign = draw.choice(WAYS)
        process = Process(form, trial.folder)
        wait_a_while(process, trial)
        trial.kills += process.is_running()
        trial.steps.append(process.kill(whom, sign))
        outcome = process.end()
        if sign != signal.SIGKILL:
            trial.note(outcome._replace(traced=[]), ", killed")
        if draw.random() < 0.7:
            process.end_orphans()
    if trial.finish(form):
        trial.expect_right(form)
    process.end_orphans()


def wait_a_while(process: Process, trial: Trial) -> None:
    """Wait until a run has made some of what is missing, and a little longer.

    By results, not by the clock: a slower machine gets to the same moment.
    """
    made = len(checksums(trial.folder))
    missing = max(len(trial.whole.sums) - made, 1)
    wanted = made + trial.draw.randrange(missing)
    process.wait_for(lambda: len(checksums(trial.folder)) >= wanted, LONGEST)
    process.wait_for(lambda: False, trial.draw.uniform(0, 3 if wanted == made else 0.5))


def kept_folds(trial: Trial, times: int) -> None:
    """Kill a run as soon as a job has kept a fold, damage what is kept, and go on."""
    form = trial.draw.choice(trial.whole.side.forms)
    trial.copy()
    for path in (trial.folder / "results").rglob("selections/*/slow/*"):
        path.unlink()
    process = Process(form, trial.folder)

    def kept() -> list[Path]:
        made = files(trial.folder / "results")
        return [path for path in made if path.match("slow/.*.unfinished/*/*")]

    process.wait_for(lambda: bool(kept()), 60)
    trial.steps.append(process.kill("all", signal.SIGKILL))
    process.end()
    trial.kills += 1
    for _ in range(times):
        if found := sorted(kept()):
            path = trial.draw.choice(found)
            trial.steps.append(damage(path, trial.folder, trial.draw, "kept", tuple(found)))
            trial.damages += 1
    if trial.finish(form):
        trial.expect_right(form)
        trial.expect_verified(form)


def two_at_once(trial: Trial, _: int) -> None:
    """Start a second run while the first is at work."""
    draw = trial.draw
    trial.copy()
    trial.unmake(draw.uniform(0.1, 0.6))
    first = Process(draw.choice(trial.whole.side.forms), trial.folder)
    wait_a_while(first, trial)
    second = Process(draw.choice(trial.whole.side.forms), trial.folder)
    outcomes = [first.end(), second.end()]
    for outcome in outcomes:
        trial.note(outcome, ", one of two at once")
        if outcome.code and not any(word in outcome.printed for word in BUSY):
            trial.fault(DEAD_END, f"{outcome.form} does not say that another run is at work")
    if not any(outcome.code for outcome in outcomes) or trial.finish(first.form):
        trial.expect_right(first.form)
