"""Tests over data sets: Friedman's, and the diagram of critical differences."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast import page_text as text
from steadfast.page_text import Markup, join, name, tag

WIDTH, LEFT, RIGHT = 760, 230, 530
#: Height of a line of labels, and of one of bars.
LINE, BAR = 20, 9
#: Longer labels are cut in the diagram; the table beside it has them whole.
LONGEST = 28
LEVEL = 0.05


def statistics_section(statistics: Sequence[Mapping[str, Any]]) -> Markup | None:
    """One figure and one table a quantity that was tested; None where nothing was."""
    if not statistics:
        return None
    told = (
        "On each data set the selectors are ranked, 1 being the best; the diagram shows their mean "
        "ranks. A bar joins selectors whose mean ranks differ by less than the critical difference "
        "(Nemenyi), so that these data sets do not tell them apart."
    )
    return tag(
        "section",
        tag("h2", "Over all data sets"),
        tag("p", told, class_="told"),
        *(_tested(entry) for entry in statistics),
        class_="statistics",
        id="statistics",
    )


def _tested(entry: Mapping[str, Any]) -> Markup:
    ranks = sorted(entry["mean_ranks"].items(), key=lambda item: item[1])
    caption = [tag("strong", f"{entry['title']}. "), _friedman(entry)]
    rows = [[name(label), text.stability(rank)] for label, rank in ranks]
    return tag(
        "figure",
        tag("figcaption", *caption),
        tag("div", critical_differences(entry), class_="scroll", tabindex=0),
        text.table(["Selector", "Mean rank"], rows, [1], class_="ranks"),
        class_="chart differences",
    )


def _friedman(entry: Mapping[str, Any]) -> str:
    """Friedman's test in words."""
    over = f"Friedman's test over {text.count(entry['n_datasets'], 'data set')}"
    statistic, p = entry.get("statistic"), entry.get("p")
    if p is None or statistic is None:
        return f"{over} has no result: the ranks do not differ."
    found = "the selectors differ" if p < LEVEL else "no difference between the selectors is shown"
    p_told = text.p_value(p) if p < 0.001 else f"= {text.p_value(p)}"
    difference = (
        "" if entry.get("cd") is None else f" Critical difference {text.stability(entry['cd'])}."
    )
    return f"{over}: χ² = {text.stability(statistic)}, p {p_told}: {found}.{difference}"


def critical_differences(entry: Mapping[str, Any]) -> Markup:
    """The diagram of Demšar (2006): mean ranks on an axis, bars over those that do not differ.

    References
    ----------
    Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006).
    """
    ranks = sorted(entry["mean_ranks"].items(), key=lambda item: item[1])
    n = len(ranks)

    def x(rank: float) -> float:
        return LEFT + (RIGHT - LEFT) * (rank - 1) / max(n - 1, 1)

    cliques = _spans(entry)
    axis = 52
    lines = axis + 14 + BAR * len(cliques)
    height = lines + LINE * -(-n // 2) + 8
    drawn = [_line(LEFT, axis, RIGHT, axis, "axis")]
    for rank in _ticks(n):
        drawn += [
            _line(x(rank), axis - 5, x(rank), axis, "axis"),
            _text(x(rank), axis - 9, str(rank), "middle", "tick"),
        ]
    if entry.get("cd") is not None:
        end = min(x(1 + entry["cd"]), WIDTH - 10.0)
        drawn += [
            *(_line(LEFT, 12, end, 12, "cd"), _line(LEFT, 8, LEFT, 16, "cd")),
            *(_line(end, 8, end, 16, "cd"), _text(end + 8, 16, "critical difference", "start", "")),
        ]
    for place, (low, high) in enumerate(cliques):
        y = axis + 10 + BAR * place
        drawn.append(_line(x(low) - 4, y, x(high) + 4, y, "clique"))
    half = -(-n // 2)
    for place, (label, rank) in enumerate(ranks):
        left = place < half
        y = lines + LINE * ((place if left else n - 1 - place) + 0.5)
        drawn += _label(x(rank), axis, y, left, label, rank)
    told = "Mean ranks: " + "; ".join(f"{label} {text.stability(rank)}" for label, rank in ranks)
    return tag("svg", *drawn, viewBox=f"0 0 {WIDTH} {height:g}", role="img", aria_label=told)


def _spans(entry: Mapping[str, Any]) -> list[tuple[float, float]]:
    """The lowest and highest mean rank of each clique of two and more."""
    ranks = entry["mean_ranks"]
    found = [[ranks[label] for label in clique] for clique in entry.get("cliques") or []]
    return [(min(clique), max(clique)) for clique in found if len(clique) > 1]


def _ticks(n: int) -> list[int]:
    """Whole ranks, about ten of them."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, n) if n / s <= 11)
    return sorted({1, *range(step, n + 1, step), n})


def _label(at: float, axis: float, y: float, left: bool, label: str, rank: float) -> list[Markup]:
    """A label beside the axis, and the line that leads to its mean rank."""
    edge = LEFT - 20 if left else RIGHT + 20
    cut = label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"
    path = f"M{at:.1f},{axis} V{y:.1f} H{edge}"
    shown = join([tag("title", label), cut, " ", tag("tspan", text.stability(rank), class_="rank")])
    return [
        tag("path", d=path, class_="lead"),
        tag("circle", cx=f"{at:.1f}", cy=axis, r=3),
        _text(edge + (-6 if left else 6), y + 4, shown, "end" if left else "start", "label"),
    ]


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    return tag("line", **ends, class_=kind)


def _text(x: float, y: float, content: object, anchor: str, kind: str) -> Markup:
    return tag("text", content, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=kind or None)
