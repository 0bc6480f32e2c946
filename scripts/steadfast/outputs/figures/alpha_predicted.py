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

#: Rules that answer one question alone.

#: Points closer than this, as a share of an axis, are spread around their place; how far the second
#: of them is off; and the angle between them, as in the head of a sunflower.
_CLOSE, _APART, _ANGLE = 0.03, 0.027, np.pi * (3 - np.sqrt(5))

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
        scale = _Scale(0, 1) if question == "alpha" else _Scale(1, largest, logarithmic=True)
        families = view.context["families"].values()
        made = np.array([any(name in own for own in families) for name in view.datasets])
        for number, (rule, ax) in enumerate(zip(rules, axes, strict=True)):
            _draw(ax, scale, best, taken[rule], made)
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


class _Scale:
    """An axis on which shares of its length are known."""

    def __init__(self, low: float, high: float, logarithmic: bool = False):
        self.low, self.high, self.logarithmic = low, high, logarithmic

    def share(self, values: np.ndarray) -> np.ndarray:
        if self.logarithmic:
            return np.log(values / self.low) / np.log(self.high / self.low)
        return (values - self.low) / (self.high - self.low)

    def value(self, shares: np.ndarray) -> np.ndarray:
        if self.logarithmic:
            return self.low * (self.high / self.low) ** shares
        return self.low + shares * (self.high - self.low)

    def apply(self, ax: "Axes") -> None:
        """To both axes of a panel, which is a square."""
        ends = self.value(np.array([-_MARGIN, 1 + _MARGIN]))
        for axis in ("x", "y"):
            if self.logarithmic:
                ticks = [size for size in _SIZES if size <= self.high]
                ax.set(**{f"{axis}scale": "log"})
                ax.set(**{f"{axis}ticks": ticks, f"{axis}ticklabels": [str(k) for k in ticks]})
            else:
                ax.set(**{f"{axis}ticks": self.value(np.linspace(0, 1, 6))})
        ax.minorticks_off()
        ax.set(xlim=ends, ylim=ends)
        ax.set_box_aspect(1)


def _values(by_dataset: dict[str, Rule], question: str, datasets: Sequence[str]) -> np.ndarray:
    """The α or the size that a rule takes on each data set."""
    field = {"alpha": "alpha", "size": "k"}[question]
    return np.array([getattr(by_dataset[name], field) for name in datasets])


def _draw(ax: "Axes", scale: _Scale, best: np.ndarray, taken: np.ndarray, made: np.ndarray) -> None:
    """Points on and off the diagonal."""
    scale.apply(ax)
    ends = scale.value(np.array([-_MARGIN, 1 + _MARGIN]))
    ax.plot(ends, ends, color="#777777", linewidth=0.8, label="rule takes the best")
    places = _spread(np.column_stack([scale.share(best), scale.share(taken)]))
    kinds = {"other data set": ~made, "data set of a family": made}
    for number, (label, those) in enumerate(kinds.items()):
        if not those.any():
            continue
        look = {"color": panels.COLOURS[number], "marker": panels.MARKS[number]}
        look |= {"markersize": 5, "markeredgecolor": "white", "markeredgewidth": 0.4}
        x, y = scale.value(places[those]).T
        ax.plot(x, y, linestyle="none", alpha=0.85, clip_on=False, label=label, **look)


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
