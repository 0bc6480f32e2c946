"""Figures of α: curves by α, what rules take and lose, and the variance of the criterion."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.outputs.arguments import DatasetWords
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.marks import draw_rows
from steadfast.outputs.intervals import mean_interval, single_value
from steadfast.outputs.kinds import figure
from steadfast.outputs.sources.alpha import AIMS, MIQ, Aim, Alpha, Question, Rules
from steadfast.outputs.verdict import capital
from steadfast.statistics.correlation import spearman

if TYPE_CHECKING:
    from matplotlib.collections import PathCollection

#: From one dot to the next above it, where lines are best at the same α, as a share of the range.
_STEP = 0.05

#: How data sets are drawn that are in no family.
_OTHER = {"color": "#AAAAAA", "marker": "o", "linewidth": 0.7}


@figure
def alpha_curves(
    alpha: Alpha, *, aim: Aim = "both", labels: DatasetWords = None
) -> "panels.Figure":
    """Stability, accuracy or both by α, one panel per family of data sets, one for the others.

    Values are means over sizes and folds, as differences to those of the best α, which a dot marks.
    Dots at the same α are stacked.

    Parameters
    ----------
    aim
        What is shown: `stability`, `accuracy`, or `both`, their mean.
    """
    values, families = alpha.by_alpha(aim), alpha.context["dataset_families"]
    values = values.sub(values.max(axis=1), axis=0)
    others = values.drop(index=[name for names in families.values() for name in names])
    titles = [*map(alpha.shown, families), "Other data sets" if families else "All data sets"]
    drawn, axes = panels.grid(len(families) + bool(len(others)), alpha.heading, 3.3)
    panels.title_panels(axes, titles)
    for names, ax in zip(families.values(), axes):
        words = [labels.get(name) or alpha.title(name) for name in names]
        looks = [panels.numbered(at) | {"label": word} for at, word in enumerate(words)]
        _draw_lines(ax, values.loc[names], looks)
    if len(others):
        looks = [_OTHER | {"label": "one data set"}, *[_OTHER] * len(others)]
        _draw_lines(axes[-1], others, looks)
    if len(others) > 1:
        look = {"color": panels.COLOURS[0], "linewidth": 2.2}
        axes[-1].plot(others.mean(), label=f"mean of {len(others)} data sets", **look)
    for ax in axes:
        ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.22), borderaxespad=0)
    score = alpha.scored(alpha.context["alpha_classifier"])
    shown = {"stability": "stability (Nogueira)", "accuracy": f"{score.noun} ({score.label})"}
    what = shown.get(aim, f"mean of stability and {score.noun}")
    for ax in axes[:: axes[0].get_gridspec().ncols]:
        ax.set_ylabel(f"Difference to the best α:\n{what}")
    return drawn


def _draw_lines(
    ax: "panels.Axes", values: pd.DataFrame, looks: Sequence[Mapping[str, object]]
) -> None:
    """A line per data set, and a dot at its best α: a step above those that are there already."""
    best = values.idxmax(axis=1)
    heights = -_STEP * values.min(axis=None) * best.groupby(best).cumcount()
    for (name, line), look in zip(values.iterrows(), looks):
        x, y = [*line.index, np.nan, best[name]], [*line, np.nan, heights[name]]
        ax.plot(x, y, markevery=[-1], **{"clip_on": False, **panels.MARK, **look})
    ax.set(xticks=np.linspace(0, 1, 6), xlabel="α, weight of relevance")
    bottom, _ = ax.get_ylim()
    ax.set_yticks([tick for tick in ax.get_yticks() if bottom <= tick < 1e-9])


# What rules take


@figure
def alpha_predicted(
    alpha: Alpha,
    *,
    question: Literal["alpha", "size"] = "alpha",
    aim: Aim = "both",
    rules: Rules,
) -> "panels.Figure":
    """The best α, or size, against the one that rules take, one panel per rule.

    What a rule takes inside the training rows is the mean over folds. The area of a point is the
    number of data sets.

    Parameters
    ----------
    question
        What is asked: `alpha` (means over all sizes), or `size` (at α = 0.5).
    aim
        What is aimed at: `stability`, `accuracy`, or `both`, their mean.
    rules
        Rules, one panel each.
    """
    column, what, unit = {
        "alpha": ("alpha", "α", ""),
        "size": ("k", "Number of features", " features"),
    }[question]
    taken = alpha.taken(question, aim, column).dropna(axis=1)
    rules = [rule for rule in rules if rule in taken]
    if not rules:
        raise UserError(f"{alpha.heading}: rules: all learn from other data sets; there is none")
    drawn, axes = panels.grid(len(rules), alpha.heading, 3.35, sharex=True, sharey=True)
    members = [name for names in alpha.context["dataset_families"].values() for name in names]
    in_family = taken.index.isin(members)
    groups = {"other data set": ~in_family, "data set of a family": in_family}
    titles = []
    for rule, ax in zip(rules, axes):
        ax.axline((1, 1), (2, 2), color="#777777", linewidth=0.8, label="rule takes the best")
        for number, (label, those) in enumerate(groups.items()):
            places, counts = np.unique(taken.loc[those, ["best", rule]], axis=0, return_counts=True)
            look = {"alpha": 0.6, "linewidth": 0, **panels.numbered(number)}
            ax.scatter(*places.T, s=25 * counts, label=label if those.any() else "", **look)
        off, rho = (taken[rule] - taken["best"]).abs().mean(), spearman(taken["best"], taken[rule])
        said = "undefined" if np.isnan(rho) else f"= {rho:.2f}".replace("-", "−")
        label = textwrap.fill(capital(alpha.rules(question)[rule]), 40)
        titles.append(f"{label}\nmean error {off:.{1 if unit else 2}f}{unit}, ρ {said}")
        ends = np.array([-0.1, 1.1])
        if question == "size":
            ends = taken[["best", *rules]].max(axis=None) ** ends
            ax.set(xscale="log", yscale="log")
            panels.label_log(ax.xaxis)
            panels.label_log(ax.yaxis)
        ax.set(xlim=ends, ylim=ends, box_aspect=1)
    panels.title_panels(axes, titles)
    panels.label_outside(axes, f"{what}: best afterwards", f"{what}: taken by the rule")
    panels.share_legend(drawn, axes[0])
    return drawn


# What rules lose


@figure
def alpha_regret(alpha: Alpha, *, question: Question = "alpha") -> "panels.Figure":
    """What each rule loses against the best choice, one panel per aim, one point per data set.

    Rules that learn from other data sets aim at what the panel is of; all others choose the same
    for every panel. The interval of a mean takes data sets as independent, which those made in one
    way are not.

    Parameters
    ----------
    question
        What is asked: `alpha` (means over all sizes), `size` (at α = 0.5), or `both`.
    """
    every = [alpha.losses(question, aim, alpha.datasets) for aim in AIMS]
    lost = [one.drop(columns="best", errors="ignore") for one in every]
    names = [textwrap.fill(alpha.rules(question)[rule], 30) for rule in lost[0]]
    drawn, axes = panels.grid(3, alpha.heading, 0.42 * len(names), around=1.55, sharey=True)
    for own, what, ax in zip(lost, ("stability", alpha.score.noun, "the mean of both"), axes):
        _draw_losses(ax, own, names)
        ax.set_xlabel(f"Loss in {what}\n(square-root scale)")
    panels.title_panels(axes, ["Stability", alpha.score.label, "Both"])
    panels.share_legend(drawn, axes[0])
    return drawn


def _draw_losses(ax: "panels.Axes", lost: pd.DataFrame, names: Sequence[str]) -> None:
    """Points of the data sets in the row of each rule, always as high in it, and their mean."""
    look = {"color": panels.COLOURS[0], "marker": "o", "markersize": 3.5, "alpha": 0.7}
    points = {
        dataset: ({**look, "label": ""}, list(map(single_value, losses)))
        for dataset, losses in lost.iterrows()
    }
    ax.plot([], [], linestyle="", label="one data set", **look)
    draw_rows(ax, names, points, ends="")
    means = [mean_interval(losses.to_numpy()) for _, losses in lost.items()]
    look = {"color": "black", "marker": "D", "zorder": 4}
    draw_rows(ax, names, {"mean": (look, means)}, ends="95% interval of the mean")
    ax.axvline(0, color="#777777", linewidth=0.8, zorder=1)
    # Few losses are large, and a root leaves room for the others.
    ax.set_xscale("function", functions=(_root, _square))
    ax.locator_params(axis="x", nbins=4)
    ax.xaxis.set_major_formatter("{x:g}")


def _root(values: np.ndarray) -> np.ndarray:
    """With the sign of the values: an α of its own on each fold may beat the best one on all."""
    return np.sign(values) * np.sqrt(np.abs(values))


def _square(roots: np.ndarray) -> np.ndarray:
    return np.sign(roots) * np.square(roots)


# Variance of the criterion

#: MIQ is drawn up to so many times the largest variance of an α; farther off, at the end.
_FARTHEST = 100

#: A data set's line, through its values of α.
_LINE = {"color": "#BBBBBB", "linewidth": 0.7, "zorder": 1}


@figure
def alpha_variance(alpha: Alpha) -> "panels.Figure":
    """Stability against variance and noise of the criterion, a point per α, a line per data set.

    Below, the same beside each data set's mean over α. MIQ is no part of lines, means and
    correlations; it is a quotient, whose variance cannot be put beside that of a difference.
    """
    drawn, axes = panels.grid(4, alpha.heading, 3.7, around=0)
    variance, noise, stability = map(alpha.by_criterion, ("variance", "noise", "stability"))
    beside = stability.sub(_mean_over_alpha(stability), axis=0)
    ratio = variance.drop(columns=MIQ).div(_mean_over_alpha(variance), axis=0)
    shift = noise.sub(_mean_over_alpha(noise), axis=0)
    titles = ["Variance of the criterion", "Share of noise in its scores"]
    panes = [
        (variance, stability, f"{titles[0]} (bits²; MIQ: no unit)"),
        (noise, stability, titles[1]),
        (ratio, beside, f"{titles[0]}, divided by the data set's mean"),
        (shift, beside, f"{titles[1]}, less the data set's mean"),
    ]
    for ax, (x, y, label) in zip(axes, panes):
        points = _draw_paths(ax, x, y)
        ax.set_xlabel(label)
    for ax in axes[::2]:
        ax.set_xscale("log")
    for term in ("variance", "noise"):
        rho = f"mean ρ within data sets: {alpha.correlations(term).mean():.2f}".replace("-", "−")
        titles.append(f"Beside the data set's mean\n{rho}")
    axes[0].set_ylabel("Stability (Nogueira), mean over sizes")
    axes[2].set_ylabel("Stability, less the data set's mean")
    panels.title_panels(axes, titles)
    drawn.colorbar(points, ax=axes, label="α, weight of relevance", shrink=0.5, aspect=30)
    axes[0].plot([], [], label="one data set", **_LINE)
    panels.share_legend(drawn, axes[0])
    return drawn


def _mean_over_alpha(values: pd.DataFrame) -> pd.Series:
    return values.drop(columns=MIQ).mean(axis=1)


def _draw_paths(ax: "panels.Axes", x: pd.DataFrame, y: pd.DataFrame) -> "PathCollection":
    """A line per data set, points in the colour of their α, and MIQ if it is a column of x."""
    names = [name for name in x if name != MIQ]
    ax.plot(x[names].T, y[names].T, **_LINE)
    if MIQ in x:
        end = _FARTHEST * x[names].max(axis=None)
        far, look = x[MIQ] > end, {"color": panels.RED, "markersize": 5, "zorder": 3}
        ax.plot(x[MIQ][~far], y[MIQ][~far], "x", label="MIQ", markeredgewidth=1.2, **look)
        if far.any():
            ax.plot(
                x[MIQ][far].clip(upper=end), y[MIQ][far], ">", label="MIQ, farther right", **look
            )
    alphas = np.tile(np.array(names, dtype=float), len(x))
    return ax.scatter(x[names], y[names], c=alphas, cmap="viridis", vmin=0, vmax=1, s=11, zorder=2)
