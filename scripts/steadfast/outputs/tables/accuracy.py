"""Tables of accuracy under several classifiers."""

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from steadfast.outputs.arguments import (
    Classifiers,
    Datasets,
    Ratios,
    TwoSelectors,
    require_accuracy,
    require_scored,
)
from steadfast.outputs.curves import Curves
from steadfast.outputs.kinds import table
from steadfast.outputs.table import Table, each
from steadfast.statistics.correlation import spearman
from steadfast.statistics.curve import common_sizes

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


def _refuse(study: "Study", entry: Mapping[str, Any], where: str) -> None:
    """There must be classifiers, each of them scored at every ratio."""
    require_accuracy(study, where)
    for classifier in entry.get("classifiers", study.classifiers):
        require_scored(study, classifier, set(entry["ratios"]), where)


@table(refuse=_refuse)
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
    labels = {**curves.selectors, "difference": "difference"}
    pairs = list(product(classifiers, curves.selectors))
    parts = list(product(classifiers, [*selectors, "difference"]))
    columns = {
        f"{name} {part}": f"{curves.classifiers[name]}: {labels[part]}" for name, part in parts
    }
    rows = []
    for dataset, ratio in product(datasets, ratios):
        found = [curves.find(curves.scored(name), dataset, ratio, one) for name, one in pairs]
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
