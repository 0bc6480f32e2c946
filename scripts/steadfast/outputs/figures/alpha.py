"""Figures of α: curves by α, what rules take and lose, and the variance of the criterion."""

import textwrap
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.outputs.arguments import DatasetWords
from steadfast.outputs.figures import panels
from steadfast.outputs.intervals import mean_interval
from steadfast.outputs.kinds import figure
from steadfast.outputs.sources.alpha import AIMS, MIQ, Aim, Alpha, Question, Rules, Truth
from steadfast.outputs.verdict import capital
from steadfast.statistics.correlation import spearman

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.figure import Figure

# Curves by α

#: From one dot to the next above it, where lines are best at the same α, as a share of the range.
_STEP = 0.05

#: How the data sets of a family are drawn, and those that are in none.
_STYLES = [
    {"color": colour, "marker": mark, "linestyle": line}
    for colour, mark, line in zip(panels.COLOURS, panels.MARKS, panels.LINES[1:])
]
_OTHER = {"color": "#AAAAAA", "marker": "o", "linewidth": 0.7}


@figure
def alpha_curves(alpha: Alpha, *, aim: Aim = "both", labels: DatasetWords = None) -> "Figure":
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
    titles = [alpha.shown(family) for family in families]
    if len(others):
        titles.append("Other data sets" if families else "All data sets")
    columns = min(3, len(titles))
    drawn, axes = panels.page_grid(len(titles), alpha.heading, columns, 3.3)
    for names, ax in zip(families.values(), axes):
        words = ({"label": labels.get(name) or alpha.title(name)} for name in names)
        looks = [word | style for word, style in zip(words, cycle(_STYLES))]
        _draw_lines(ax, values.loc[names], looks)
    if len(others):
        axes[-1].plot([], [], label="one data set", **_OTHER)
        _draw_lines(axes[-1], others, [_OTHER] * len(others))
    if len(others) > 1:
        label = f"mean of {len(others)} data sets"
        axes[-1].plot(others.mean(), color=panels.COLOURS[0], linewidth=2.2, label=label)
    panels.title_panels(axes, titles)
    for ax in axes:
        _scale_curves(ax)
    score = alpha.scored(alpha.context["alpha_classifier"])
    shown = {"stability": "stability (Nogueira)", "accuracy": f"{score.noun} ({score.label})"}
    for ax in axes[::columns]:
        what = shown.get(aim, f"mean of stability and {score.noun}")
        ax.set_ylabel(f"Difference to the best α:\n{what}")
    return drawn


def _draw_lines(ax: "Axes", values: pd.DataFrame, looks: Sequence[Mapping[str, Any]]) -> None:
    """A line per data set, and a dot at its best α: a step above those that are there already."""
    best = values.idxmax(axis=1)
    heights = -_STEP * values.min(axis=None) * best.groupby(best).cumcount()
    for (name, line), look in zip(values.iterrows(), looks):
        ax.plot([], [], **look)
        ax.plot(line, **{**look, "marker": "", "label": None})
        dot = {"color": look["color"], "marker": look["marker"], **panels.MARK}
        ax.plot(best[name], heights[name], zorder=4, clip_on=False, **dot)


def _scale_curves(ax: "Axes") -> None:
    """An axis of α, one of differences without numbers above 0, and a legend below the panel."""
    ax.set(xticks=np.linspace(0, 1, 6), xlim=(-0.03, 1.03), xlabel="α, weight of relevance")
    ax.locator_params(axis="y", nbins=6, steps=[1, 2, 5, 10])
    bottom, top = ax.get_ylim()
    ax.set_yticks([tick for tick in ax.get_yticks() if bottom <= tick < 1e-9])
    ax.set_ylim(bottom, top)
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.22), borderaxespad=0)


# What rules take

#: Sizes that are written at the axes, if there are any so large.
_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

#: Points closer than this, as a share of an axis, are spread as in the head of a sunflower; how far
#: the second of them is off, and the angle between them.
_CLOSE, _APART, _ANGLE = 0.025, 0.0225, np.pi * (3 - np.sqrt(5))


