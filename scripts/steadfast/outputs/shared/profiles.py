"""The stability of weights, ranks and subsets of a selector, side by side."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from steadfast.outputs.kind import Entry, require_measured
from steadfast.outputs.shared.named_measures import PROFILE
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


def require_profile(study: "Study", measures: Iterable[str], where: str) -> None:
    """Measures of a profile must be measured on all pairs of folds."""
    for measure in measures:
        require_measured(study, {"measure": measure, "compare": "all_pairs"}, where)


def profile_of(
    view: View, dataset: str, selector: str, entry: Entry, measures: Iterable[str] = PROFILE
) -> list[tuple[float, float]]:
    """Stability by each measure, with half of its 95% interval; NaN where it is undefined.

    Subsets are the first features, as many as the entry's `size`; weights and ranks are whole.
    """
    query = {"dataset": dataset, "ratio": entry["ratio"], "compare": "all_pairs"}
    return [
        view.stability_at(
            {**query, "measure": name}, selector, entry["size"] if name == "jaccard" else None
        )
        for name in measures
    ]
