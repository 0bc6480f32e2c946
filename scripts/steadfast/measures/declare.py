"""The decorator that declares a measure; `steadfast.measures.declarations` reads it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

#: The measure of all pages: corrected for chance, defined for any sizes, with an interval. Its
#: units are kept by size, for paired comparisons of sizes.
PAGE_MEASURE = "nogueira"

#: Kind of a measure to its family, what it takes, and whether it is the mean over pairs of runs.
KINDS = {
    "counts": ("index", "subsets", True),
    "frequencies": ("index", "subsets", False),
    "overlaps": ("rank", "rankings", True),
    "orders": ("rank", "rankings", True),
    "ranks": ("rank", "rankings", True),
    "weights": ("weight", "weights", True),
    "similar": ("similar features", "subsets, data", True),
    "similar_frequencies": ("similar features", "subsets, data", False),
}


@dataclass(frozen=True)
class Declaration:
    """One entry of the collection.

    Attributes
    ----------
    name, label
        The name in a study and the name in print.
    kind
        How it is computed (`KINDS`); gives its family and what it takes.
    bounds
        Smallest and largest value; None where it depends on m.
    distance
        Whether small values mean stable.
    symmetric, corrected, unequal_sizes
        Whether (A, B) and (B, A) give one value (where not, a pair has the mean of both); whether
        random subsets have the expected value 0; whether it compares subsets of different sizes.
    needs
        Conditions without which it is undefined (`steadfast.measures.policy`).
    source
        Who introduced it; the docstring has the full reference.
    similarity
        Which similarity of features it reads: `su` (of bins), `correlation` or `linked` (of
        numbers).
    interval
        `jackknife` over runs, `normal` where the measure has a variance of its own, `none`.
    chance
        `exact` or `simulated`: how its value for random selection is found.
    formula
        The first line of its docstring.
    module, function
        Where it is.
    same_as
        The name it is another name for.
    """

    name: str
    label: str
    kind: str
    bounds: tuple[float | None, float | None]
    source: str
    module: str
    function: str
    formula: str
    distance: bool = False
    symmetric: bool = True
    corrected: bool = False
    unequal_sizes: bool = True
    needs: tuple[str, ...] = ()
    similarity: str = ""
    interval: str = "jackknife"
    chance: str = "exact"
    aliases: dict[str, str] = field(default_factory=dict)
    same_as: str = ""

    @property
    def family(self) -> str:
        """By index, rank or weight, or aware of similar features."""
        return KINDS[self.kind][0]

    @property
    def takes(self) -> str:
        """What a run must state."""
        return KINDS[self.kind][1]

    @property
    def pairwise(self) -> bool:
        """Whether its value for a system is the mean over the pairs of runs."""
        return KINDS[self.kind][2]

    @property
    def file(self) -> str:
        """The module's file, relative to the import root."""
        return self.module.replace(".", "/") + ".py"


def measure(name: str, **settings: Any) -> Callable[[Any], Any]:
    """Declare a function or class as the measure `name`; see `Declaration`. Literals only."""
    return lambda declared: declared
