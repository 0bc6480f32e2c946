"""A kind of claim of the tests' own: stability exceeds a level."""

from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Key, Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("exceeds")
class Exceeds(ClaimKind):
    """Whether the stability of a selector exceeds a level at some size."""

    keys: ClassVar[Keys] = {
        **keys.STABILITY,
        "selector": keys.SELECTOR,
        "level": Key("The level.", {"type": "number"}, default=0.5),
    }
    reads = Reads(stability=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["selector"]]

    def build(self, view: View, published: ByTable) -> list[str]:
        query = {**view.entry, "of": "stability"}
        most = max(
            view.curves.read({**query, "dataset": dataset}, view.entry["selector"]).values.max()
            for dataset in view.datasets
        )
        return [f"As measured: the largest stability is {most:.3f}.", ""]
