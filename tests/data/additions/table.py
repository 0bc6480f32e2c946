"""A kind of table of the tests' own: the least and the most stability."""

from typing import ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs import keys
from steadfast.outputs.kind import Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View


@table("extremes")
class Extremes(TableKind):
    """The least and the largest stability of each selector over all sizes."""

    keys: ClassVar[Keys] = {**keys.STABILITY, "selectors": keys.SELECTORS}
    reads = Reads(stability=True)

    def build(self, view: View) -> Result:
        header = ["dataset", "selector", "least", "largest"]
        result = Result(header, [], [name.capitalize() for name in header])
        for dataset in view.datasets:
            for selector, label in view.selectors.items():
                query = {**view.entry, "of": "stability", "dataset": dataset}
                values = view.curves.read(query, selector).values
                result.rows.append([dataset, selector, values.min(), values.max()])
                ends = [f"{values.min():.2f}", f"{values.max():.2f}"]
                result.printed.append([view.title(dataset), label, *ends])
        return result
