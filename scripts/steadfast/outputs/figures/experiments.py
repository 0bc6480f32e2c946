"""Figures of experiments: known truth, surfaces of stability, the variation of criteria."""

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, schema_of, whole
from steadfast.outputs.arguments import Argument, AtLeast, Dataset, Selector, Selectors, Size
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.marks import draw_rows
from steadfast.outputs.intervals import mean_interval
from steadfast.outputs.kinds import Entry, figure
from steadfast.outputs.sources.experiments import (
    Recovery,
    Scenarios,
    Surfaces,
    Variation,
    refuse_transforms,
)
from steadfast.study.checks import refuse_rules

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: What is shown of what is found.
_FOUND = {"recall": "Recall", "false_share": "Share of false features"}


@figure
def recovery(results: Recovery, *, scenarios: Scenarios, selectors: Selectors) -> "panels.Figure":
    """Recall and the share of false features, one row per scenario, means over its data sets."""
    height = 0.5 * len(scenarios)
    drawn, axes = panels.grid(2, results.heading, height, around=1.3, sharey=True)
    panels.title_panels(axes, list(_FOUND.values()))
    for (what, label), ax in zip(_FOUND.items(), axes):
        series = {}
        for number, name in enumerate(selectors):
            shares = [results.sets(scenario, name)[what].to_numpy() for scenario in scenarios]
            values = np.clip(list(map(mean_interval, shares)), 0, 1)
            series[results.selectors[name]] = panels.numbered(number), values
        draw_rows(ax, [results.scenarios[name] for name in scenarios], series)
        ax.set(xlabel=label, xlim=(-0.02, 1.02))
    panels.share_legend(drawn, axes[0], 4)
    return drawn


_GRID = Key(
    "Rows and features: the `relevant` features of largest weight on all rows, and a growing "
    "number of those ranked after `irrelevant_after`; `rows` from `rows_from` on, by `rows_step`; "
    "features by `irrelevant_step` from `irrelevant_from` on.",
    schema_of(
        {
            "relevant": whole("Relevant features.", default=100),
            "irrelevant_after": whole("Rank after which features are irrelevant.", default=500),
            "rows_from": whole("Smallest number of rows.", least=4, default=11),
            "rows_step": whole("By how much rows grow.", default=10),
            "irrelevant_from": whole(
                "Smallest number of irrelevant features.", least=0, default=1000
            ),
            "irrelevant_step": whole("By how much features grow.", default=100),
            "folds": whole("Folds of the cross-validation of each part.", least=2, default=10),
        }
    ),
    required=True,
)
Grid = Annotated[dict[str, Any], Argument(_GRID)]


def check_surface(study: "Study", entry: Entry, where: str) -> None:
    """Parts of the data set are made here, which neither transforms nor rules see."""
    refuse_transforms(study, entry, where)
    # Its files are named by data set and selector.
    same = {"kind": entry["kind"], "dataset": entry["dataset"]}
    those = (other for other in study.figures.values() if same.items() <= other.items())
    if next(those, entry) is not entry:
        raise UserError(f"{where}: there is a surface of {entry['dataset']} already")
    selectors = entry.get("selectors", study.selectors)
    refuse_rules(study, [x for x in selectors if study.is_run(entry["dataset"], x)], where)


@figure(refuse=check_surface)
def surface(
    results: Surfaces, *, dataset: Dataset, grid: Grid, size: Size = 10, selectors: Selectors
) -> "panels.Figure":
    """Stability by numbers of rows and features: a number in each cell, a panel per selector."""
    drawn, axes = panels.grid(len(selectors), results.heading, 2.3)
    surfaces = [results.surface(dataset, name) for name in selectors]
    highest = max(one["value"].max() for one in surfaces)
    for ax, one in zip(axes, surfaces):
        _draw_cells(ax, one.pivot(index="rows", columns="features", values="value"), highest)
    panels.title_panels(axes, [results.selectors[name] for name in selectors])
    panels.label_outside(axes, "Number of features", "Number of rows")
    return drawn


def _draw_cells(ax: "panels.Axes", cells: pd.DataFrame, highest: float) -> None:
    """Stability in each cell, the larger the darker; none so dark that its number is hidden."""
    ax.imshow(cells, cmap="Blues", vmin=0, vmax=1.7 * highest, aspect="auto", origin="lower")
    for (row, column), value in np.ndenumerate(cells):
        ax.text(column, row, f"{value:.2f}", ha="center", va="center")
    ax.set_xticks(range(cells.shape[1]), [f"{n:g}" for n in cells.columns])
    ax.set_yticks(range(cells.shape[0]), [f"{n:g}" for n in cells.index])
    ax.tick_params(length=0)
    ax.grid(False)


#: Steps whose running median is drawn.
_WINDOW = 11

#: What the axis of relative spread has at least, so that selectors can be compared.
_LEAST, _MOST = 0.02, 10


@figure
def criterion_variation(
    results: Variation,
    *,
    dataset: Dataset,
    selector: Selector,
    bootstraps: Annotated[int, AtLeast(2)] = 50,
) -> "panels.Figure":
    """How far relevance, redundancy and score vary over bootstraps along an mRMR sequence.

    The sequence is the one that the selector finds on the whole data set. The last panel has the
    standard deviation of the score relative to its mean, on one axis for all selectors.

    Parameters
    ----------
    selector
        mRMR selector.
    bootstraps
        Bootstraps.
    """
    steps, colour = results.steps(dataset, selector), panels.look(results, selector)["color"]
    drawn, axes = panels.grid(4, results.heading, 3.1, around=0.6)
    label, titles = results.selectors[selector], []
    names = ["Relevance V (bits)", "Redundancy W (bits)", f"Score of {label}"]
    for term, name, ax in zip(("relevance", "redundancy", "score"), names, axes):
        mean, sd = steps[term], steps[f"{term}_sd"]
        look = {"color": colour, "alpha": 0.35, "linewidth": 1}
        ax.vlines(steps["step"], mean - sd, mean + sd, label="± standard deviation", **look)
        _draw_steps(ax, steps["step"], mean, colour)
        titles.append(f"{name.split(' (')[0]}: mean standard deviation {sd.mean():.3f}")
    spread = steps["score_sd"] / steps["score"].abs()
    titles.append(f"Relative spread of the score: median {spread.median():.0%}")
    _draw_steps(axes[3], steps["step"], spread, colour)
    axes[3].set(yscale="log")
    low, high = axes[3].get_ylim()
    axes[3].set_ylim(min(low, _LEAST), max(high, _MOST))
    axes[3].yaxis.set_major_formatter("{x:.0%}")
    panels.title_panels(axes, titles)
    for ax, name in zip(axes, [*names, "Standard deviation / |mean|"]):
        ax.set(ylabel=name, xlabel="Number of selected features", xlim=(0, steps["step"].max() + 1))
    panels.share_legend(drawn, axes[0])
    return drawn


def _draw_steps(ax: "panels.Axes", steps: pd.Series, values: pd.Series, colour: str) -> None:
    """A dot per step, and the running median."""
    finite = np.isfinite(values)
    steps, values = steps[finite], values[finite]
    look = {"color": colour, "linestyle": "none", "markersize": 2.2}
    ax.plot(steps, values, marker="o", label="mean over bootstraps", **look)
    middle = [values[(steps - step).abs() <= _WINDOW // 2].median() for step in steps]
    ax.plot(steps, middle, color="black", linewidth=1.6, label=f"median of {_WINDOW} steps")