@figure
def alpha_predicted(
    alpha: Alpha,
    *,
    question: Literal["alpha", "size"] = "alpha",
    aim: Aim = "both",
    rules: Rules,
) -> "Figure":
    """The best α, or size, against the one that rules take, one panel per rule.

    What a rule takes inside the training rows is the mean over folds. Points that lie on each other
    are spread around their place.

    Parameters
    ----------
    question
        What is asked: `alpha` (means over all sizes), or `size` (at α = 0.5).
    aim
        What is aimed at: `stability`, `accuracy`, or `both`, their mean.
    rules
        Rules, one panel each.
    """
    taken = alpha.taken(question, aim, {"alpha": "alpha", "size": "k"}[question])
    taken = taken.dropna(axis=1)
    rules = [rule for rule in rules if rule in taken]
    if not rules:
        raise UserError(f"{alpha.heading}: rules: all learn from other data sets; there is none")
    columns = min(3, len(rules))
    drawn, axes = panels.page_grid(len(rules), alpha.heading, columns, 3.35)
    largest = None if question == "alpha" else taken[["best", *rules]].max(axis=None)
    members = [name for names in alpha.context["dataset_families"].values() for name in names]
    titles = []
    for rule, ax in zip(rules, axes):
        _scale_square(ax, largest)
        _draw_taken(ax, taken[["best", rule]].to_numpy(), taken.index.isin(members))
        off, rho = (taken[rule] - taken["best"]).abs().mean(), spearman(taken["best"], taken[rule])
        error = f"{off:.2f}" if question == "alpha" else f"{off:.1f} features"
        said = "undefined" if np.isnan(rho) else f"= {rho:.2f}".replace("-", "−")
        label = textwrap.fill(capital(alpha.rules(question)[rule]), 40)
        titles.append(f"{label}\nmean error {error}, ρ {said}")
    panels.title_panels(axes, titles)
    what = {"alpha": "α", "size": "Number of features"}[question]
    panels.label_outside(axes, columns, f"{what}: best afterwards", f"{what}: taken by the rule")
    panels.share_legend(drawn, axes[0])
    return drawn


def _scale_square(ax: "Axes", largest: float | None) -> None:
    """Both axes of a panel: α, or sizes up to the largest, logarithmic."""
    ends, ticks = np.array([-0.1, 1.1]), np.linspace(0, 1, 6)
    if largest is not None:
        ends, ticks = largest**ends, [size for size in _SIZES if size <= largest]
        ax.set(xscale="log", yscale="log")
    ax.set(xticks=ticks, yticks=ticks, xlim=ends, ylim=ends, box_aspect=1)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}" if largest else "{x:.1f}")
    ax.minorticks_off()


def _draw_taken(ax: "Axes", places: np.ndarray, in_family: np.ndarray) -> None:
    """The diagonal, and a point per data set."""
    ends = ax.get_xlim()
    ax.plot(ends, ends, color="#777777", linewidth=0.8, label="rule takes the best")
    shares = ax.transData + ax.transAxes.inverted()
    places = shares.inverted().transform(spread(shares.transform(places)))
    groups = {"other data set": ~in_family, "data set of a family": in_family}
    for (label, those), colour, mark in zip(groups.items(), panels.COLOURS, panels.MARKS):
        if those.any():
            look = {"color": colour, "marker": mark, "alpha": 0.85, **panels.MARK}
            ax.plot(*places[those].T, linestyle="none", label=label, **look)


def spread(places: np.ndarray) -> np.ndarray:
    """Places, as shares of the axes, with those that are close to an earlier one around that."""
    first = [np.argmax(np.abs(places - place).max(axis=1) < _CLOSE) for place in places]
    number = pd.Series(first).groupby(first).cumcount().to_numpy()[:, None]
    turn = np.hstack([np.cos(number * _ANGLE), np.sin(number * _ANGLE)])
    return places[first] + _APART * np.sqrt(number) * turn


# What rules lose

#: Losses that are written at the axes: few are large, and a root leaves room for the others.
_TICKS = (0, 0.02, 0.1, 0.25, 0.5, 1)

#: From one of them to the next that is written, at least, as a share of the axis.
_BETWEEN = 0.13

#: How far the points of a strip reach from its middle, of which the distance to the next is 1.
_REACH = 0.33


@figure
def alpha_regret(alpha: Alpha, *, question: Question = "alpha", truth: Truth = "any") -> "Figure":
    """What each rule loses against the best choice, one panel per aim, one point per data set.

    Rules that learn from other data sets aim at what the panel is of; all others choose the same
    for every panel. The interval of a mean takes data sets as independent, which those made in one
    way are not.

    Parameters
    ----------
    question
        What is asked: `alpha` (means over all sizes), `size` (at α = 0.5), or `both`.
    truth
        Data sets that count, by whether their relevant features are `known` or `unknown`; or `any`.
    """
    datasets = alpha.of_truth(truth)
    lost = [
        alpha.losses(question, aim, datasets).drop(columns="best", errors="ignore") for aim in AIMS
    ]
    names = [textwrap.fill(alpha.rules(question)[rule], 30) for rule in lost[0]]
    lines = max((name.count("\n") + 1.5 for name in names), default=1)
    size = (panels.TWO_COLUMNS, max(0.42, 0.16 * lines) * len(names) + 1.55)
    drawn, axes = panels.subplots(1, len(AIMS), alpha.heading, size, sharey=True)
    for own, what, ax in zip(lost, ("stability", alpha.score.noun, "the mean of both"), axes[0]):
        _draw_strips(ax, own.to_numpy().T)
        ax.set_xlabel(f"Loss in {what}\n(square-root scale)")
    panels.title_panels(axes[0], ["Stability", alpha.score.label, "Both"])
    axes[0, 0].set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.5, -0.5))
    panels.share_legend(drawn, axes[0, 0])
    return drawn


