"""Tables of how much rows and features matter on a surface of stability."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import SEVERAL_SELECTORS, THE_DATASET
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_COLUMNS = {
    "rows": "Twice the rows",
    "features": "Twice the features",
    "fewest rows": "Fewest to most features, at fewest rows",
    "most rows": "the same, at most rows",
}


@table("surface_effects")
class SurfaceEffects(TableKind):
    """What twice the rows and twice the features do to stability, from a figure's surface."""

    keys: ClassVar[Keys] = {"dataset": THE_DATASET, "selectors": SEVERAL_SELECTORS}
    reads = Reads(places=("surface",))

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """The surface is computed for a figure."""
        super().check(study, entry, where)
        wanted = {"kind": "surface", "dataset": entry["dataset"]}
        if not any(wanted.items() <= figure.items() for figure in study.figures.values()):
            raise UserError(f"{where}: there is no figure of kind surface of {entry['dataset']}")

    def build(self, view: View) -> Result:
        result = Result(["selector", *_COLUMNS], [], ["Selector", *_COLUMNS.values()])
        for selector, label in view.selectors.items():
            surface = view.numbers("surface", dataset=view.entry["dataset"], selector=selector)
            effects = surface_effects(surface["rows"], surface["features"], surface["value"])
            result.rows.append([selector, *effects])
            result.printed.append([label, *(f"{effect:+.3f}" for effect in effects)])
        by_rows, by_features, few, many = np.array([row[1:] for row in result.rows]).T
        n = len(by_rows)
        result.notes += [
            f"As measured, of {n} selectors: stability rises with rows for {(by_rows > 0).sum()}, "
            f"falls with features for {(by_features < 0).sum()}; doubling the rows matters more "
            f"than doubling the features for {(np.abs(by_rows) > np.abs(by_features)).sum()}; "
            "features matter less at the most rows than at the fewest for "
            f"{(np.abs(many) < np.abs(few)).sum()}.",
            "Change of stability (Jaccard). Twice the rows, twice the features: slopes of the "
            "plane through the surface over the logarithms of both, by least squares, so that "
            "steps are comparable.",
        ]
        return result


def surface_effects(
    rows: np.ndarray, features: np.ndarray, values: np.ndarray
) -> tuple[float, float, float, float]:
    """Slopes over log₂ of rows and features, and last minus first at fewest and at most rows."""
    plane = np.column_stack([np.ones_like(values), np.log2(rows), np.log2(features)])
    slopes = np.linalg.lstsq(plane, values, rcond=None)[0][1:]
    ends = []
    for count in (rows.min(), rows.max()):
        at = rows == count
        order = np.argsort(features[at])
        ends.append(values[at][order[-1]] - values[at][order[0]])
    return float(slopes[0]), float(slopes[1]), float(ends[0]), float(ends[1])
