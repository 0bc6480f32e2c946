"""Tables of experiments: what is found of known truth, and what rows and features do."""

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.outputs.arguments import Dataset, Selectors, SeveralSelectors
from steadfast.outputs.kinds import Entry, table
from steadfast.outputs.sources.experiments import Recovery, Scenarios, Surfaces
from steadfast.outputs.table import Table, is_undefined

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_OF_SIGNAL = (
    "Recall / share of noise among the chosen features, means over data sets. Of features in "
    "blocks, recall is the share of blocks of which one is chosen."
)
_OF_NOISE = (
    "A single number: no feature is relevant, and it is the share of data sets in which any is "
    "chosen."
)


@table
def recovery(results: Recovery, *, scenarios: Scenarios, selectors: Selectors) -> Table:
    """Recall and share of false features of each selector on scenarios of known truth.

    Notes
    -----
    {of_signal} {of_noise}
    """
    rows = []
    for scenario, name in product(scenarios, selectors):
        sets = results.sets(scenario, name)
        row = {"scenario": scenario, "selector": name, "sets": len(sets)}
        for what, mean in sets.mean().items():
            row |= {what: mean, f"{what}_se": sets[what].sem()}
        rows.append(row)
    frame = pd.DataFrame(rows)
    has_signal = frame["recall"].notna()
    return Table(
        frame,
        {"Scenario": "{scenario}"},
        wide=("selector", _cell),
        say={
            "of_signal": _OF_SIGNAL if has_signal.any() else "",
            "of_noise": "" if has_signal.all() else _OF_NOISE,
        },
    )


def _cell(row: Mapping[str, Any]) -> str:
    if is_undefined(row["recall"]):
        return f"{row['any_false']:.2f}"
    # Means of a few shares, such as 0.665, are rounded as decimals.
    return f"{np.round(row['recall'], 2):.2f} / {row['false_share']:.2f}"


def require_surface(study: "Study", entry: Entry, where: str) -> None:
    """The surface is computed for a figure."""
    needed = {"kind": "surface", "dataset": entry["dataset"]}
    if not any(needed.items() <= figure.items() for figure in study.figures.values()):
        raise UserError(f"{where}: there is no figure of kind surface of {entry['dataset']}")


@table(refuse=require_surface)
def surface_effects(results: Surfaces, *, dataset: Dataset, selectors: SeveralSelectors) -> Table:
    """What twice the rows and twice the features do to stability, from a figure's surface.

    Notes
    -----
    As measured, of {n} selectors: stability rises with rows for {rises}, falls with features for
    {falls}; doubling the rows matters more than doubling the features for {rows_more}; features
    matter less at the most rows than at the fewest for {less}.

    Change of stability (Jaccard). Twice the rows, twice the features: slopes of the plane through
    the surface over the logarithms of both, by least squares, so that steps are comparable.
    """
    rows = [(name, *effects_of(results.surface(dataset, name))) for name in selectors]
    names = ["selector", "rows", "features", "fewest rows", "most rows"]
    frame = pd.DataFrame(rows, columns=names)
    size = frame[names[1:]].abs()
    return Table(
        frame,
        {"Selector": "{selector}", "Twice the rows": "{rows:+.3f}"}
        | {"Twice the features": "{features:+.3f}"}
        | {"Fewest to most features, at fewest rows": "{fewest rows:+.3f}"}
        | {"the same, at most rows": "{most rows:+.3f}"},
        say={
            "n": len(frame),
            "rises": (frame["rows"] > 0).sum(),
            "falls": (frame["features"] < 0).sum(),
            "rows_more": (size["rows"] > size["features"]).sum(),
            "less": (size["most rows"] < size["fewest rows"]).sum(),
        },
    )


def effects_of(surface: pd.DataFrame) -> list[float]:
    """Slopes over log₂ of rows and features, and last minus first at fewest and at most rows."""
    rows, features, values = (surface[name] for name in ("rows", "features", "value"))
    plane = np.column_stack([np.ones_like(values), np.log2(rows), np.log2(features)])
    slopes = np.linalg.lstsq(plane, values, rcond=None)[0][1:]
    ordered = surface.sort_values("features").groupby("rows")["value"]
    ends = (ordered.last() - ordered.first()).sort_index()
    return [*slopes, ends.iloc[0], ends.iloc[-1]]
