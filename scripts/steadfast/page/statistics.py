"""Tests over data sets: Friedman's, and the diagram of critical differences."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steadfast.page import text
from steadfast.page.text import Markup, join, name, tag
from steadfast.statistics.friedman import FEWEST_FOR_PAIRS

#: Length of the axis, and the room of one letter of a label beside it.
AXIS, LETTER = 300, 7.6
#: Height of the axis, of a line of labels, and of one of bars.
TOP, LINE, BAR = 62, 20, 9
#: Longer labels are cut in the diagram; a table below it then has them whole.
LONGEST = 28
LEVEL = 0.05


def statistics_section(statistics: Sequence[Mapping[str, Any]]) -> Markup | None:
    """One figure and one table per quantity that was tested; None where nothing was."""
    if not statistics:
        return None
    note = (
        "On each data set the selectors are ranked, where 1 is the best; the diagram shows their "
        "mean ranks. "
    )
    if any(entry.get("cd") is not None for entry in statistics):
        note += (
            "A bar joins selectors whose mean ranks differ by less than the critical difference "
            "(Nemenyi): on these data sets, their difference is not significant."
        )
    else:
        note += (
            "Which selectors differ is not tested with fewer than "
            f"{FEWEST_FOR_PAIRS} data sets: one selector could be better than another on all of "
            "them by chance."
        )
    return tag(
        "section",
        tag("h2", "Over all data sets"),
        tag("p", note, class_="told"),
        *(_test_figure(entry) for entry in statistics),
        class_="statistics",
        id="statistics",
    )


def _test_figure(entry: Mapping[str, Any]) -> Markup:
    ranks = sorted(entry["mean_ranks"].items(), key=lambda item: item[1])
    caption = [tag("strong", f"{entry['title']}. "), _friedman(entry)]
    rows = [[name(label), text.stability(rank)] for label, rank in ranks]
    beside = text.table(["Selector", "Mean rank"], rows, [1], class_="ranks")
    return tag(
        "figure",
        tag("figcaption", *caption),
        tag(
            "div",
            critical_differences(entry),
            class_="scroll",
            tabindex=0,
            role="region",
            aria_label=entry["title"],
        ),
        beside if any(len(label) > LONGEST for label, _ in ranks) else None,
        class_="chart differences",
    )


def _friedman(entry: Mapping[str, Any]) -> str:
    """Friedman's test in words."""
    over = f"Friedman's test over {text.count(entry['n_datasets'], 'data set')}"
    statistic, p = entry.get("statistic"), entry.get("p")
    if p is None or statistic is None:
        return f"{over} has no result: the ranks do not differ."
    found = (
        "the selectors differ"
        if p < LEVEL
        else "no difference between the selectors is significant"
    )
    p_text = text.p_value(p) if p < 0.001 else f"= {text.p_value(p)}"
    return f"{over}: χ² = {text.stability(statistic)}, p {p_text}: {found}."


def critical_differences(entry: Mapping[str, Any]) -> Markup:
    """The diagram of Demšar (2006): mean ranks on an axis, bars over those that do not differ.

    References
    ----------
    Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006).
    """
    ranks = sorted(entry["mean_ranks"].items(), key=lambda item: item[1])
    n, cliques = len(ranks), _spans(entry)
    # Beside each label stands its mean rank, five letters with the space before it.
    left = 26 + LETTER * (5 + max(len(_cut(label)) for label, _ in ranks))

    def x(rank: float) -> float:
        return left + AXIS * (rank - 1) / max(n - 1, 1)

    right, lines = x(n), TOP + 14 + BAR * len(cliques)
    drawn = [*_axis(x, n), *_critical_difference(x, entry.get("cd"))]
    for place, (low, high) in enumerate(cliques):
        y = TOP + 10 + BAR * place
        drawn.append(_line(x(low) - 4, y, x(high) + 4, y, "clique"))
    half = -(-n // 2)
    for place, (label, rank) in enumerate(ranks):
        first = place < half
        y = lines + LINE * ((place if first else n - 1 - place) + 0.5)
        drawn += _label(x(rank), y, left - 20 if first else right + 20, label, rank)
    note = "Mean ranks: " + "; ".join(f"{label} {text.stability(rank)}" for label, rank in ranks)
    width = max(right + left, x(1 + (entry.get("cd") or 0)) + 10)
    size = {"width": f"{width:.0f}", "height": f"{lines + LINE * half + 8:.0f}"}
    box = f"0 0 {size['width']} {size['height']}"
    return tag("svg", *drawn, **size, viewBox=box, role="img", aria_label=note)


def _axis(x: Callable[[float], float], n: int) -> list[Markup]:
    drawn = [_line(x(1), TOP, x(n), TOP, "axis")]
    for rank in _ticks(n):
        drawn.append(_line(x(rank), TOP - 5, x(rank), TOP, "axis"))
        drawn.append(_text(x(rank), TOP - 9, str(rank), "middle", "tick"))
    return drawn


def _critical_difference(x: Callable[[float], float], cd: float | None) -> list[Markup]:
    """The critical difference as a length on the scale of ranks."""
    if cd is None:
        return []
    start, end = x(1), x(1 + cd)
    ends = ((start, 25, end, 25), (start, 21, start, 29), (end, 21, end, 29))
    note = f"critical difference {text.stability(cd)}"
    return [_text(start, 15, note, "start", "label"), *(_line(*points, "cd") for points in ends)]


def _spans(entry: Mapping[str, Any]) -> list[tuple[float, float]]:
    """The lowest and highest mean rank of each clique of two and more."""
    ranks = entry["mean_ranks"]
    found = [[ranks[label] for label in clique] for clique in entry.get("cliques") or []]
    return [(min(clique), max(clique)) for clique in found if len(clique) > 1]


def _ticks(n: int) -> list[int]:
    """Whole ranks, about ten of them."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, n) if n / s <= 11)
    return sorted({1, *range(step, n + 1, step), n})


def _cut(label: str) -> str:
    """A long label without its middle: those of one family often differ at the end."""
    kept = (LONGEST - 1) // 2
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1 - kept]}…{label[-kept:]}"


def _label(at: float, y: float, edge: float, label: str, rank: float) -> list[Markup]:
    """A label beside the axis, and the line that leads to its mean rank."""
    before = edge < at
    path = f"M{at:.1f},{TOP} V{y:.1f} H{edge:.1f}"
    number = tag("tspan", text.stability(rank), class_="rank")
    shown = join([tag("title", label), _cut(label), " ", number])
    return [
        tag("path", d=path, class_="lead"),
        tag("circle", cx=f"{at:.1f}", cy=TOP, r=3),
        _text(edge + (-6 if before else 6), y + 4, shown, "end" if before else "start", "label"),
    ]


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    return tag("line", **ends, class_=kind)


def _text(x: float, y: float, content: object, anchor: str, kind: str) -> Markup:
    return tag("text", content, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=kind)
