"""Tables of what the order of features of equal weight does to stability."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys, list_of
from steadfast.core.paths import name_after
from steadfast.core.registry import table
from steadfast.outputs.keys import FAMILY, ONE_DATASET, RATIO, TRANSFORMS
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.view import View
from steadfast.selectors.running.fold_file import Selection
from steadfast.study.kind import require_transforms

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_ORDERS = {"column": "by column", "random": "random"}


@table("tie_orders")
class TieOrders(TableKind):
    """Jaccard stability with features of equal weight in the order of columns, and at random."""

    keys: ClassVar[Keys] = {
        "family": FAMILY,
        "transforms": TRANSFORMS,
        "dataset": ONE_DATASET,
        "ratio": RATIO,
        "sizes": list_of(
            "Subset sizes; the cells without a size are of the first.",
            {"type": "integer", "minimum": 1},
            default=[10],
        ),
    }
    reads = Reads(selections=True)
    has_published_cells = True

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [name_after(entry["family"], name) for name in entry["transforms"]]

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        return {
            "families": study.families,
            "transforms": study.transform_infos,
            "ties": "random",
            "published": published,
        }

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        require_transforms(study, entry["family"], entry["transforms"], where)

    def build(self, view: View) -> Result:
        entry, infos = view.entry, view.context["transforms"]
        header, rows = ["row"], []
        printed = ["Dataset", "k", "Ties", *(infos[name]["label"] for name in entry["transforms"])]
        result = Result(header, rows, printed)
        for dataset in view.datasets:
            row = f"{entry['family']} {dataset}"
            cells, weighted = {}, []
            for transform in entry["transforms"]:
                own, n_weighted = _stabilities(view, dataset, transform)
                cells |= {f"{transform} {name}": value for name, value in own.items()}
                weighted.append(n_weighted)
            header[1:] = list(cells)
            rows.append([row, *cells.values()])
            result.printed += _lines(view, row, dataset, cells)
            counts = [f"{count:.0f}" for count in weighted]
            result.printed.append([view.title(dataset), "", "features of weight above 0", *counts])
        result.notes.append(
            f"{view.context['families'][entry['family']]}. Features of equal weight, most of them "
            "without any, in the order of their columns, which is the same in all folds, or in a "
            "random one, drawn for each fold."
        )
        return result


def _lines(view: View, row: str, dataset: str, cells: dict[str, float]) -> list[list[str]]:
    """The printed rows of a data set, the paper's first."""
    entry, published = view.entry, view.context["published"].get(row, {})
    lines = []
    if published:
        printed = [published.get(f"{name} column", np.nan) for name in entry["transforms"]]
        values = [plus_minus(value, digits=3) for value in printed]
        lines.append([view.title(dataset), "not said", "as published", *values])
    for k in entry["sizes"]:
        for order, label in _ORDERS.items():
            values = [cells[_column(view, name, order, k)] for name in entry["transforms"]]
            shown = [plus_minus(value, digits=3) for value in values]
            lines.append([view.title(dataset), str(k), label, *shown])
    return lines


def _column(view: View, transform: str, order: str, k: int) -> str:
    first = view.entry["sizes"][0]
    return f"{transform} {order}" + ("" if k == first else f" {k}")


def _stabilities(view: View, dataset: str, transform: str) -> tuple[dict[str, float], float]:
    """Stability by order and size, and how many features have a weight, mean over the folds."""
    selector, found = name_after(view.entry["family"], transform), {}
    names = [fold.name for fold in view.compared_folds(dataset)]
    for order in _ORDERS:
        every = view.selections(dataset, selector, shuffle_ties=order == "random")
        sequences = [every[name].sequence for name in names]
        for k in view.entry["sizes"]:
            column = _column(view, transform, order, k).partition(" ")[2]
            found[column] = _jaccard([sequence[:k] for sequence in sequences])
    return found, float(np.mean([_n_weighted(every[name]) for name in names]))


def _n_weighted(selection: Selection) -> int:
    return int(np.count_nonzero(selection.weights))


def _jaccard(subsets: list[np.ndarray]) -> float:
    """Mean over pairs of |A ∩ B| / |A ∪ B|."""
    pairs = [
        np.intersect1d(a, b).size / np.union1d(a, b).size
        for at, a in enumerate(subsets)
        for b in subsets[:at]
    ]
    return float(np.mean(pairs))
