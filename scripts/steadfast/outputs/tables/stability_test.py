"""Tables of two-sample tests: is one selector more stable than another on a data set?"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of, text
from steadfast.core.registry import table
from steadfast.measures.runs import Runs
from steadfast.measuring.overlaps import size_of
from steadfast.outputs.keys import COMPARE, RATIO, SIZE, TESTED_SELECTORS
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.tested_selectors import require_two, tested_selectors
from steadfast.outputs.view import View
from steadfast.selectors.running.fold_file import CHOSEN, Selection
from steadfast.statistics.friedman import LEVEL
from steadfast.statistics.p_values import holm, printed_p

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_NAN = float("nan")

_HEADER = (
    *("dataset", "k", "first", "second"),
    *("first_runs", "first_stability", "first_low", "first_high"),
    *("second_runs", "second_stability", "second_low", "second_high"),
    *("statistic", "p", "p_holm", "note"),
)

_PAIR = {"type": "array", "minItems": 2, "maxItems": 2, "uniqueItems": True}


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
    def text(self) -> str:
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


@table("stability_test")
class StabilityTest(TableKind):
    """Nogueira's two-sample test of pairs of selectors on each data set."""

    keys: ClassVar[Keys] = {
        "compare": COMPARE.but(
            description="`all_pairs`: the first features of the runs; `chosen`: the subsets that "
            "selectors chose. If left out, as the study's measures are."
        ),
        "ratio": RATIO,
        "size": SIZE,
        "pairs": list_of(
            "Pairs of selectors; every two, or each with the reference, if left out.",
            {**_PAIR, "items": {"type": "string"}},
            names="selector",
        ),
        "reference": text("Selector that the others are tested against.", names="selector"),
        "selectors": TESTED_SELECTORS,
    }
    any_size = True
    reads = Reads(selections=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return tested_selectors(study, entry)

    def complete(self, study: "Study", entry: dict[str, Any]) -> None:
        super().complete(study, entry)
        own_size = all(given["compare"] == CHOSEN for given in study.measures)
        entry.setdefault("compare", CHOSEN if own_size else "all_pairs")

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        for key in ("reference", "selectors"):
            if "pairs" in entry and key in entry:
                raise UserError(f"{where}.{key}: does not go with the other keys beside it")
        require_two(study, entry, where)
        if entry["compare"] not in ("all_pairs", CHOSEN):
            raise UserError(
                f"{where}.compare: the test is on runs compared with each other; use all_pairs, or "
                f"{CHOSEN} for the subsets that selectors chose"
            )
        if not study.scheme.one_sample:
            raise UserError(
                f"{where}: the folds of {study.resample['scheme']} come in several groups, and the "
                "test wants one sample of runs; use cv, subsample, halves, pairs, "
                "shrinking_bootstrap or perturbed"
            )

    def build(self, view: View) -> Result:
        labels = view.selectors
        printed = ["Dataset", "k", "First", "Stability", "Second", "Stability"]
        result = Result(list(_HEADER), [], [*printed, "T", "p", "p (Holm)"])
        tests = list(_tests(view))
        for test, corrected in zip(tests, holm(np.array([test.p for test in tests])), strict=True):
            first, second = test.samples
            key = [test.dataset, test.size, test.first, test.second]
            numbers = [*first.numbers, *second.numbers, test.statistic, test.p, float(corrected)]
            result.rows.append([*key, *numbers, test.note(labels)])
            side = " ▲" if test.statistic > 0 else " ▼"
            result.printed.append(
                [
                    *(view.title(test.dataset), str(test.size)),
                    *(labels[test.first], first.text, labels[test.second], second.text),
                    plus_minus(test.statistic) + (side if corrected < LEVEL else ""),
                    *(printed_p(test.p), printed_p(corrected)),
                ]
            )
        result.notes += _notes(view, tests)
        return result


def _tests(view: View) -> Iterator[PairTest]:
    from steadfast.measures.frequency import nogueira_test

    for dataset in view.datasets:
        size, samples = _samples(view, dataset)
        for first, second in pairs_to_test(view.entry, list(view.selectors)):
            if not (view.is_run(dataset, first) and view.is_run(dataset, second)):
                continue
            both = samples[first], samples[second]
            defined = not any(np.isnan(sample.value) for sample in both)
            numbers = nogueira_test(*(s.runs for s in both)) if defined else (_NAN, _NAN)
            yield PairTest(dataset, size, first, second, both, *numbers)


def pairs_to_test(entry: Entry, selectors: list[str]) -> list[tuple[str, str]]:
    """Those that an entry names, its reference with each other selector, or every two."""
    if "pairs" in entry:
        return [(first, second) for first, second in entry["pairs"]]
    if "reference" in entry:
        reference = entry["reference"]
        return [(reference, name) for name in selectors if name != reference]
    return list(combinations(selectors, 2))


def _samples(view: View, dataset: str) -> tuple[int | str, dict[str, Sample]]:
    """The subset size, and the runs of every selector at the entry's ratio."""
    entry, n_features = view.entry, len(view.features(dataset))
    folds = [
        fold.name
        for fold in view.folds(dataset)
        if fold.comparison and fold.ratio == entry["ratio"]
    ]
    k = None if entry["compare"] == CHOSEN else size_of(entry["size"], n_features)
    samples = {}
    for name in (name for name in view.selectors if view.is_run(dataset, name)):
        every = view.selections(dataset, name, shuffle_ties=True)
        own = {fold: every[fold] for fold in folds if fold in every}
        samples[name] = sample_of(own, n_features, k)
    return CHOSEN if k is None else k, samples


def sample_of(selections: Mapping[str, Selection], n_features: int, k: int | None) -> Sample:
    """The first k features of every run that has a selection, or (None) the subsets it chose."""
    from steadfast.measures.kinds import interval, load

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


def _notes(view: View, tests: list[PairTest]) -> list[str]:
    chosen = view.entry["compare"] == CHOSEN
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
    reasons = dict.fromkeys(
        f"{view.title(test.dataset)}, {test.note(view.selectors)}"
        for test in tests
        if np.isnan(test.p)
    )
    return [*notes, *([f"– : no test. {'. '.join(reasons)}."] if reasons else [])]
