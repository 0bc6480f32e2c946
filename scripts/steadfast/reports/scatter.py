"""Published numbers against ours: one small square chart per table, on the scale of both axes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from steadfast.outputs.captions import caption
from steadfast.outputs.published import (
    MEAN_OF,
    OTHER_DATA,
    OWN_MEAN_OF,
    Pair,
    group_by,
    mean_difference,
)
from steadfast.outputs.shared.named_measures import CONSISTENCY
from steadfast.outputs.summary import agreement, column_label, row_title
from steadfast.outputs.view import View
from steadfast.page import text
from steadfast.page.text import Markup, tag

#: The square of a chart, and the part of it inside the axes, in units of its drawing.
SIDE = 180
LEFT, TOP, LENGTH = 36, 6, 138

#: Kinds of points, in the order of drawing: what each means, and its mark around (0, 0).
MARKS = {
    "other": ("other data sets: compare the order", "M0 -3.4 L3.4 0 L0 3.4 L-3.4 0 Z"),
    "stand-in": ("a data set that stands in for the paper's", "M-2.7 -2.7 h5.4 v5.4 h-5.4 Z"),
    "reading": ("another reading of the paper", "M-2.7 -2.7 L2.7 2.7 M2.7 -2.7 L-2.7 2.7"),
    "note": ("a printed number with a note", "M0 -3.4 L3.2 2.4 H-3.2 Z"),
    "same": ("the paper's data", "M-2.8 0 a2.8 2.8 0 1 0 5.6 0 a2.8 2.8 0 1 0 -5.6 0 Z"),
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
        """How far along an axis a value lies, from 0 to the length of the axis."""
        return LENGTH * (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        return [
            self.low + self.step * i for i in range(round((self.high - self.low) / self.step) + 1)
        ]


def make_panels(pairs: Sequence[Pair], view: View) -> list[Panel]:
    """The charts of a study: numbers from 0 to 1 together, all others by what they count.

    All charts of a quantity have one scale.
    """
    groups: dict[tuple[str, str], list[Pair]] = {}
    for table, own in group_by(filter(_is_drawn, pairs), "table").items():
        for quantity, some in _by_quantity(own, view).items():
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


def _by_quantity(pairs: Sequence[Pair], view: View) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(_quantity(pair, view), []).append(pair)
    return found


def _quantity(pair: Pair, view: View) -> str:
    """What a number is of, where its table holds several things."""
    for prefix in (MEAN_OF, OWN_MEAN_OF):
        if pair.row.startswith(prefix):
            return pair.row.removeprefix(prefix)
    method, _, thing = pair.column.partition(" ")
    is_method = method in view.selectors or method in view.context["transforms"]
    return thing if is_method else pair.column


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
    """The key of `MARKS` that a pair belongs to."""
    if pair.note.startswith(OTHER_DATA):
        return "other"
    if " stands in for " in pair.note:
        return "stand-in"
    if pair.row in further_readings:
        return "reading"
    return "note" if pair.note else "same"


def charts(pairs: Sequence[Pair], view: View, titles: Mapping[str, str]) -> Markup | None:
    """All charts of a study, and what their marks mean; None where nothing was published."""
    panels = make_panels(pairs, view)
    if not panels:
        return None
    readings = view.context.get("further_readings", ())
    used = {kind_of_point(pair, readings) for panel in panels for pair in panel.pairs}
    several = {table for table, own in _by_table(panels).items() if len(own) > 1}
    figures = [_figure(panel, view, titles, panel.table in several) for panel in panels]
    legend = [tag("li", _icon(kind), label) for kind, (label, _) in MARKS.items() if kind in used]
    return text.join(
        [
            tag("div", *figures, class_="charts"),
            tag("ul", *reversed(legend), tag("li", "on the line: equal"), class_="legend"),
        ]
    )


def _by_table(panels: Sequence[Panel]) -> dict[str, list[Panel]]:
    found: dict[str, list[Panel]] = {}
    for panel in panels:
        found.setdefault(panel.table, []).append(panel)
    return found


def _figure(panel: Panel, view: View, titles: Mapping[str, str], several: bool) -> Markup:
    number, title = caption(panel.table), titles.get(panel.table, "")
    quantity = quantity_title(panel.quantity) or "numbers from 0 to 1"
    heading = tag("strong", number, f", {quantity}" if several else None)
    lines = [tag("span", line, class_="line-of") for line in _lines(panel, view)]
    name = f"{number}: published against ours, {quantity if several else title}"
    drawing = tag(
        "svg",
        *(_frame(panel), *_points(panel, view)),
        viewBox=f"0 0 {SIDE} {SIDE}",
        role="img",
        aria_label=name,
    )
    about = tag("span", title, class_="about") if title != number else None
    return tag("figure", drawing, tag("figcaption", heading, about, *lines), class_="scatter")


def quantity_title(name: str) -> str:
    """A column in print."""
    return CONSISTENCY.get(name, name.replace("_", " "))


def _lines(panel: Panel, view: View) -> list[Markup]:
    """How close the points of each kind are; of other data sets, how alike the order is."""
    by_kind: dict[str, list[Pair]] = {}
    for pair in panel.pairs:
        kind = kind_of_point(pair, view.context.get("further_readings", ()))
        by_kind.setdefault(kind, []).append(pair)
    lines = []
    for kind in reversed(MARKS):
        if own := by_kind.get(kind):
            words = (
                f"mean difference {number(mean_difference(own))} ({text.count(len(own), 'number')})"
            )
            if kind == "other":
                means = [pair for pair in own if not pair.row.startswith(OWN_MEAN_OF)]
                correlation = agreement(means)["correlation"] if means else math.nan
                if math.isfinite(correlation):
                    words += f", rank correlation {text.to_fixed(correlation, 2)}"
            lines.append(text.join([_icon(kind), words], " "))
    return lines


def number(value: float) -> str:
    """A difference, with as many digits as a reader compares."""
    digits = 2 if abs(value) >= 0.1 or value == 0 else 3
    return text.to_fixed(value, 0 if abs(value) >= 100 else digits)


def _icon(kind: str) -> Markup:
    mark = tag("path", d=MARKS[kind][1], class_=f"point {kind}")
    return tag("svg", mark, class_="icon", viewBox="-5 -5 10 10", aria_hidden="true")


def _frame(panel: Panel) -> Markup:
    """Axes, ticks, names of the axes, and the line of equal numbers."""
    bottom, right = TOP + LENGTH, LEFT + LENGTH
    parts = [
        tag("rect", x=LEFT, y=TOP, width=LENGTH, height=LENGTH, class_="frame"),
        tag("line", x1=LEFT, y1=bottom, x2=right, y2=TOP, class_="equal"),
        tag("text", "published", x=LEFT + LENGTH / 2, y=SIDE - 5, text_anchor="middle"),
        tag(
            "text",
            "ours",
            transform=f"translate(9 {TOP + LENGTH / 2:g}) rotate(-90)",
            text_anchor="middle",
        ),
    ]
    for tick in panel.ticks:
        at, label = panel.place(tick), f"{tick:.6g}".replace("-", "−")
        x, y = f"{LEFT + at:.1f}", f"{bottom - at:.1f}"
        parts += [
            tag("line", x1=x, y1=bottom, x2=x, y2=bottom + 3, class_="axis"),
            tag("line", x1=LEFT - 3, y1=y, x2=LEFT, y2=y, class_="axis"),
            tag("text", label, x=x, y=bottom + 14, text_anchor="middle", class_="tick"),
            tag(
                "text",
                label,
                x=LEFT - 5,
                y=f"{float(y) + 3.5:.1f}",
                text_anchor="end",
                class_="tick",
            ),
        ]
    return tag("g", *parts)


def _points(panel: Panel, view: View) -> list[Markup]:
    """One mark per number; pointing at it tells row, column and both values."""
    readings, drawn = view.context.get("further_readings", ()), []
    order = list(MARKS)
    kinds = [(kind_of_point(pair, readings), pair) for pair in panel.pairs]
    for kind, pair in sorted(kinds, key=lambda item: order.index(item[0])):
        x, y = LEFT + panel.place(pair.published), TOP + LENGTH - panel.place(pair.ours)
        drawn.append(
            tag(
                "path",
                tag("title", point_title(pair, view)),
                d=MARKS[kind][1],
                transform=f"translate({x:.1f} {y:.1f})",
                class_=f"point {kind}",
            )
        )
    return drawn


def point_title(pair: Pair, view: View) -> str:
    """Row, column, both values, and what is to know of them."""
    row = view.selectors.get(pair.row) or row_title(pair.row, view)
    label, thing = column_label(pair.column, view), pair.column.partition(" ")[2]
    if label != pair.column and thing:
        label = f"{label}, {quantity_title(thing)}"
    elif label == pair.column:
        label = quantity_title(pair.column)
    values = f"published {pair.published:g}, ours {pair.ours:.3g}"
    return f"{row}, {label}: {values}" + (f" ({pair.note})" if pair.note else "")
