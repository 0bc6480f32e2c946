"""Tables of selectors and of readings of a paper: stability beside accuracy, and profiles."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.measures.chance import expected_count_measure
from steadfast.measures.index import jaccard
from steadfast.outputs.arguments import (
    Classifier,
    Classifiers,
    Count,
    Datasets,
    Entry,
    MeasureUsed,
    NamedSelectors,
    Published,
    Ratio,
    Ratios,
    Selector,
    SelectorsToTest,
    SeveralSelectors,
    TwoSelectors,
    require_measured,
    require_scored,
)
from steadfast.outputs.curves import Curves
from steadfast.outputs.kinds import table
from steadfast.outputs.published import MEAN_ROW
from steadfast.outputs.sources.named_measures import PROFILE
from steadfast.outputs.sources.readings import cells_of, compare_with, explain_losses
from steadfast.outputs.table import Table, each
from steadfast.statistics.correlation import spearman
from steadfast.statistics.curve import common_sizes
from steadfast.statistics.p_values import mcnemar

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_NAN = float("nan")
_SIZES = [10, 20, 30, 40, 50]


class RunCurves(Curves):
    """Curves, and for each selector what a run of it sees, and whether a page judges it."""

    @classmethod
    def context_of(cls, study: "Study", entry: Entry) -> dict[str, Any]:
        sees = {}
        for name, one in study.selectors.items():
            rows = "all rows, those that test too" if one.sees_all_rows else "its training rows"
            sees[name] = "its training rows, the runs before it" if one.carries else rows
        return {"sees": sees, "judged": list(study.judged_selectors())}


@table
def readings(
    curves: RunCurves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    classifier: Classifier,
    datasets: Datasets,
    selectors: SelectorsToTest,
    reference: Selector,
) -> Table:
    """Stability and accuracy of several readings of a selector, and how far they beat another.

    What a run sees beside its training rows is said of each: with that, runs are not independent.

    Parameters
    ----------
    selectors
        The readings; all selectors but random selection if left out.
    reference
        Selector that they are compared with.

    Notes
    -----
    Stability and {classifier.noun} ({classifier.label}), means over all subset sizes, with 95%
    intervals. Differences to {label} are paired: both see the same folds; ▲ where the interval lies
    above 0, ▼ where below.{losses} Where a run sees more than its own training rows, its stability
    says nothing about other samples of the rows.
    """
    label = curves.selectors[reference]
    frame = compare_with(curves, reference, measure, classifier, datasets, ratio, selectors)
    frame.insert(2, "sees", frame["selector"].map(curves.context["sees"]))
    cells = cells_of(measure, classifier, label)
    return Table(
        frame.rename(columns=lambda name: name.replace("accuracy", classifier.score.name)),
        {"Dataset": cells.pop("Dataset"), "Selector": cells.pop("Selector")}
        | {"A run sees": "{sees}", **cells},
        printed=frame,
        say={"label": label, "losses": explain_losses(classifier)},
    )


def _check_tradeoff(study: "Study", entry: Entry, where: str) -> None:
    """The rows that a classifier was wrong on must be kept, at all sizes of the entry."""
    name = entry["classifier"]
    classifier = study.classifiers[name]
    if not classifier.get("outcomes"):
        raise UserError(
            f"{where}.classifier: McNemar's test needs the rows that {name} was wrong on; set "
            f"accuracy.classifiers.{name}.outcomes: true (svm)"
        )
    for sizes in (classifier.get("sizes"), study.sizes):
        missing = set(entry["sizes"]) - set(sizes) if isinstance(sizes, list) else set()
        if missing:
            raise UserError(f"{where}.sizes: {min(missing)} is not among the sizes that are scored")


@table(mean_columns=("error", "stability"), refuse=_check_tradeoff)
def tradeoff(
    curves: RunCurves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    classifier: Classifier,
    datasets: Datasets,
    sizes: list[Count] = _SIZES,
    selectors: SeveralSelectors,
) -> Table:
    """Errors beside stability by size, with McNemar's test and the most stable of the best.

    Parameters
    ----------
    sizes
        Subset sizes.

    Notes
    -----
    Error in percent ({classifier.label} on the first N features, outer folds) – stability
    ({measure.label}, inner folds) ± half of its interval over the outer folds. In italics: not
    different from the lowest error of the row (McNemar's test, exact, 0.05). Choice: the most
    stable of them.
    """
    rows = []
    for dataset, k in product(datasets, sizes):
        outcomes = {one: curves.outcomes(classifier, dataset, ratio, one, k) for one in selectors}
        errors, best = compare_errors(outcomes)
        row: dict[str, Any] = {"dataset": dataset, "k": k}
        worth = {"": -np.inf}
        for name in selectors:
            stability = curves.interval(measure, dataset, ratio, name, k)
            if name in best and name in curves.context["judged"] and not np.isnan(stability.mean):
                worth[name] = measure.direction * stability.mean
            error, mark = errors.get(name, _NAN), "*" if name in best else ""
            row |= {f"{name} error": error, f"{name} stability": stability.mean}
            row |= {f"{name} best": name in best, f"_{name} mark": mark}
            row |= {f"_{name} error": 100 * error, f"_{name} half": stability.half}
        if errors:
            rows.append({**row, "choice": max(worth, key=worth.get)})
    cell = "{_* mark}{_* error:.2f?} – {* stability:.2f?}| ± {_* half:.2f}|{_* mark}"
    return Table(
        pd.DataFrame(rows),
        {"Dataset": "{dataset}", "N": "{k}"}
        | each(curves.labels_of(selectors), cell)
        | {"Choice": "{choice}"},
        labels={"choice": {**curves.selectors, "": "–"}},
    )


def compare_errors(
    outcomes: Mapping[str, tuple[set[str], int]], level: float = 0.05
) -> tuple[dict[str, float], set[str]]:
    """The error of each selector, and those that do not differ from the lowest by McNemar's test.

    `outcomes` has the rows that a classifier was wrong on, and how many it was tested on.
    """
    errors = {name: len(wrong) / tested for name, (wrong, tested) in outcomes.items() if tested}
    wrong = {name: outcomes[name][0] for name in errors}
    lowest = wrong[min(errors, key=errors.get)] if errors else set()
    p = {name: mcnemar(len(own - lowest), len(lowest - own)) for name, own in wrong.items()}
    return errors, {name for name in errors if p[name] >= level}


# Profiles: weights, ranks and subsets


def _require_all_pairs(
    study: "Study", entry: Entry, where: str, names: Iterable[str] = PROFILE
) -> None:
    for name in names:
        require_measured(study, {"measure": name, "compare": "all_pairs"}, where)


_IN_PROFILE = (*PROFILE, "zero_weights", "expected_overlap")


@table(published_cells=True, mean_columns=_IN_PROFILE, refuse=_require_all_pairs)
def profile(
    curves: Curves,
    *,
    datasets: Datasets,
    ratio: Ratio,
    size: Count = 10,
    selectors: SeveralSelectors,
) -> Table:
    """Stability of weights, ranks and subsets.

    Parameters
    ----------
    size
        Subset size.

    Notes
    -----
    In percent; S_S and the features in common for subsets of {size}. Mean over the pairs of inner
    folds, then over the outer folds, ± half of the 95% interval over the outer folds (any two share
    most of their rows: the spread, not a test). Zero weights: share of the features without a
    weight. – : undefined; the files of stability say why (a selector that states no weights, or
    weights that are not finite). Mean: over the data sets.
    """
    rows = []
    for dataset, name in product(datasets, selectors):
        values = []
        for one in PROFILE:
            measure = curves.measure({"measure": one, "compare": "all_pairs"})
            k = size if one == "jaccard" else None
            values.append(curves.interval(measure, dataset, ratio, name, k))
        numbers = [*(one.mean for one in values), curves.zero_weights(dataset, ratio, name)]
        numbers.append(expected_overlap(values[-1].mean, size))
        rows.append((dataset, name, *numbers, *(one.half for one in values)))
    halves = [f"{name} half interval" for name in PROFILE]
    frame = pd.DataFrame(rows, columns=["dataset", "selector", *_IN_PROFILE, *halves])
    if len(datasets) > 1:
        numbers = frame.groupby("selector", sort=False)[list(_IN_PROFILE)]
        means = numbers.agg(lambda column: column.mean(skipna=False)).reset_index()
        frame = pd.concat([frame, means.assign(dataset=MEAN_ROW)], ignore_index=True)
    percent = frame.copy()
    percent[[*PROFILE, "zero_weights", *halves]] *= 100
    return Table(
        frame,
        {"Dataset": "{dataset}", "Selector": "{selector}"}
        | each(PROFILE, "{*:.2f}| ± {* half interval:.2f}")
        | {"Zero weights": "{zero_weights:.2f}", f"Overlap of {size}": "{expected_overlap:.2f}"},
        printed=percent,
        labels={"dataset": {MEAN_ROW: "Mean"}},
    )


def expected_overlap(tanimoto: float, k: int) -> float:
    """Features in common of two subsets of k: S = r / (2k − r), so r = 2kS / (1 + S)."""
    return 2 * k * tanimoto / (1 + tanimoto)


@table(published_cells=True, refuse=partial(_require_all_pairs, names=["jaccard"]))
def pool(
    curves: Curves,
    *,
    datasets: Datasets,
    ratio: Ratio,
    selector: Selector,
    selectors: NamedSelectors,
    sizes: list[Count],
    printed: Published,
) -> Table:
    """S_S beside that of a random choice among the features without weight, and as printed.

    Parameters
    ----------
    selector
        Selector whose weights are 0, and whose stability the paper prints.
    selectors
        Selectors shown.
    sizes
        Subset sizes.

    Notes
    -----
    S_S of the first N features. Zero weights: features that {label} gives none, mean over the
    folds; others: the rest. Random of zero, of all: expected S_S of two random choices of N among
    so many. Pool: the number of features P among which a random choice has the S_S, P = N(1 +
    S)/(2S). The last N of a data set is the number without weight.
    """
    rows, measure = [], curves.measure({"measure": "jaccard", "compare": "all_pairs"})
    for dataset in datasets:
        every = curves.about(dataset)["features"]
        zero = every * curves.zero_weights(dataset, ratio, selector)
        for k in dict.fromkeys([*sizes, round(zero)]):
            row = {"dataset": dataset, "k": k, "zero_weights": zero, "others": every - zero}
            for name in selectors:
                value = curves.value(measure, dataset, ratio, name, k)
                row |= {f"{name} stability": value, f"{name} pool": pool_size(value, k)}
            row["random_of_zero"] = random_choice(round(zero), k)
            row["random_of_all"] = random_choice(every, k)
            theirs = printed.get(f"{dataset} {k}", {}).get(f"{selector} stability", _NAN)
            rows.append({**row, "published": theirs, "published_pool": pool_size(theirs, k)})
    return Table(
        pd.DataFrame(rows),
        {"Dataset": "{dataset}", "N": "{k}"}
        | {"Zero weights": "{zero_weights:.0f}", "Others": "{others:.0f}"}
        | each(curves.labels_of(selectors), "{* stability:.4f}")
        | {"Random of zero": "{random_of_zero:.4f}", "Random of all": "{random_of_all:.4f}"}
        | {"Printed": "{published:.2f}", "Pool as printed": "{published_pool:.0f}"},
        say={"label": curves.selectors[selector]},
    )


def random_choice(features: int, k: int) -> float:
    """Expected S_S of two random subsets of k of some features; NaN where there are fewer.

    About k / (2·features − k).
    """
    return _NAN if k > features else expected_count_measure(jaccard, features, [(k, k)])[0]


def pool_size(tanimoto: float, k: int) -> float:
    """The number of features P of which two random subsets of k share r = k²/P: S = r / (2k − r).

    P = k(1 + S) / (2S); NaN where they share nothing.
    """
    return k * (1 + tanimoto) / (2 * tanimoto) if tanimoto > 0 else _NAN


# Several classifiers


@table(refuse=require_scored)
def classifiers(
    curves: Curves,
    *,
    datasets: Datasets,
    ratios: Ratios,
    selectors: TwoSelectors,
    classifiers: Classifiers = None,
) -> Table:
    """Two selectors compared under each classifier, at the sizes that all classifiers share.

    Notes
    -----
    {curves.score.label}, mean over the resamples and over the subset sizes that all classifiers
    share. Rank correlation: Spearman's, between the first and the last classifier, of the mean
    {curves.score.noun} of all {number} selectors.
    """
    classifiers = classifiers or list(curves.classifiers)
    labels = {name: curves.selectors[name] for name in selectors} | {"difference": "difference"}
    columns = {
        f"{name} {part}": f"{curves.classifiers[name]}: {label}"
        for name, (part, label) in product(classifiers, labels.items())
    }
    rows, pairs = [], list(product(map(curves.scored, classifiers), curves.selectors))
    for dataset, ratio in product(datasets, ratios):
        found = [curves.find(score, dataset, ratio, name) for score, name in pairs]
        shared = common_sizes(found) if all(found) else []
        if not shared or not shared[0].sizes.size:
            continue
        means = np.reshape([curve.values.mean() for curve in shared], (len(classifiers), -1))
        two = pd.DataFrame(means, columns=list(curves.selectors))[selectors]
        two["difference"] = two[selectors[0]] - two[selectors[1]]
        correlation = spearman(means[0], means[-1])
        rows.append((dataset, ratio, shared[0].sizes.size, *two.to_numpy().ravel(), correlation))
    return Table(
        pd.DataFrame(rows, columns=["dataset", "ratio", "sizes", *columns, "rank_correlation"]),
        {"Dataset": "{dataset}", "r": "{ratio:g}", "Sizes": "{sizes}"}
        | each(columns, "{*:.3f}")
        | {"Rank correlation": "{rank_correlation:.2f}"},
        say={"number": len(curves.selectors)},
    )
