"""Tags and numbers of the page. A string is data and is escaped, unless it is markup already."""

import html
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

#: What stands where there is no value.
NONE = "–"


class Markup(str):
    """Text that is HTML; every other string that `tag` is given gets escaped."""

    __slots__ = ()


class Value(NamedTuple):
    """An estimate and its 95% interval, whose ends may be unknown."""

    value: float
    low: float | None = None
    high: float | None = None


def escape(text: object) -> str:
    """Text as HTML shows it, in a tag or in quotes; a carriage return stays one."""
    return html.escape(str(text)).replace("\r", "&#13;").replace("\0", "\ufffd")


def tag(name: str, *children: object, **attributes: object) -> Markup:
    """An element: children that are no `Markup` are escaped, None is left out.

    Attributes are written `class_`, `data_dataset`; True is a bare attribute, None and False none.
    """
    written = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        written.append(f" {key}" if value is True else f' {key}="{escape(value)}"')
    return Markup(f"<{name}{''.join(written)}>{join(children)}</{name}>")


def join(children: Iterable[object], between: str = "") -> Markup:
    """Several pieces as one, escaped where they are no `Markup`."""
    pieces = (child for child in children if child is not None)
    return Markup(between.join(p if isinstance(p, Markup) else escape(p) for p in pieces))


def image(source: str, about: str, **attributes: object) -> Markup:
    """A picture, with the words that stand for it."""
    return Markup(tag("img", src=source, alt=about, **attributes).removesuffix("</img>"))


def fold(title: object, *children: object, **attributes: object) -> Markup:
    """What is seen once its title is clicked."""
    return tag("details", tag("summary", title), *children, **attributes)


def name(text: str) -> Markup:
    """A name from the data: whatever its direction of writing, it does not disturb its line."""
    return tag("bdi", text, class_="name")


def table(
    header: Sequence[str],
    rows: Iterable[Sequence[object]],
    numbers: Sequence[int],
    marked: Sequence[str | None] | None = None,
    **attributes: object,
) -> Markup:
    """A table whose rows begin with their heading.

    `numbers` are the columns of numbers, `marked` the class of each row. Each cell carries its
    column's heading, because on a narrow screen a row becomes a list.
    """
    kinds = ["number" if i in numbers else None for i in range(len(header))]
    head = tag("tr", *(tag("th", t, scope="col", class_=k) for t, k in zip(header, kinds)))
    body = []
    for place, (first, *cells) in enumerate(rows):
        others = [
            tag("td", tag("span", cell), class_=kind, data_title=title)
            for cell, kind, title in zip(cells, kinds[1:], header[1:], strict=True)
        ]
        heading = tag("th", first, scope="row", class_=kinds[0])
        body.append(tag("tr", heading, *others, class_=marked[place] if marked else None))
    return tag("table", tag("thead", head), tag("tbody", *body), **attributes)


def cut_table(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    numbers: Sequence[int],
    marked: Sequence[str | None] | None = None,
    *,
    first: int,
    rest: int,
    one: str,
    **attributes: object,
) -> Markup:
    """A `table` of the `first` rows; of the others, up to `rest` more can be opened."""

    def part(start: int, end: int) -> Markup:
        own = marked[start:end] if marked else None
        return table(header, rows[start:end], numbers, own, **attributes)

    if len(rows) <= first:
        return part(0, first)
    more = len(rows) - first
    label = f"and {count(more, f'more {one}')}" + (f", the first {rest:,}:" if more > rest else "")
    return join([part(0, first), fold(label, part(first, first + rest))])


def to_fixed(value: float, digits: int) -> str:
    """As JavaScript's `toFixed`: halves away from 0, so that both sides of the page agree."""
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return str(rounded or abs(rounded)).replace("-", "−")


def stability(value: float | None) -> str:
    return NONE if value is None else to_fixed(value, 2)


def accuracy(value: float | None) -> str:
    return NONE if value is None else to_fixed(100 * value, 1) + "%"


def plain_score(value: float | None) -> str:
    return NONE if value is None else to_fixed(value, 3)


def share(value: float | None) -> str:
    return NONE if value is None else to_fixed(100 * value, 0) + "%"


def mean_rank(value: float | None) -> str:
    return NONE if value is None else to_fixed(value, 1)


def size(value: float | None) -> str:
    """A number of features; a mean of several sizes has one digit after the point."""
    if value is None:
        return NONE
    return to_fixed(value, 0) if float(value).is_integer() else to_fixed(value, 1)


def p_value(value: float | None) -> str:
    if value is None:
        return NONE
    return "< 0.001" if value < 0.001 else to_fixed(value, 3)


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 feature`, `2 features`, `1,200 features`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def with_interval(value: Value | None, formatted) -> Markup:
    """The value, and under it its interval."""
    if value is None:
        return Markup(NONE)
    if value.low is None or value.high is None:
        return Markup(escape(formatted(value.value)))
    ends = f"{formatted(value.low)} to {formatted(value.high)}"
    return join([formatted(value.value), tag("small", ends, class_="interval")], " ")


def bar(part: float) -> Markup:
    """A bar as long as a share of its cell."""
    length = min(max(part, 0.0), 1.0)
    filled = tag("rect", width=to_fixed(100 * length, 1), height=8, class_="filled")
    whole = tag("rect", width=100, height=8, class_="whole")
    return tag(
        "svg",
        *(whole, filled),
        class_="bar",
        viewBox="0 0 100 8",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
