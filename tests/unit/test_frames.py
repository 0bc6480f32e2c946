"""The tidy frames of a study against the text files that they are made of, read independently."""

import csv
import io
from collections import Counter
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.core.paths import Paths
from steadfast.outputs.curves import Curves
from steadfast.outputs.frames import CURVES, UNITS, mean_over_folds, study_frames, to_parquet
from steadfast.resampling.folds import Fold, write_plan

NAN = float("nan")
FOLDS = ("f02", "f01", "f10")
#: Neither data sets nor selectors nor transforms are in the order of the alphabet.
CONTEXT = {
    "study": "mine",
    "datasets": ["wine", "iris"],
    "selectors": ["zeta", "alpha"],
    "transforms": ["whole", "half"],
    "stability": [["wine", "zeta"], ["wine", "alpha"], ["iris", "alpha"]],
    "accuracy": [["wine", "zeta"], ["wine", "alpha"], ["iris", "alpha"]],
}
STABILITY = ("measure", "compare", "ratio", "k", "value", "low", "high", "sd", "pairs", "note")
UNIT = ("measure", "compare", "ratio", "unit", "value")
ACCURACY = ("classifier", "ratio", "k", "fold", "value", "tested", "wrong")


def after_transforms(header, rows, transformed):
    """A table whose first column is the transform, where there are any."""
    if not transformed:
        return table_to_bytes(header, rows)
    both = [(name, *row) for name in CONTEXT["transforms"] for row in rows]
    return table_to_bytes(("transform", *header), both)


def write_stability(paths, dataset, selector, draw):
    rows, units = [], []
    for measure, compare, sizes in (
        ("spearman", "all_pairs", range(1, 4)),
        ("jaccard", "reference", (1, 2)),
        ("jaccard", "chosen", (0,)),
    ):
        for ratio in (0.25, 1.0):
            values = [(k, *draw.random(4).tolist(), 3, "") for k in sizes]
            rows += [(measure, compare, ratio, *value) for value in values]
            parts = zip(FOLDS, [*draw.random(2).tolist(), NAN], strict=True)
            units += [(measure, compare, ratio, *part) for part in parts]
    rows.append(("kuncheva", "all_pairs", 1.0, 4, NAN, NAN, NAN, NAN, 3, "every feature"))
    units += [("kuncheva", "all_pairs", 1.0, fold, NAN) for fold in FOLDS]
    rows.append(("nogueira", "all_pairs", 1.0, 1, 0.5, NAN, NAN, NAN, 1, ""))
    units += [("nogueira", "all_pairs", 1.0, fold, NAN) for fold in FOLDS[:2]]
    units += [("zero_weights", "", 1.0, fold, draw.random()) for fold in FOLDS]
    path = Path(paths("stability", dataset=dataset, selector=selector))
    curves = after_transforms(STABILITY, rows, dataset == "wine")
    parts = after_transforms(UNIT, units, dataset == "wine")
    write_with_manifest({path: curves, path.with_suffix(".units.tsv"): parts})


def write_accuracy(paths, dataset, selector, draw):
    """Scores of folds of which the last has fewer features, and an AUC that is undefined once."""
    rows = []
    for place, fold in enumerate(FOLDS):
        for k in range(1, 4 - (place == 2)):
            wrong = sorted(draw.choice(20, draw.integers(6), replace=False).tolist())
            listed = " ".join(map(str, wrong))
            about = ("knn", 1.0, k, fold)
            rows.append(("accuracy", *about, 1 - len(wrong) / 20, 20, listed))
            rows.append(("auc", *about, NAN if place == 1 else draw.random(), 20, listed))
    header = ("scoring", *ACCURACY)
    if dataset == "iris":  # of a study that is scored by accuracy alone
        header, rows = ACCURACY, [row[1:] for row in rows if row[0] == "accuracy"]
    path = Path(paths("accuracy", dataset=dataset, selector=selector))
    write_with_manifest({path: after_transforms(header, rows, dataset == "wine")})


