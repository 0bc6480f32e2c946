"""Figures of stability and accuracy by α, on families of data sets."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys, flag
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.legend_words import InWords, labels_of
from steadfast.outputs.kind import Entry
from steadfast.outputs.shared.alpha import AIM, OfAlpha, read_units
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

_COLUMNS = 3

#: From one dot to the next above it, where lines are best at the same α, as a share of the range.
_STEP = 0.05

#: How a data set is drawn that several families have, and those that are in none.
_GREY = "#AAAAAA"
_SHARED, _OTHER = {"color": "#000000", "marker": "o"}, {"color": _GREY, "marker": "o"}

#: Values of α, and what each is worth, by data set.
Lines = Mapping[str, tuple[np.ndarray, np.ndarray]]


@figure("alpha_curves")
class AlphaCurves(OfAlpha, InWords):
    """Stability, accuracy or both by α, one panel per family of data sets, one for the others.

    Values are means over sizes and folds. Dots mark the best α of each line; where values are
    differences to it, dots at the same α are stacked.
    """

    named = "dataset"
    keys: ClassVar[Keys] = {
        "aim": AIM.but(default="both"),
        "relative": flag("Whether differences to the best α are shown; else the values.", True),
        "labels": labels_of("data set")["labels"].but(
            description="Words of the legends, by the name of a data set; else what its title has "
            "beside those of its family."
        ),
    }

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """Families, and the classifier that accuracy is measured by, in print."""
        found = super().context(study, entry, published)
        return {**found, "classifier": study.classifier_labels[study.alpha["classifier"]]}

    def build(self, view: View) -> "Figure":
        families = view.context["families"]
        every = [name for own in families.values() for name in own]
        others = [name for name in view.datasets if name not in every]
        n = len(families) + bool(others)
        columns = min(_COLUMNS, n)
        figure, axes = panels.page_grid(n, view.entry["title"], columns, 3.3)
        lines = {name: _line(view, name) for name in view.datasets}
        relative, shared = view.entry["relative"], {one for one in every if every.count(one) > 1}
        for at, (family, own) in enumerate(families.items()):
            ax = axes[at]
            drawn = {name: lines[name] for name in own}
            _draw_family(ax, view, drawn, shared, relative * _step(drawn))
            ax.set_title(f"({chr(ord('a') + at)}) {panels.as_text(family)}")
        if others:
            drawn = {name: lines[name] for name in others}
            _draw_others(axes[-1], drawn, relative * _step(drawn))
            title = f"({chr(ord('a') + n - 1)}) Other data sets"
            axes[-1].set_title(title if families else "")
        for at, ax in enumerate(axes):
            ax.set_xticks(np.linspace(0, 1, 6))
            ax.set_xlim(-0.03, 1.03)
            ax.locator_params(axis="y", nbins=6, steps=[1, 2, 5, 10])
            if relative:  # above are dots only
                bottom, top = ax.get_ylim()
                ticks = [tick for tick in ax.get_yticks() if bottom <= tick < 1e-9]
                ax.set_yticks(ticks)
                ax.set_ylim(bottom, top)
            ax.set_xlabel("α, weight of relevance")
            ax.set_ylabel(_shown(view) if at % columns == 0 else "")
            # Below its panel, where it hides no line.
            ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.22), borderaxespad=0)
        return figure


def _shown(view: View) -> str:
    """What the vertical axes show."""
    names = {
        "stability": "stability (Nogueira)",
        "accuracy": f"{view.score.noun} ({view.context['classifier']})",
        "both": f"mean of stability and {view.score.noun}",
    }
    name = names[view.entry["aim"]]
    if view.entry["relative"]:
        return f"Difference to the best α:\n{name}"
    return name[0].upper() + name[1:]


def _line(view: View, dataset: str) -> tuple[np.ndarray, np.ndarray]:
    """The values of α, and what each is worth: its mean over sizes and folds."""
    units = read_units(view, dataset)
    values = getattr(units, view.entry["aim"])[:-1].mean(axis=1)
    return units.alphas, values - values.max() if view.entry["relative"] else values


def _draw_family(ax: "Axes", view: View, lines: Lines, shared: set[str], step: float) -> None:
    """One line per data set, with a mark and a colour of its own."""
    labels, looks, number = _labels(view, list(lines)), {}, 0
    colours = [colour for colour in panels.COLOURS if colour != _SHARED["color"]]
    for name, (alphas, values) in lines.items():
        look, style = _SHARED, panels.LINES[0]
        if name not in shared:
            mark = panels.MARKS[1 + number % (len(panels.MARKS) - 1)]
            look = {"color": colours[number % len(colours)], "marker": mark}
            style = panels.LINES[1 + number % (len(panels.LINES) - 1)]
            number += 1
        looks[name] = look
        ax.plot(alphas, values, linestyle=style, color=look["color"])
        ax.plot([], [], linestyle=style, label=labels[name], markersize=5, **look)
    _mark_best(ax, lines, looks, step)


def _draw_others(ax: "Axes", lines: Lines, step: float) -> None:
    """Thin lines, and their mean."""
    for alphas, values in lines.values():
        ax.plot(alphas, values, color=_GREY, linewidth=0.7)
    mean = np.mean([values for _, values in lines.values()], axis=0)
    if len(lines) > 1:
        label = f"mean of {len(lines)} data sets"
        ax.plot(alphas, mean, color=panels.COLOURS[0], linewidth=2.2, label=label)
    ax.plot([], [], color=_GREY, linewidth=0.7, marker="o", markersize=4, label="one data set")
    _mark_best(ax, lines, dict.fromkeys(lines, _OTHER), step)


def _step(lines: Lines) -> float:
    """From one dot to the next above it, where differences are drawn."""
    return -_STEP * min(values.min() for _, values in lines.values())


def _mark_best(
    ax: "Axes", lines: Lines, looks: Mapping[str, Mapping[str, Any]], step: float
) -> None:
    """A dot at the best α of each line; a step higher for every one that is there already."""
    look = {"markersize": 5, "markeredgecolor": "white", "markeredgewidth": 0.4, "zorder": 4}
    places: list[float] = []
    for name, (alphas, values) in lines.items():
        at = int(np.argmax(values))
        height = values[at] + step * places.count(alphas[at])
        places.append(alphas[at])
        ax.plot(alphas[at], height, linestyle="none", clip_on=False, **look, **looks[name])


def _labels(view: View, own: Sequence[str]) -> dict[str, str]:
    """The titles of a family's data sets; what stands before a comma in all of them is left out."""
    given = view.entry["labels"]
    parts = {name: view.title(name).partition(", ") for name in own if name not in given}
    same = len({start for start, _, _ in parts.values()}) == 1 and len(parts) > 1
    short = same and all(rest for _, _, rest in parts.values())
    found = {name: rest if short else view.title(name) for name, (_, _, rest) in parts.items()}
    return {name: given.get(name) or found[name] for name in own}
