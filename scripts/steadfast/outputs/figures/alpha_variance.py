"""Figures of the variance of mRMR's criterion against stability."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.alpha import OfAlpha, read_units, read_variance, term_correlation
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.figure import Figure

#: MIQ, beside the colours of α.
_MIQ = {"color": panels.RED, "linestyle": "none", "markersize": 5, "zorder": 3}

#: MIQ is drawn up to so many times the largest variance of an α; farther off, at the end.
_FARTHEST = 100

#: A data set's line, through its values of α.
_LINE = {"color": "#BBBBBB", "linewidth": 0.7, "zorder": 1}


class _Path(NamedTuple):
    """A data set's values by α, and MIQ's."""

    alphas: np.ndarray
    x: np.ndarray
    stability: np.ndarray
    miq: tuple[float, float]

    def beside_mean(self, as_ratio: bool) -> "_Path":
        """Over, or less, the mean over α; stability less its own."""
        mean, level = float(self.x.mean()), float(self.stability.mean())

        def beside(x: np.ndarray) -> np.ndarray:
            return x / mean if as_ratio else x - mean

        miq = (beside(self.miq[0]), self.miq[1] - level)
        return _Path(self.alphas, beside(self.x), self.stability - level, miq)


@figure("alpha_variance")
class AlphaVariance(OfAlpha, FigureKind):
    """Stability against variance and noise of the criterion, a point per α, a line per data set.

    Below, the same beside each data set's mean over α. MIQ is no part of lines, means and
    correlations; it is a quotient, whose variance cannot be put beside that of a difference.
    """

    def build(self, view: View) -> "Figure":
        figure, axes = panels.subplots(2, 2, view.entry["title"], (panels.TWO_COLUMNS, 7.4))
        shown = {"variance": "Variance of the criterion", "noise": "Share of noise in its scores"}
        for column, (field, name) in zip(axes.T, shown.items(), strict=True):
            paths = [_read(view, dataset, field) for dataset in view.datasets]
            as_ratio = field == "variance"
            _draw(column[0], paths)
            beside = [path.beside_mean(as_ratio) for path in paths]
            points = _draw(column[1], beside)
            column[0].set_xlabel(f"{name} (bits²; MIQ: no unit)" if as_ratio else name)
            how = "divided by" if as_ratio else "less"
            column[1].set_xlabel(f"{name}, {how} the data set's mean")
            if as_ratio:
                _mark_far(column[0], paths)
                for ax in column:
                    ax.set_xscale("log")
            else:
                _mark(column[0], [path.miq for path in paths])
                _mark(column[1], [path.miq for path in beside])
            first, second = "ac" if as_ratio else "bd"
            column[0].set_title(f"({first}) {name}")
            column[1].set_title(f"({second}) Beside the data set's mean\n{_agreement(view, field)}")
        axes[0, 0].set_ylabel("Stability (Nogueira), mean over sizes")
        axes[1, 0].set_ylabel("Stability, less the data set's mean")
        figure.colorbar(points, ax=axes, label="α, weight of relevance", shrink=0.5, aspect=30)
        axes[0, 0].plot([], [], label="one data set", **_LINE)
        panels.share_legend(figure, axes[0, 0])
        return figure


def _read(view: View, dataset: str, field: str) -> _Path:
    """Stability, its mean over sizes and folds, and a field of the file of variances."""
    units, variances = read_units(view, dataset), read_variance(view, dataset)
    stability = units.stability.mean(axis=1)
    x = np.array([variances[name][field] for name in units.names])
    return _Path(units.alphas, x[:-1], stability[:-1], (float(x[-1]), float(stability[-1])))


def _draw(ax: "Axes", paths: Sequence[_Path]) -> "PathCollection":
    """Lines, and points in the colour of their α."""
    for path in paths:
        ax.plot(path.x, path.stability, **_LINE)
    x, y, alphas = (np.concatenate([path[at] for path in paths]) for at in (1, 2, 0))
    return ax.scatter(x, y, c=alphas, cmap="viridis", vmin=0, vmax=1, s=11, zorder=2)


def _mark(ax: "Axes", places: Sequence[tuple[float, float]]) -> None:
    """MIQ on each data set."""
    ax.plot(*np.array(places).T, label="MIQ", marker="x", markeredgewidth=1.2, **_MIQ)


def _mark_far(ax: "Axes", paths: Sequence[_Path]) -> None:
    """MIQ where its variance is not too large for the axis; else where the axis ends."""
    end = _FARTHEST * max(path.x.max() for path in paths)
    near = [path.miq for path in paths if path.miq[0] <= end]
    far = [path.miq[1] for path in paths if path.miq[0] > end]
    if near:
        _mark(ax, near)
    if far:
        ax.plot([end] * len(far), far, label="MIQ, farther right", marker=">", **_MIQ)


def _agreement(view: View, term: str) -> str:
    """Whether stability rises with what is shown, from α to α of a data set."""
    order = np.array([term_correlation(view, dataset, term) for dataset in view.datasets])
    order = order[~np.isnan(order)]
    if not order.size:
        return "ρ undefined"
    return f"mean ρ within data sets: {order.mean():.2f}".replace("-", "−")
