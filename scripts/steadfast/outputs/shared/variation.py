"""What outputs about the variation of mRMR criteria over bootstraps share."""

from typing import TYPE_CHECKING

import numpy as np

from steadfast.core.errors import UserError
from steadfast.outputs.kind import Entry, Kind, Reads
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


class OfVariation(Kind):
    """A kind about how far the criterion of mRMR selectors varies over bootstraps."""

    reads = Reads(places=("variation",))

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """The selectors must weigh relevance against redundancy, on rows as they are."""
        super().check(study, entry, where)
        if study.transforms:
            raise UserError(
                f"{where}: {entry['kind']} knows no transforms; put it into a study without any"
            )
        named = {key: entry[key] for key in self.keys if self.keys[key].names == "selector"}
        for key, name in named.items():
            declared = study.selectors[name].declared
            if declared is None or not declared.balances:
                raise UserError(
                    f"{where}.{key}: {name} has no relevance and redundancy; name an mRMR selector"
                )


def read_variation(view: View, selector: str) -> dict[str, np.ndarray]:
    """Mean and standard deviation of relevance, redundancy and score, by step of the sequence."""
    return view.numbers("variation", dataset=view.entry["dataset"], selector=selector)