def _draw_strips(ax: "Axes", lost: np.ndarray) -> None:
    """Points of the data sets in the row of each rule, always as high in it, and their mean."""
    rows, n = np.arange(len(lost)), lost.shape[1]
    across = rows[:, None] + np.linspace(-_REACH, _REACH, n)
    look = {"markersize": 3.5, "alpha": 0.7, "markeredgewidth": 0, "clip_on": False}
    ax.plot(
        lost.ravel(), across.ravel(), "o", color=panels.COLOURS[0], label="one data set", **look
    )
    mean, low, high = np.reshape([mean_interval(values) for values in lost], (-1, 3)).T
    ax.plot(mean, rows, "D", color="black", markersize=4.5, zorder=4, label="mean")
    look = {"color": "black", "linewidth": 1.6, "zorder": 3}
    ax.hlines(rows, low, high, label="95% interval of the mean", **look)
    ax.axvline(0, color="#777777", linewidth=0.8, zorder=1)
    for row in rows[1:]:
        ax.axhline(row - 0.5, color="#dddddd", linewidth=0.5, zorder=0)
    ax.grid(False, axis="y")
    ax.tick_params(axis="y", length=0)
    ends = [0, _TICKS[1], *lost.ravel(), *low, *high]
    first, last = _root(np.array([np.nanmin(ends), np.nanmax(ends)]))
    margin = 0.04 * (last - first)
    ax.set_xscale("function", functions=(_root, _square))
    ticks = [0]
    for tick in _TICKS[1:]:
        if _root(tick) <= last and _root(tick) - _root(ticks[-1]) > _BETWEEN * (last - first):
            ticks.append(tick)
    ax.set_xticks(ticks)
    ax.set_xlim(_square(first - margin), _square(last + margin))
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
def alpha_variance(alpha: Alpha) -> "Figure":
    """Stability against variance and noise of the criterion, a point per α, a line per data set.

    Below, the same beside each data set's mean over α. MIQ is no part of lines, means and
    correlations; it is a quotient, whose variance cannot be put beside that of a difference.
    """
    drawn, axes = panels.subplots(2, 2, alpha.heading, (panels.TWO_COLUMNS, 7.4))
    (a, b), (c, d) = axes
    variance, noise, stability = map(alpha.by_criterion, ("variance", "noise", "stability"))
    level, mean = _mean_over_alpha(stability), _mean_over_alpha(noise)
    from_level = stability.sub(level, axis=0)
    _draw_paths(a, variance, stability)
    _draw_paths(b, noise, stability)
    ratios = variance.drop(columns=MIQ).div(_mean_over_alpha(variance), axis=0)
    _draw_paths(c, ratios, from_level)
    points = _draw_paths(d, noise.sub(mean, axis=0), from_level)
    a.set(xscale="log", xlabel="Variance of the criterion (bits²; MIQ: no unit)")
    b.set_xlabel("Share of noise in its scores")
    c.set(xscale="log", xlabel="Variance of the criterion, divided by the data set's mean")
    d.set_xlabel("Share of noise in its scores, less the data set's mean")
    a.set_ylabel("Stability (Nogueira), mean over sizes")
    c.set_ylabel("Stability, less the data set's mean")
    titles = ["Variance of the criterion", "Share of noise in its scores"]
    for term in ("variance", "noise"):
        rho = f"mean ρ within data sets: {alpha.correlations(term).mean():.2f}".replace("-", "−")
        titles.append(f"Beside the data set's mean\n{rho}")
    panels.title_panels([a, b, c, d], titles)
    drawn.colorbar(points, ax=axes, label="α, weight of relevance", shrink=0.5, aspect=30)
    a.plot([], [], label="one data set", **_LINE)
    panels.share_legend(drawn, a)
    return drawn


def _mean_over_alpha(values: pd.DataFrame) -> pd.Series:
    return values.drop(columns=MIQ).mean(axis=1)


def _draw_paths(ax: "Axes", x: pd.DataFrame, y: pd.DataFrame) -> "PathCollection":
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
