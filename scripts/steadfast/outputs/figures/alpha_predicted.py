"""Figures of the best α, or size, against the one that a rule takes."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of, one_of
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import Entry, FigureKind
from steadfast.outputs.shared.alpha import (
    AIM,
    ONLY,
    RULES,
    OfAlpha,
    Rule,
    read_rules,
    rule_label,
)
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Panels in a row, and letters in a line above them.
_COLUMNS, _LETTERS = 3, 44

#: What is plain: the best itself, and what takes no α or size at all.
_NAMELESS = ("best", "blind")

#: Points closer than this, as a share of an axis, are spread around their place; how far the second
#: of them is off; and the angle between them, as in the head of a sunflower.
_CLOSE, _APART, _ANGLE = 0.025, 0.0225, np.pi * (3 - np.sqrt(5))

#: Ends of the axes, as shares of what they show.
_MARGIN = 0.1

#: Sizes that are written at the axes, if there are any so large.
_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@figure("alpha_predicted")
class AlphaPredicted(OfAlpha, FigureKind):
    """The best α, or size, against the one that rules take, one panel per rule.

    What a rule takes inside the training rows is the mean over folds. Points that lie on each other
    are spread around their place.
    """

    keys: ClassVar[Keys] = {
        "question": one_of(
            "What is asked: `alpha` (means over all sizes), or `size` (at α = 0.5).",
            *("alpha", "size"),
            default="alpha",
        ),
        "aim": AIM.but(default="both"),
        "rules": list_of(
            "Rules, one panel each.",
            {"enum": [name for name in RULES if name not in _NAMELESS]},
            default=["regression", "nearest", "auto"],
        ),
    }

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """Every rule must answer what is asked."""
        super().check(study, entry, where)
        for rule in entry["rules"]:
            if ONLY.get(rule, entry["question"]) != entry["question"]:
                raise UserError(f"{where}.rules: {rule} is a rule for question: {ONLY[rule]}")

    def build(self, view: View) -> "Figure":
        question = view.entry["question"]
        found = read_rules(view, question, view.entry["aim"])
        # Those that learn from other data sets are not there for a single one.
        rules = [rule for rule in view.entry["rules"] if rule in found]
        if not rules:
            raise UserError(
                f"{view.entry['title']}: rules: all learn from other data sets; there is none"
            )
        columns = min(_COLUMNS, len(rules))
        figure, axes = panels.page_grid(len(rules), view.entry["title"], columns, 3.35)
        taken = {rule: _values(found[rule], question, view.datasets) for rule in rules}
        best = _values(found["best"], question, view.datasets)
        largest = max(map(np.max, [best, *taken.values()]))
        families = view.context["families"].values()
        made = np.array([any(name in own for own in families) for name in view.datasets])
        for number, (rule, ax) in enumerate(zip(rules, axes, strict=True)):
            _scale(ax, None if question == "alpha" else largest)
            _draw(ax, best, taken[rule], made)
            label = rule_label(question, rule)
            label = f"({chr(ord('a') + number)}) {label[0].upper()}{label[1:]}"
            agreement = _agreement(question, best, taken[rule])
            ax.set_title(f"{textwrap.fill(label, _LETTERS)}\n{agreement}")
        what = {"alpha": "α", "size": "Number of features"}[question]
        panels.label_outside(
            axes, columns, f"{what}: best afterwards", f"{what}: taken by the rule"
        )
        panels.share_legend(figure, axes[0])
        return figure


def _scale(ax: "Axes", largest: float | None) -> None:
    """Both axes of a panel, which is a square: α, or sizes up to the largest, logarithmic."""
    ends = np.array([-_MARGIN, 1 + _MARGIN])
    if largest is None:
        ticks = np.linspace(0, 1, 6)
    else:
        ends, ticks = largest**ends, [size for size in _SIZES if size <= largest]
        ax.set(xscale="log", yscale="log")
    ax.set(xticks=ticks, yticks=ticks, xlim=ends, ylim=ends, box_aspect=1)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}" if largest else "{x:.1f}")
    ax.minorticks_off()


def _values(by_dataset: dict[str, Rule], question: str, datasets: Sequence[str]) -> np.ndarray:
    """The α or the size that a rule takes on each data set."""
    field = {"alpha": "alpha", "size": "k"}[question]
    return np.array([getattr(by_dataset[name], field) for name in datasets])


def _draw(ax: "Axes", best: np.ndarray, taken: np.ndarray, made: np.ndarray) -> None:
    """Points on and off the diagonal, in shares of the axes spread around their places."""
    ends = ax.get_xlim()
    ax.plot(ends, ends, color="#777777", linewidth=0.8, label="rule takes the best")
    shares = ax.transData + ax.transAxes.inverted()
    places = shares.inverted().transform(_spread(shares.transform(np.column_stack([best, taken]))))
    kinds = {"other data set": ~made, "data set of a family": made}
    for number, (label, those) in enumerate(kinds.items()):
        if not those.any():
            continue
        look = {"color": panels.COLOURS[number], "marker": panels.MARKS[number]}
        look |= {"markersize": 5, "markeredgecolor": "white", "markeredgewidth": 0.4}
        ax.plot(*places[those].T, linestyle="none", alpha=0.85, label=label, **look)


def _spread(places: np.ndarray) -> np.ndarray:
    """Places as shares of the axes; those that are close to an earlier one, around it."""
    found, counts = [], {}
    for place in places:
        near = [at for at in counts if np.abs(places[at] - place).max() < _CLOSE]
        if near:
            at = near[0]
            n = counts[at] = counts[at] + 1
            turn = np.array([np.cos(n * _ANGLE), np.sin(n * _ANGLE)])
            found.append(places[at] + _APART * np.sqrt(n) * turn)
        else:
            counts[len(found)] = 0
            found.append(place)
    return np.array(found)


def _agreement(question: str, best: np.ndarray, taken: np.ndarray) -> str:
    """How far a rule is off on the mean, and whether it has the order of the data sets right."""
    off = float(np.abs(taken - best).mean())
    error = f"{off:.2f}" if question == "alpha" else f"{off:.1f} features"
    order = spearman(best, taken)
    said = "undefined" if np.isnan(order) else f"= {order:.2f}".replace("-", "−")
    return f"mean error {error}, ρ {said}"
