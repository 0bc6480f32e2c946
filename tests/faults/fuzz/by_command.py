"""Some of the cases again by the commands themselves: what was found in one process must hold."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from shown import ROOT

from fuzz.mutated_configs import cases as configs
from fuzz.mutated_configs import mutations
from fuzz.odd_tables import cases as tables
from fuzz.verdict import LONGEST, Found, Verdict

#: How many are run again: each start takes seconds.
TABLES, CONFIGS = 8, 4
SECONDS = 120


class Again(NamedTuple):
    """A case that is run again by a command."""

    case: Any
    kind: str

    @property
    def name(self) -> str:
        return self.case.name

    @property
    def seed(self) -> int:
        return self.case.seed


def tables_again(found: Sequence[Found]) -> Iterator[Found]:
    """`steadfast advise --check` of some tables."""
    for one in _some([one for one in found if one.case.kind != "bombs"], TABLES):
        verdict = _table_by_command(tables.make(one.case), one.verdict)
        yield Found(Again(one.case, "by `steadfast advise --check`"), verdict)


def configs_again(found: Sequence[Found]) -> Iterator[Found]:
    """`snakemake --dry-run` of some studies."""
    studies = [one for one in found if configs.make(one.case).role == "study"]
    for one in _some(studies, CONFIGS):
        verdict = _study_by_command(configs.make(one.case), one.verdict)
        yield Found(Again(one.case, "by `snakemake --dry-run`"), verdict)


def _some(found: Sequence[Found], count: int) -> list[Found]:
    """So many of those that went well, evenly from first to last; half of them were read."""
    chosen = []
    for what in ("read right", "refused"):
        own = [one for one in found if one.verdict.what == what]
        chosen += own[:: max(1, 2 * len(own) // count)][: count // 2]
    return chosen


def _table_by_command(written: Any, before: Verdict) -> Verdict:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{tables.STEM}{written.suffix}")
        path.write_bytes(written.content)
        options = [f"--{key}={value}" for key, value in written.options]
        command = [str(ROOT / "scripts"), "advise", "--check", *options, "--", path.name]
        ended = _call(command, folder)
    lines = ended.stderr.strip().splitlines()
    if ended.returncode and (len(lines) != 1 or len(lines[0]) > LONGEST):
        return Verdict("trace", f"more than one line: {ended.stderr[-300:]}")
    return _compare(ended, before)


def _study_by_command(mutated: Any, before: Verdict) -> Verdict:
    with tempfile.TemporaryDirectory() as folder:
        path = mutations.write(mutated, Path(folder))
        settings = Path(folder, "settings.yaml")
        settings.write_text(yaml.safe_dump({"studies": [str(path)]}))
        command = ["-m", "snakemake", "--dry-run", "--quiet", "--cores", "1"]
        command += ["--snakefile", str(ROOT / "Snakefile"), "--configfile", str(settings)]
        return _compare(_call(command, folder), before)


def _call(command: list[str], folder: str) -> subprocess.CompletedProcess:
    path = os.pathsep.join(filter(None, [str(ROOT / "scripts"), os.environ.get("PYTHONPATH")]))
    try:
        return subprocess.run(
            [sys.executable, *command],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(error.cmd, 1, "", "no end")


def _compare(ended: subprocess.CompletedProcess, before: Verdict) -> Verdict:
    """The command must end as the case did, and without a trace."""
    if ended.stderr == "no end":
        return Verdict("no end", f"no end within {SECONDS} seconds")
    if "Traceback" in ended.stderr:
        return Verdict("trace", ended.stderr[-300:])
    if (ended.returncode == 0) != (before.what == "read right"):
        return Verdict("wrong silently", f"exit code {ended.returncode}, but was {before.what}")
    return before
