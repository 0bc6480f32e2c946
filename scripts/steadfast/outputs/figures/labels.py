"""Labels of points, placed where they hide neither each other nor a point."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase

#: Points from a point to the middle of its label, tried from the nearest on, in so many directions.
_DISTANCES, _DIRECTIONS = (9, 12, 16, 21, 27, 34, 42, 51, 62, 75, 90), 16

#: A label that is farther away than this has a line to its point.
_BESIDE = 13

#: Points that stay free around a label, and around the middle of a point.
_GAP, _MARK = 1.0, 3.0

#: What a label on a line costs, per point of the line below it, beside a point more of distance.
_ON_LINE = 1.5


class PointLabel(NamedTuple):
    """A text that belongs to a point of a panel."""

    x: float
    y: float
    text: str
    colour: str


def place_labels(ax: "Axes", labels: Sequence[PointLabel]) -> None:
    """Write the labels of a panel whose lines and limits are final, each near its point.

    They take their places in the order in which they are given: of those that hide no label and no
    labelled point and lie in the panel, the one that is nearest and hides least of the lines.
    """
    if not labels:
        return
    # Where a point lies on paper is known once the panels have their places.
    ax.figure.draw_without_rendering()
    renderer = ax.figure.canvas.get_renderer()
    scale = 72 / ax.figure.dpi
    panel = ax.get_window_extent(renderer)
    inside = np.array([panel.x0, panel.y0, panel.x1, panel.y1]) * scale
    points = ax.transData.transform([(label.x, label.y) for label in labels]) * scale
    lines = _points_on_lines(ax) * scale
    taken = np.array([[x - _MARK, y - _MARK, x + _MARK, y + _MARK] for x, y in points])
    for label, point in zip(labels, points, strict=True):
        size = _text_size(ax, label, renderer) * scale / 2
        offset = _best_offset(point, size, taken, lines, inside)
        middle = point + offset
        taken = np.vstack([taken, [*(middle - size - _GAP), *(middle + size + _GAP)]])
        _write(ax, label, offset)


def _best_offset(
    point: np.ndarray, size: np.ndarray, taken: np.ndarray, lines: np.ndarray, inside: np.ndarray
) -> np.ndarray:
    """From a point to the middle of its label; above it where no place is free."""
    best, least = np.array([0.0, _DISTANCES[0]]), np.inf
    angles = 2 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS
    for distance in _DISTANCES:
        if distance >= least:
            break
        for angle in angles:
            # Wide labels beside a point are farther away than those above it.
            towards = np.array([np.cos(angle), np.sin(angle)])
            offset = towards * (distance + np.array([size[0] - size[1], 0]).clip(0))
            low, high = point + offset - size - _GAP, point + offset + size + _GAP
            if (low < inside[:2]).any() or (high > inside[2:]).any():
                continue
            if ((low < taken[:, 2:]) & (high > taken[:, :2])).all(axis=1).any():
                continue
            hidden = ((lines > low) & (lines < high)).all(axis=1).sum()
            cost = distance + _ON_LINE * hidden
            if cost < least - 1e-9:
                best, least = offset, cost
    return best


def _points_on_lines(ax: "Axes") -> np.ndarray:
    """The lines of a panel as pixels, about one for each that they cross."""
    found = [np.empty((0, 2))]
    for line in ax.lines:
        ends = line.get_transform().transform(line.get_xydata())
        ends = ends[np.isfinite(ends).all(axis=1)]
        for start, end in pairwise(ends):
            steps = max(int(np.hypot(*(end - start))), 1)
            found.append(start + (end - start) * np.arange(steps)[:, None] / steps)
    return np.vstack(found)


def _text_size(ax: "Axes", label: PointLabel, renderer: "RendererBase") -> np.ndarray:
    """Width and height of a label in pixels."""
    text = ax.text(label.x, label.y, label.text)
    box = text.get_window_extent(renderer)
    text.remove()
    return np.array([box.width, box.height])


def _write(ax: "Axes", label: PointLabel, offset: np.ndarray) -> None:
    far = {"arrowstyle": "-", "color": label.colour, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
    written = ax.annotate(
        label.text,
        (label.x, label.y),
        tuple(offset),
        textcoords="offset points",
        ha="center",
        va="center",
        color=label.colour,
        arrowprops=far if np.hypot(*offset) > _BESIDE else None,
        zorder=5,
    )
    # The panels keep the places that the labels were placed for.
    written.set_in_layout(False)
