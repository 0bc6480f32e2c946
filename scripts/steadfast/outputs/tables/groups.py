"""Tables of stability over groups of data sets."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from steadfast.outputs.arguments import DatasetGroups, MeasureUsed, Ratio, SeveralSelectors, Size
from steadfast.outputs.curves import Curves
from steadfast.outputs.kinds import table
from steadfast.outputs.results import Measure
from steadfast.outputs.table import Table, each, frame_of
from steadfast.statistics.correlation import partial, spearman


@table
def dataset_groups(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    dataset_groups: DatasetGroups,
    size: Size = 10,
    selectors: SeveralSelectors,
) -> Table:
    """Stability over groups of data sets, at a size that goes with their features.

    Notes
    -----
    {measure.label} of the folds' selections; chance is the value of random selection at that size.
    Spearman's correlation of the mean stability over the data sets: with the number of rows
    {rows:+.2f}, with the number of features {features:+.2f} ({n} data sets).
    """
    frame = _by_dataset(curves, measure, ratio, dataset_groups, size, selectors)
    printed = []
    for group, part in frame.groupby("_group", sort=False):
        means = part[["chance", *selectors, "mean"]].mean(skipna=False)
        printed += part.to_dict("records")
        printed.append({"_group": f"**{group}**", "dataset": "**mean**", **means})
    return Table(
        frame,
        {"Group": "{_group}", "Dataset": "{dataset}", "Rows n": "{rows}"}
        | {"Features m": "{features}", "k": "{size}", "Chance": "{chance:.2f}"}
        | each({**curves.labels_of(selectors), "mean": "Mean"}, "{*:.2f}"),
        printed=frame_of(printed),
        say={name: spearman(frame[name], frame["mean"]) for name in ("rows", "features")}
        | {"n": len(frame)},
    )


@table
def group_means(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    dataset_groups: DatasetGroups,
    size: Size = 10,
    selectors: SeveralSelectors,
) -> Table:
    """Mean stability over groups of data sets, and its correlation with rows and features.

    Notes
    -----
    As measured: {measured}.

    {measure.label} at the size that the data set's features give. Correlations are Spearman's over
    the data sets; at equal m, the partial one: what n has to say where the features' part is taken
    out. Few data sets, and rows and features go together.
    """
    frame = _by_dataset(curves, measure, ratio, dataset_groups, size, selectors)
    names, groups = [*selectors, "mean"], frame.groupby("_group", sort=False)
    means = {group: part[names].to_numpy().mean(axis=0) for group, part in groups}
    rows = [(group, groups.size()[group], *values) for group, values in means.items()]
    frame = frame.drop_duplicates("dataset")
    n, m, columns = frame["rows"], frame["features"], [frame[name] for name in names]
    over_all = {
        "range": np.ptp(list(means.values()), axis=0),
        "correlation with rows": [spearman(n, column) for column in columns],
        "correlation with features": [spearman(m, column) for column in columns],
        "correlation with rows at equal features": [partial(n, column, m) for column in columns],
        "correlation with features at equal rows": [partial(m, column, n) for column in columns],
    }
    rows += [(name, len(frame), *values) for name, values in over_all.items()]
    labels = ["Largest minus smallest group", "Correlation with n", "Correlation with m"]
    labels += ["With n, at equal m", "With m, at equal n"]
    return Table(
        pd.DataFrame(rows, columns=["row", "sets", *names]),
        {"": "{row}", "Data sets": "{sets}"}
        | each({**curves.labels_of(selectors), "mean": "Mean"}, "{*:.2f}"),
        labels={"row": dict(zip(over_all, labels, strict=True))},
        say={"measured": ". ".join(_in_order(curves.labels_of(selectors), means))},
    )


def _in_order(labels: Mapping[str, str], means: Mapping[str, np.ndarray]) -> Iterator[str]:
    """The selectors of each group from the most to the least stable."""
    for group, (*values, mean) in means.items():
        order = sorted(zip(labels.values(), values), key=lambda pair: -pair[1])
        shown = ", ".join(f"{label} {value:.2f}" for label, value in order)
        yield f"{group}: {shown}; first minus last {np.ptp(values):.2f}, mean {mean:.2f}"


def _by_dataset(
    curves: Curves,
    measure: Measure,
    ratio: float,
    groups: Mapping[str, Sequence[str]],
    size: float | str,
    selectors: Sequence[str],
) -> pd.DataFrame:
    """Shape, size and chance of each data set, the stability of each selector, and their mean."""
    pairs = [(group, dataset) for group, names in groups.items() for dataset in names]
    frame = pd.DataFrame(pairs, columns=["_group", "dataset"])
    for name in ("rows", "features"):
        frame[name] = [curves.about(dataset)[name] for dataset in frame["dataset"]]
    every = curves.at_size([measure], frame["dataset"].unique(), ratio, selectors, size)
    values = every.pivot(index="dataset", columns="selector", values="value")[selectors]
    chance = every.drop_duplicates("dataset")[["dataset", "size", "chance"]]
    frame = frame.merge(chance, on="dataset").join(values, on="dataset")
    return frame.assign(mean=frame[selectors].to_numpy().mean(axis=1))
