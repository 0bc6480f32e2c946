"""Figures: what is drawn is what the files say, and no text hides another."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.outputs.figures import panels
from steadfast.outputs.view import View
from steadfast.study.context import output_context
from steadfast.study.load import kind_of, load_study
from steadfast.study.run import study_schema

SCHEMA = study_schema(Path(__file__).parents[2] / "workflow/schemas")
STUDY = {
    "title": "For tests",
    "datasets": ["wine"],
    "resample": {"scheme": "subsample", "repeats": 3},
    "selectors": {"mid": {"label": "MID"}, "miq": {"label": "MIQ"}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
    "accuracy": {"classifiers": {"knn": {"label": "3-NN"}}},
}
#: Value, low and high by size; the interval of the second ends at the bound of the measure.
INTERVALS = [(0.5, 0.4, 0.6), (0.95, 0.7, 1.0), (0.2, 0.0, 0.35)]


def write_stability(folder, selector, intervals):
    about = {"title": "Wine", "features": 5, "rows": 10, "classes": {"a": 5, "b": 5}}
    write_with_manifest({folder / "data/wine.json": json.dumps(about).encode()})
    header = ("measure", "compare", "ratio", "k", "value", "low", "high", "sd")
    rows = [("jaccard", "all_pairs", 1.0, k, *ends, 0.1) for k, ends in enumerate(intervals, 1)]
    path = folder / f"mine/stability/wine/{selector}.tsv"
    write_with_manifest({path: table_to_bytes(header, rows)})


def draw(folder, entry, **changes):
    """The only figure of a study."""
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump({**STUDY, **changes, "figures": {"f": {"title": "F", **entry}}}))
    study = load_study(path, SCHEMA, ["wine"])
    entry = study.figures["f"]
    kind = kind_of("figure", entry)
    context = output_context(study, kind, entry, published={}, folds_per_job=50, seed=1)
    with panels.style():
        return kind.build(View(context, str(folder)))


def test_a_band_is_the_interval_of_the_file_whatever_its_middle(tmp_path):
    write_stability(tmp_path, "mid", INTERVALS)
    panel = {"of": "stability", "dataset": "wine"}
    entry = {"kind": "curves", "panels": [panel], "selectors": ["mid"], "bands": True}
    (ax,) = draw(tmp_path, entry).axes
    (band,) = ax.collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    ends = {(k, end) for k, (_, *both) in enumerate(INTERVALS, 1) for end in both}
    assert corners == ends
    assert ax.lines[0].get_ydata() == pytest.approx(np.array(INTERVALS)[:, 0])
