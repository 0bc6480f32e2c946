"""Scores beside accuracy: against scikit-learn's, from one fit, in studies and in outputs."""

from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from figure_cases import accuracy, results_of, write_study
from sklearn import metrics
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.svm import SVC

from steadfast.accuracy import tuning
from steadfast.accuracy.classifiers import create
from steadfast.accuracy.machine_values import calibrate, decide
from steadfast.accuracy.prefix_knn import prefix_knn, prefix_votes
from steadfast.accuracy.rows import HEADER, accuracy_rows, header
from steadfast.accuracy.scores import SCORES, Outcome
from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.outputs.curves import Curves
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection

EVERY = list(SCORES)
LOGISTIC = "sklearn.linear_model.LogisticRegression"
USED = {
    "knn": {"k": 5, "scale": "standard"},
    "gaussian": {},
    "svm": {},
    LOGISTIC: {"scale": "standard"},
    "sklearn.naive_bayes.GaussianNB": {},
}
SIZES = [1, 3, 6]


def halves(load) -> tuple[np.ndarray, ...]:
    X, y = load(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = np.array_split(order, 2)
    return X[train], y[train], X[test], y[test]


TABLES = {"three": halves(load_wine), "two": halves(load_breast_cancer)}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("use", USED)
def test_scores_are_those_of_scikit_learn(use, table):
    *train, X_test, y = TABLES[table]
    found = create({"use": use, **USED[use]}, scoring=EVERY).score(*train, X_test, y, SIZES)
    plain = create({"use": use, **USED[use]}).score(*train, X_test, y, SIZES)
    assert list(found.values) == list(plain.values)
    for value, outcome in zip(found.values, found.outcomes(), strict=True):
        values = {name: score.value(outcome, y) for name, score in SCORES.items()}
        assert values.pop("accuracy") == value
        shares, decisions = outcome.probabilities, outcome.decisions
        one = decisions[:, 1]
        areas = [metrics.roc_auc_score(y == c, decisions[:, c]) for c in range(3)[: y.max() + 1]]
        expected = {
            "balanced_accuracy": metrics.balanced_accuracy_score(y, outcome.predictions),
            "auc": metrics.roc_auc_score(y, one) if table == "two" else np.mean(areas),
            "log_loss": metrics.log_loss(y, shares),
            "brier": np.mean(np.sum((shares - np.eye(y.max() + 1)[y]) ** 2, axis=1)),
        }
        assert values == pytest.approx(expected, abs=1e-12)


def test_auc_of_probabilities_is_one_against_the_rest_unweighted():
    *parts, y = TABLES["three"]
    (outcome,) = create({"use": "knn"}, scoring=["auc"]).score(*parts, y, [4]).outcomes()
    expected = metrics.roc_auc_score(y, outcome.probabilities, multi_class="ovr", average="macro")
    assert SCORES["auc"].value(outcome, y) == pytest.approx(expected)


def test_scores_worked_by_hand():
    truth = np.array([0, 0, 1, 1])
    shares = np.array([[0.9, 0.1], [0.4, 0.6], [0.4, 0.6], [0.0, 1.0]])
    outcome = Outcome(np.array([0, 1, 1, 1]), shares, shares)
    found = {name: score.value(outcome, truth) for name, score in SCORES.items()}
    assert found["accuracy"] == found["balanced_accuracy"] == 0.75
    assert found["auc"] == 3.5 / 4  # of four pairs one is a tie
    assert found["brier"] == pytest.approx((0.02 + 0.72 + 0.32 + 0) / 4)
    assert found["log_loss"] == pytest.approx(-np.log([0.9, 0.4, 0.6]).sum() / 4)
    sure = Outcome(None, None, np.array([[1.0, 0.0]]))
    assert SCORES["log_loss"].value(sure, np.array([1])) == pytest.approx(52 * np.log(2))


def test_nothing_is_known_of_one_class_or_no_row():
    assert np.isnan(SCORES["auc"].value(Outcome(decisions=np.eye(2)), np.array([1, 1])))
    none = np.empty(0, dtype=int)
    assert all(np.isnan(score.value(Outcome(), none)) for score in SCORES.values())


def test_who_knows_the_shares_alone_has_the_baseline():
    train, test = np.array([0, 0, 0, 1]), np.array([0, 1, 1])
    found = {name: score.baseline(train, test) for name, score in SCORES.items()}
    assert found.pop("log_loss") == pytest.approx(-np.log([0.75, 0.25, 0.25]).mean())
    assert found.pop("brier") == pytest.approx((2 * 0.25**2 + 4 * 0.75**2) / 3)
    assert found == {"accuracy": 1 / 3, "balanced_accuracy": 0.5, "auc": 0.5}


def plain_votes(X_train, y_train, X_test, k, neighbours) -> np.ndarray:
    """Of each test row; of equally near rows the first."""
    votes = np.zeros((len(X_test), y_train.max() + 1), dtype=int)
    for t, row in enumerate(X_test[:, :k]):
        distance = ((X_train[:, :k] - row) ** 2).sum(axis=1)
        np.add.at(votes[t], y_train[np.argsort(distance, kind="stable")[:neighbours]], 1)
    return votes


@pytest.mark.parametrize("neighbours", [1, 4, 100])
def test_votes_of_every_size_come_from_one_sweep(neighbours):
    draw = np.random.default_rng(1)
    X, y = draw.normal(size=(30, 7)), draw.integers(0, 3, 30)
    parts = (X[:22], y[:22], X[22:], y[22:])
    curve, votes = prefix_votes(*parts, n_neighbours=neighbours)
    assert curve.tolist() == prefix_knn(*parts, n_neighbours=neighbours).tolist()
    for k in range(1, 8):
        expected = plain_votes(*parts[:3], k, min(neighbours, 22))
        assert votes[k - 1].tolist() == expected.tolist()


# Machines


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("labels", [(0, 1), (0, 1, 2), (0, 2, 3, 5)])
def test_predictions_of_machines_follow_from_their_values(kernel, labels):
    draw = np.random.default_rng(2)
    X, y = draw.normal(size=(200, 3)), np.array(labels)[draw.integers(0, len(labels), 200)]
    machine = tuning.fit_machine(X, y, kernel, 1.0, 1.0)
    decided = decide(machine, X, 6)
    assert decided.predictions.tolist() == machine.predict(X).tolist()
    own = SVC(kernel=kernel).fit(X, y).decision_function(X)
    columns = decided.decisions[:, labels]
    assert (columns[:, 1] if len(labels) == 2 else columns) == pytest.approx(own)
    unseen = np.setdiff1d(np.arange(6), labels)
    assert np.isneginf(decided.decisions[:, unseen]).all()


@pytest.mark.parametrize("table", TABLES)
def test_probabilities_of_machines_are_platts(table):
    X, y, X_test, y_test = (part[:, :4] if part.ndim == 2 else part for part in TABLES[table])
    fold = tuning.deal_folds(y)
    splits = [(np.flatnonzero(fold != at), np.flatnonzero(fold == at)) for at in range(5)]
    theirs = CalibratedClassifierCV(SVC(), cv=splits, ensemble=False).fit(X, y)

    def fit(rows, classes):
        return tuning.fit_machine(rows, classes, "rbf", 1.0, 1.0)

    decisions = decide(fit(X, y), X_test, y.max() + 1).decisions
    found = calibrate(fit, X, y, decisions)
    assert found == pytest.approx(theirs.predict_proba(X_test), abs=2e-3)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(y_test)))


