"""What tables and figures of groups of data sets share."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.outputs.keys import DATASET_GROUPS, SEVERAL_SELECTORS, SIZE, STABILITY
from steadfast.outputs.kind import Kind
from steadfast.outputs.shared.sample_similarity import stabilities
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


class OfDatasetGroups(Kind):
    """A kind of table or figure about stability over groups of data sets."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "dataset_groups": DATASET_GROUPS,
        "size": SIZE,
        "selectors": SEVERAL_SELECTORS,
    }

    def why_absent(self, study: "Study", entry: dict[str, Any], has_published: bool) -> str:
        """Take absent data sets out of the dataset groups."""
        kept = {
            group: [name for name in names if name in study.datasets]
            for group, names in entry["dataset_groups"].items()
        }
        entry["dataset_groups"] = {group: names for group, names in kept.items() if names}
        return "" if entry["dataset_groups"] else "none of its data sets"


def stability_of_each(view: View, dataset: str) -> np.ndarray:
    """Stability of each selector on a data set, at the entry's size."""
    return np.array([value for value, _ in stabilities(view, dataset).values()])
