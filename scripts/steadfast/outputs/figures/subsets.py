"""Figures of the subsets that selectors chose."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Key, Keys, list_of
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import SELECTORS, THE_DATASET
from steadfast.outputs.kind import Entry, FigureKind, Reads, run_there
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: More features than this are numbered, not named, on an axis.
_NAMED = 40


#: Sign, colour and mark of the selectors above and below the line.
_SIDES = ((1, panels.COLOURS[0], "v"), (-1, panels.COLOURS[1], "^"))

#: The selectors of a row.
_ONE_OR_TWO = {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string"}}

#: How a mean size, and the frequency that every feature would have by chance, are drawn.
_MEAN = {"color": "black", "markersize": 7, "markeredgecolor": "white", "linestyle": ""}
_CHANCE = {"color": "black", "linewidth": 1, "linestyle": ":"}


@figure("subsets")
class Subsets(FigureKind):
    """Sizes of the chosen subsets and how often each feature is in them, two selectors a row."""

    keys: ClassVar[Keys] = {
        "dataset": THE_DATASET,
        "rows": Key(
            "Rows of panels by their title, each of one selector, or of two, above and below a "
            "line; each selector has one if left out.",
            {"type": "object", "minProperties": 1, "additionalProperties": _ONE_OR_TWO},
            names="selector",
        ),
        "names": list_of(
            "What is above the line, and what below.",
            {"type": "string"},
            least=2,
            default=["Above", "Below"],
        ).but(schema={"maxItems": 2}),
        "selectors": SELECTORS.but(
            description="Selectors where no rows are named; all if left out."
        ),
    }
    reads = Reads(selections=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """Those of the rows, if there are any."""
        if "rows" not in entry:
            return super().selectors(study, entry)
        named = list(dict.fromkeys(name for row in entry["rows"].values() for name in row))
        return run_there(study, entry, named)

    def build(self, view: View) -> "Figure":
        entry, names = view.entry, view.entry["names"]
        rows = entry.get("rows") or {label: [name] for name, label in view.selectors.items()}
        size = (panels.TWO_COLUMNS, 1.25 * len(rows) + 2.2)
        shares = {"sharex": "col", "sharey": "col", "width_ratios": [1, 2]}
        figure, axes = panels.subplots(len(rows), 2, entry["title"], size, **shares)
        for at, ((title, row), (left, right)) in enumerate(zip(rows.items(), axes, strict=True)):
            # It reaches over the gap between the panels, which must not grow with it.
            left.set_title(f"({chr(ord('a') + at)}) {title}", loc="left").set_in_layout(False)
            runs = [_draw_selector(left, right, view, *each) for each in zip(row, _SIDES)]
            right.set_title(", ".join(map("{}: {}".format, names, runs)), loc="right")
            for ax in (left, right):
                ax.axhline(0, color="black", linewidth=0.8)
                ax.set_ylabel("Share\nof runs")
                ax.yaxis.set_major_formatter(lambda share, _: f"{abs(share):.3g}")
        most = max(map(abs, axes[0, 0].get_ylim()))
        below = any(len(row) > 1 for row in rows.values())
        axes[0, 0].set_ylim(-most * below, most)
        axes[0, 1].set_ylim(-1.02 * below, 1.02)
        _name_axes(*axes[-1], view.features(entry["dataset"]))
        _share_legend(figure, axes[0, 0], names[: 1 + below])
        return figure


def _draw_selector(
    left: "Axes", right: "Axes", view: View, name: str, side: tuple[int, str, str]
) -> str:
    """Shares of the sizes and of the features among its runs, up or down; how many runs."""
    if name not in view.selectors:
        return "not run"
    every = view.selections(view.entry["dataset"], name).values()
    chosen = [selection.chosen for selection in every if not selection.note]
    if chosen:
        (sign, colour, mark), n = side, len(view.features(view.entry["dataset"]))
        sizes = np.array([subset.size for subset in chosen])
        counts = (
            np.bincount(sizes, minlength=n + 1)[1:],
            np.bincount(np.concatenate(chosen), minlength=n),
        )
        for ax, count in zip((left, right), counts):
            ax.bar(np.arange(n) + 1, sign * count / len(chosen), color=colour)
        edge = {"transform": left.get_xaxis_transform()}
        left.plot(sizes.mean(), 0.5 + 0.43 * sign, mark, **edge, **_MEAN)
        right.axhline(sign * sizes.mean() / n, **_CHANCE)
    return f"{len(chosen)} runs"


def _name_axes(left: "Axes", right: "Axes", features: Sequence[str]) -> None:
    left.xaxis.get_major_locator().set_params(integer=True)
    left.set_xlabel("Size of the chosen subset")
    if len(features) <= _NAMED:
        names = panels.as_text(list(features))
        right.set_xticks(range(1, len(features) + 1), names, rotation=90)
    right.set_xlabel("Selected feature")


def _share_legend(figure: "Figure", ax: "Axes", names: Sequence[str]) -> None:
    for name, (_, colour, _) in zip(names, _SIDES):
        ax.bar(0, 0, color=colour, label=name)
    ax.plot([], [], "v", label="Mean size", **_MEAN)
    ax.plot([], [], label="Each feature by chance, at these sizes", **_CHANCE)
    panels.share_legend(figure, ax)
