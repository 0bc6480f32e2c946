"""Whether there is time to let the data choose parameters; else selectors take the usual ones.

What is decided follows from the study and the shape of the table, as all of a budget does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from steadfast.selectors.running.auto import TUNED, without_choice
from steadfast.study import costs
from steadfast.study.declaration import Selector

#: A budget of minutes is one of so many cores.
CORES = 2

#: Part of a budget that choosing may take, in all runs of all selectors together.
PART = 0.1


def usual(selector: Selector) -> tuple[Selector, dict[str, float]] | None:
    """A selector with usual parameters in the place of those that it chooses, and these.

    None where it chooses none, or nothing is usual.
    """
    found = without_choice(selector.parameters) if selector.use == TUNED else None
    if found is None:
        return None
    use, params, values = found
    return replace(selector, use=use, params=params), values


def seconds_to_choose(selector: Selector, columns: int) -> Callable[[int], float]:
    """Seconds on so many rows to choose what has usual values, the α of mRMR; else 0."""
    if usual(selector) is None:
        return lambda n: 0.0
    samples, share = selector.parameters["n_samples"], selector.parameters["share"]
    return lambda n: samples * costs.choosing(max(1, int(n * share)), columns)


@dataclass(frozen=True)
class Choosing:
    """Whether selectors choose their parameters.

    Attributes
    ----------
    selectors : by name, as they were asked for
    seconds, limit : of a processor, what choosing takes in all runs, and what it may take
    """

    selectors: Mapping[str, Selector]
    seconds: float
    limit: float

    @property
    def is_too_long(self) -> bool:
        return self.seconds > self.limit

    @cached_property
    def as_run(self) -> dict[str, Selector]:
        """Selectors as they are run."""
        if not self.is_too_long:
            return dict(self.selectors)
        return {
            name: found[0] if (found := usual(one)) else one for name, one in self.selectors.items()
        }

    @cached_property
    def fixed(self) -> dict[str, dict[str, float]]:
        """Names in print of selectors that would choose, and what they take instead."""
        if not self.is_too_long:
            return {}
        return {one.label: found[1] for one in self.selectors.values() if (found := usual(one))}


def most_seconds(minutes: float | None) -> float:
    """What choosing may take of a budget, in seconds of a processor."""
    return float("inf") if minutes is None else PART * CORES * 60 * minutes