@pytest.fixture(scope="module")
def paths(tmp_path_factory) -> Paths:
    """A small folder of results."""
    found = Paths(str(tmp_path_factory.mktemp("results"))).within(study="mine")
    draw = np.random.default_rng(0)
    for dataset in CONTEXT["datasets"]:
        rows = [("spearman", "all_pairs", k, 0.1 * k, "simulated") for k in range(1, 4)]
        header = ("measure", "compare", "k", "value", "found")
        write_with_manifest({Path(found("chance", dataset=dataset)): table_to_bytes(header, rows)})
        train, test = np.repeat(np.arange(40), 2), np.arange(40, 60)
        folds = [Fold(name, 1, 1.0, train, test) for name in FOLDS]
        folds.append(Fold("whole", 1, 1.0, np.arange(60), np.arange(0), scored=False))
        place = Path(found("folds", dataset=dataset))
        write_plan(folds, np.arange(60) % 2, ["a", "b"], place)
    for dataset, selector in CONTEXT["stability"]:
        write_stability(found, dataset, selector, draw)
        write_accuracy(found, dataset, selector, draw)
    return found


@pytest.fixture(scope="module")
def frames(paths):
    return study_frames(paths, CONTEXT)


def read(paths, place, ending="tsv", **names):
    """Rows of a text file, read by the standard library alone."""
    text = Path(paths(place, ending, **names)).read_text()
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def as_counts(rows):
    """Each row as text, with how often it is there; floats by all of their digits."""
    return Counter(tuple("" if pd.isna(v) else repr(v) for v in row) for row in rows)


def numbers(*values):
    return [float(value) for value in values]


def rows_of(frame, *columns, **equal):
    for name, value in equal.items():
        frame = frame[frame[name] == value]
    return frame[list(columns)].astype(object).values.tolist()


PAIRS = [pytest.param(*pair, id="-".join(pair)) for pair in CONTEXT["stability"]]


@pytest.mark.parametrize(("dataset", "selector"), PAIRS)
def test_every_stability_is_there_once(paths, frames, dataset, selector):
    names = {"dataset": dataset, "selector": selector}
    columns = ("transform", "measure", "comparison", "ratio", "size", "value", "low", "high", "sd")
    found = rows_of(frames[0], *columns, "pairs", "note", quantity="stability", **names)
    expected = []
    for row in read(paths, "stability", **names):
        about = [row.get("transform", ""), row["measure"], row["compare"], float(row["ratio"])]
        values = numbers(row["value"], row["low"], row["high"], row["sd"])
        expected.append([*about, int(row["k"]), *values, int(row["pairs"]), row["note"]])
    assert as_counts(found) == as_counts(expected)


@pytest.mark.parametrize(("dataset", "selector"), PAIRS)
def test_every_part_of_a_fold_in_stability_is_there_once(paths, frames, dataset, selector):
    names = {"dataset": dataset, "selector": selector}
    columns = ("transform", "quantity", "measure", "comparison", "ratio", "fold", "value")
    units = frames[1][~frames[1]["quantity"].isin(["accuracy", "auc"])]
    expected = []
    for row in read(paths, "stability", "units.tsv", **names):
        quantity = ("stability", row["measure"])
        quantity = ("zero weights", "") if row["measure"] == "zero_weights" else quantity
        about = [row.get("transform", ""), *quantity, row["compare"], float(row["ratio"])]
        expected.append([*about, row["unit"], float(row["value"])])
    assert as_counts(rows_of(units, *columns, **names)) == as_counts(expected)


@pytest.mark.parametrize(("dataset", "selector"), PAIRS)
def test_every_score_of_a_fold_is_there_once(paths, frames, dataset, selector):
    names = {"dataset": dataset, "selector": selector}
    columns = ("transform", "quantity", "classifier", "ratio", "size", "fold", "value", "tested")
    units = frames[1][frames[1]["classifier"] == "knn"]
    expected = []
    for row in read(paths, "accuracy", **names):
        score = row.get("scoring", "accuracy")
        about = [row.get("transform", ""), score, row["classifier"], float(row["ratio"])]
        value = [int(row["k"]), row["fold"], float(row["value"]), int(row["tested"])]
        wrong = len(row["wrong"].split()) if score == "accuracy" else NAN
        expected.append([*about, *value, wrong])
    assert as_counts(rows_of(units, *columns, "wrong", **names)) == as_counts(expected)


