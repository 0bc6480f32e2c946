"""The stability of weights, ranks and subsets of a selector, side by side."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Key, Keys, list_of
from steadfast.outputs.keys import RATIO, WHOLE_SIZE
from steadfast.outputs.kind import Entry, Kind, Reads, require_measured
from steadfast.outputs.shared.named_measures import PROFILE
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


MEASURES: Key = list_of("Measures of a profile.", {"enum": list(PROFILE)}, required=True)


class OfProfile(Kind):
    """A kind about measures of a profile, which must be measured on all pairs of folds."""

    keys: ClassVar[Keys] = {"measures": MEASURES, "ratio": RATIO, "size": WHOLE_SIZE}
    any_size = True
    reads = Reads(stability=True)

    def profile_measures(self, entry: Entry) -> Iterable[str]:
        """Those that an entry is about."""
        return entry["measures"]

    def measures(self, study: "Study", entry: Entry) -> list[Entry]:
        names = self.profile_measures(entry)
        return [{"measure": name, "compare": "all_pairs"} for name in names]

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        for use in self.measures(study, entry):
            require_measured(study, use, where)


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
