"""Tables of how samples of the rows, and the order of tied features, change what is selected."""

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
import pandas as pd

from steadfast.core.keys import list_of
from steadfast.measuring.overlaps import jaccard_matrix, mean_of_pairs, size_of
from steadfast.outputs.arguments import (
    ANY_SIZE,
    Argument,
    Dataset,
    Datasets,
    MeasureUsed,
    Published,
    Ratio,
    Selectors,
    SeveralSelectors,
    Size,
)
from steadfast.outputs.curves import Selections
from steadfast.outputs.kinds import table
from steadfast.outputs.sources.samples import Samples, sample_distance, without_each
from steadfast.outputs.table import Table, plus_minus, shown, widen
from steadfast.resampling.sample_similarity import READINGS

_SIZES = list_of(
    f"Sizes: {ANY_SIZE.description[0].lower()}{ANY_SIZE.description[1:-1]}. Published cells, and "
    "columns that name no size, are of the first.",
    ANY_SIZE.schema,
    default=[10],
)
Sizes = Annotated[list[float | str], Argument(_SIZES)]


@table
def disjoint(samples: Samples, *, dataset: Dataset, size: Size = 10, selectors: Selectors) -> Table:
    """Overlap of eleven samples' selections, the last sample sharing no row with the others.

    Notes
    -----
    As measured, of {n} selectors: the last sample is further from the ten than they are from each
    other for {further}; stability rises most when the last is left out for {rises}.

    Jaccard's index of the first features of the samples of {title}, mean over pairs.
    """
    rows = []
    for name in selectors:
        overlaps = samples.overlaps(dataset, name, size)
        *others, ten = without_each(overlaps)
        last, every = overlaps[-1, :-1].mean(), mean_of_pairs(overlaps)
        rows.append((name, ten, last, every, ten, max(others)))
    names = ["selector", "ten", "last", "eleven", "without last", "without another"]
    frame = pd.DataFrame(rows, columns=names)
    rises = frame["without last"] > frame[["without another", "eleven"]].max(axis=1)
    return Table(
        frame,
        {"Selector": "{selector}", "Among the ten": "{ten:.2f}"}
        | {"Of the last with them": "{last:.2f}", "All eleven": "{eleven:.2f}"}
        | {"Without the last": "{without last:.2f}"}
        | {"Without another, at most": "{without another:.2f}"},
        say={"n": len(frame), "further": (frame["last"] < frame["ten"]).sum()}
        | {"rises": rises.sum(), "title": samples.title(dataset)},
    )


@table(published_cells=True)
def ties(
    selections: Selections,
    *,
    datasets: Datasets,
    ratio: Ratio,
    sizes: Sizes,
    selectors: SeveralSelectors,
    published: Published,
    weights: bool = False,
) -> Table:
    """Stability with tied features in a random order, and in the order of their columns.

    Parameters
    ----------
    weights
        Whether it says how many features have a weight.

    Notes
    -----
    Jaccard's index of the first k features, mean over pairs: features of equal weight in an order
    drawn anew for each fold → in the order of their columns, which is the same in every fold and so
    makes features without any weight look stable.
    """
    rows, lines = [], []
    for dataset in datasets:
        m, paper = selections.about(dataset)["features"], published.get(dataset, {})
        row = {"dataset": dataset, "size": size_of(sizes[0], m)}
        for name in selectors:
            if paper:
                printed = shown(paper.get(f"{name} by column", np.nan), ".3f")
                lines.append((dataset, "as published", name, printed))
            for size in sizes:
                ending = "" if size == sizes[0] else f" {size}"
                place = dataset, ratio, name, size_of(size, m)
                both = [_overlap(selections, *place, order) for order in ("random", "column")]
                row |= {f"{name}{ending}": both[0], f"{name} by column{ending}": both[1]}
                printed = " → ".join(shown(value, ".3f") for value in both)
                lines.append((dataset, size_of(size, m), name, printed))
            if weights:
                weighted = m * (1 - selections.zero_weights(dataset, ratio, name))
                lines.append((dataset, "have a weight", name, shown(weighted, ".0f")))
        rows.append(row)
    return Table(
        pd.DataFrame(rows),
        {"Dataset": "{dataset}", "k": "{k}"},
        wide=("selector", "{text}"),
        printed=pd.DataFrame(lines, columns=["dataset", "k", "selector", "text"]),
    )


