"""Tables of two-sample tests: is one selector more stable than another on a data set?"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steadfast.data.table import read_table
from steadfast.measures.frequency import nogueira_test
from steadfast.measures.kinds import interval, load
from steadfast.measures.runs import Runs
from steadfast.outputs.tables.base import Result, dataset_title, plus_minus
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.fold_file import CHOSEN, Selection, read_cell
from steadfast.stability.overlaps import size_of
from steadfast.statistics.friedman import LEVEL
from steadfast.statistics.holm import holm, printed_p

_NAN = float("nan")

_HEADER = (
    *("dataset", "k", "first", "second"),
    *("first_runs", "first_stability", "first_low", "first_high"),
    *("second_runs", "second_stability", "second_low", "second_high"),
    *("statistic", "p", "p_holm", "note"),
)


class Sample(NamedTuple):
    """The runs of a selector on a data set, their stability and its 95% interval; NaN and why."""

    runs: Runs
    value: float
    low: float
    high: float
    note: str

    @property
    def numbers(self) -> list[float]:
        return [len(self.runs), self.value, self.low, self.high]

    @property
    def printed(self) -> str:
        ends = "" if np.isnan(self.value) else f" [{self.low:.3f}, {self.high:.3f}]"
        return plus_minus(self.value, digits=3) + ends


class PairTest(NamedTuple):
    """Two selectors on a data set."""

    dataset: str
    size: int | str
    first: str
    second: str
    samples: tuple[Sample, Sample]
    statistic: float
    p: float

    def note(self, labels: Mapping[str, str]) -> str:
        """Why there is no test, or what was left out of it."""
        named = zip((self.first, self.second), self.samples, strict=True)
        notes = [f"{labels[name]}: {sample.note}" for name, sample in named if sample.note]
        if np.isnan(self.p) and not any(np.isnan(sample.value) for sample in self.samples):
            notes.append("neither has a variance")
        return "; ".join(notes)


def stability_test(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Nogueira's two-sample test of pairs of selectors on every data set."""
    labels = context["selectors"]
    result = Result(
        list(_HEADER),
        [],
        ["Dataset", "k", "First", "Stability", "Second", "Stability", "T", "p", "p (Holm)"],
    )
    tests = list(_tests(context, folder, data))
    for test, corrected in zip(tests, holm(np.array([test.p for test in tests])), strict=True):
        first, second = test.samples
        key = [test.dataset, test.size, test.first, test.second]
        numbers = [*first.numbers, *second.numbers, test.statistic, test.p, float(corrected)]
        result.rows.append([*key, *numbers, test.note(labels)])
        side = " ▲" if test.statistic > 0 else " ▼"
        result.printed.append(
            [
                *(dataset_title(data, test.dataset), str(test.size)),
                *(labels[test.first], first.printed, labels[test.second], second.printed),
                plus_minus(test.statistic) + (side if corrected < LEVEL else ""),
                *(printed_p(test.p), printed_p(corrected)),
            ]
        )
    result.notes += _notes(context, data, tests)
    return result


def _tests(context: Mapping[str, Any], folder: Path, data: Path) -> Iterator[PairTest]:
    for dataset in context["datasets"]:
        size, samples = _samples(context, folder, data, dataset)
        for first, second in pairs_to_test(context["entry"], list(context["selectors"])):
            both = samples[first], samples[second]
            defined = not any(np.isnan(sample.value) for sample in both)
            found = nogueira_test(*(s.runs for s in both)) if defined else (_NAN, _NAN)
            yield PairTest(dataset, size, first, second, both, *found)


def pairs_to_test(entry: Mapping[str, Any], selectors: list[str]) -> list[tuple[str, str]]:
    """Those that an entry names, its reference with each other selector, or every two."""
    if "pairs" in entry:
        return [(first, second) for first, second in entry["pairs"]]
    if "reference" in entry:
        reference = entry["reference"]
        return [(reference, name) for name in selectors if name != reference]
    return list(combinations(selectors, 2))


def _samples(
    context: Mapping[str, Any], folder: Path, data: Path, dataset: str
) -> tuple[int | str, dict[str, Sample]]:
    """The subset size, and the runs of every selector at the entry's ratio."""
    entry = context["entry"]
    features = read_table(data / f"{dataset}.npz").features
    plan = read_plan(folder / "resamples" / f"{dataset}.npz")
    folds = [fold.name for fold in plan if fold.group and fold.ratio == entry["ratio"]]
    k = None if entry["compare"] == CHOSEN else size_of(entry["size"], len(features))
    ties = {"ties": context["ties"], "seed": context["seed"]}
    samples = {}
    for name, cell in context["cells"][dataset].items():
        found = read_cell(folder, dataset, name, cell, features, **ties)
        own = {fold: found[fold] for fold in folds if fold in found}
        samples[name] = sample_of(own, len(features), k)
    return CHOSEN if k is None else k, samples


def sample_of(selections: Mapping[str, Selection], n_features: int, k: int | None) -> Sample:
    """The first k features of every run that has a selection, or (None) the subsets it chose."""
    kept = {name: selection for name, selection in selections.items() if not selection.note}
    subsets = [one.chosen if k is None else one.sequence[:k] for one in kept.values()]
    runs = Runs(n_features, subsets, ranked=False, names=list(kept))
    measure = load("nogueira")
    reason = measure.why_undefined(runs)
    if reason is None and k is not None and runs.depth < k:
        reason = f"run {runs.name(int(np.argmin(runs.sizes)))} lists fewer than {k} features"
    missing = len(selections) - len(kept)
    notes = [f"{missing} of {len(selections)} runs have no selection"] if missing else []
    if reason:
        return Sample(runs, _NAN, _NAN, _NAN, "; ".join([*notes, reason]))
    estimate = measure.subsets(runs)
    ends = interval(estimate, measure.about.bounds)
    numbers = (float(column[0]) for column in (estimate.values, *ends))
    return Sample(runs, *numbers, "; ".join(notes))


def _notes(context: Mapping[str, Any], data: Path, tests: list[PairTest]) -> list[str]:
    chosen = context["entry"]["compare"] == CHOSEN
    of = "the subsets that the selectors chose" if chosen else "the first k features"
    count = sum(not np.isnan(test.p) for test in tests)
    notes = [
        f"Nogueira's stability of {of} over the runs, with its 95% interval. T: difference of the "
        "two over its standard error, standard normal if both are equally stable; p two-sided, and "
        f"corrected by Holm over the tests of this table ({count}). ▲: the first is more stable at "
        f"{LEVEL:g} after correction, ▼: the second.",
        "The test takes runs as independent, and those of the two selectors too. Here runs are "
        "resamples of one data set that share rows, and both selectors saw the same ones; with "
        "about ten runs the variance is also too small. So read p as a guide: it is about "
        "resamples of these rows, not about new data.",
    ]
    untested = [test for test in tests if np.isnan(test.p)]
    told = dict.fromkeys(
        f"{dataset_title(data, test.dataset)}, {test.note(context['selectors'])}"
        for test in untested
    )
    return [*notes, *([f"– : no test. {'. '.join(told)}."] if told else [])]


KINDS = {"stability_test": stability_test}
