"""What the runs of all selectors on one data set show: the numbers behind a page of advice."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steadfast.accuracy.rows import SCORING
from steadfast.accuracy.scores import SCORES, USUAL, Score
from steadfast.advice.effects import (
    STEADY,
    Peak,
    agrees,
    effect_json,
    find_peak,
    group_units,
    peak_in_words,
)
from steadfast.data.table import Table
from steadfast.measures.declare import PAGE_MEASURE
from steadfast.measures.kinds import interval, load
from steadfast.measures.policy import why_undefined
from steadfast.measures.runs import Runs
from steadfast.resampling.folds import Fold, test_share
from steadfast.selectors.running.fold_file import CHOSEN, OWN_SIZE, Selection
from steadfast.statistics.curve import Curve
from steadfast.statistics.intervals import resampled_half_width

#: Features of a run that a page keeps.
KEPT = 100


def curve_json(curve: Curve, sizes: Sequence[int]) -> dict[str, list[float | None]]:
    """Values and ends of intervals at some sizes; None where there is no value."""
    places = [curve.place(size, defined=True) for size in sizes]
    return {
        name: [None if place is None else to_json_number(values[place]) for place in places]
        for name, values in (("value", curve.values), ("low", curve.low), ("high", curve.high))
    }


def point_json(curve: Curve, place: int) -> dict[str, float | None]:
    """The value at one place, and the ends of its interval."""
    return {
        "value": to_json_number(curve.values[place]),
        "low": to_json_number(curve.low[place]),
        "high": to_json_number(curve.high[place]),
    }


@dataclass
class Witness:
    """One selector on one data set.

    Attributes
    ----------
    id, label, baseline, note : what it is; whether it chooses at random; what to know of it
    barred : why it is never recommended, as where it learnt from test rows; empty where it may be
    runs : the columns that each run ranks, best first
    stability, accuracy : by size; accuracy by classifier, the larger the better (`accuracy_curves`)
    chosen : whether stability and accuracy are those of subsets of its own sizes, at `OWN_SIZE`
    ahead : share of the runs in which each column is ahead of all shuffled copies; None: not run
    selections : what each run selected, with weights
    """

    id: str
    label: str
    baseline: bool
    note: str
    runs: list[np.ndarray]
    stability: Curve
    accuracy: dict[str, Curve] = field(default_factory=dict)
    chosen: bool = False
    mean_size: float = float("nan")
    ahead: np.ndarray | None = None
    selections: list[Selection] = field(default_factory=list)
    barred: str = ""

    @property
    def is_fair(self) -> bool:
        """Whether it may be recommended: it neither chose at random nor saw what it must not."""
        return not self.baseline and not self.barred


def to_json_number(value: Any, digits: int = 6) -> float | None:
    """A number for JSON, rounded to what a page can show; None for NaN."""
    return None if np.isnan(value) else round(float(value), digits)


def page_folds(folds: Sequence[Fold], ratio: float) -> list[Fold]:
    """The folds that a page is about: those of one ratio on which classifiers are tested."""
    return [fold for fold in folds if fold.scored and fold.ratio == ratio]


def stability_curve(runs: Sequence[np.ndarray], n_features: int, largest: int) -> Curve:
    """Nogueira's stability of the first k features, k = 1, 2, …, to the shortest run's length."""
    depth = min([largest, *(run.size for run in runs)])
    measure, found = load(PAGE_MEASURE), Runs(n_features, list(runs))
    if depth < 1 or len(runs) < 2:
        return _nothing(len(runs))
    estimate = measure.curves(found, depth)
    low, high = interval(estimate, measure.about.bounds)
    return _curve(np.arange(1, depth + 1), estimate.values, low, high, estimate.units)


def chosen_stability(runs: Sequence[np.ndarray], n_features: int) -> Curve:
    """Nogueira's stability of whole subsets, whatever their sizes."""
    measure, found = load(PAGE_MEASURE), Runs(n_features, list(runs), ranked=False)
    if len(runs) < 2 or why_undefined(measure.about.needs, found):
        return _nothing(len(runs))
    estimate = measure.subsets(found)
    low, high = interval(estimate, measure.about.bounds)
    return _curve(np.array([OWN_SIZE]), estimate.values, low, high, estimate.units)


def _nothing(n_runs: int) -> Curve:
    nothing = np.empty(0)
    return _curve(nothing.astype(np.int64), nothing, nothing, nothing, np.empty((n_runs, 0)))


def _curve(
    sizes: np.ndarray, values: np.ndarray, low: np.ndarray, high: np.ndarray, units: np.ndarray
) -> Curve:
    return Curve(sizes, values, low=low, high=high, units=units)


#: The score of a study that names none.
ACCURACY = SCORES[USUAL[0]]