def _overlap(
    selections: Selections, dataset: str, ratio: float, selector: str, k: int, ties: str
) -> float:
    """Mean overlap of the first features of the folds, with tied features in an order."""
    every = selections.selections(dataset, selector, ties=ties)
    folds = selections.compared_folds(dataset, ratio)
    subsets = [every[fold.name].sequence[:k] for fold in folds]
    return mean_of_pairs(jaccard_matrix(subsets, selections.about(dataset)["features"]))


@table(published_cells=True, mean_columns=("stability",))
def sample_similarity(
    selections: Selections,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    datasets: Datasets,
    size: Size = 10,
    selectors: SeveralSelectors,
) -> Table:
    """Stability beside the similarity of the training samples, and who is stable by it.

    Notes
    -----
    {measure.label} of the samples' selections ± half of the 95% interval, at perturbation
    {ratio:g}. First mark: ✓ stable by the formula as printed, stability at least S_X as the mean
    distance of training rows of one class; second mark: by the text's reading, S_X as 1 minus that
    distance. Distances are Euclidean, features from 0 to 1, divided by √m.

    Features without any weight, mean over samples and data sets: {weightless}. Where fewer than k
    have one, the rest of the k is drawn at random.
    """
    frame = selections.at_size([measure], datasets, ratio, selectors, size)
    distances = {name: sample_distance(selections, name, ratio) for name in datasets}
    frame["distance"] = frame["dataset"].map(distances)
    frame["similarity"] = 1 - frame["distance"]
    weightless = []
    for name, label in selections.labels_of(selectors).items():
        shares = [selections.zero_weights(dataset, ratio, name) for dataset in datasets]
        weightless.append(f"{label} {np.mean(shares):.0%}")
    names = ["dataset", "size", "distance", "similarity", "selector", "value"]
    return Table(
        widen(frame[names], {" stability": "value"}),
        {"Dataset": "{dataset}", "Features k": "{size}"}
        | {"S_X, distance": "{distance:.2f}", "S_X, similarity": "{similarity:.2f}"},
        wide=("selector", _stability_with_marks),
        printed=frame,
        say={"weightless": ", ".join(weightless)},
    )


def _stability_with_marks(row: Mapping[str, Any]) -> str:
    """Whether stability reaches the similarity of the samples, by both readings."""
    marks = ["✓" if row["value"] >= row[reading] else "✗" for reading in ("distance", "similarity")]
    return f"{plus_minus(row['value'], row['half'])} {''.join(marks)}"


@table
def sample_readings(
    selections: Selections,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    datasets: Datasets,
    size: Size = 10,
    selectors: SeveralSelectors,
    published: Published,
) -> Table:
    """Readings of S_X side by side, the printed value, and who is stable by each.

    Notes
    -----
    S_X: mean over pairs of training rows of one class in two samples, at perturbation {ratio:g}. Of
    distinct rows: without the pairs of a row that is in both samples with itself, which count in
    the formula as printed; d is the Euclidean distance. Stable: selectors whose stability
    ({measure.label}) is at least that value.
    """
    rows = []
    for dataset in datasets:
        stability = selections.at_size([measure], [dataset], ratio, selectors, size)
        paper = published.get(dataset, {}).get("distance", np.nan)
        for reading in READINGS:
            value, distinct = (
                sample_distance(selections, dataset, ratio, reading, same_row)
                for same_row in (True, False)
            )
            stable = stability.loc[stability["value"] >= value, "selector"]
            labels = ", ".join(stable.map(selections.selectors)) or "none"
            rows.append((dataset, reading, value, distinct, paper, " ".join(stable), labels))
    names = ["dataset", "reading", "value", "distinct rows", "printed", "stable", "_stable"]
    return Table(
        pd.DataFrame(rows, columns=names),
        {"Dataset": "{dataset}", "Reading of S_X": "{reading}", "Value": "{value:.3f}"}
        | {"Of distinct rows": "{distinct rows:.3f}", "Printed": "{printed:.3f}"}
        | {"Stable": "{_stable}"},
        labels={"reading": {name: label for name, (label, _) in READINGS.items()}},
    )
