"""Figures of stability over numbers of rows and features."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, schema_of, whole
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS, SIZE, THE_DATASET
from steadfast.outputs.kind import Entry, FigureKind, Reads
from steadfast.outputs.view import View
from steadfast.study.kind import refuse_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Keys of the grid of rows and features.
GRID_KEYS = {
    "relevant": whole("Relevant features.", default=100),
    "irrelevant_after": whole("Rank after which features are irrelevant.", default=500),
    "rows_from": whole("Smallest number of rows.", least=4, default=11),
    "rows_step": whole("By how much rows grow.", default=10),
    "irrelevant_from": whole("Smallest number of irrelevant features.", least=0, default=1000),
    "irrelevant_step": whole("By how much features grow.", default=100),
    "folds": whole("Folds of the cross-validation of each part.", least=2, default=10),
}


@figure("surface")
class Surface(FigureKind):
    """Stability by numbers of rows and features: a number in each cell, a panel per selector."""

    keys: ClassVar[Keys] = {
        "dataset": THE_DATASET,
        "grid": Key(
            "Rows and features: the `relevant` features of largest weight on all rows, and a "
            "growing number of those ranked after `irrelevant_after`; `rows` from `rows_from` on, "
            "by `rows_step`; features by `irrelevant_step` from `irrelevant_from` on.",
            schema_of(GRID_KEYS),
            required=True,
        ),
        "size": SIZE,
        "selectors": ALL_SELECTORS,
    }
    any_size = True
    reads = Reads(places=("surface",))

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """Parts of the data set are made here, which neither transforms nor rules see."""
        super().check(study, entry, where)
        if study.transforms:
            raise UserError(
                f"{where}: {entry['kind']} knows no transforms; put it into a study without any"
            )
        # Its files are named by data set and selector.
        wanted = {"kind": entry["kind"], "dataset": entry["dataset"]}
        those = (other for other in study.figures.values() if wanted.items() <= other.items())
        if next(those, entry) is not entry:
            raise UserError(f"{where}: there is a surface of {entry['dataset']} already")
        refuse_rules(study, self.selectors(study, entry), where)

    def build(self, view: View) -> "Figure":
        entry = view.entry
        columns = min(3, len(view.selectors))
        figure, axes = panels.page_grid(len(view.selectors), entry["title"], columns, 2.3)
        tables = [
            view.numbers("surface", dataset=entry["dataset"], selector=selector)
            for selector in view.selectors
        ]
        highest = max(table["value"].max() for table in tables)
        for at, (label, table) in enumerate(zip(view.selectors.values(), tables, strict=True)):
            _draw_cells(axes[at], table, highest)
            axes[at].set_title(f"({chr(ord('a') + at)}) {label}")
        panels.label_outside(axes, columns, "Number of features", "Number of rows")
        for ax in axes[len(axes) - columns :]:
            ax.set_xlabel("Number of features")
        return figure


def _draw_cells(ax: "Axes", table: dict[str, np.ndarray], highest: float) -> None:
    """Stability in each cell, the larger the darker; none so dark that its number is hidden."""
    rows, columns = np.unique(table["rows"]), np.unique(table["features"])
    values = table["value"].reshape(rows.size, columns.size)
    ax.imshow(values, cmap="Blues", vmin=0, vmax=1.7 * highest, aspect="auto", origin="lower")
    for (row, column), value in np.ndenumerate(values):
        ax.text(column, row, f"{value:.2f}", ha="center", va="center")
    ax.set_xticks(range(columns.size), [f"{n:g}" for n in columns])
    ax.set_yticks(range(rows.size), [f"{n:g}" for n in rows])
    ax.tick_params(length=0)
    ax.grid(False)
