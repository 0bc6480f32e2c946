"""Effects of a feature as cells of a table: the same text in the page and in its script."""

from collections.abc import Callable, Mapping, Sequence
from math import floor, log10
from typing import Any, NamedTuple

from steadfast.page import text
from steadfast.page.text import Markup, join, name, tag


class EffectCell(NamedTuple):
    """An effect in print.

    Attributes
    ----------
    value, interval : the number and its 95% interval; empty where there is none
    level : of a category, the level whose shares are compared
    label : the class that is compared with all others, where the direction does not name it
    """

    value: str
    interval: str = ""
    level: str = ""
    label: str = ""

    def markup(self) -> Markup:
        """The cell of a table."""
        pieces: list[Markup | str] = [self.value]
        if self.interval:
            pieces.append(tag("small", self.interval, class_="interval"))
        notes = []
        if self.level:
            notes.append(join(["points, share of ", name(self.level)]))
        if self.label:
            notes.append(join([name(self.label), " against all others"]))
        return join([*pieces, *(tag("small", one, class_="note") for one in notes)], " ")

    def as_json(self) -> list[str]:
        """The cell for the script, without empty fields at its end."""
        fields = list(self)
        while not fields[-1]:
            fields.pop()
        return fields


def difference(feature: Mapping[str, Any]) -> EffectCell | None:
    """A difference with its interval, and of what, where the direction does not name it."""
    effect = effect_of(feature)
    if effect.get("difference") is None:
        return None
    ends = [effect[end] for end in ("difference", "low", "high")]
    level = effect["level"] if effect["unit"] == "points" else ""
    unnamed = effect["against"] is None and not feature["direction"]
    label = effect["class"] if unnamed else ""
    return EffectCell(*_with_interval(ends, _amount(ends)), level or "", label or "")


def auc(feature: Mapping[str, Any]) -> EffectCell | None:
    """An AUC with its interval."""
    effect = effect_of(feature)
    if effect.get("auc") is None:
        return None
    ends = [effect[end] for end in ("auc", "auc_low", "auc_high")]
    return EffectCell(*_with_interval(ends, text.stability))


def effect_of(feature: Mapping[str, Any]) -> Mapping[str, Any]:
    """The effect of a feature; empty where there is none."""
    return feature.get("effect") or {}


def points_both_ways(feature: Mapping[str, Any]) -> bool:
    """Whether the medians differ in the other direction than the ranks."""
    effect = effect_of(feature)
    found, area = effect.get("difference"), effect.get("auc")
    if not found or area is None:
        return False
    # Of several classes, that with the highest ranks is compared with all others.
    return found * (area - 0.5) < 0 or (effect["against"] is None and found < 0)


def _with_interval(
    ends: Sequence[float | None], formatted: Callable[[float], str]
) -> tuple[str, str]:
    value, low, high = ends
    known = low is not None and high is not None
    return formatted(value), f"{formatted(low)} to {formatted(high)}" if known else ""


def _amount(ends: Sequence[float | None]) -> Callable[[float], str]:
    """How numbers in a feature's units are printed: the width of the interval with two digits."""
    value, low, high = ends
    width = abs(value) if low is None or high is None or low == high else high - low
    digits = 1 - floor(log10(width)) if width else 0
    if -6 < digits < 8:
        return lambda number: text.to_fixed(number, max(digits, 0))
    return lambda number: f"{number:.2g}".replace("-", "−")
