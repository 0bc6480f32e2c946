"""A study of one small data set, its curves as the stages before write them, and its figures."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from matplotlib.text import Text

from steadfast.core.files import write_with_manifest
from steadfast.outputs.figures import panels
from steadfast.outputs.frames import CURVES, UNITS, accuracy_curves, in_order, to_parquet
from steadfast.outputs.results import Results
from steadfast.resampling.folds import Fold, write_plan
from steadfast.study.context import entry_context
from steadfast.study.load import kind_of, load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
STUDY = {
    "title": "For tests",
    "datasets": ["wine"],
    "resample": {"scheme": "subsample", "repeats": 3},
    "selectors": {"mid": {"label": "MID"}, "miq": {"label": "MIQ"}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
    "accuracy": {"classifiers": {"knn": {"label": "3-NN"}}},
}
ABOUT = {"title": "Wine", "features": 5, "rows": 10, "classes": {"a": 5, "b": 5}}
_KEYS = {"dataset": "wine", "transform": "", "ratio": 1.0}
_STABILITY = {"quantity": "stability", "measure": "jaccard", "comparison": "all_pairs"}
_ACCURACY = {"quantity": "accuracy", "classifier": "knn"}


def stability(selector, intervals, sizes=None, **about):
    """Rows of a curve: value, low and high at sizes from 1 on, or these."""
    about = {**_KEYS, **_STABILITY, "selector": selector, "sd": 0.1, **about}
    return [
        {**about, "size": k, "value": value, "low": low, "high": high}
        for k, (value, low, high) in zip(sizes or range(1, 1 + len(intervals)), intervals)
    ]


def accuracy(selector, values, **about):
    """Rows of the accuracies of the folds `a`, `b`, … at each size."""
    about = {**_KEYS, **_ACCURACY, "selector": selector, **about}
    return [
        {**about, "size": k, "fold": fold, "value": value}
        for k, folds in values.items()
        for fold, value in zip("abcdef", folds)
    ]


def chance(levels, **about):
    """Rows of the expected stability of random selection at sizes from 1 on."""
    about = {**_KEYS, **_STABILITY, "quantity": "chance", "selector": "", "ratio": None, **about}
    return [{**about, "size": k, "value": level} for k, level in enumerate(levels, 1)]


def write_study(folder, curves=(), units=(), about=ABOUT):
    """The files of a study: curves, parts of the folds, the data set, and two halves as folds."""
    rows = np.arange(about["rows"])
    halves = {"a": rows[::2], "b": rows[1::2]}
    folds = [
        Fold(name, 1, 1.0, np.setdiff1d(rows, test), test, comparison="all", scored=True)
        for name, test in halves.items()
    ]
    (folder / "mine/resamples").mkdir(parents=True, exist_ok=True)
    write_plan(folds, rows % 2, ("a", "b"), folder / "mine/resamples/wine.npz")
    write_frames(folder, curves, units)
    write_with_manifest({folder / "data/wine.json": json.dumps(about).encode()})


def write_frames(folder, curves=(), units=()):
    """The tidy frames of a study, with these rows, and the means over folds that test a half."""
    curves, units = [pd.DataFrame(list(curves))], pd.DataFrame(list(units))
    if "classifier" in units:
        curves += accuracy_curves(units, dict.fromkeys(units["ratio"], 1.0))
    frames = {
        folder / f"mine/{name}.parquet": to_parquet(in_order(own, schema, {}), schema)
        for name, own, schema in (("curves", curves, CURVES), ("units", [units], UNITS))
    }
    write_with_manifest(frames)


def results_of(folder, sort, entry, **changes):
    """The kind of the only table, figure or claim of a study, and what it reads in `folder`."""
    path = folder / "mine.yaml"
    named = [entry] if sort == "claim" else {"it": {"title": "F", **entry}}
    path.write_text(yaml.safe_dump({**STUDY, f"{sort}s": named, **changes}))
    study = load_study(path, SCHEMA, ["wine"])
    entry = study.claims[0] if sort == "claim" else getattr(study, f"{sort}s")["it"]
    kind = kind_of(sort, entry)
    context = entry_context(study, kind, entry, published={}, folds_per_job=50, seed=1)
    shown = {"shown": panels.as_text} if sort == "figure" else {}
    return kind, Results(json.loads(json.dumps(context)), str(folder), **shown)


def made(folder, sort, entry, **changes):
    """The only table, figure or claim of a study, whose results are in `folder`."""
    kind, results = results_of(folder, sort, entry, **changes)
    with panels.style():
        return kind.make(results)


def draw(folder, entry, curves=(), units=(), **changes):
    """The only figure of a study with these rows of curves and of folds."""
    write_study(folder, curves, units)
    return made(folder, "figure", entry, **changes)


def segments(collection):
    """The ends of each line of a collection."""
    return [tuple(map(tuple, segment)) for segment in collection.get_segments()]


def legend_of(figure):
    """The texts of the only legend."""
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def outside_the_panel(ax):
    """Labels of ticks that are not drawn, because the axis ends before them."""
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not low <= tick.get_loc() <= high:
                yield tick.label1


def hidden_texts(figure, dpi):
    """Texts that are cut off, too small to print, or lie on another one, at a resolution."""
    with panels.style():
        figure.set_dpi(dpi)
        figure.draw_without_rendering()
    renderer, page = figure.canvas.get_renderer(), figure.bbox
    undrawn = {label for ax in figure.axes for label in outside_the_panel(ax)}
    # Of an annotation, the text alone: a line to its point may pass another point.
    found = {
        text: Text.get_window_extent(text, renderer)
        for text in figure.findobj(Text)
        if text.get_text().strip() and text.get_visible() and text not in undrawn
    }
    off = [
        text.get_text()
        for text, box in found.items()
        if box.x0 < -1 or box.y0 < -1 or box.x1 > page.x1 + 1 or box.y1 > page.y1 + 1
    ]
    small = [text.get_text() for text in found if text.get_fontsize() < 9]
    on_another = [
        (one.get_text(), other.get_text())
        for (one, a), (other, b) in combinations(found.items(), 2)
        if a.overlaps(b)
    ]
    return off + small + on_another
