"""Labels of points, placed where they hide neither each other nor a point."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from steadfast.outputs.figures import panels

if TYPE_CHECKING:
    from matplotlib.text import Annotation

#: Points from a point to the middle of its label: the places that are tried, nearest first.
_DISTANCES = np.repeat([9, 12, 16, 21, 27, 34, 42, 51, 62, 75, 90, 110], 16)
_ANGLES = np.tile(2 * np.pi * np.arange(16) / 16, 12)
_DIRECTIONS = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])

#: A label that is farther away than this has a line to its point.
_BESIDE = 13

#: Points that stay free around a label, and around the middle of a point.
_GAP, _MARK = 1, 3

#: What a label on a line costs, per point of the line below it, beside a point more of distance.
_ON_LINE = 1.5


class PointLabel(NamedTuple):
    """A text that belongs to a point of a panel."""

    x: float
    y: float
    text: str
    colour: str


def place_labels(ax: "panels.Axes", labels: Sequence[PointLabel]) -> None:
    """Write the labels of a panel whose lines and limits are final, each near its point.

    They take their places from the highest point down: of the places in the panel that hide no
    label and no labelled point, the one that is nearest and hides least of the lines. Everything is
    measured in points, as boxes: left, bottom, right, top.
    """
    from matplotlib.text import Text

    if not labels:
        return
    labels = sorted(labels, key=lambda label: -label.y)
    # Where a point lies on paper is known once the panels have their places.
    ax.figure.draw_without_rendering()
    renderer, scale = ax.figure.canvas.get_renderer(), 72 / ax.figure.dpi
    panel = ax.get_window_extent(renderer).extents * scale + [_MARK, _MARK, -_MARK, -_MARK]
    points = ax.transData.transform([(label.x, label.y) for label in labels]) * scale
    lines = _boxes(_points_on_lines(ax) * scale, 0)
    hidden = _boxes(points, _MARK)
    for label, point in zip(labels, points, strict=True):
        written = _write(ax, label)
        extent = Text.get_window_extent(written, renderer)
        half = np.array([extent.width, extent.height]) * scale / 2
        # Wide labels beside a point are farther away than those above it.
        offsets = _DIRECTIONS * (_DISTANCES[:, None] + [max(half[0] - half[1], 0), 0])
        boxes = _boxes(point + offsets, half + _GAP)
        cost = _DISTANCES + _ON_LINE * _overlap(boxes, lines).sum(axis=1)
        outside = (boxes[:, :2] < panel[:2]) | (boxes[:, 2:] > panel[2:])
        hides = _overlap(boxes, hidden).any(axis=1) | outside.any(axis=1)
        best = np.where(hides, np.inf, cost).argmin()
        written.set_position(offsets[best])
        written.arrow_patch.set_visible(np.hypot(*offsets[best]) > _BESIDE)
        hidden = np.vstack([hidden, boxes[best]])


def _boxes(middles: np.ndarray, half: np.ndarray | float) -> np.ndarray:
    return np.hstack([middles - half, middles + half])


def _overlap(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether each of some boxes overlaps with each of others."""
    before = boxes[:, None, :2] < others[:, 2:]
    after = boxes[:, None, 2:] > others[:, :2]
    return (before & after).all(axis=2)


def _points_on_lines(ax: "panels.Axes") -> np.ndarray:
    """The lines of a panel, and intervals, as pixels, about one for each that they cross."""
    paths = [(line, line.get_xydata()) for line in ax.lines]
    for bars in (each for each in ax.collections if hasattr(each, "get_segments")):
        paths += [(bars, segment) for segment in bars.get_segments()]
    pixels = [np.empty((0, 2))]
    for drawn, path in paths:
        ends = drawn.get_transform().transform(path)
        ends = ends[np.isfinite(ends).all(axis=1)]
        if len(ends) > 1:
            reached = np.append(0, np.hypot(*np.diff(ends, axis=0).T).cumsum())
            at = np.arange(reached[-1])
            pixels.append(np.column_stack([np.interp(at, reached, each) for each in ends.T]))
    return np.vstack(pixels)


def _write(ax: "panels.Axes", label: PointLabel) -> "Annotation":
    """The label on its point, with a line between them."""
    line = {"arrowstyle": "-", "color": label.colour, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
    look = {"color": label.colour, "ha": "center", "va": "center", "zorder": 5}
    look |= {"textcoords": "offset points", "arrowprops": line}
    look["bbox"] = {"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.3}
    written = ax.annotate(label.text, (label.x, label.y), (0, 0), **look)
    # The panels keep the places that the labels were placed for.
    written.set_in_layout(False)
    return written
