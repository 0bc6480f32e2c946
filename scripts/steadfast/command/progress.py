"""How far a run of Snakemake is, from what it prints: share done, time left, what is running."""

import re
import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

#: What Snakemake prints, as its default log does: jobs planned by rule, begun, ended, steps.
_PLANNED = re.compile(r"(\w+) +(\d+)")
_BEGUN = re.compile(r"Job (\d+): (.+)")
_ENDED = re.compile(r"Finished jobid: (\d+) \(Rule: (\w+)\)")
_STEPS = re.compile(r"(\d+) of (\d+) steps")

#: Seconds that a job of a rule usually takes, as measured on the default run.
USUAL_SECONDS = {
    "load_data": 1.5,
    "discretise": 0.5,
    "resample": 0.7,
    "select": 3.0,
    "stability": 1.2,
    "accuracy": 4.0,
    "probes": 4.0,
    "figure": 2.5,
    "evidence": 2.5,
}
_OTHERS = 1.0

#: They count as much as this share of the rule's jobs.
USUAL_COUNTS_AS = 0.2

#: Between two plain lines.
SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """The state of a run; `read` is given every line that Snakemake prints.

    Time left is, over all rules, how many of its jobs are left times how long one takes, over the
    number of cores. That is what jobs of the rule took so far, the more of them have ended the
    more so, and else what they usually take: those that run first may be the longest.
    """

    def __init__(self, cores: int, clock: Callable[[], float] = time.monotonic):
        self.cores, self.clock = max(1, cores), clock
        self.left: dict[str, int] = {}
        self.seconds: dict[str, list[float]] = {}
        self.running: dict[str, tuple[str, float]] = {}
        self.done = self.total = 0
        self._in_table = False
        self._share = 0.0

    def read(self, line: str) -> bool:
        """Take a line; whether it changes what there is to show."""
        line = line.strip()
        if line == "Job stats:":
            self._in_table = True
        elif self._in_table:
            self._read_table(line)
        elif found := _BEGUN.match(line):
            self.running[found[1]] = found[2], self.clock()
        elif found := _ENDED.match(line):
            self._end(found[1], found[2])
        elif found := _STEPS.match(line):
            self.done, self.total = int(found[1]), int(found[2])
        else:
            return False
        return not self._in_table

    def _read_table(self, line: str) -> None:
        """A row of the table of jobs by rule; an empty line ends it."""
        found = _PLANNED.fullmatch(line)
        if not line:
            self._in_table = False
        elif found and found[1] == "total":
            self.total = int(found[2])
        elif found and found[1] != "job":
            self.left[found[1]] = int(found[2])

    def _end(self, job: str, rule: str) -> None:
        _, begun = self.running.pop(job, ("", self.clock()))
        self.left[rule] = max(0, self.left.get(rule, 1) - 1)
        self.seconds.setdefault(rule, []).append(self.clock() - begun)

    def _expected(self, rule: str) -> float:
        own, usual = self.seconds.get(rule, []), USUAL_SECONDS.get(rule, _OTHERS)
        weight = USUAL_COUNTS_AS * (len(own) + self.left[rule])
        return (sum(own) + weight * usual) / (len(own) + weight)

    def seconds_left(self) -> float:
        """An estimate, in seconds."""
        ahead = sum(count * self._expected(rule) for rule, count in self.left.items() if count)
        spent = sum(self.clock() - begun for _, begun in self.running.values())
        return max(ahead - spent, 0.0) / self.cores

    def share(self) -> float:
        """How much of the work is done; never less than was shown before."""
        spent = sum(map(sum, self.seconds.values())) / self.cores
        left = self.seconds_left()
        if self.total and self.done == self.total:
            return 1.0
        found = spent / (spent + left) if spent + left else 0.0
        self._share = max(self._share, min(found, 0.99))
        return self._share

    def line(self) -> str:
        """Share done, time left, and what has been running longest."""
        parts = [f"{self.share():4.0%}", f"{self.done} of {self.total} jobs"]
        if self.done < self.total:
            parts.append(f"about {duration(self.seconds_left())} left")
        if self.running:
            parts.append(next(iter(self.running.values()))[0])
        return " · ".join(parts)


def duration(seconds: float) -> str:
    """A length of time in words, as exact as an estimate can be."""
    if seconds < 55:
        return f"{max(5, round(seconds / 5) * 5)} s"
    if seconds < 3570:
        return f"{round(seconds / 60)} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min"


class ProgressDisplay:
    """Shows a `Progress`: one line that changes on a terminal, plain lines elsewhere."""

    def __init__(self, progress: Progress, out: TextIO | None = None, quiet: bool = False):
        self.progress, self.out, self.quiet = progress, out or sys.stdout, quiet
        self.changing = self.out.isatty()
        self._shown = -SECONDS_BETWEEN_LINES

    def read(self, line: str) -> None:
        """Take a line of Snakemake's, and show what it changes."""
        if self.progress.read(line) and not self.quiet and self.progress.total:
            now = self.progress.clock()
            if self.changing:
                width = shutil.get_terminal_size().columns - 1
                self.out.write(f"\r{self.progress.line()[:width]}\x1b[K")
                self.out.flush()
            elif now - self._shown >= SECONDS_BETWEEN_LINES:
                self._shown = now
                print(f"  {self.progress.line()}", file=self.out, flush=True)

    def close(self) -> None:
        """Clear the line that changes."""
        if self.changing and not self.quiet:
            self.out.write("\r\x1b[K")
            self.out.flush()
