"""Figures of what rules for α, or the size, lose against the best choice."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.differences import mean_interval
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.alpha import (
    AIMS,
    QUESTION,
    RULES,
    TRUTH,
    OfAlpha,
    datasets_by_truth,
    losses,
    rule_label,
)
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Inches of a rule's strip, at least, and of a line of its name; what is above and below all.
_STRIP, _LINE, _AROUND = 0.42, 0.16, 1.55

#: Letters of a rule's name in one line.
_LETTERS = 30

#: How far the points of a strip reach from its middle, of which the distance to the next is 1.
_REACH = 0.33

#: What aims are called above a panel, and where it says what is lost.
_TITLES = {"stability": "Stability", "accuracy": "{score}", "both": "Both"}
_LOST = {"stability": "stability", "accuracy": "{score}", "both": "the mean of both"}

#: Losses that are written at the axes: few are large, and a root leaves room for the others.
_TICKS = (0, 0.02, 0.1, 0.25, 0.5, 1)

#: What is free beside the points, and between two of these, as shares of the axis.
_MARGIN, _APART = 0.04, 0.13


@figure("alpha_regret")
class AlphaRegret(OfAlpha, FigureKind):
    """What each rule loses against the best choice, one panel per aim, one point per data set.

    Rules that learn from other data sets aim at what the panel is of; all others choose the same
    for every panel. The interval of a mean takes data sets as independent, which those made in one
    way are not.
    """

    keys: ClassVar[Keys] = {"question": QUESTION, "truth": TRUTH}

    def build(self, view: View) -> "Figure":
        question = view.entry["question"]
        datasets = datasets_by_truth(view, view.entry["truth"])
        every = [rule for rule in RULES if rule != "best"]
        lost = {
            aim: {rule: losses(view, question, aim, rule, datasets) for rule in every}
            for aim in AIMS
        }
        rules = [rule for rule in every if all(by[rule] is not None for by in lost.values())]
        labels = [textwrap.fill(rule_label(question, rule), _LETTERS) for rule in rules]
        highest = max((label.count("\n") + 1.5 for label in labels), default=1)
        size = (panels.TWO_COLUMNS, max(_STRIP, _LINE * highest) * len(rules) + _AROUND)
        figure, axes = panels.subplots(1, len(AIMS), view.entry["title"], size, sharey=True)
        for number, (aim, ax) in enumerate(zip(AIMS, axes[0], strict=True)):
            _draw(ax, [lost[aim][rule] for rule in rules])
            ax.set_title(
                f"({chr(ord('a') + number)}) {_TITLES[aim].format(score=view.score.label)}"
            )
            ax.set_xlabel(
                f"Loss in {_LOST[aim].format(score=view.score.noun)}\n(square-root scale)"
            )
        axes[0, 0].set_yticks(range(len(rules)), labels)
        axes[0, 0].set_ylim(len(rules) - 0.5, -0.5)
        panels.share_legend(figure, axes[0, 0])
        return figure


def _draw(ax: "Axes", strips: Sequence[np.ndarray]) -> None:
    """The points of each strip, those of one data set always as high in it, and their mean."""
    ends = [0.0]
    for row, lost in enumerate(strips):
        first = row == 0
        across = row + np.linspace(-_REACH, _REACH, len(lost))
        look = {"linestyle": "none", "marker": "o", "color": panels.COLOURS[0]}
        look |= {"markersize": 3.5, "alpha": 0.7, "markeredgewidth": 0, "clip_on": False}
        ax.plot(lost, across, label="one data set" if first else None, **look)
        mean, low, high = mean_interval(lost)
        ends += [low, high, *lost]
        ax.plot([low, high], [row, row], color="black", linewidth=1.6, zorder=3)
        look = {
            "linestyle": "none",
            "marker": "D",
            "color": "black",
            "markersize": 4.5,
            "zorder": 4,
        }
        ax.plot(mean, row, label="mean" if first else None, **look)
    ax.plot([], [], color="black", linewidth=1.6, label="95% interval of the mean")
    ax.axvline(0, color="#777777", linewidth=0.8, zorder=1)
    ax.grid(False, axis="y")
    for row in range(1, len(strips)):
        ax.axhline(row - 0.5, color="#dddddd", linewidth=0.5, zorder=0)
    ax.tick_params(axis="y", length=0)
    ax.set_xscale("function", functions=(_root, _square))
    low, high = _root(np.nanmin(ends)), _root(np.nanmax([*ends, _TICKS[1]]))
    ticks = [_TICKS[0]]
    for tick in _TICKS[1:]:
        if _root(tick) <= high and _root(tick) - _root(ticks[-1]) > _APART * (high - low):
            ticks.append(tick)
    ax.set_xticks(ticks)
    ax.set_xlim(*_square(np.array([low, high]) + _MARGIN * (high - low) * np.array([-1, 1])))
    ax.xaxis.set_major_formatter("{x:g}")


def _root(values: np.ndarray) -> np.ndarray:
    """With the sign of the values: an α of its own on each fold may beat the best one on all."""
    return np.sign(values) * np.sqrt(np.abs(values))


def _square(roots: np.ndarray) -> np.ndarray:
    return np.sign(roots) * np.square(roots)
