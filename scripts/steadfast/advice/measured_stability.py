"""The stability that a page shows, where the study has measured it on the runs of the page."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.advice.evidence import page_folds
from steadfast.core.files import parse_table, read_arrays, read_verified
from steadfast.core.paths import Paths, split_name
from steadfast.measures.declare import PAGE_MEASURE
from steadfast.measuring.curves import units_key
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.curve import Curve


def measured_stability(
    context: Mapping[str, Any],
    paths: Paths,
    selector: str,
    folds: Sequence[Fold],
    selections: Mapping[str, Selection],
    compare: str,
) -> Curve | None:
    """The stability of a selector's runs from the files of the study; None where they have none.

    Parameters
    ----------
    context
        Of the evidence: the study's `measures`, whether it has `all_sizes`, the page's `ratio`.
    paths
        Of the study and the data set.
    folds
        All folds of the data set.
    selections
        By fold, those without a result included.
    compare
        How the runs are compared: `all_pairs` or `chosen`.
    """
    use = {"measure": PAGE_MEASURE, "compare": compare}
    if use not in context["measures"] or not context["all_sizes"]:
        return None
    if not _are_one_sample(folds, context["ratio"], selections):
        return None
    curve = _read_curve(paths, selector, use, context["ratio"])
    # Of a selector that did not reach all sizes, the units have other sizes than the curve.
    whole = curve is not None and curve.sizes.size == curve.units.shape[1]
    return curve if whole else None


def _read_curve(paths: Paths, selector: str, use: Mapping[str, str], ratio: float) -> Curve | None:
    """A curve of the page's measure with its units by size, from the files of stability."""
    family, transform = split_name(selector)
    table = parse_table(read_verified(Path(paths("stability", selector=family))))
    wanted = {**use, "ratio": str(float(ratio)), "transform": transform}
    rows = [
        row
        for row in range(len(table["k"]))
        if all(table[key][row] == value for key, value in wanted.items() if key in table)
    ]
    manifest = Path(paths("stability", "sha256", selector=family))
    arrays = read_arrays(Path(paths("stability", "units.npz", selector=family)), manifest)
    units = arrays.get(units_key(transform, use["compare"], ratio))
    if not rows or units is None:
        return None
    numbers = {
        key: np.array([table[key][row] for row in rows], dtype=float)
        for key in ("k", "value", "low", "high")
    }
    ends = {"low": numbers["low"], "high": numbers["high"]}
    return Curve(numbers["k"].astype(np.int64), numbers["value"], **ends, units=units)


def _are_one_sample(
    folds: Sequence[Fold], ratio: float, selections: Mapping[str, Selection]
) -> bool:
    """Whether the folds of the page are just those that the study compares with each other."""
    compared = [fold for fold in folds if fold.comparison and fold.ratio == ratio]
    shown = page_folds(folds, ratio)
    names = [fold.name for fold in compared if fold.name in selections]
    return (
        len({fold.comparison for fold in compared}) == 1
        and names == [fold.name for fold in shown if fold.name in selections]
        and sum(not selections[name].note for name in names) > 1
    )
