"""A kind of table of the tests' own: the least and the largest stability."""

from steadfast.outputs.arguments import MeasureUsed
from steadfast.outputs.curves import Curves
from steadfast.outputs.kinds import table
from steadfast.outputs.table import Table


@table
def extremes(curves: Curves, *, measure: MeasureUsed) -> Table:
    """The least and the largest stability of each selector over all sizes."""
    by = curves.frame(measure).groupby(["dataset", "selector"], sort=False)["value"]
    cells = {name.capitalize(): f"{{{name}}}" for name in ("dataset", "selector")}
    cells |= {"Least": "{least:.2f}", "Largest": "{largest:.2f}"}
    return Table(by.agg(least="min", largest="max").reset_index(), cells)
