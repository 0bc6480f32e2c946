"""Tables of stability by size and by measure: differences, orders, trends, knots and peaks."""

from itertools import product
from typing import Literal

import numpy as np
import pandas as pd

from steadfast.outputs.arguments import (
    Classifier,
    Count,
    Datasets,
    MeasureUsed,
    NamedSelectors,
    Ratio,
    Ratios,
    SeveralSelectors,
    Size,
    TwoSelectors,
    require_similarity,
)
from steadfast.outputs.curves import Curves
from steadfast.outputs.intervals import mark
from steadfast.outputs.kinds import table
from steadfast.outputs.table import MEAN_HALF, Table, each, widen
from steadfast.statistics.correlation import spearman
from steadfast.statistics.knots import PEAK, Knot
from steadfast.statistics.knots import peaks as find_peaks

_LEVELS = [0.5, 0.6, 0.7, 0.8, 0.9]


@table
def measures(
    curves: Curves, *, datasets: Datasets, ratios: Ratios, selectors: TwoSelectors
) -> Table:
    """The difference of two selectors' stability under each measure, with intervals.

    Notes
    -----
    Stability of {first} minus that of {second}, mean over all subset sizes, with the 95% interval;
    ▲ where the interval lies on the side of the first, ▼ where on the side of the second. Both
    selectors see the same resamples, so the interval is that of paired differences: over the
    resamples (reference), or over the jackknife's pseudo-values of the resamples (all pairs). It is
    about resamples of this data set, not other data sets.
    """
    rows = []
    for dataset, ratio, one in product(datasets, ratios, curves.measures):
        apart = curves.difference(one, dataset, ratio, *selectors)
        printed = one.name, mark(apart, one.direction)
        rows.append((dataset, ratio, one.measure, one.compare, *apart, *printed))
    names = ["dataset", "ratio", "measure", "compare", "difference", "low", "high"]
    return Table(
        pd.DataFrame(rows, columns=[*names, "_name", "_mark"]),
        {"Dataset": "{dataset}", "r": "{ratio:g}"},
        wide=("_name", "{difference:+.3f}| [{low:+.3f}, {high:+.3f}]{_mark}"),
        say=dict(zip(("first", "second"), map(curves.selectors.get, selectors))),
    )


@table
def measures_at(
    curves: Curves,
    *,
    datasets: Datasets,
    ratio: Ratio,
    size: Size = 10,
    selectors: SeveralSelectors,
) -> Table:
    """Stability at a subset size under every measure of the study, beside chance.

    Notes
    -----
    Mean over the pairs of folds ± half of the 95% interval, of the first k features; chance is the
    value of random selection, where it is known. Measures of ranks and weights take all features
    after the k-th as tied.
    """
    frame = curves.at_size(curves.measures, datasets, ratio, selectors, size)
    distances = {one.measure: f"{one.label} (distance)" for one in curves.measures if one.distance}
    return Table(
        widen(frame.drop(columns=["low", "high"]), {"": "value", " half": "half"}),
        {"Dataset": "{dataset}", "Measure": "{measure}", "k": "{size}", "Chance": "{chance:.2f}"}
        | each(curves.labels_of(selectors), MEAN_HALF),
        labels={"measure": distances},
    )


@table
def orders(curves: Curves, *, datasets: Datasets, ratio: Ratio, selectors: NamedSelectors) -> Table:
    """The stability of several selectors under each measure, and how far their order agrees.

    Notes
    -----
    Stability at r = {ratio:g}, mean over all subset sizes ± half of the 95% interval. Rank
    correlation with first: Spearman's, of the selectors' stability with that under the first
    measure. (Ranks at each size, then averaged, may order them otherwise.)
    """
    frame = curves.over_sizes(curves.measures, datasets, ratio, selectors)
    table = widen(frame, {"": "mean", " low": "low", " high": "high", "_half": "half"})
    table = table.rename(columns={f"{name}_half": f"_{name}" for name in selectors})
    measures = curves.measures * len(datasets)
    better = table[selectors].astype(float).mul([one.direction for one in measures], axis=0)
    defined = better.notna().all(axis=1)
    first = better.groupby(table["dataset"], sort=False).transform("first")
    table["best"] = better[defined].idxmax(axis=1).reindex(better.index, fill_value="")
    table["correlation"] = [spearman(*pair) for pair in zip(first.to_numpy(), better.to_numpy())]
    table["_name"] = [one.name for one in measures]
    return Table(
        table,
        {"Dataset": "{dataset}", "Measure": "{_name}"}
        | each(curves.labels_of(selectors), "{*:.2f}| ± {_*:.2f}")
        | {"Highest mean": "{best}", "Rank correlation with first": "{correlation:.2f}"},
        labels={"best": {**curves.selectors, "": "–"}},
    )


@table(refuse=require_similarity)
def knots(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    datasets: Datasets,
    smallest: Count = 10,
    selectors: SeveralSelectors,
) -> Table:
    """Knots: the size at the end of the plateau of stability beyond chance.

    Parameters
    ----------
    smallest
        Smallest size that may be a knot.

    Notes
    -----
    The knot of a curve, for N from {smallest} on and E below 0.9: the end of the plateau (within
    0.01 of the largest value) of (S − E)/(1 − E), S being the stability and E its value for random
    selection; – where that falls from the first size on, or never. A long plateau says that no one
    size stands out.
    """
    rows = []
    for dataset, name in product(datasets, selectors):
        knot = curves.knot(measure, dataset, ratio, name, smallest) or [None] * 4
        rows.append((dataset, name, *knot))
    return Table(
        pd.DataFrame(rows, columns=["dataset", "selector", *Knot._fields], dtype=object),
        {"Dataset": "{dataset}", "Selector": "{selector}", "Size": "{size}"}
        | {"Plateau from": "{begins}", "Stability": "{stability:.3f}"}
        | {"(S − E)/(1 − E)": "{excess:.3f}"},
    )


