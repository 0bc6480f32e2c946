"""Labels of points, placed where they hide neither each other nor a point."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase

#: Points from a point to the middle of its label, tried from the nearest on, in so many directions.
_DISTANCES, _DIRECTIONS = (9, 12, 16, 21, 27, 34, 42, 51, 62, 75, 90, 110), 16

#: A label that is farther away than this has a line to its point.
_BESIDE = 13

#: Points that stay free around a label, and around the middle of a point.
_GAP, _MARK = 1.0, 3.0

#: What a label on a line costs, per point of the line below it, beside a point more of distance.
_ON_LINE = 1.5

#: What a line through a label costs: more than any distance.
_THROUGH = 1000


class PointLabel(NamedTuple):
    """A text that belongs to a point of a panel."""

    x: float
    y: float
    text: str
    colour: str


def place_labels(ax: "Axes", labels: Sequence[PointLabel]) -> None:
    """Write the labels of a panel whose lines and limits are final, each near its point.

    They take their places from the highest point down: of the places in the panel that hide no
    label and no labelled point, the one that is nearest and hides least of the lines.
    """
    if not labels:
        return
    labels = sorted(labels, key=lambda label: -label.y)
    # Where a point lies on paper is known once the panels have their places.
    ax.figure.draw_without_rendering()
    renderer = ax.figure.canvas.get_renderer()
    scale = 72 / ax.figure.dpi
    panel = ax.get_window_extent(renderer)
    inside = np.array([panel.x0, panel.y0, panel.x1, panel.y1]) * scale
    inside += [_MARK, _MARK, -_MARK, -_MARK]
    points = ax.transData.transform([(label.x, label.y) for label in labels]) * scale
    room = _Room(
        inside,
        points=np.array([[*(point - _MARK), *(point + _MARK)] for point in points]),
        labels=np.empty((0, 4)),
        lines=_points_on_lines(ax) * scale,
        leaders=np.empty((0, 2)),
    )
    for label, point in zip(labels, points, strict=True):
        size = _text_size(ax, label, renderer) * scale / 2
        offset = _best_offset(room, point, size)
        middle = point + offset
        box = np.array([[*(middle - size - _GAP), *(middle + size + _GAP)]])
        room = room._replace(
            labels=np.vstack([room.labels, box]),
            leaders=np.vstack([room.leaders, _leader(point, offset)]),
        )
        _write(ax, label, offset)


class _Room(NamedTuple):
    """What a label may hide little of, in points: boxes as left, bottom, right, top.

    `lines` and `leaders`, the lines from labels to their points, are points along them.
    """

    inside: np.ndarray
    points: np.ndarray
    labels: np.ndarray
    lines: np.ndarray
    leaders: np.ndarray

    def has_place(self, low: np.ndarray, high: np.ndarray) -> bool:
        """Whether a box in the panel is free of points and labels."""
        outside = (low < self.inside[:2]).any() or (high > self.inside[2:]).any()
        boxes = np.vstack([self.points, self.labels])
        return not outside and not ((low < boxes[:, 2:]) & (high > boxes[:, :2])).all(axis=1).any()

    def cost(self, low: np.ndarray, high: np.ndarray, leader: np.ndarray) -> float:
        """What a box hides of lines, and whether a line to a label would run through a label."""
        through = _count_inside(self.leaders, low, high) > 0
        for box in self.labels:
            through = through or _count_inside(leader, box[:2], box[2:]) > 0
        return _ON_LINE * _count_inside(self.lines, low, high) + _THROUGH * through


def _count_inside(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> int:
    return int(((points > low) & (points < high)).all(axis=1).sum())


def _leader(point: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Points along the line from a point to its label, if that is far enough away to have one."""
    if np.hypot(*offset) <= _BESIDE:
        return np.empty((0, 2))
    return point + offset * np.linspace(0, 1, 30)[:, None]


def _best_offset(room: _Room, point: np.ndarray, size: np.ndarray) -> np.ndarray:
    """From a point to the middle of its label; above it where no place is free."""
    best, least = np.array([0.0, _DISTANCES[0]]), np.inf
    angles = 2 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS
    # Wide labels beside a point are farther away than those above it.
    wider = np.array([max(size[0] - size[1], 0), 0])
    for distance in _DISTANCES:
        for angle in angles:
            offset = np.array([np.cos(angle), np.sin(angle)]) * (distance + wider)
            low, high = point + offset - size - _GAP, point + offset + size + _GAP
            if not room.has_place(low, high):
                continue
            cost = distance + room.cost(low, high, _leader(point, offset))
            if cost < least - 1e-9:
                best, least = offset, cost
        if least < np.inf and least <= distance:
            break
    return best


def _points_on_lines(ax: "Axes") -> np.ndarray:
    """The lines of a panel, and intervals, as pixels, about one for each that they cross."""
    found = [np.empty((0, 2))]
    paths = [(line, line.get_xydata()) for line in ax.lines]
    for bars in (each for each in ax.collections if hasattr(each, "get_segments")):
        paths += [(bars, segment) for segment in bars.get_segments()]
    for drawn, path in paths:
        ends = drawn.get_transform().transform(path)
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
