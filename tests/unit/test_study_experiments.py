"""Mistakes in studies with transforms, samples of their own and synthetic data."""

from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from steadfast.core.errors import UserError
from steadfast.page.method import method
from steadfast.study.context import has_probes, page_context
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
SURFACE = {"kind": "surface", "title": "a", "dataset": "sonar", "grid": {}}
TWO = {"title": "a", "ratios": [1], "selectors": ["fisher", "relieff"]}
RULE = {"use": "rule"}
SERIES = ["figures", "by_rank", "series"]
LOST = {"kind": "gain_by_size", "title": "a", "baseline": "original", "transforms": ["svd2"]}
LOST |= {"families": ["chi2"]}
TREATMENTS = {"kind": "treatments", "title": "a", "of": "stability", "transforms": ["a"]}

MISTAKES = [
    ("treated", ["transforms", "svd1", "rnk"], 2, "transforms.svd1.rnk: low_rank has no such"),
    ("treated", ["transforms", "svd1", "use"], "lowrank", "did you mean 'low_rank'?"),
    ("treated", ["transforms", "original", "rank"], 1, "transforms.original: none has no param"),
    ("treated", ["precision", "selectors"], ["chi2"], "precision: chi2 is not run after whole1"),
    ("treated", ["precision", "transforms"], ["svd9"], "unknown transform 'svd9'"),
    ("treated", ["figures", "precision", "label_noise"], [0.2], "0.2 is not among the label_noise"),
    ("treated", ["figures", "precision", "features"], [9], "9 is not among the features"),
    ("treated", [*SERIES, "a"], ["original", "scaled"], "scaled has no matrix rank"),
    ("treated", [*SERIES, "a"], ["original", "svd11"], "did you mean 'svd1'?"),
    ("treated", ["figures", "gains", "labels"], {"svd11": "a"}, "did you mean 'svd1'?"),
    ("treated", ["figures", "by_rank", "labels"], {"knm": "a"}, "did you mean 'knn'?"),
    ("treated", ["figures", "by_rank", "family"], "fischer", "did you mean 'fisher'?"),
    ("treated", ["selectors", "chi2", "transforms"], ["svd9"], "did you mean 'svd2'?"),
    ("treated", ["discretise", "fit_on"], "all", "use fit_on: train"),
    ("treated", ["tables", "treatments", "size"], "half", "tables.treatments.size"),
    ("treated", ["tables", "treatments", "families"], ["chi2", "fishe"], "did you mean 'fisher'?"),
    (
        "treated",
        ["selectors", "fisher", "transforms"],
        ["svd1"],
        "unknown selector 'fisher+orig",
    ),
    ("treated", ["tables", "treatments", "size"], 0, "tables.treatments.size"),
    ("treated", ["tables", "treatments", "baseline"], "origin", "did you mean 'original'?"),
    ("treated", ["precision"], None, "tables.found: the study has no `precision`"),
    ("treated", ["claims", 1, "better"], "fisher+svd3", "did you mean 'fisher+svd"),
    ("treated", ["claims", 0, "gains"], [["svd1", "svd2"]], "svd1 must be one with learn: all"),
    (
        "treated",
        ["precision", "transforms"],
        ["svd1_published"],
        "does not learn from the train",
    ),
    (
        "treated",
        ["accuracy", "classifiers"],
        {},
        "unknown classifier 'kmeans'; there is none",
    ),
    ("treated", ["resample", "set_aside"], None, "svd1_frozen.learn: frozen needs rows that are"),
    ("treated", ["resample", "disjoint"], 0.4, "the samples of disjoint are of all rows; take one"),
    ("treated", ["transforms", "svd1", "learn"], "test", "transforms.svd1.learn: 'test' is not"),
    ("treated", ["claims", 0, "gains"], [["svd1_published", "svd1", "svd2"]], "learn: frozen"),
    ("treated", ["figures", "by_rank", "family"], "chi2", "series: chi2 is not run after svd2"),
    ("treated", ["tables", "gains"], LOST, "no selector is run after all of original, svd2; see"),
    ("treated", ["claims", 0, "remains"], 0.5, "claims.0.remains: goes with another `learn`"),
    ("treated", ["claims", 2, "transforms"], ["svd2"], "svd2 is not among the transforms of the"),
    ("treated", ["tables", "ties", "selectors"], ["fisher+svd1", "fisher+svd9"], "did you mean"),
    ("treated", ["tables", "ties", "sizes"], [0], "tables.ties.sizes"),
    ("causes", ["tables", "x"], {"kind": "classifiers", **TWO}, "is about accuracy; accuracy.cl"),
    ("causes", ["figures", "again"], SURFACE, "there is a surface of sonar already"),
    ("causes", ["resample", "disjoint"], None, "set resample.disjoint: 0.4"),
    ("causes", ["resample", "disjoint"], 0.7, "resample.disjoint: 0.7 is greater"),
    ("causes", ["resample", "scheme"], "repeated_cv", "resample.disjoint: repeated_cv has no such"),
    ("causes", ["tables", "x"], {**TREATMENTS, "baseline": "a"}, "unknown transform 'a'"),
    ("causes", ["figures", "groups", "dataset_groups", "many"], ["sona"], "did you mean 'sonar'?"),
    ("causes", ["figures", "surface", "grid", "folds"], 1, "grid.folds: 1 is less than"),
    ("causes", ["selectors", "fisher", "transforms"], ["a"], "the study has no transforms"),
    ("causes", ["selectors", "fisher"], RULE, "figures.surface: fisher is an external Snakemake"),
    ("treated", ["selectors", "mine"], RULE, "selectors.mine.transforms: a rule reads the rows as"),
    ("perturbed", ["tables", "verdict", "ratio"], 0.3, "unknown ratio 0.3"),
    ("perturbed", ["resample", "perturbations"], [1.5], "resample.perturbations"),
]