def test_chance_is_there_for_every_data_set_and_says_how_it_was_computed(paths, frames):
    columns = ("dataset", "measure", "comparison", "size", "value", "note")
    expected = [
        [dataset, row["measure"], row["compare"], int(row["k"]), float(row["value"]), row["found"]]
        for dataset in CONTEXT["datasets"]
        for row in read(paths, "chance", dataset=dataset)
    ]
    assert rows_of(frames[0], *columns, quantity="chance") == expected


def test_a_mean_score_has_the_interval_of_resamples_that_share_rows(paths, frames):
    """t · √((1/J + ρ) s²), with 20 test rows for 40 distinct training rows, by hand."""
    values = {}
    for row in read(paths, "accuracy", dataset="wine", selector="zeta"):
        if row["transform"] == "half":
            values.setdefault((row["scoring"], int(row["k"])), []).append(float(row["value"]))
    curves = frames[0][frames[0]["transform"] == "half"]
    for (score, size), found in values.items():
        known = [value for value in found if not np.isnan(value)]
        n, mean, sd = len(known), np.mean(known), np.std(known, ddof=1) if len(known) > 1 else NAN
        half = t.ppf(0.975, n - 1) * sd * sqrt(1 / n + 20 / 40) if n > 1 else NAN
        names = {"dataset": "wine", "selector": "zeta", "quantity": score, "size": size}
        (row,) = rows_of(curves, "value", "low", "high", "sd", "runs", **names)
        np.testing.assert_allclose(numbers(*row[:4]), [mean, mean - half, mean + half, sd])
        assert row[4] == n


def test_a_fold_without_a_value_is_noted(frames):
    names = {"dataset": "wine", "selector": "zeta", "transform": "whole"}
    notes = rows_of(frames[0], "size", "runs", "note", quantity="accuracy", **names)
    assert notes == [[1, 3, ""], [2, 3, ""], [3, 2, "1 of 3 folds have no value"]]
    notes = rows_of(frames[0], "runs", "note", quantity="auc", size=3, **names)
    assert notes == [[1, "2 of 3 folds have no value"]]


def test_zero_weights_are_the_mean_over_the_folds(paths, frames):
    names = {"dataset": "iris", "selector": "alpha"}
    rows = read(paths, "stability", "units.tsv", **names)
    shares = [float(row["value"]) for row in rows if row["measure"] == "zero_weights"]
    (found,) = rows_of(frames[0], "value", "sd", "runs", quantity="zero weights", **names)
    assert found == [pytest.approx(np.mean(shares)), pytest.approx(np.std(shares, ddof=1)), 3]


def test_runs_are_the_folds_that_have_a_part(frames):
    curves = frames[0][frames[0]["quantity"] == "stability"]
    assert set(curves.loc[curves["measure"] == "kuncheva", "runs"]) == {0}
    assert curves.loc[curves["measure"] == "nogueira", "runs"].isna().all()  # of two runs
    assert set(curves.loc[curves["measure"].isin(["spearman", "jaccard"]), "runs"]) == {2}


@pytest.mark.parametrize("score", ["accuracy", "auc"])
def test_scores_are_those_that_tables_and_figures_show(paths, frames, score):
    contents = zip(("curves", "units"), frames, (CURVES, UNITS), strict=True)
    files = {Path(paths(name)): to_parquet(frame, schema) for name, frame, schema in contents}
    write_with_manifest(files)
    about = {"ratios": [1.0], "classifiers": {"knn": "3-NN"}, "scoring": score, "measures": []}
    about |= {"families": {}, "scenarios": {}, "seed": 1, "ties": "column"}
    context = {**CONTEXT, **about, "selectors": {}, "transforms": {}}
    curves = Curves(context, str(Path(paths.root)))
    shown = curves.read(curves.scored("knn"), "wine", 1.0, "zeta+half")
    names = {"dataset": "wine", "selector": "zeta", "transform": "half", "quantity": score}
    found = {size: value for size, *value in rows_of(frames[0], "size", "value", "sd", **names)}
    for size, value in zip(shown.sizes, shown.values, strict=True):
        assert found[size][0] == value  # every bit
    several = ~np.isnan(shown.sd)
    assert [found[k][1] for k in shown.sizes[several]] == shown.sd[several].tolist()


