"""What a study makes of transforms: names, notes in fold files, weights of bins, mistakes."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_transforms import PLACE, use
from scipy.stats import chi2_contingency

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, write_with_manifest
from steadfast.selectors import ChiSquare, filters
from steadfast.selectors.running.fold_file import read_selections, selection_to_bytes
from steadfast.selectors.running.select import select
from steadfast.study.context import evidence_context
from steadfast.study.load import load_study
from steadfast.study.run import study_schema
from steadfast.transforms.running import describe_transform

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
NOISE = np.random.default_rng(0).normal(3, 1, (30, 6))
CLASSES = np.repeat([0, 1], 15)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 7), st.integers(5, 60), st.booleans()
)
def test_chi_square_is_that_of_scipy_and_0_for_one_bin(seed, classes, levels, n, small_blocks):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (n, 5)).astype(np.uint8)
    X[:, 2] = 3
    X[:, 4] = rng.choice([0, 200], n)  # bins between are empty
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, n - classes)])
    with pytest.MonkeyPatch.context() as patch:
        if small_blocks:
            patch.setattr(filters, "_CELLS", 2 * n)
        weights = ChiSquare().fit(X, y).scores_
    assert weights[2] == 0
    for column in range(5):
        table = np.array(
            [[np.sum((X[:, column] == a) & (y == b)) for b in set(y)] for a in set(X[:, column])]
        )
        wanted = chi2_contingency(table, correction=False).statistic
        assert weights[column] == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_chi_square_of_a_feature_that_tells_nothing_is_exactly_0():
    for thirds in (1, 7, 33):
        y = np.tile([0, 1, 2], 2 * thirds)
        bins = np.repeat([0, 1], 3 * thirds).astype(np.uint8)[:, None]
        assert ChiSquare().fit(bins, y).scores_.tolist() == [0.0]


NOTE = describe_transform({**use("low_rank", rank=1), "learn": "all"})


@pytest.mark.parametrize("name", ["fisher", "mid", "mrsmr", "sfs"])
def test_a_note_stands_in_the_first_row_and_the_selection_comes_back(tmp_path, name):
    X = NOISE.copy()
    X[:, 4] += 3 * CLASSES
    features = [f"g{i}" for i in range(6)]
    fitted = select(use(name), X, CLASSES, **PLACE)
    for file, note in (("f01", ""), ("f02", NOTE)):
        path = tmp_path / f"{file}.tsv"
        content = selection_to_bytes(fitted, features, note)
        write_with_manifest({path: content}, tmp_path / f"{file}.sha256")
    plain, noted = (parse_table((tmp_path / f"{f}.tsv").read_bytes()) for f in ("f01", "f02"))
    assert "note" not in plain
    assert noted.pop("note") == [NOTE] + [""] * (len(plain["rank"]) - 1)
    assert noted == plain
    manifests = [tmp_path / "f01.sha256", tmp_path / "f02.sha256"]
    back = read_selections(manifests, ["f01", "f02"], features)
    for one, two in zip(back["f01"], back["f02"], strict=True):
        np.testing.assert_array_equal(one, two)
    assert back["f02"].note == ""
    assert (back["f02"].sequence == fitted.sequence_).all()


def test_a_note_tells_the_transform_and_what_it_has_learnt_from():
    one = use("low_rank", rank=2, by="none")
    assert (
        describe_transform(one)
        == "low_rank(rank=2, by=none, method=svd), learnt from the training rows"
    )
    assert describe_transform({**one, "learn": "all"}).endswith("test rows included (as published)")


STUDY = {
    "title": "Mine",
    "datasets": ["wine"],
    "discretise": {"method": "equal_width", "fit_on": "train"},
    "resample": {"scheme": "cv", "folds": 5},
    "selectors": {"fisher": {"label": "Fisher"}, "chi2": {}},
    "transforms": {
        "plain": {"use": "none", "label": "X"},
        "low_rank": {},
        "two": {"use": "low_rank", "rank": 2, "learn": "all", "label": "r=2"},
        "scaled": {"use": "sklearn.preprocessing.StandardScaler", "params": {"with_std": False}},
    },
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
}


def write_and_load(tmp_path, study):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    return load_study(path, SCHEMA, {"wine"})


def test_a_study_runs_every_selector_after_every_transform(tmp_path):
    study = write_and_load(tmp_path, STUDY)
    transforms = ["plain", "low_rank", "two", "scaled"]
    assert list(study.selectors) == [f"{a}+{b}" for a in ("fisher", "chi2") for b in transforms]
    runs = study.selectors
    assert runs["fisher+plain"].transform is None
    assert runs["fisher+plain"].label == "Fisher, X"
    assert runs["chi2+low_rank"].label == "chi2, low_rank"
    assert runs["chi2+two"].label == "chi2, r=2 (as published)"
    assert [runs["chi2+two"].discrete, runs["fisher+two"].discrete] == [True, False]
    assert runs["fisher+low_rank"].transform.use == "low_rank"
    assert runs["fisher+low_rank"].transform.params == {}
    assert runs["fisher+two"].transform.params == {"rank": 2}
    assert runs["fisher+two"].transform.as_published is True
    assert runs["fisher+low_rank"].transform.as_published is False
    assert runs["fisher+scaled"].transform.params == {"with_std": False}
    assert {run.family for run in runs.values()} == {"fisher", "chi2"}
    assert study.families == {"fisher": "Fisher", "chi2": "chi2"}
    for name, run in runs.items():
        assert run.use == run.family == name.split("+")[0]
        assert run.params == {}


def test_the_transforms_of_a_selector_limit_them(tmp_path):
    limited = {"fisher": {"transforms": ["two", "plain"]}, "chi2": {}}
    study = write_and_load(tmp_path, {**STUDY, "selectors": limited})
    assert [name for name in study.selectors if name.startswith("fisher")] == [
        "fisher+two",
        "fisher+plain",
    ]
    assert len(study.selectors) == 6
    assert all(one.transform or "plain" in one.name for one in study.selectors.values())


def test_a_study_without_transforms_is_as_before(tmp_path):
    plain = {key: value for key, value in STUDY.items() if key != "transforms"}
    study = write_and_load(tmp_path, plain)
    assert list(study.selectors) == ["fisher", "chi2"]
    assert all(one.transform is None for one in study.selectors.values())


STUDY_MISTAKES = [
    ({"transforms": {"low_rnak": {}}}, "transforms.low_rnak: unknown transform 'low_rnak'"),
    ({"transforms": {"low_rnak": {}}}, "did you mean 'low_rank'?"),
    ({"transforms": {"a": {"use": "nonee"}}}, "did you mean 'none'?"),
    ({"transforms": {"a": {"use": "low_rank", "rnak": 1}}}, "rnak: low_rank has no such parameter"),
    ({"transforms": {"a": {"use": "low_rank", "rnak": 1}}}, "did you mean 'rank'?"),
    ({"transforms": {"a": {"use": "low_rank", "rank": "1"}}}, "a.rank: must be a number, got '1'"),
    ({"transforms": {"a": {"use": "low_rank", "rank": True}}}, "a.rank: must be a number"),
    ({"transforms": {"a": {"use": "low_rank", "params": {"rnak": 1}}}}, "did you mean 'rank'?"),
    ({"transforms": {"a": {"use": "none", "rank": 1}}}, "transforms.a: none has no parameters"),
    ({"transforms": {"a": {"use": "none", "learn": "all"}}}, "nothing that it could learn"),
    ({"transforms": {"a+b": {"use": "low_rank"}}}, "'a+b'"),
    ({"discretise": {"fit_on": "all"}}, "discretise.fit_on: bins of all rows are not those of"),
    ({"discretise": {}}, "use fit_on: train"),
    (
        {"selectors": {"fisher": {"transforms": ["plian"]}}},
        "selectors.fisher.transforms: unknown transform 'plian'; did you mean 'plain'?",
    ),
    ({"transforms": {}, "selectors": {"fisher": {"transforms": ["a"]}}}, "has no transforms"),
    (
        {
            "claims": [
                {
                    "kind": "gain",
                    "text": "T",
                    "of": "stability",
                    "size": 5,
                    "baseline": "plian",
                    "gains": [["two", "low_rank"]],
                }
            ]
        },
        "claims.0.baseline: unknown transform 'plian'; did you mean 'plain'?",
    ),
    ({"resample": {"scheme": "perturbed", "folds": 3}}, "resample.folds: perturbed has no such"),
    (
        {"resample": {"scheme": "repeated_cv", "disjoint": 0.4}},
        "repeated_cv has no such",
    ),
    ({"resample": {"scheme": "cv", "disjoint": 0.6}}, "resample.disjoint: 0.6 is greater than"),
    (
        {"resample": {"scheme": "perturbed", "perturbations": [1.2]}},
        "perturbations.0: 1.2 is",
    ),
]


@pytest.mark.parametrize(("change", "message"), STUDY_MISTAKES)
def test_a_mistake_about_transforms_is_one_line_with_file_and_key(tmp_path, change, message):
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        write_and_load(tmp_path, {**STUDY, **change})
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'mine.yaml'}: ")


def test_all_transforms_are_declared_with_their_parameters_and_a_reference():
    found = registry.declared("transform")
    assert {"low_rank", "cluster_labels", "local_svd"} <= set(found)
    assert found["low_rank"].parameters["rank"] == 1
    assert all(declaration.reference for declaration in found.values())


@pytest.mark.parametrize("name", ["alelyani2013_slrma", "alelyani2013_frozen"])
def test_what_learnt_as_published_or_frozen_is_barred_and_nothing_else(name):
    """A transform that had learnt from test rows was recommended."""
    path = ROOT / f"config/studies/{name}.yaml"
    study = load_study(path, SCHEMA, yaml.safe_load(path.read_text())["datasets"])
    wanted = {one for one in study.selectors if one.endswith(("_published", "_frozen"))}
    assert len(wanted) > 10
    assert {one for one, selector in study.selectors.items() if selector.barred} == wanted
    context = evidence_context(study, study.datasets[0], folds_per_job=10, seed=1)
    shown = {one for one, about in context["selectors"].items() if "barred" in about}
    assert shown == wanted & set(context["selectors"])
    for one in shown:
        why = "learnt from test rows" if one.endswith("_published") else "learnt once, not in each"
        assert context["selectors"][one]["barred"].startswith(why)
