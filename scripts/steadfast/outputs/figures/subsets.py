"""Figures of the subsets that selectors chose."""

from typing import Annotated

import numpy as np

from steadfast.core.keys import Key
from steadfast.outputs.arguments import Argument, Dataset, Selectors, TwoNames
from steadfast.outputs.curves import Selections
from steadfast.outputs.figures import panels
from steadfast.outputs.kinds import figure

#: More features than this are numbered, not named, on an axis.
_NAMED = 40

#: Sign, colour and mark of the selectors above and below the line.
_SIDES = ((1, panels.COLOURS[0], "v"), (-1, panels.COLOURS[1], "^"))

#: How a mean size, and the frequency that every feature would have by chance, are drawn.
_MEAN = {"color": "black", "markersize": 7, "markeredgecolor": "white", "linestyle": ""}
_CHANCE = {"color": "black", "linewidth": 1, "linestyle": ":"}

_ONE_OR_TWO = {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string"}}
_ROWS = {"type": "object", "minProperties": 1, "additionalProperties": _ONE_OR_TWO}
Rows = Annotated[dict[str, list[str]], Argument(Key("Rows.", _ROWS, names="selector"))]


@figure
def subsets(
    selections: Selections,
    *,
    dataset: Dataset,
    rows: Rows = None,
    names: TwoNames = None,
    selectors: Selectors,
) -> "panels.Figure":
    """Sizes of the chosen subsets and how often each feature is in them, two selectors a row.

    Parameters
    ----------
    rows
        Rows of panels by their title, each of one selector, or of two, above and below a line; each
        selector has one if left out.
    names
        What is above the line, and what below; Above and Below if left out.
    selectors
        Selectors where no rows are named; all if left out.
    """
    rows = rows or {selections.selectors[name]: [name] for name in selectors}
    names = (names or ["Above", "Below"])[: max(map(len, rows.values()))]
    n, shares = len(rows), {"sharex": "col", "sharey": "col", "width_ratios": [1, 2]}
    drawn, axes = panels.grid(2 * n, selections.heading, 1.25, 2, around=2.2, **shares)
    # They reach over the gap between the panels, which must not grow with them.
    panels.title_panels(axes[::2], list(rows), loc="left", in_layout=False)
    for row, *pair in zip(rows.values(), axes[::2], axes[1::2]):
        runs = [_draw_selector(pair, selections, dataset, *one) for one in zip(row, _SIDES)]
        pair[1].set_title(", ".join(map("{}: {}".format, names, runs)), loc="right")
        for ax in pair:
            ax.axhline(0, color="black", linewidth=0.8)
            ax.set_ylabel("Share\nof runs")
            ax.yaxis.set_major_formatter(lambda share, _: f"{abs(share):.3g}")
    left, right = axes[:2]
    most, below = max(map(abs, left.get_ylim())), len(names) > 1
    left.set_ylim(-most * below, most)
    right.set_ylim(-1.02 * below, 1.02)
    _name_axes(*axes[-2:], selections.features(dataset))
    for name, (_, colour, _) in zip(names, _SIDES):
        left.bar(0, 0, color=colour, label=name)
    left.plot([], [], "v", label="Mean size", **_MEAN)
    left.plot([], [], label="Each feature by chance, at these sizes", **_CHANCE)
    panels.share_legend(drawn, left)
    return drawn


def _draw_selector(
    pair: "tuple[panels.Axes, panels.Axes]",
    selections: Selections,
    dataset: str,
    name: str,
    side: tuple[int, str, str],
) -> str:
    """Shares of the sizes and of the features among its runs, up or down; how many runs."""
    if not selections.is_run(dataset, name):
        return "not run"
    every = selections.selections(dataset, name).values()
    chosen = [one.chosen for one in every if not one.note]
    if chosen:
        (left, right), (sign, colour, mark) = pair, side
        n, sizes = len(selections.features(dataset)), np.array([subset.size for subset in chosen])
        by_size = np.bincount(sizes, minlength=n + 1)[1:]
        by_feature = np.bincount(np.concatenate(chosen), minlength=n)
        for ax, count in ((left, by_size), (right, by_feature)):
            ax.bar(np.arange(n) + 1, sign * count / len(chosen), color=colour)
        edge = {"transform": left.get_xaxis_transform()}
        left.plot(sizes.mean(), 0.5 + 0.43 * sign, mark, **edge, **_MEAN)
        right.axhline(sign * sizes.mean() / n, **_CHANCE)
    return f"{len(chosen)} runs"


def _name_axes(left: "panels.Axes", right: "panels.Axes", features: list[str]) -> None:
    """Sizes as whole numbers, and features by name where they are few."""
    left.xaxis.get_major_locator().set_params(integer=True)
    left.set_xlabel("Size of the chosen subset")
    if len(features) <= _NAMED:
        names = panels.as_text(list(features))
        right.set_xticks(range(1, len(features) + 1), names, rotation=90)
    right.set_xlabel("Selected feature")
