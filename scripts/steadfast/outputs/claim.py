"""Kinds of claims: what they declare to a study, and what a summary says of them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Keys, text
from steadfast.outputs.keys import KIND
from steadfast.outputs.kind import Entry, Kind
from steadfast.outputs.published import Pair
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Published numbers beside ours, by table.
ByTable = Mapping[str, Sequence[Pair]]


#: What a claim says that rests on published numbers of which there are none.
NOT_TESTED = "Not tested: config/published has no numbers for the rows of this run."


class ClaimKind(Kind, ABC):
    """A kind of claim."""

    common: ClassVar[Keys] = {"kind": KIND, "text": text("The claim in words.", required=True)}
    all_selectors: ClassVar[bool] = False

    @abstractmethod
    def build(self, view: View, published: ByTable) -> list[str]:
        """Lines of Markdown: what was measured about it."""

    def why_absent(self, study: "Study", entry: Entry, has_published: bool) -> str:
        reason = super().why_absent(study, entry, has_published)
        if reason:
            return reason
        if "datasets" in entry:
            entry["datasets"] = [name for name in entry["datasets"] if name in study.datasets]
            if not entry["datasets"]:
                return "none of its data sets"
        if entry.get("table") not in {None, *study.tables}:
            return entry["table"]
        return ""
