"""Tables of how stability goes with subset size or perturbation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys, one_of
from steadfast.core.registry import table
from steadfast.outputs.keys import ANY_SIZE, LARGEST, ONE_DATASET, RATIO, SEVERAL_SELECTORS
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman
from steadfast.statistics.curve import Curve

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("trends")
class Trends(TableKind):
    """Whether stability rises with the subset size, or with the perturbation of the samples."""

    keys: ClassVar[Keys] = {
        "along": one_of("What stability is followed along.", "size", "ratio", required=True),
        "ratio": RATIO.but(description="Ratio, where it is followed along the size."),
        "size": ANY_SIZE.but(default=10),
        "largest": LARGEST,
        "dataset": ONE_DATASET,
        "selectors": SEVERAL_SELECTORS,
    }
    reads = Reads(stability=True)

    def needs_ratio(self, entry: Entry) -> bool:
        return entry["along"] == "size"

    def measures(self, study: "Study", entry: Entry) -> None:
        return None

    def build(self, view: View) -> Result:
        names = view.selectors
        header = [f"{name}{end}" for name in names for end in ("", " first", " last")]
        result = Result(
            ["dataset", "measure", *header], [], ["Dataset", "Measure", *names.values()]
        )
        for info in view.context["measures"]:
            for dataset in view.datasets:
                query = {**view.entry, **info, "of": "stability", "dataset": dataset}
                trends = [_trend(_curve(view, query, name)) for name in names]
                row = [value for trend in trends for value in trend]
                result.rows.append([dataset, info["measure"], *row])
                shown = [_shown(*trend) for trend in trends]
                result.printed.append([view.title(dataset), info["label"], *shown])
        result.notes += _notes(view, result.rows)
        return result


def _curve(view: View, query: dict[str, Any], selector: str) -> Curve:
    """Stability by size, or by ratio at the entry's size."""
    if query["along"] == "size":
        return view.curves.read(query, selector).up_to(query.get("largest"))
    k = view.size(query["dataset"])
    values = [view.curves.value({**query, "ratio": ratio}, selector, k) for ratio in view.ratios]
    return Curve(np.array(view.ratios), np.array(values))


def _trend(curve: Curve) -> tuple[float, float, float]:
    """Spearman's correlation, and the values at both ends."""
    rho = spearman(curve.sizes, curve.values)
    return rho, float(curve.values[0]), float(curve.values[-1])


def _shown(rho: float, first: float, last: float) -> str:
    return f"{'–' if np.isnan(rho) else f'{rho:+.2f}'} ({first:.2f} → {last:.2f})"


def _notes(view: View, rows: Sequence[Sequence[Any]]) -> list[str]:
    along = "the subset size" if view.entry["along"] == "size" else "the perturbation"
    lines = []
    for info in view.context["measures"]:
        values = [row[2::3] for row in rows if row[1] == info["measure"]]
        known = np.array([value for row in values for value in row if not np.isnan(value)])
        lines.append(
            f"{info['label']} rises with {along} in {(known > 0).sum()} and falls in "
            f"{(known < 0).sum()} of {known.size} pairs of data set and selector"
        )
    return [
        f"As measured: {'; '.join(lines)}.",
        f"Spearman's correlation of stability with {along}; in brackets the values at the smallest "
        "and the largest.",
    ]