@pytest.mark.parametrize("step", [1, -1])
def test_rows_are_in_the_order_of_the_study(paths, step):
    names = ("datasets", "selectors", "transforms")
    declared = {name: CONTEXT[name][::step] for name in names}
    frames = study_frames(paths, {**CONTEXT, **declared})
    for frame in frames:
        selectors = frame[frame["selector"] != ""]
        assert list(selectors["dataset"].unique()) == declared["datasets"]
        wine = selectors[selectors["dataset"] == "wine"]
        assert list(wine["selector"].unique()) == declared["selectors"]
        assert list(wine["transform"].unique()) == declared["transforms"]
        mine = wine[(wine["selector"] == "zeta") & (wine["transform"] == "whole")]
        quantities = ["stability", "zero weights", "accuracy", "auc"]
        assert list(mine["quantity"].unique()) == quantities
        sizes = mine[mine["quantity"] == "accuracy"]["size"].tolist()
        assert sizes == sorted(sizes)
    folds = mine[mine["quantity"] == "auc"].groupby("size")["fold"].agg(list)
    assert folds.tolist() == [list(FOLDS), list(FOLDS), list(FOLDS[:2])]


def test_the_files_hold_the_frames_without_notes_of_pandas(frames):
    for frame, schema in zip(frames, (CURVES, UNITS), strict=True):
        content = to_parquet(frame, schema)
        table = parquet.read_table(io.BytesIO(content))
        assert table.schema.equals(schema)
        assert not table.schema.metadata
        again = table.to_pandas()
        for name in schema.names:
            wanted = frame[name].astype(object).where(frame[name].notna(), None).tolist()
            assert table[name].to_pylist() == wanted
        categories = list(again["dataset"].cat.categories)
        assert categories == CONTEXT["datasets"]  # plots keep the order of the study


def test_two_calls_give_the_same_bytes(paths, frames):
    again = study_frames(paths, CONTEXT)
    for first, second, schema in zip(frames, again, (CURVES, UNITS), strict=True):
        assert to_parquet(first, schema) == to_parquet(second, schema)


def test_a_study_of_which_nothing_is_measured_has_empty_files(paths):
    empty = {**CONTEXT, "datasets": [], "stability": [], "accuracy": []}
    for frame, schema in zip(study_frames(paths, empty), (CURVES, UNITS), strict=True):
        assert parquet.read_table(io.BytesIO(to_parquet(frame, schema))).num_rows == 0


def test_a_damaged_file_is_named(paths, tmp_path):
    path = Path(paths("chance", dataset="iris"))
    before = path.read_bytes()
    path.write_bytes(before.replace(b"0.1", b"0.9"))
    with pytest.raises(UserError, match=r"iris\.tsv: its content differs"):
        study_frames(paths, CONTEXT)
    path.write_bytes(before)


SCORES = st.one_of(st.just(NAN), st.floats(0, 1))
PLACES = st.tuples(st.integers(0, 5), st.sampled_from("abcd"))


@settings(deadline=None)
@given(st.dictionaries(PLACES, SCORES, min_size=1), st.floats(0, 2))
def test_a_mean_is_over_the_folds_that_have_a_value(scores, share):
    rows = pd.DataFrame([(k, fold, value) for (k, fold), value in scores.items()])
    frame = mean_over_folds(rows.set_axis(["size", "fold", "value"], axis=1), share)
    assert list(frame["size"]) == sorted({k for k, _ in scores})
    for row in frame.itertuples(index=False):
        own = [v for (k, _), v in scores.items() if k == row.size and not np.isnan(v)]
        assert row.runs == len(own)
        assert (row.note == "") == (len(own) == len({fold for _, fold in scores}))
        assert row.value == pytest.approx(np.mean(own) if own else NAN, nan_ok=True)
        sd = np.std(own, ddof=1) if len(own) > 1 else NAN
        assert row.sd == pytest.approx(sd, nan_ok=True, abs=1e-12)
        half = t.ppf(0.975, len(own) - 1) * sd * sqrt(1 / len(own) + share) if own else NAN
        ends = (row.value - half, row.value + half) if len(own) > 1 else (NAN, NAN)
        assert (row.low, row.high) == pytest.approx(ends, nan_ok=True, abs=1e-9)
