"""A kind of claim of the tests' own: stability exceeds a level."""

from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Key, Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.verdict import AGAINST, FOR, Case
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

    def build(self, view: View, published: ByTable) -> Outcome:
        query = {**view.entry, "of": "stability"}
        most = max(
            view.curves.read({**query, "dataset": dataset}, view.entry["selector"]).values.max()
            for dataset in view.datasets
        )
        side = FOR if most > view.entry["level"] else AGAINST
        return Outcome(
            cases=[Case("all data sets", side)],
            statement="The largest stability exceeds the level",
            unit="a run",
            rule="A case is the run.",
            details=[f"The largest stability is {most:.3f}."],
        )