@table
def peaks(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    datasets: Datasets,
    largest: Count = 100,
    selectors: SeveralSelectors,
) -> Table:
    """Sizes at which stability peaks, as candidates for the number of features.

    Parameters
    ----------
    largest
        Largest size at which a peak is looked for.

    Notes
    -----
    Local maxima of the {measure.label} stability up to {largest} features that stand out by at
    least {PEAK:g} on both sides. A peak is where the folds agree better than on more and on fewer
    features; it is no test of relevance.
    """
    rows, printed = [], []
    for dataset, name in product(datasets, selectors):
        curve = curves.find(measure, dataset, ratio, name)
        found = find_peaks(curve.up_to(largest)) if curve else []
        rows += [(dataset, name, *peak) for peak in found]
        shown = ", ".join(f"{peak.size} ({peak.stability:.2f})" for peak in found)
        printed.append((dataset, name, shown or "none"))
    return Table(
        pd.DataFrame(rows, columns=["dataset", "selector", "size", "stability", "prominence"]),
        {"Dataset": "{dataset}", "Selector": "{selector}", "Peaks: size (stability)": "{peaks}"},
        printed=pd.DataFrame(printed, columns=["dataset", "selector", "peaks"]),
        say={"PEAK": PEAK},
    )


@table
def weighted_features(
    curves: Curves, *, datasets: Datasets, ratio: Ratio, selectors: SeveralSelectors
) -> Table:
    """The share of the features that have a weight other than 0, mean over the folds.

    Notes
    -----
    Share of the features whose weight is not 0 in the training rows of a fold, mean over the folds.
    """
    rows = []
    for dataset in datasets:
        shares = [1 - curves.zero_weights(dataset, ratio, name) for name in selectors]
        rows.append((dataset, curves.about(dataset)["features"], *shares))
    return Table(
        pd.DataFrame(rows, columns=["dataset", "features", *selectors]),
        {"Dataset": "{dataset}", "m": "{features}"} | each(curves.labels_of(selectors), "{*:.1%}"),
    )


@table
def trends(
    curves: Curves,
    *,
    along: Literal["size", "ratio"],
    ratio: Ratio = None,
    size: Size = 10,
    largest: Count | None = None,
    datasets: Datasets,
    selectors: SeveralSelectors,
) -> Table:
    """Whether stability rises with the subset size, or with the perturbation of the samples.

    Parameters
    ----------
    along
        What stability is followed along.
    ratio
        Ratio, where it is followed along the size.
    largest
        Largest subset size; all if left out.

    Notes
    -----
    As measured: {measured}.

    Spearman's correlation of stability with {what}; in brackets the values at the smallest and the
    largest.
    """
    rows = []
    for measure, dataset, name in product(curves.measures, datasets, selectors):
        if along == "size":
            curve = curves.read(measure, dataset, ratio, name).up_to(largest)
            at, values = curve.sizes, curve.values
        else:
            at, k = np.array(curves.ratios), curves.size(dataset, size)
            values = np.array([curves.value(measure, dataset, r, name, k) for r in at])
        rows.append((dataset, measure.measure, name, spearman(at, values), *values[[0, -1]]))
    frame = pd.DataFrame(rows, columns=["dataset", "measure", "selector", "rho", "first", "last"])
    what = "the subset size" if along == "size" else "the perturbation"
    found = [
        f"{curves.labels['measure'][name]} rises with {what} in {(rho > 0).sum()} and falls in "
        f"{(rho < 0).sum()} of {rho.count()} pairs of data set and selector"
        for name, rho in frame.groupby("measure", sort=False)["rho"]
    ]
    return Table(
        widen(frame, {"": "rho", " first": "first", " last": "last"}),
        {"Dataset": "{dataset}", "Measure": "{measure}"}
        | each(curves.labels_of(selectors), "{*:+.2f?} ({* first:.2f} → {* last:.2f})"),
        say={"measured": "; ".join(found), "what": what},
    )


@table
def at_stability(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    classifier: Classifier,
    datasets: Datasets,
    levels: list[float] = _LEVELS,
    selectors: SeveralSelectors,
) -> Table:
    """The highest accuracy at sizes that reach a level of stability.

    Parameters
    ----------
    levels
        Levels of stability.

    Notes
    -----
    {classifier.score.label} of {classifier.label}, mean over the folds, and in brackets the
    smallest size that has it, among the sizes scored whose stability ({measure.name}) reaches the
    level. – : no such size.
    """
    rows = []
    for dataset, level, name in product(datasets, levels, selectors):
        best, size = np.nan, np.nan
        stability = curves.find(measure, dataset, ratio, name)
        accuracy = curves.find(classifier, dataset, ratio, name)
        if stability and accuracy:
            reached = measure.direction * stability.values >= measure.direction * level
            accuracy = accuracy.take(np.isin(accuracy.sizes, stability.sizes[reached]))
            if accuracy.sizes.size:
                at = np.argmax(classifier.direction * accuracy.values)
                best, size = accuracy.values[at], float(accuracy.sizes[at])
        rows.append((dataset, level, name, best, size))
    frame = pd.DataFrame(rows, columns=["dataset", "level", "selector", "best", "size"])
    return Table(
        widen(frame, {"": "best", " size": "size"}),
        {"Dataset": "{dataset}", "Stability of at least": "{level:g}"}
        | each(curves.labels_of(selectors), "{*:.3f} ({* size:g})"),
    )


# Groups of data sets
