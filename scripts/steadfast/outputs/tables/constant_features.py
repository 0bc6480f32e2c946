"""Tables of the selectors' ranks under both rules for constant features."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.data.table import read_table
from steadfast.measuring.constant_features import constant_credit
from steadfast.outputs.keys import PUBLISHED_AS, SEVERAL_SELECTORS, STABILITY
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.shared.selector_ranks import (
    NOTE,
    MeanRank,
    published_ranks,
    rank_curves,
    ranks_text,
)
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve
from steadfast.study.published import with_stand_ins

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_MEASURE = {"measure": "su_matching", "compare": "reference"}


@table("constant_features")
class ConstantFeatures(TableKind):
    """Ranks by SU matching where a constant feature's SU with itself is 0, and where it is 1.

    Ranks under SU 1 come from the same matching: `stability.constant_features.constant_credit`.
    """

    keys: ClassVar[Keys] = {
        **STABILITY,
        "selectors": SEVERAL_SELECTORS.but(description="Selectors that are ranked.", required=True),
        "published_as": PUBLISHED_AS,
    }
    reads = Reads(stability=True, selections=True, places=("bins",))

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        if {key: entry[key] for key in _MEASURE} != _MEASURE:
            raise UserError(
                f"{where}: the rule is one of su_matching with a reference; measure that"
            )

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        return {"published": with_stand_ins(published, study.stand_ins)}

    def build(self, view: View) -> Result:
        selectors = view.selectors
        columns = [column for name in selectors for column in (name, f"{name} sd")]
        header = ["dataset", "rule", "constant_features", "sizes", *columns, "difference"]
        printed_header = ["Dataset", "Constant", "SU with itself", *selectors.values()]
        result = Result(header, [], [*printed_header, "Difference"])
        for dataset in view.datasets:
            constant = _constant_features(view, dataset)
            title, count = view.title(dataset), int(constant.sum())
            printed = view.context["published"].get(dataset, {})
            theirs = published_ranks(printed, selectors)
            for rule, (n_sizes, ranks) in self._ranks(view, dataset, constant).items():
                difference = _mean_difference(ranks, theirs)
                cells = [value for rank in ranks for value in rank]
                result.rows.append([dataset, rule, count, n_sizes, *cells, difference])
                shown = "–" if np.isnan(difference) else f"{difference:.2f}"
                result.printed.append([title, str(count), rule, *ranks_text(ranks), shown])
            if printed:
                nan = float("nan")
                cells = [nan if rank is None else x for rank in theirs for x in rank or (nan, nan)]
                result.rows.append([dataset, "published", count, n_sizes, *cells, nan])
                result.printed.append([title, "", "published", *ranks_text(theirs), ""])
        result.notes += [NOTE.format(of="stability"), _NOTE]
        return result

    def _ranks(
        self, view: View, dataset: str, constant: np.ndarray
    ) -> dict[str, tuple[int, list[MeanRank]]]:
        """Number of sizes and ranks under each rule; one for both where nothing is constant."""
        query = {**view.entry, "of": "stability", "dataset": dataset}
        curves = [view.curves.read(query, selector) for selector in view.selectors]
        if not constant.any():
            return {"either": rank_curves(curves)}
        other = []
        for selector, curve in zip(view.selectors, curves, strict=True):
            credit = _mean_credit(view, dataset, selector, constant)
            other.append(Curve(curve.sizes, curve.values + credit[curve.sizes - 1]))
        return {"0": rank_curves(curves), "1": rank_curves(other)}


_NOTE = (
    "Constant: features of one value in all rows. SU with itself: what such a feature counts when "
    "both selections have it; 0 is the study's rule. Difference: mean absolute difference to the "
    "published mean ranks."
)


def _constant_features(view: View, dataset: str) -> np.ndarray:
    bins = read_table(Path(view.paths("bins", dataset=dataset))).X
    return (bins == bins[0]).all(axis=0)


def _mean_credit(view: View, dataset: str, selector: str, constant: np.ndarray) -> np.ndarray:
    """Mean over the folds of the entry's ratio of what SU 1 adds, by size."""
    chosen = view.selections(dataset, selector)
    ratio = view.entry["ratio"]
    credits = [
        constant_credit(chosen[fold.reference].sequence, chosen[fold.name].sequence, constant)
        for fold in view.folds(dataset)
        if fold.ratio == ratio
    ]
    return np.mean(credits, axis=0)


def _mean_difference(ours: list[MeanRank], theirs: list[MeanRank | None]) -> float:
    """Mean absolute difference of the mean ranks; NaN where nothing is published."""
    found = [abs(a.mean - b.mean) for a, b in zip(ours, theirs, strict=True) if b is not None]
    return float(np.mean(found)) if found else float("nan")
