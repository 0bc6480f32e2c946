"""A selector beside MID and random selection: how stable, and how accurate, by subset size."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.accuracy.rows import accuracy_rows
from steadfast.data.table import Table
from steadfast.measures.catalogue import align_columns
from steadfast.measures.frequency import nogueira_test
from steadfast.measures.kinds import interval, load
from steadfast.measures.runs import Runs
from steadfast.resampling import schemes
from steadfast.resampling.folds import Fold, test_share
from steadfast.selectors.running.fold_file import Selection
from steadfast.selectors.running.select import select
from steadfast.statistics.intervals import resampled_half_width

#: Subset sizes of the table, and the one that the sentences below it are about.
SIZES, SENTENCE_SIZE = (5, 10, 20), 10

#: What a selector is compared with, by its name in print.
BASELINES = {"MID": "mid", "random": "random"}

#: What the numbers come from, in print.
ABOUT = (
    "Over 20 subsamples of 80% of the rows, each class in its share. Stability: Nogueira's\n"
    "measure with its 95% interval; 0 is chance, 1 the same features in every subsample.\n"
    "3-NN: accuracy on the other rows, features from 0 to 1."
)

_SCHEME = {"scheme": "subsample", "repeats": 20, "share": 0.8, "stratified": True}
_CLASSIFIER = {"use": "knn", "k": 3, "scale": "unit"}
_LEVEL = 0.05


class _Performance(NamedTuple):
    """Of one selector, by size: its subsets, stability with interval, accuracy of each fold."""

    runs: dict[int, Runs]
    stability: dict[int, tuple[float, float, float]]
    accuracy: dict[int, np.ndarray]


def draw_folds(table: Table, dataset: str, seed: int = 1) -> list[Fold]:
    """The subsamples that all selectors see."""
    scheme = schemes.create(_SCHEME)
    return list(scheme.folds(table.y, table.classes, seed, ("check-selector", dataset)))


def select_all(
    settings: Mapping[str, Any],
    discretise: Mapping[str, Any] | None,
    table: Table,
    folds: Sequence[Fold],
    dataset: str,
) -> dict[str, Selection]:
    """What a selector that runs in this process ranks in every fold."""
    found = {}
    for fold in folds:
        X, y = table.X[fold.train], table.y[fold.train]
        place = {"seed": 1, "names": (dataset, fold.name), "discretise": discretise}
        fitted = select(settings, X, y, **place)
        found[fold.name] = Selection(fitted.sequence_, fitted.scores_[fitted.sequence_])
    return found


def comparison_table(
    selections: Mapping[str, Mapping[str, Selection]],
    table: Table,
    folds: Sequence[Fold],
    title: str,
) -> str:
    """The table and the sentence about it; `selections` by selector, the one in question first."""
    sizes = [k for k in SIZES if k < table.X.shape[1]]
    measured = {label: _measure(found, table, folds, sizes) for label, found in selections.items()}
    header = ["selector", *(f"stability of {k}" for k in sizes), *(f"3-NN with {k}" for k in sizes)]
    rows = [
        [label, *(_interval_text(own.stability[k]) for k in sizes)]
        + [_number_text(own.accuracy[k].mean()) for k in sizes]
        for label, own in measured.items()
    ]
    n, m = table.X.shape
    lines = [f"{title} ({n} rows, {m} features)", align_columns(header, rows)]
    return "\n".join(
        [*lines, *_sentence(measured, folds, SENTENCE_SIZE if m > SENTENCE_SIZE else sizes[-1])]
    )


def _measure(
    found: Mapping[str, Selection], table: Table, folds: Sequence[Fold], sizes: Sequence[int]
) -> _Performance:
    measure = load("nogueira")
    runs, stability = {}, {}
    for k in sizes:
        subsets = [found[fold.name].sequence[:k] for fold in folds]
        runs[k] = Runs(table.X.shape[1], subsets, ranked=False)
        if min(subset.size for subset in subsets) < k:
            stability[k] = (np.nan, np.nan, np.nan)
            continue
        estimate = measure.subsets(runs[k])
        low, high = interval(estimate, measure.about.bounds)
        stability[k] = (estimate.values[0], low[0], high[0])
    accuracy = {k: np.full(len(folds), np.nan) for k in sizes}
    place = {fold.name: at for at, fold in enumerate(folds)}
    for _, _, k, fold, value, *_ in accuracy_rows(
        "knn", _CLASSIFIER, folds, found, table.X, table.y, sizes
    ):
        accuracy[k][place[fold]] = value
    return _Performance(runs, stability, accuracy)


def _number_text(value: float) -> str:
    return "–" if np.isnan(value) else f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def _interval_text(found: tuple[float, float, float]) -> str:
    value, low, high = map(_number_text, found)
    return value if value == "–" else f"{value} [{low}, {high}]"


def _sentence(measured: Mapping[str, _Performance], folds: Sequence[Fold], k: int) -> list[str]:
    """How the first selector compares with each of the others, in words."""
    (label, own), *others = measured.items()
    if np.isnan(own.stability[k][0]):
        return [f"{label} ranks fewer than {k} features in some subsample, so nothing is compared."]
    parts = [
        f"{_words(_compare_stability(own, other, k), 'stable')} {name} "
        f"({_number_text(own.stability[k][0])} and {_number_text(other.stability[k][0])}), "
        f"{_words(_compare_accuracy(own, other, folds, k), 'accurate')} "
        f"({_number_text(own.accuracy[k].mean())} and {_number_text(other.accuracy[k].mean())})"
        for name, other in others
    ]
    return [f"With {k} features, {label} is {'; '.join(parts)}."]


def _words(side: int, what: str) -> str:
    """`more stable than`, `about as accurate`, and so on; accuracy goes on with the numbers."""
    word = {1: f"more {what}", -1: f"less {what}", 0: f"about as {what}"}[side]
    joined = {1: " than", -1: " than", 0: " as"}[side]
    return word + (joined if what == "stable" else "")


def _compare_stability(first: _Performance, second: _Performance, k: int) -> int:
    """1 or −1 where the two-sample test of Nogueira et al. (2018) finds a difference, else 0."""
    statistic, p = nogueira_test(first.runs[k], second.runs[k])
    return int(np.sign(statistic)) if p < _LEVEL else 0


def _compare_accuracy(
    first: _Performance, second: _Performance, folds: Sequence[Fold], k: int
) -> int:
    """1 or −1 where the corrected resampled t-test (Nadeau, Bengio 2003) finds one, else 0."""
    differences = first.accuracy[k] - second.accuracy[k]
    half = resampled_half_width(differences, test_share(folds))
    return int(np.sign(differences.mean())) if abs(differences.mean()) > half else 0
