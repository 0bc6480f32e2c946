"""Tables of what the order of tied features does to stability."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys, flag, list_of
from steadfast.core.registry import table
from steadfast.measuring.overlaps import jaccard_matrix, mean_of_pairs, size_of
from steadfast.outputs.keys import ANY_SIZE, ONE_DATASET, RATIO, SEVERAL_SELECTORS
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.view import View
from steadfast.study.published import with_stand_ins

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_BY_COLUMN = " by column"

#: What the columns of a selector end in, and whether its tied features are in a random order.
_ORDERS = {"": True, _BY_COLUMN: False}


@table("ties")
class Ties(TableKind):
    """Stability with tied features in a random order, and in the order of their columns."""

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "ratio": RATIO,
        "sizes": list_of(
            f"Sizes: {ANY_SIZE.description[0].lower()}{ANY_SIZE.description[1:-1]}. Published "
            "cells, and columns that name no size, are of the first.",
            ANY_SIZE.schema,
            default=[10],
        ),
        "selectors": SEVERAL_SELECTORS,
        "weights": flag("Whether it says how many features have a weight."),
    }
    reads = Reads(selections=True, stability=True)
    has_published_cells = True

    def measures(self, study: "Study", entry: Entry) -> list[Entry]:
        """None: Jaccard's index is computed here."""
        return []

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        return {"ties": "random", "published": with_stand_ins(published, study.stand_ins)}

    def build(self, view: View) -> Result:
        names = view.selectors
        result = Result(["dataset", "size"], [], ["Dataset", "k", *names.values()])
        for dataset in view.datasets:
            m = len(view.features(dataset))
            sizes = {size: size_of(size, m) for size in view.entry["sizes"]}
            cells = {name: _cells(view, dataset, name, sizes) for name in names}
            flat = {f"{name}{end}": x for name, own in cells.items() for end, x in own.items()}
            result.header[2:] = list(flat)
            result.rows.append([dataset, next(iter(sizes.values())), *flat.values()])
            result.printed += _lines(view, dataset, cells, sizes)
        result.notes.append(
            "Jaccard's index of the first k features, mean over pairs: features of equal weight in "
            "an order drawn anew for each fold → in the order of their columns, which is the same "
            "in every fold and so makes features without any weight look stable."
        )
        return result


#: Sizes as an entry has them, and the numbers of features that they are on a data set.
Sizes = dict[float | str, int]


def _ending(order: str, size: float | str, sizes: Sizes) -> str:
    return order if size == next(iter(sizes)) else f"{order} {size}"


def _cells(view: View, dataset: str, selector: str, sizes: Sizes) -> dict[str, float]:
    """Stability by size and order, under the endings of the selector's columns."""
    folds = [fold.name for fold in view.compared_folds(dataset)]
    found, m = {}, len(view.features(dataset))
    orders = {
        order: view.selections(dataset, selector, shuffle_ties=shuffled)
        for order, shuffled in _ORDERS.items()
    }
    for size, k in sizes.items():
        for order, every in orders.items():
            subsets = [every[name].sequence[:k] for name in folds]
            found[_ending(order, size, sizes)] = mean_of_pairs(jaccard_matrix(subsets, m))
    return found


def _lines(
    view: View, dataset: str, cells: dict[str, dict[str, float]], sizes: Sizes
) -> list[list[str]]:
    """The printed rows of a data set, the paper's first."""
    title, lines = view.title(dataset), []
    published = view.context["published"].get(dataset, {})
    if published:
        printed = [published.get(f"{name}{_BY_COLUMN}", np.nan) for name in cells]
        lines.append([title, "as published", *(plus_minus(x, digits=3) for x in printed)])
    for size, k in sizes.items():
        pairs = [[own[_ending(order, size, sizes)] for order in _ORDERS] for own in cells.values()]
        shown = [" → ".join(plus_minus(x, digits=3) for x in pair) for pair in pairs]
        lines.append([title, str(k), *shown])
    if view.entry["weights"]:
        m, ratio = len(view.features(dataset)), view.entry["ratio"]
        counts = [m * (1 - view.zero_weights(dataset, ratio, name)) for name in cells]
        lines.append([title, "have a weight", *(plus_minus(x, digits=0) for x in counts)])
    return lines
