"""A budget of time: what a run costs, and on how many rows each task is run to keep within it.

A run that fits is left as it is. Else every task may take so many seconds for each fold, the most
of a ladder with which the whole fits, and is run on as many rows as that allows. All of it follows
from the study and the shape of the table.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from steadfast.selectors.running.auto import TUNED
from steadfast.study import costs
from steadfast.study.context import has_probes
from steadfast.study.costs import Shape
from steadfast.study.declaration import Selector, Study

#: A budget of minutes is one of so many cores.
CORES = 2

#: Estimates may be wrong by a little.
ROOM = 0.7

#: Seconds that a task may take for each fold, where all of it takes too long.
LADDER = [2.0**power for power in range(6, -5, -1)]

#: No task gets fewer rows; then there are fewer subsamples, and of these no fewer than this.
FEWEST_ROWS, FEWEST_RUNS = 500, 10

#: Seconds until a job begins, and of those that are the same for every table.
STARTING, PRINTING = 1.2, 12.0

SELECT, PROBES, ACCURACY, TRUST = "select", "probes", "accuracy", "trust"


class Task(NamedTuple):
    """What is done in every fold.

    Attributes
    ----------
    stage, name : the rule, and the selector or classifier
    times : how often it is done
    rows : training rows that it would have
    seconds : what it takes on so many rows, each time
    """

    stage: str
    name: str
    times: int
    rows: int
    seconds: Callable[[int], float]

    def allowed(self, seconds: float | None) -> int | None:
        """How many rows it may have to take so long; None where all of them."""
        if seconds is None or self.rows <= FEWEST_ROWS or self.seconds(self.rows) <= seconds:
            return None
        low, high = FEWEST_ROWS, self.rows
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.seconds(middle) <= seconds else (low, middle)
        return _rounded(low)

    def cost(self, seconds: float | None) -> float:
        """Seconds of all times."""
        return self.times * self.seconds(self.allowed(seconds) or self.rows)


def _rounded(rows: int) -> int:
    """Down to two digits."""
    unit = 10 ** max(0, len(str(rows)) - 2)
    return rows // unit * unit


@dataclass(frozen=True)
class Budget:
    """What a study costs on a data set, and how it is made to fit.

    Attributes
    ----------
    study, dataset, shape : what is run
    share : part of the study's budget that this data set has
    """

    study: Study
    dataset: str
    shape: Shape
    share: float = field(default=1.0)

    @cached_property
    def tasks(self) -> list[Task]:
        return list(_tasks(self.study, self.dataset, self.shape))

    @property
    def _room(self) -> float:
        """Seconds of a processor."""
        minutes = self.study.budget
        return float("inf") if minutes is None else ROOM * CORES * 60 * minutes * self.share

    @cached_property
    def allowance(self) -> float | None:
        """Seconds that a task may take in a fold; None where there is no need of a limit."""
        if self.study.budget is None:
            return None
        return next((one for one in (None, *LADDER) if self._total(one) <= self._room), LADDER[-1])

    def _total(self, allowance: float | None) -> float:
        return sum(self._seconds(allowance).values())

    def _seconds(self, allowance: float | None) -> dict[str, float]:
        found = dict.fromkeys(("load", SELECT, PROBES, ACCURACY, TRUST), 0.0)
        found["load"] = costs.loading(self.shape.rows, self.shape.features)
        for task in self.tasks:
            found[task.stage] += task.cost(allowance)
        found["start and print"] = self._starting()
        return {stage: seconds for stage, seconds in found.items() if seconds}

    def _starting(self) -> float:
        """Seconds to start jobs, and to read what they work on."""
        runs = len(self.study.scheme.names())
        selectors = len(self.study.selectors)
        jobs = selectors * (4 + runs // 10)
        reading = costs.reading(self.shape.rows, self.shape.features + runs)
        return PRINTING + jobs * (STARTING + reading)

    def seconds(self) -> dict[str, float]:
        """Estimated seconds of a processor for each stage, of the run as it is made."""
        return self._seconds(self.allowance)

    def rows(self, stage: str, name: str = "") -> int | None:
        """How many training rows a task is run on; None: all of them."""
        own = (task for task in self.tasks if (task.stage, task.name) == (stage, name))
        return next((task.allowed(self.allowance) for task in own), None)

    def with_runs(self, runs: int) -> "Budget":
        """The same with so many subsamples."""
        resample = {**self.study.resample, "repeats": runs}
        return replace(self, study=replace(self.study, resample=resample))

    @property
    def runs(self) -> int | None:
        """How many subsamples are drawn, one by one; None where a scheme draws otherwise."""
        one_by_one = self.study.scheme.independent_draws
        return self.study.resample.get("repeats") if one_by_one else None

    @property
    def fits(self) -> bool:
        """Whether the run as it is made is estimated to end within the budget."""
        return self._total(self.allowance) <= self._room

    def fewer_runs(self) -> int:
        """The most subsamples with which it fits, `FEWEST_RUNS` at least."""
        least = min(self.runs, FEWEST_RUNS)
        tried = range(self.runs, least, -1)
        return next((runs for runs in tried if self.with_runs(runs).fits), least)

    def fewer_rows(self) -> dict[str, dict[str, int]]:
        """Stage to selector or classifier to rows, of what is not run on all of them."""
        found: dict[str, dict[str, int]] = {}
        for task in self.tasks:
            rows = task.allowed(self.allowance)
            if rows is not None:
                found.setdefault(task.stage, {})[task.name] = rows
        return found


def _tasks(study: Study, dataset: str, shape: Shape) -> Iterator[Task]:
    """What is done in the folds of a data set."""
    training = int(shape.rows * study.resample.get("share", 1.0))
    on_page = max(1, len(study.scheme.names()) // len(study.ratios))
    for name, one in study.selectors.items():
        runs = len(study.folds(dataset, name))
        if one.is_rule or one.sees_all_rows or not runs:
            continue
        for stage, times, copies in ((SELECT, runs, 1), (PROBES, min(on_page, runs), 2)):
            if stage == SELECT or has_probes(study, name):
                yield Task(stage, name, times, training, _selecting(one, shape, copies))
    judged = sum(len(study.folds(dataset, name)) for name in study.selectors)
    for name, entry in study.classifiers.items():
        yield Task(ACCURACY, name, judged, training, _scoring(entry, study, shape))
    if study.trust:
        features, classes = shape.columns, shape.classes
        seconds = lambda n: costs.trusting(n, features, classes)  # noqa: E731
        # One job, which may take as long as a task does in all folds.
        each = on_page
        yield Task(TRUST, "", each, shape.rows, lambda n: seconds(n) / each)


def _selecting(selector: Selector, shape: Shape, copies: int) -> Callable[[int], float]:
    """Seconds on so many rows: of all rankings of an ensemble, and of choosing parameters."""
    use = selector.base.name if selector.base else selector.use
    rankings, share = selector.passes["rankings"], selector.passes["share"]
    columns, classes = copies * shape.columns, shape.classes
    if selector.use != TUNED or not (selector.base and selector.base.balances):
        return lambda n: rankings * costs.selecting(use, max(1, int(n * share)), columns, classes)
    # All α of mRMR are tried at once, from the same counts.
    samples = selector.parameters["n_samples"]
    return lambda n: (
        samples * costs.choosing(max(1, int(n * share)), columns)
        + costs.selecting(use, n, columns, classes)
    )


def _scoring(entry: Mapping, study: Study, shape: Shape) -> Callable[[int], float]:
    sizes = entry.get("sizes", study.sizes)
    wanted = range(1, shape.features + 1) if sizes == "all" else sizes
    number = (
        1
        if isinstance(sizes, str) and sizes != "all"
        else sum(size <= shape.features for size in wanted)
    )
    return lambda n: costs.scoring(entry["use"], n, number, shape.classes)