def test_a_machine_ranks_rows_of_a_small_class_where_errors_are_balanced():
    draw = np.random.default_rng(0)
    y = (np.arange(400) % 10 == 0).astype(int)
    X = draw.normal(size=(400, 1)) + 1.2 * y[:, None]
    parts = (X[:300], y[:300], X[300:], y[300:], [1])

    def auc(**settings):
        (outcome,) = create({"use": "svm", **settings}, scoring=["auc"]).score(*parts).outcomes()
        return SCORES["auc"].value(outcome, y[300:])

    assert auc(balance="unequal") == auc(balance="always") > 0.7 > auc()
    even = (X[:300], np.arange(300) % 2, X[300:], y[300:], [1])
    plain, balanced = (
        create({"use": "svm", **own}).score(*even).predictions.tolist()
        for own in ({}, {"balance": "unequal"})
    )
    assert plain == balanced


# Rows, and what is refused

FOLD = Fold("f1", 1, 1.0, np.arange(0, 120), np.arange(120, 178))
WINE = load_wine(return_X_y=True)


def rows_of(scoring, use="svm", **settings):
    selection = {"f1": Selection(np.arange(4), np.ones(4))}
    order = np.random.default_rng(0).permutation(178)
    X, y = WINE[0][order], WINE[1][order]
    entry = {"use": use, "sizes": [1, 4], **settings}
    return list(accuracy_rows("c", entry, [FOLD], selection, X, y, scoring=scoring))


