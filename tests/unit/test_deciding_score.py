"""Which score decides the advice, and how evidence, words and page follow it."""

import re

import numpy as np
import pytest

import steadfast
from steadfast.accuracy.scores import SCORES
from steadfast.accuracy.unequal import are_unequal
from steadfast.advice.deciding_score import deciding_score
from steadfast.advice.evidence import accuracy_curves, as_printed
from steadfast.advice.words.scores import achieved, alone, lost, margin_text, no_better
from steadfast.core.errors import UserError
from steadfast.resampling.folds import Fold


def classes(*counts: int) -> np.ndarray:
    return np.repeat(np.arange(len(counts)), counts)


def folds_of(*tests: list[int], rows: int = 20) -> list[Fold]:
    every = np.arange(rows)
    return [
        Fold(f"f{at}", at, 1.0, np.setdiff1d(every, test), np.array(test))
        for at, test in enumerate(tests, 1)
    ]


@pytest.mark.parametrize(
    ("counts", "unequal"),
    [((75, 25), False), ((76, 24), True), ((5, 5, 10), False), ((5, 4, 10), True), ((9, 0), False)],
)
def test_classes_are_unequal_by_their_fair_share(counts, unequal):
    assert are_unequal(classes(*counts)) is unequal


def test_auc_decides_where_classes_are_unequal():
    y, folds = classes(18, 2), folds_of([0, 1, 18], [2, 3, 19])
    found = deciding_score(["accuracy", "balanced_accuracy", "auc"], y, folds)
    assert found.score is SCORES["auc"]
    assert "90% of the rows" in found.why
    assert deciding_score(["accuracy", "balanced_accuracy"], y, folds).score.name == (
        "balanced_accuracy"
    )
    for scoring in (["accuracy"], ["brier", "auc"], ["log_loss"]):
        assert deciding_score(scoring, y, folds) == (SCORES[scoring[0]], None)
    assert deciding_score(["accuracy", "auc"], classes(10, 10), folds) == (SCORES["accuracy"], None)


def test_auc_does_not_decide_where_most_runs_test_one_class():
    found = deciding_score(["accuracy", "auc"], classes(18, 2), folds_of([0, 18], [1], [2]))
    assert found.score is SCORES["accuracy"]
    assert "known in 1 of 3 runs only" in found.why


def columns(score: str, values: dict[str, float]) -> dict[str, list[str]]:
    rows = [(of, "knn", "1", fold, str(v)) for fold, v in values.items() for of in (score, "other")]
    return dict(zip(("scoring", "classifier", "k", "fold", "value"), map(list, zip(*rows))))


def test_curves_are_of_one_score_the_larger_the_better():
    folds = folds_of([0], [1], [2])
    (curve,) = accuracy_curves(
        columns("log_loss", {"f1": 0.2, "f2": 0.4, "f3": 9.0}), folds, SCORES["log_loss"]
    ).values()
    assert curve.values == pytest.approx([-3.2])
    shown = as_printed(curve, SCORES["log_loss"])
    assert shown.values == pytest.approx([3.2])
    assert shown.low[0] == 0 < shown.values[0] < shown.high[0]


def test_folds_without_auc_are_left_out():
    table = columns("auc", {"f1": 0.8, "f2": float("nan"), "f3": 0.6})
    (curve,) = accuracy_curves(table, folds_of([0], [1], [2]), SCORES["auc"]).values()
    assert curve.values == pytest.approx([0.7])
    assert curve.units.shape == (2, 1)


@pytest.fixture(scope="module")
def report() -> steadfast.StabilityReport:
    """One row in ten is of the class that the first feature tells."""
    draw = np.random.default_rng(0)
    y = np.arange(200) % 10 == 0
    X = draw.normal(size=(200, 5))
    X[:, 0] += 1.5 * y
    made = steadfast.StabilityReport(["fisher", "random"], cv=6, probes=False)
    return made.fit(X, np.where(y, "ill", "well"))


def test_evidence_words_and_page_go_by_auc(report, tmp_path):
    evidence = report.evidence_
    assert evidence["scoring"]["id"] == "auc"
    assert evidence["majority"] == 0.5
    best = report.table().loc["Fisher score"]
    assert best["auc"] > 0.7 > 0.5
    assert best["recommended"]
    assert f"has an AUC of {best['auc']:.2f} on rows it has not seen" in report.answer[1]
    assert "where guessing gives 0.50" in report.answer[1]
    assert " of AUC against the most accurate one" in evidence["advice"]["why_size"]
    page = report.save(tmp_path / "page.html").read_text()
    body = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert "Stability against AUC" in body
    assert ">Why AUC. </strong>The largest class has 90% of the rows" in body
    assert "<dt>AUC</dt>" in body
    assert f"<dd>{best['auc']:.3f}</dd>" in body
    assert "<dt>Accuracy</dt>" not in body
    assert '"noun": "AUC"' in page or '"noun":"AUC"' in page


def test_scores_that_no_estimator_gives_are_not_asked_for():
    from sklearn.linear_model import Perceptron
    from sklearn.neighbors import RadiusNeighborsClassifier

    from steadfast.api.choices import to_classifiers, to_scoring

    class Bare(Perceptron):
        decision_function = property()

    assert to_scoring(None, to_classifiers([RadiusNeighborsClassifier()])) == ["accuracy", "auc"]
    assert to_scoring(None, to_classifiers([Bare()])) == ["accuracy"]
    assert to_scoring(None, to_classifiers("kmeans")) == ["accuracy"]
    assert to_scoring("brier", to_classifiers("knn")) == ["brier"]
    with pytest.raises(UserError, match="kmeans does not give"):
        to_scoring("auc", to_classifiers("kmeans"))
    with pytest.raises(UserError, match="did you mean 'auc'"):
        to_scoring(["aux"], to_classifiers("knn"))
    with pytest.raises(UserError, match="give at least one"):
        to_scoring([], to_classifiers("knn"))


@pytest.mark.parametrize("name", SCORES)
def test_every_score_has_words(name):
    score = SCORES[name]
    told = achieved(score, "SVM", 0.31, 0.25), no_better(score, "SVM", 0.31, "guessing", 0.25)
    assert all("SVM" in text and score.text(0.25) in text for text in told if name != "auc")
    assert lost(score, 0.004).startswith(
        "0.4 points " if score.larger_is_better else "0.004 worse in "
    )
    assert score.noun in margin_text(score, 0.02)
    assert alone(score, "age", 0.99).startswith("age alone")