def accuracy_curves(
    table: Mapping[str, Sequence[str]], folds: Sequence[Fold], score: Score = ACCURACY
) -> dict[str, Curve]:
    """Accuracy of each classifier by size, from the columns of a file of accuracies.

    Sizes that some fold does not have are left out, and so are folds in which the score is
    undefined, as AUC is where one class is tested. A score of which small values are good is turned
    round, so that large ones are good; see `as_printed`.
    """
    wanted = {fold.name: number for number, fold in enumerate(folds)}
    found: dict[str, dict[int, np.ndarray]] = {}
    columns = (table[key] for key in ("classifier", "k", "fold", "value"))
    scores = table.get(SCORING) or [score.name] * len(table["k"])
    for name, classifier, k, fold, value in zip(scores, *columns, strict=True):
        if fold in wanted and name == score.name:
            by_size = found.setdefault(classifier, {})
            units = by_size.setdefault(int(k), np.full(len(folds), np.nan))
            units[wanted[fold]] = score.direction * float(value)
    share, ends = test_share(folds), sorted([0, score.direction * score.largest])
    curves = {}
    for classifier, by_size in found.items():
        known = ~np.isnan(list(by_size.values())).all(axis=0)
        sizes = [k for k in sorted(by_size) if not np.isnan(by_size[k][known]).any()]
        units = np.array([by_size[k][known] for k in sizes]).T.reshape(known.sum(), len(sizes))
        values = units.mean(axis=0) if known.any() else np.full(len(sizes), np.nan)
        half = resampled_half_width(units, share)
        low, high = np.clip([values - half, values + half], *ends)
        curves[classifier] = _curve(np.array(sizes, dtype=np.int64), values, low, high, units)
    return curves


def as_printed(curve: Curve, score: Score) -> Curve:
    """A curve of `accuracy_curves` as it is to be shown: the score itself."""
    if score.larger_is_better:
        return curve
    return Curve(curve.sizes, -curve.values, low=-curve.high, high=-curve.low)


def witness(
    name: str,
    about: Mapping[str, Any],
    selections: Mapping[str, Selection],
    accuracy: Mapping[str, Sequence[str]] | None,
    folds: Sequence[Fold],
    n_features: int,
    largest: int,
    find_stability: Callable[[str], Curve | None] | None = None,
    score: Score = ACCURACY,
) -> Witness | None:
    """What one selector's files say; None where it finished on fewer than two of the folds.

    `find_stability` gives the stability of its runs, compared in a way (`all_pairs`, `chosen`),
    where the study has measured it; else it is computed here. `score` is what accuracy goes by.
    """
    done = [fold for fold in folds if not selections[fold.name].note]
    if len(done) < 2:
        return None
    own = [selections[fold.name] for fold in done]
    curves = accuracy_curves(accuracy, done, score) if accuracy else {}
    chosen = all(one.n_chosen is not None for one in own) and all(
        curve.place(OWN_SIZE, defined=True) is not None for curve in curves.values()
    )
    runs = [one.chosen if chosen else one.sequence for one in own]
    stability = find_stability(CHOSEN if chosen else "all_pairs") if find_stability else None
    if stability is None and chosen:
        stability = chosen_stability(runs, n_features)
    elif stability is None:
        stability = stability_curve(runs, n_features, largest)
    return Witness(
        name,
        about["label"],
        about.get("baseline", False),
        about.get("note", ""),
        runs,
        stability,
        curves,
        chosen,
        float(np.mean([run.size for run in runs])) if chosen else float("nan"),
        selections=own,
        barred=about.get("barred", ""),
    )


def directions(table: Table, folds: Sequence[Fold], columns: Sequence[int]) -> Iterator[dict]:
    """In which class each column is highest, and by how much it differs there.

    Numbers are compared by ranks, as the AUC compares them: an outlier does not turn a direction.
    Where rows are in groups, each group counts once per class, as for the effects: with the median
    of its numbers, or its shares of the categories.

    `agreement` is the share of the folds whose training rows have the same direction as all rows;
    see `effects.agrees`. Below `STEADY` no direction is named. `effect` is that of
    `effects.effect_json`, on all rows.
    """
    from scipy.stats import rankdata

    units = group_units(table)
    for column in columns:
        levels = table.levels[column] if table.levels else ()
        values, weights = table.X[:, column], None
        if levels:
            weights = None if units is None else units.weights
        else:
            ranked = values if units is None else units.medians(values)
            values = rankdata(ranked, nan_policy="omit")
        whole = find_peak(values, table.y, len(levels), len(table.classes), weights)
        agreement = None
        if whole is not None:
            same = [_agrees_in(fold, whole, values, table, weights) for fold in folds]
            agreement = to_json_number(np.mean(same))
        steady = agreement is not None and agreement >= STEADY
        yield {
            "name": table.features[column],
            "direction": peak_in_words(whole, table.classes, levels) if steady else "",
            "agreement": agreement,
            "effect": effect_json(table, column, whole),
        }


def _agrees_in(
    fold: Fold, peak: Peak, values: np.ndarray, table: Table, weights: np.ndarray | None
) -> bool:
    """Whether the training rows of a fold have this direction."""
    own = None if weights is None else weights[fold.train]
    return agrees(peak, values[fold.train], table.y[fold.train], len(table.classes), own)


def shown_sizes(largest: int) -> list[int]:
    """Every size to 20, then in steps of a twentieth: curves for a page."""
    sizes = [1]
    while sizes[-1] < largest:
        sizes.append(min(largest, max(sizes[-1] + 1, round(sizes[-1] * 1.05))))
    return sizes
