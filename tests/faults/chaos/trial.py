"""One trial: a copy of an undisturbed run, what is done to it, and whether it comes out right."""

import hashlib
import os
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from shown import ROOT

from chaos.advice import follow
from chaos.running import TRACE, Outcome, files, run
from chaos.study import Side, make_folder

#: Faults, by what the bar calls them.
SILENT, TRACED, DEAD_END = "wrong silently", "trace", "dead end"
#: A trace of Snakemake's own code, in a run that was started as plain `snakemake`: told, no fault.
NOT_OURS = "trace of Snakemake's"
#: A user who has followed this many pieces of advice for nothing has met a dead end.
PATIENCE = 6


@dataclass
class Undisturbed:
    """A finished run that nothing has disturbed, and the checksums of its results."""

    side: Side
    folder: Path
    sums: dict[str, str] = field(default_factory=dict)

    def make(self) -> None:
        """Run each form once: the first makes the results, the others change nothing."""
        make_folder(self.side, self.folder)
        for form in self.side.forms:
            outcome = run(form, self.folder)
            if outcome.code:
                raise SystemExit(f"chaos: the undisturbed run failed:\n{outcome.printed[-3000:]}")
            sums = checksums(self.folder)
            if self.sums and sums != self.sums:
                raise SystemExit("chaos: undisturbed runs of two forms of the command differ")
            self.sums = sums


def checksums(folder: Path) -> dict[str, str]:
    """Every result with its checksum; a folder in the place of a file has none.

    Logs, timings and what was asked for may differ, and hidden files are no results.
    """
    found = {}
    for path in sorted(files(folder / "results")):
        name = path.relative_to(folder)
        if path.is_file() and is_result(name):
            found[str(name)] = _checksum(path)
    return found


def _checksum(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:  # a run at work has just deleted it
        return ""


def is_result(name: Path) -> bool:
    """Is a file one of those that a run promises to be the same each time?"""
    hidden = any(part.startswith(".") for part in name.parts)
    return not hidden and name.name != "asked.yaml" and not {"logs", "benchmarks"} & set(name.parts)


class Trial:
    """What is done to a copy, step by step, and the faults that are seen."""

    def __init__(
        self, number: int, kind: str, draw: random.Random, whole: Undisturbed, folder: Path
    ):
        self.number, self.kind, self.draw, self.whole = number, kind, draw, whole
        self.folder = folder
        self.steps: list[str] = []
        self.noted: list[tuple[str, str]] = []
        self.kills = self.damages = self.advised = 0
        self.seconds = 0.0

    def copy(self) -> None:
        """Begin with the undisturbed run."""
        shutil.copytree(self.whole.folder, self.folder, symlinks=True)

    def unmake(self, share: float) -> None:
        """Take away what was made last, so that the run is half finished."""
        paths = [self.folder / name for name in self.whole.sums]
        paths = sorted((path for path in paths if path.is_file()), key=os.path.getmtime)
        gone = paths[round(len(paths) * (1 - share)) :]
        for path in gone:
            path.unlink()
        self.steps.append(f"deleted the {len(gone)} results that were made last")

    def fault(self, sort: str, what: str) -> None:
        """Note a fault."""
        self.noted.append((sort, what))

    @property
    def faults(self) -> list[str]:
        """The sorts of faults that were seen, each once."""
        return [sort for sort in dict.fromkeys(sort for sort, _ in self.noted) if sort != NOT_OURS]

    def differing(self) -> list[str]:
        """Results that are not as in the undisturbed run: changed, lost, or new."""
        now = checksums(self.folder)
        names = sorted(now.keys() | self.whole.sums.keys())
        return [name for name in names if now.get(name) != self.whole.sums.get(name)]

    def strays(self) -> list[str]:
        """Files among the results that an undisturbed run does not make."""
        return [name for name in self.differing() if name not in self.whole.sums]

    def note(self, outcome: Outcome, expected: str = "") -> None:
        """Write down how a run ended; a trace in what it printed or in a log is a fault."""
        self.steps.append(f"{outcome.form} ended with {outcome.code}{expected}")
        if outcome.code == 124:
            self.fault(DEAD_END, f"{outcome.form} did not end")
        if TRACE in outcome.printed or outcome.traced:
            last = outcome.printed.rpartition(TRACE)[2].strip().splitlines()
            where = f"in {', '.join(outcome.traced)}" if outcome.traced else "in print"
            ours = outcome.form != "snakemake" or outcome.traced or _is_ours(outcome.printed)
            sort = TRACED if ours else NOT_OURS
            self.fault(sort, f"{outcome.form}: {where}: {_end_of_trace(last)}")

    def finish(self, form: str, patience: int = PATIENCE) -> bool:
        """Run plainly until it ends well, following what is advised; whether it came to an end."""
        done: list[str] = []
        for _ in range(patience):
            outcome = run(form, self.folder)
            self.note(outcome)
            if outcome.code == 0:
                return True
            before, done = done, follow(outcome, self.folder)
            if done and done == before:
                self.fault(DEAD_END, f"{form} advises the same again: {_last_lines(outcome)}")
                return False
            if not done:
                self.fault(DEAD_END, f"{form} gives no advice: {_last_lines(outcome)}")
                return False
            self.advised += 1
            self.steps += done
        self.fault(DEAD_END, f"{form}: {patience} pieces of advice were no help: {self.steps[-1]}")
        return False

    def expect_right(self, form: str, apart: frozenset[str] = frozenset()) -> None:
        """A run that ended well has the right bytes, files `apart` that no job looked at.

        A file that is not there is not wrong; but `verify` must say so, and it must come back.
        """
        differing = [name for name in self.differing() if name not in apart]
        lost = [name for name in differing if not (self.folder / name).exists()]
        if wrong := [name for name in differing if name not in lost]:
            self.fault(SILENT, f"exit code 0, but differing: {', '.join(wrong[:8])}")
        elif lost:
            self.steps.append(f"not there: {', '.join(lost[:8])}")
            self.expect_verified(form)

    def expect_verified(self, form: str) -> None:
        """`verify` names all that differs, and what it advises mends all of it."""
        done: list[str] = []
        for _ in range(PATIENCE):
            outcome = run("verify", self.folder)
            self.note(outcome)
            if outcome.code == 0:
                if wrong := self.differing():
                    self.fault(SILENT, f"verify passes: {', '.join(wrong[:8])}")
                return
            before, done = done, follow(outcome, self.folder)
            if not done or done == before:
                self.fault(DEAD_END, f"verify has no advice that helps: {_last_lines(outcome)}")
                return
            self.advised += 1
            self.steps += done
            if not self.finish(form):
                return
        self.fault(DEAD_END, f"verify is never content: {_last_lines(outcome)}")


def _last_lines(outcome: Outcome) -> str:
    lines = outcome.lines or outcome.printed.strip().splitlines()[-3:]
    return " / ".join(line[:300] for line in lines[-3:])


def _is_ours(printed: str) -> bool:
    """Does a line of this project's code stand in a trace?"""
    frames = [line for line in printed.splitlines() if line.lstrip().startswith('File "')]
    return any(f'"{ROOT}/{part}' in line for line in frames for part in ("scripts", "workflow"))


def _end_of_trace(lines: list[str]) -> str:
    unindented = [line for line in lines if line[:1].strip()]
    return next((line for line in unindented if "Error" in line or "Exception" in line), "")[:200]