def test_all_scores_come_from_one_fit_and_accuracy_stays_as_it_is():
    with mock.patch.object(tuning, "fit_machine", wraps=tuning.fit_machine) as fitted:
        found = rows_of(["accuracy", "auc", "balanced_accuracy"])
    assert fitted.call_count == 2
    plain = rows_of(["accuracy"])
    assert header(["accuracy"]) == HEADER
    assert [row[1:] for row in found if row[0] == "accuracy"] == plain
    assert len(header(["accuracy", "auc"])) == len(found[0]) == len(plain[0]) + 1


def test_a_choice_of_no_feature_has_the_baseline():
    nothing = {"f1": Selection(np.arange(4), np.ones(4), n_chosen=0)}
    entry = {"use": "knn", "sizes": "chosen"}
    found = accuracy_rows("c", entry, [FOLD], nothing, *WINE, scoring=EVERY)
    values = {row[0]: row[5] for row in found}
    y = WINE[1]
    for name, value in values.items():
        expected = SCORES[name].baseline(y[FOLD.train], y[FOLD.test])
        assert value == pytest.approx(expected, nan_ok=True)


def test_what_a_classifier_does_not_give_is_refused():
    with pytest.raises(UserError, match="auc needs decision values, which kmeans does not give"):
        create({"use": "kmeans"}, scoring=["auc"])
    assert rows_of(["balanced_accuracy"], "kmeans", clusters=3)
    with pytest.raises(UserError, match="Perceptron has no predict_proba; take it out"):
        rows_of(["brier"], "sklearn.linear_model.Perceptron")


def test_the_schema_knows_every_score():
    schema = read_yaml(Path(__file__).parents[2] / "workflow/schemas/study.schema.yaml")
    assert schema["$defs"]["score"]["enum"] == EVERY


# Outputs


def compared(folder, scoring, better, than):
    """The claim that a selector beats another, `mid` being the better one; a fold has no AUC."""
    rows = []
    for selector, value in {"mid": 0.2, "miq": 0.5}.items():
        losses = [value + number / 100 for number in (1, 2, 3)]
        scores = {"log_loss": losses, "auc": [1 - losses[0], 1 - losses[1], np.nan]}
        rows += accuracy(selector, {1: scores[scoring], 2: scores[scoring]}, quantity=scoring)
    write_study(folder, units=rows)
    entry = {"kind": "compare", "text": "T", "of": "accuracy", "ratios": [1]}
    entry |= {"better": better, "than": than}
    settings = {"classifiers": {"knn": {"label": "3-NN"}}, "scoring": [scoring]}
    return results_of(folder, "claim", entry, accuracy=settings)


@pytest.mark.parametrize(("scoring", "noun"), [("auc", "AUC"), ("log_loss", "log-loss")])
def test_outputs_go_by_the_first_score_in_its_direction(tmp_path, scoring, noun):
    for number, (better, than, side) in enumerate([("mid", "miq", 1), ("miq", "mid", -1)]):
        kind, results = compared(tmp_path / str(number), scoring, better, than)
        found = kind.make(results)
        (case,) = found.cases
        assert case.side == side
        assert case.value == pytest.approx(0.3 * side)
        assert f"better by {noun} than" in found.shows


def test_folds_without_a_value_are_left_out(tmp_path):
    _, results = compared(tmp_path, "auc", "mid", "miq")
    curves = Curves(results.context, str(tmp_path))
    curve = curves.read(curves.scored("knn"), "wine", 1.0, "mid")
    assert curve.values == pytest.approx([0.785, 0.785])
    assert curve.units.shape == (2, 2)