@pytest.mark.parametrize(("name", "place", "value", "message"), MISTAKES)
def test_a_mistake_is_one_line(tmp_path, name, place, value, message):
    study = deepcopy(yaml.safe_load((ROOT / f"tests/data/{name}.yaml").read_text()))
    *above, key = place
    at = study
    for part in above:
        at = at[part]
    if value is None:
        del at[key]
    else:
        at[key] = value
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    with pytest.raises(UserError) as error:
        load_study(path, SCHEMA, {"wine", "sonar", "glass"})
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_rule_is_run_after_no_transform_but_none_and_not_on_synthetic_data(tmp_path):
    study = yaml.safe_load((ROOT / "tests/data/treated.yaml").read_text())
    study["selectors"]["mine"] = {**RULE, "transforms": ["original"]}
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    assert "mine+original" in load_study(path, SCHEMA, {"wine"}).selectors
    study["precision"].update(selectors=["mine"], transforms=["original"])
    del study["figures"]["precision"]
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    with pytest.raises(UserError, match=r"precision: mine\+original is an external Snakemake rule"):
        load_study(path, SCHEMA, {"wine"})


def test_a_rule_is_not_run_with_shuffled_copies(tmp_path):
    study = {
        "title": "Mine",
        "datasets": ["wine"],
        "resample": {"scheme": "cv"},
        "stability": {"compare": "all_pairs"},
        "probes": True,
        "selectors": {"mine": RULE, "fisher": {}, "random": {}},
    }
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(study))
    loaded = load_study(path, SCHEMA, {"wine"})
    assert [name for name in loaded.selectors if has_probes(loaded, name)] == ["fisher"]
    paragraphs = method(page_context(loaded, seed=1, command=""))
    assert any("every selector that is not a rule" in paragraph for paragraph in paragraphs)


@pytest.mark.parametrize("inside", [True, False])
def test_the_method_has_whole_sentences(inside):
    """ "On the same the 3 outer folds", and a margin of "1 points"."""
    loaded = load_study(ROOT / "config/advise.yaml", SCHEMA, {"wine"})
    context = page_context(loaded, seed=1, command="")
    context |= {"runs": "the 3 outer folds of a nested cross-validation", "margin": 0.01}
    paragraphs = method(context | {"bins_inside_folds": inside})
    assert "was run on the same 3 outer folds of a nested cross-validation" in paragraphs[0]
    (choice,) = [paragraph for paragraph in paragraphs if "recommended" in paragraph]
    assert "lose at most 1 point of the score that decides" in choice
    assert "the most accurate one of any size" in choice
