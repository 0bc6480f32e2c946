"""Charts of published numbers against ours: small, square, both axes on one scale."""

import math
from collections.abc import Mapping, Sequence

from steadfast.outputs.captions import caption
from steadfast.outputs.published import OWN_MEAN_OF, Pair, group_by, mean_difference
from steadfast.outputs.sources.named_measures import CONSISTENCY
from steadfast.outputs.summary import agreement, column_label, row_title
from steadfast.outputs.table import Labels
from steadfast.page import text
from steadfast.page.text import Markup, tag
from steadfast.reports.index.panels import KINDS, Panel, kind_of_point, make_panels

#: The square of a chart, and the part of it inside the axes, in units of its drawing.
SIDE = 180
LEFT, TOP, LENGTH = 36, 6, 138

#: The mark of each kind of pair, around (0, 0).
MARKS = {
    "same": "M-2.8 0 a2.8 2.8 0 1 0 5.6 0 a2.8 2.8 0 1 0 -5.6 0 Z",
    "note": "M0 -3.4 L3.2 2.4 H-3.2 Z",
    "reading": "M-2.7 -2.7 L2.7 2.7 M2.7 -2.7 L-2.7 2.7",
    "stand-in": "M-2.7 -2.7 h5.4 v5.4 h-5.4 Z",
    "other": "M0 -3.4 L3.4 0 L0 3.4 L-3.4 0 Z",
}


def charts(
    pairs: Sequence[Pair], labels: Labels, titles: Mapping[str, str], readings: Sequence[str] = ()
) -> Markup | None:
    """All charts of a study, and what their marks mean; None where nothing was published.

    `readings` are selectors that read the paper in another way than the first of its row.
    """
    panels = make_panels(pairs, labels)
    if not panels:
        return None
    used = {kind_of_point(pair, readings) for panel in panels for pair in panel.pairs}
    several = {table for table, own in group_by(panels, "table").items() if len(own) > 1}
    figures = [_figure(panel, labels, titles, readings, panel.table in several) for panel in panels]
    legend = [tag("li", _icon(kind), label) for kind, label in KINDS.items() if kind in used]
    return text.join(
        [
            tag("div", *figures, class_="charts"),
            tag("ul", *legend, tag("li", "on the line: equal"), class_="legend"),
        ]
    )


def _figure(
    panel: Panel,
    labels: Labels,
    titles: Mapping[str, str],
    readings: Sequence[str],
    several: bool,
) -> Markup:
    number, title = caption(panel.table), titles.get(panel.table, "")
    quantity = quantity_title(panel.quantity) or "numbers from 0 to 1"
    heading = tag("strong", number, f", {quantity}" if several else None)
    lines = [tag("span", line, class_="line-of") for line in _lines(panel, readings)]
    name = f"{number}: published against ours, {quantity if several else title}"
    drawing = tag(
        "svg",
        *(_frame(panel), *_points(panel, labels, readings)),
        viewBox=f"0 0 {SIDE} {SIDE}",
        role="img",
        aria_label=name,
    )
    about = tag("span", title, class_="about") if title != number else None
    return tag("figure", drawing, tag("figcaption", heading, about, *lines), class_="scatter")


def quantity_title(name: str) -> str:
    """A column in print."""
    return CONSISTENCY.get(name, name.replace("_", " "))


def _lines(panel: Panel, readings: Sequence[str]) -> list[Markup]:
    """How close the points of each kind are; of other data sets, how alike the order is."""
    by_kind: dict[str, list[Pair]] = {}
    for pair in panel.pairs:
        by_kind.setdefault(kind_of_point(pair, readings), []).append(pair)
    lines = []
    for kind in KINDS:
        if own := by_kind.get(kind):
            many = text.count(len(own), "number")
            words = f"on average {number(mean_difference(own))} apart ({many})"
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
    mark = tag("path", d=MARKS[kind], class_=f"point {kind}")
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
        at, label = LENGTH * panel.place(tick), f"{tick:.6g}".replace("-", "−")
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


def _points(panel: Panel, labels: Labels, readings: Sequence[str]) -> list[Markup]:
    """One mark per number; pointing at it tells row, column and both values."""
    drawn = []
    order = list(reversed(KINDS))
    kinds = [(kind_of_point(pair, readings), pair) for pair in panel.pairs]
    for kind, pair in sorted(kinds, key=lambda item: order.index(item[0])):
        x, y = position(panel, pair)
        drawn.append(
            tag(
                "path",
                tag("title", point_title(pair, labels)),
                d=MARKS[kind],
                transform=f"translate({x:.1f} {y:.1f})",
                class_=f"point {kind}",
            )
        )
    return drawn


def position(panel: Panel, pair: Pair) -> tuple[float, float]:
    """Where the mark of a pair stands in the drawing."""
    x, y = panel.place(pair.published), panel.place(pair.ours)
    return LEFT + LENGTH * x, TOP + LENGTH * (1 - y)


def point_title(pair: Pair, labels: Labels) -> str:
    """Row, column, both values, and what is to know of them."""
    row = labels["selector"].get(pair.row) or row_title(pair.row, labels)
    label, thing = column_label(pair.column, labels), pair.column.partition(" ")[2]
    if label != pair.column and thing:
        label = f"{label}, {quantity_title(thing)}"
    elif label == pair.column:
        label = quantity_title(pair.column)
    values = f"published {pair.published:g}, ours {pair.ours:.3g}"
    return f"{row}, {label}: {values}" + (f" ({pair.note})" if pair.note else "")
