"""`StabilityReport`: the workflow's evidence, and what is shown of it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from commands import evidence_by_commands, run
from scipy.sparse import csr_array
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import steadfast
from steadfast.api import choices, defaults
from steadfast.core.config import read_yaml
from steadfast.page.data import with_advice
from steadfast.selectors.running.auto import expand
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
WINE = load_wine(as_frame=True)
X, Y = WINE.data, WINE.target_names[WINE.target]
#: Of the description of a data set, what a catalogue says of it and data in memory do not.
SAID_BY_CATALOGUE = ("title", "origin", "licence", "citation")
FOREST = {"use": "sklearn.ensemble.RandomForestClassifier", "params": {"n_estimators": 5}}
SVM = {"label": "SVM", "use": "svm", "scale": "standard", "sizes": [1, 2, 4, 8, 13]}


@pytest.fixture(scope="module")
def workflow(tmp_path_factory) -> dict:
    """Evidence on wine by the commands, file by file."""
    folder = tmp_path_factory.mktemp("results")
    arguments = ("--catalogue", ROOT / "config/datasets.yaml", "--root", ROOT, "--cache", folder)
    run("load_data", "wine", *arguments, "--out", folder / "data/wine.npz")
    ranked = {"params": {"n_features_to_select": 100}, "baseline": False}
    selectors = {
        "mrmr": {"use": "mid_alpha", "label": "mRMR", "discrete": True, **ranked},
        "forest": {**FOREST, "label": "Forest", "discrete": False, "baseline": False},
        "random": {"use": "random", "label": "Random", "discrete": False, **ranked},
    }
    params = {"alpha": "auto", "n_features_to_select": 100}
    tuned = expand("mid_alpha", params, {"prefer": {"alpha": 0.9}})
    selectors["mrmr"] |= dict(zip(("use", "params"), tuned, strict=True))
    selectors["random"]["baseline"] = True
    return evidence_by_commands(
        *(folder, "advise", "wine", {**defaults.RESAMPLE, "repeats": 6}, selectors, {"svm": SVM}),
        seed=7,
        largest=100,
        bins=defaults.BINS,
        told="6 subsamples of 80% of the rows, each class in its share",
        scoring=defaults.SCORING,
    )


def report_of(**options) -> steadfast.StabilityReport:
    forest = RandomForestClassifier(n_estimators=5)
    mrmr = {
        "use": "mid_alpha",
        "alpha": "auto",
        "tuned": {"prefer": {"alpha": 0.9}},
        "label": "mRMR",
    }
    chosen = {"mrmr": mrmr, "forest": {**FOREST, "label": "Forest"}, "random": "random"}
    if options.pop("estimators", False):
        chosen["forest"] = {"use": forest, "label": "Forest"}
    settings = {"cv": 6, "classifiers": {"svm": SVM}, "seed": 7, "name": "wine", **options}
    return steadfast.StabilityReport(chosen, **settings).fit(X, Y)


@pytest.fixture(scope="module")
def report() -> steadfast.StabilityReport:
    return report_of()


def without(evidence: dict) -> dict:
    kept = {k: v for k, v in evidence["dataset"].items() if k not in SAID_BY_CATALOGUE}
    return {**evidence, "dataset": kept}


def test_the_evidence_is_that_of_the_workflow(workflow, report):
    assert without(report.evidence_) == without(workflow)
    assert workflow["advice"]["selector"] in ("mrmr", "forest")
    assert sum(count for _, count in workflow["selectors"][0]["chosen"]["alpha"]) == 6


def test_an_estimator_counts_as_the_path_to_its_class(workflow):
    assert without(report_of(estimators=True).evidence_) == without(workflow)


def test_processes_make_no_difference(report):
    assert report_of(n_jobs=2).evidence_ == report.evidence_


def test_the_page_is_that_of_the_command(report, tmp_path):
    evidence = tmp_path / "wine.json"
    from steadfast.core.files import write_with_manifest

    write_with_manifest({evidence: json.dumps(report.evidence_).encode()})
    context = {
        **{"study": "advise", "title": "wine", "paper": "", "seed": 7, "command": ""},
        "runs": report.evidence_["runs"]["told"],
        "bins_inside_folds": True,
        "classifier": "SVM",
        "margin": 0.02,
        **{"probes": True, "trust": True, "has_rules": False, "dependent": [], "mere_readings": []},
        "scoring": defaults.SCORING,
    }
    run("page", evidence, "--context", context, "--out", tmp_path / "page.html")
    own = report.save(tmp_path / "own.html")
    assert own.read_bytes() == (tmp_path / "page.html").read_bytes()


def test_defaults_are_those_of_make_advise():
    declared = yaml.safe_load((ROOT / "config/advise.yaml").read_text())
    schema = study_schema(ROOT / "workflow/schemas")
    study = load_study(ROOT / "config/advise.yaml", schema, {"wine"})
    assert declared["resample"] == defaults.RESAMPLE
    assert declared["discretise"] == defaults.BINS == study.bins.settings
    assert declared["sizes"] == {"largest": defaults.LARGEST}
    assert declared["accuracy"]["classifiers"] == defaults.CLASSIFIERS
    assert declared["accuracy"]["scoring"] == defaults.SCORING
    assert declared["probes"] is declared["trust"] is True
    assert declared["stability"]["ties"] == "random"
    assert choices.to_selectors(None, defaults.LARGEST) == study.selectors
    assert read_yaml(ROOT / "config/config.yaml")["seed"] == defaults.SEED


def test_tables_say_what_the_evidence_says(report):
    table, evidence = report.table(), with_advice(report.evidence_)
    assert list(table.index) == ["mRMR", "Forest", "Random"]
    advised = next(s for s in evidence["selectors"] if s["id"] == evidence["advice"]["selector"])
    assert list(table.index[table["recommended"]]) == [advised["label"]]
    row = table.loc[advised["label"]]
    assert row["size"] == evidence["advice"]["size"]
    place = evidence["sizes"].index(evidence["advice"]["size"])
    assert row["stability"] == advised["stability"]["value"][place]
    assert row["stability_low"] <= row["stability"] <= row["stability_high"]
    assert row["accuracy"] == advised["accuracy"]["svm"]["value"][place]
    features = report.features()
    assert len(features) == len(evidence["advice"]["consensus"])
    assert features["frequency"].between(0, 1).all()
    assert features["trusted"].sum() == sum(r["trusted"] for r in evidence["advice"]["consensus"])
    effects = {feature["name"]: feature["effect"] for feature in evidence["features"]}
    for feature, row in features.iterrows():
        for column, key in (("difference", "difference"), ("difference_high", "high")):
            assert row[column] == effects[feature][key]
        assert 0 <= row["auc_low"] <= row["auc"] <= row["auc_high"] <= 1
        assert pd.isna(row["why"]) == ((row["frequency"] >= 0.5) == row["trusted"])
    assert report.answer == evidence["advice"]["answer"]
    assert report.answer[0] in repr(report)
    assert "<table" in report._repr_html_()


def test_the_figure_has_a_panel_each_for_stability_and_accuracy(report):
    from matplotlib import pyplot

    figure = report.plot()
    first, second = figure.axes
    assert first.get_xlabel() == second.get_xlabel() == "Number of features"
    assert (first.get_ylabel(), second.get_ylabel()) == ("Stability (Nogueira)", "Accuracy (SVM)")
    assert len({line.get_color() for line in first.lines}) == 3
    assert len(first.collections) == 3
    pyplot.close(figure)
    with pytest.raises(steadfast.UserError, match="unknown classifier 'knn'"):
        report.plot("knn")


SPLITTERS = [
    (StratifiedKFold(4), "4 splits of StratifiedKFold"),
    (list(StratifiedKFold(3).split(X, Y)), "3 splits"),
    ({"repeats": 3, "share": 0.5}, "3 subsamples of 50% of the rows, each class in its share"),
    ("cv", "10 folds of a cross-validation, each class in its share"),
    ({"scheme": "halves", "repeats": 2}, "2 random halves of the rows, each class in its share"),
]


@pytest.mark.parametrize(("cv", "told"), SPLITTERS, ids=[told for _, told in SPLITTERS])
def test_rows_are_split_as_told(cv, told):
    asked = {"probes": False, "trust": False}
    found = steadfast.StabilityReport("fisher", cv=cv, classifiers=[], **asked).fit(X, Y)
    assert found.evidence_["runs"]["told"] == told
    assert found.evidence_["runs"]["count"] == len(found.folds_) == int(told.split()[0])
    assert found.evidence_["classifiers"] == {}
    assert np.isnan(found.table()["accuracy"].iloc[0])
    assert found.features()["trusted"].isna().all()


@pytest.mark.parametrize("cv", [5, GroupKFold(4)], ids=["subsamples", "splitter"])
def test_groups_stay_together(cv):
    groups = np.arange(len(Y)) // 3
    found = steadfast.StabilityReport("fisher", cv=cv, classifiers="knn").fit(X, Y, groups=groups)
    for fold in found.folds_:
        assert not set(groups[fold.train]) & set(groups[fold.test])
    assert found.evidence_["dataset"]["groups"] == 60


def test_selectors_of_scikit_learn_take_part():
    chosen = {
        "best five": SelectKBest(k=5),
        "l1": SelectFromModel(LogisticRegression(C=0.1, solver="saga", l1_ratio=1)),
        "rfe": RFE(GaussianNBWithWeights(), n_features_to_select=1),
    }
    scaled = (X - X.mean()) / X.std()
    given = steadfast.StabilityReport(chosen, cv=3, classifiers=[GaussianNB()], probes=False)
    found = given.fit(scaled, Y)
    assert list(found.evidence_["classifiers"].values()) == ["GaussianNB"]
    assert [one["id"] for one in found.evidence_["selectors"]] == list(chosen)
    assert (found.table()["stability"] > 0).all()
    given = steadfast.StabilityReport(chosen["l1"], cv=3, classifiers=[], probes=False)
    (own,) = given.fit(scaled, Y).evidence_["selectors"]
    assert own["id"] == "SelectFromModel"
    assert own["own"]["size"] < 13


class GaussianNBWithWeights(GaussianNB):
    """One that says how far apart the classes are in each feature."""

    def fit(self, X, y):
        super().fit(X, y)
        self.coef_ = self.theta_.std(axis=0) / np.sqrt(self.var_.mean(axis=0))
        return self


def test_categories_and_gaps_are_treated_as_the_workflow_does():
    frame = X[["alcohol", "flavanoids"]].copy()
    frame.loc[frame.index[:5], "alcohol"] = np.nan
    frame["kind"] = np.where(WINE.target == 0, "dry", "sweet")
    frame.loc[3, "kind"] = None
    frame["old"] = pd.array([1, None, 3] * 59 + [4], dtype="Int64")
    found = steadfast.StabilityReport("fisher", cv=3, classifiers=[], probes=False).fit(frame, Y)
    about = found.evidence_["dataset"]
    assert about["categories"] == 1
    assert about["missing"].startswith("65 values: median of the training rows of each fold; ")
    assert "kind" in found.features().index or found.evidence_["features"]


MISTAKES = [
    ({}, (X, np.arange(178) / 7), "cut it into classes first, or, if these are classes, give them"),
    ({}, (X, np.zeros(178)), "y: all 178 rows are of class '0'; at least two classes are needed"),
    ({}, (X.assign(none=np.nan), Y), "X: column 'none' has no value, so no median; leave the"),
    ({}, (X, Y, np.zeros(178)), "groups: all rows are of one group"),
    ({}, (X.set_axis(["a", *X.columns[:-1]], axis=1).rename(columns={"ash": "a"}), Y), "X: 2 col"),
    ({}, (csr_array(X), Y), "X: is sparse; give X.toarray"),
    ({}, (X[["ash"]], Y), "X: has one feature only"),
    ({"seed": -1}, (X, Y), "seed must be a whole number of at least 0"),
    ({"cv": StratifiedKFold}, (X, Y), "cv: is a class; give an object of it"),
    ({}, (X, Y[:5]), "y: must name the class of each of the 178 rows"),
    ({}, (X, [None, *Y[1:]]), "y: row 1 has no class"),
    ({}, (X.assign(when=pd.Timestamp("2020-01-01")), Y), "X: column 'when' holds dates"),
    ({}, (np.full((178, 2), np.inf), Y), "X: row 1: column 'x0' holds an infinite value"),
    ({}, (np.array([["a"]] * 178), Y), "X: an array must hold numbers"),
    ({}, (X, X["alcohol"]), "looks like a measurement"),
    ({"selector": "fischer"}, (X, Y), "unknown selector 'fischer'; did you mean 'fisher'"),
    ({"selector": {"a": 3}}, (X, Y), "selector a: must be a name, an estimator or settings"),
    ({"selector": []}, (X, Y), "selector: give at least one"),
    ({"selector": {"m": {"use": "mid", "nope": 1}}}, (X, Y), "nope: mid has no such parameter"),
    ({"cv": 1}, (X, Y), "cv: at least two subsamples are needed"),
    ({"cv": "nope"}, (X, Y), "unknown scheme 'nope'"),
    ({"cv": [([0, 1], [900])] * 2}, (X, Y), "cv: split 1: must hold numbers of rows, 0 to 177"),
    ({"cv": 1.5}, (X, Y), "cv: must be a number, a scheme, a splitter or splits"),
    ({"classifiers": "svn"}, (X, Y), "unknown classifier 'svn'; did you mean 'svm'"),
    ({"largest": 0}, (X, Y), "largest must be a whole number of at least 1"),
]


@pytest.mark.parametrize(("options", "rows", "message"), MISTAKES, ids=[m for _, _, m in MISTAKES])
def test_a_mistake_is_one_line(options, rows, message):
    given = {"selector": "fisher", "cv": 3, "classifiers": [], "probes": False, **options}
    with pytest.raises(ValueError, match=message.replace("?", r"\?")) as error:
        steadfast.StabilityReport(**given).fit(*rows)
    assert "\n" not in str(error.value)


def test_wrappers_do_not_tear_groups_apart():
    given = steadfast.StabilityReport("sfs", cv=3, classifiers=[])
    with pytest.raises(steadfast.UserError, match="sfs splits rows itself"):
        given.fit(X, Y, groups=np.arange(178) // 2)


def test_a_report_that_is_not_fitted_says_so(tmp_path):
    empty = steadfast.StabilityReport()
    for show in (empty.table, empty.features, empty.plot, lambda: empty.save(tmp_path / "x.html")):
        with pytest.raises(steadfast.UserError, match=r"not fitted yet: call fit"):
            show()
    assert empty._repr_html_() is None
    assert repr(empty) == "StabilityReport(not fitted)"


def test_a_page_that_cannot_be_written_is_one_line(report, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(steadfast.UserError, match="cannot be written"):
        report.save(tmp_path / "file" / "page.html")


@pytest.mark.parametrize(("module", "call"), [("pandas", "table"), ("matplotlib.pyplot", "plot")])
def test_a_missing_package_is_named_with_its_extra(report, monkeypatch, module, call):
    import sys

    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(steadfast.UserError, match=r"pip install 'steadfast\[report\]'"):
        getattr(report, call)()
