"""A kind of claim of the tests' own: stability exceeds a level."""

from steadfast.outputs.arguments import MeasureUsed, Selector
from steadfast.outputs.cases import Claim, by_condition
from steadfast.outputs.curves import Curves
from steadfast.outputs.kinds import claim


@claim
def exceeds(curves: Curves, *, measure: MeasureUsed, selector: Selector, level: float) -> Claim:
    """Whether the stability of a selector exceeds a level at some size.

    Parameters
    ----------
    level
        The level.
    """
    frame = curves.frame(measure)
    most = frame.loc[frame["selector"] == selector, "value"].max()
    return by_condition(
        [("all data sets", most > level)],
        shows="The largest stability exceeds the level",
        unit="a run",
        condition="the largest stability exceeds the level",
        lines=[f"The largest stability is {most:.3f}."],
    )
