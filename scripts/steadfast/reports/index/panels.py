"""Published numbers beside ours, in groups that can share the scale of a chart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from steadfast.outputs.published import MEAN_OF, OWN_MEAN_OF, Pair, group_by
from steadfast.outputs.summary import is_method
from steadfast.outputs.table import Labels

#: Kinds of pairs, from those that say most of a reproduction to those that say least.
KINDS = {
    "same": "the paper's data",
    "note": "a printed number with a note",
    "reading": "another reading of the paper",
    "stand-in": "a data set that stands in for the paper's",
    "other": "other data sets: compare the order",
}

#: Columns that say what a paper did, and not what came out.
_SETTINGS = ("runs",)


@dataclass(frozen=True)
class Panel:
    """One chart: numbers of a table that can share a scale."""

    table: str
    quantity: str
    pairs: Sequence[Pair]
    low: float
    high: float
    step: float

    def place(self, value: float) -> float:
        """How far along an axis a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        return [
            self.low + self.step * i for i in range(round((self.high - self.low) / self.step) + 1)
        ]


def make_panels(pairs: Sequence[Pair], labels: Labels) -> list[Panel]:
    """The charts of a study: numbers from 0 to 1 together, all others by what they count.

    All charts of a quantity have one scale.
    """
    groups: dict[tuple[str, str], list[Pair]] = {}
    for table, own in group_by(filter(_is_drawn, pairs), "table").items():
        for quantity, some in _by_quantity(own, labels).items():
            groups.setdefault((table, "" if _is_share(some) else quantity), []).extend(some)
    shares = {key for key, some in groups.items() if _is_share(some)}
    panels = []
    for (table, quantity), some in groups.items():
        if (table, quantity) in shares:
            scale = (0.0, 1.0, 0.5)
        else:
            alike = [g for key, g in groups.items() if key[1] == quantity and key not in shares]
            values = [v for group in alike for pair in group for v in (pair.published, pair.ours)]
            scale = nice_scale(min(values), max(values))
        panels.append(Panel(table, quantity, some, *scale))
    return panels


def _is_drawn(pair: Pair) -> bool:
    finite = math.isfinite(pair.published) and math.isfinite(pair.ours)
    return finite and pair.column not in _SETTINGS


def _by_quantity(pairs: Sequence[Pair], labels: Labels) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(_quantity(pair, labels), []).append(pair)
    return found


def _quantity(pair: Pair, labels: Labels) -> str:
    """What a number is of, where its table holds several things."""
    for prefix in (MEAN_OF, OWN_MEAN_OF):
        if pair.row.startswith(prefix):
            return pair.row.removeprefix(prefix)
    of_method = is_method(pair.column, labels)
    return pair.column.partition(" ")[2] if of_method else pair.column


def _is_share(pairs: Sequence[Pair]) -> bool:
    return all(0 <= value <= 1 for pair in pairs for value in (pair.published, pair.ours))


def nice_scale(lowest: float, highest: float) -> tuple[float, float, float]:
    """Ends around the values and the step between ticks: 1, 2 or 5 times a power of ten."""
    span = highest - lowest or abs(highest) or 1.0
    power = 10.0 ** math.floor(math.log10(span / 4))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= span / 4)
    low, high = math.floor(lowest / step) * step, math.ceil(highest / step) * step
    return (low, high, step) if high > low else (low - step, high + step, step)


def kind_of_point(pair: Pair, further_readings: Sequence[str] = ()) -> str:
    """What is to know of a pair before its numbers are compared: one of `KINDS`."""
    if pair.is_of_other_data:
        return "other"
    if " stands in for " in pair.note:
        return "stand-in"
    if pair.row in further_readings:
        return "reading"
    return "note" if pair.note else "same"
