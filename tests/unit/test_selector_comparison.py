"""A selector beside MID and random selection, checked against plain computations."""

import re

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler

from steadfast.advice.selector_comparison import comparison_table, draw_folds, select_all
from steadfast.data.table import Table
from steadfast.selectors.running.fold_file import Selection

RNG = np.random.default_rng(3)
Y = np.repeat([0, 1], 30)
TABLE = Table(
    RNG.normal(size=(60, 24)) + np.outer(Y, np.linspace(2, 0, 24)),
    Y,
    tuple(f"f{i}" for i in range(24)),
    ("a", "b"),
)
FOLDS = draw_folds(TABLE, "made")


def selections_of(sequence):
    found = Selection(np.asarray(sequence), np.linspace(1, 0, len(sequence)))
    return {fold.name: found for fold in FOLDS}


def cells(text, label):
    line = next(line for line in text.splitlines() if line.startswith(label))
    return re.split(r"\s{2,}", line)


def test_values_are_those_of_plain_computations():
    random = select_all({"use": "random"}, None, TABLE, FOLDS, "made")
    text = comparison_table(
        {"always": selections_of(range(24)), "random": random}, TABLE, FOLDS, "Made"
    )
    assert cells(text, "always")[1:4] == ["1.00 [1.00, 1.00]"] * 3
    members = np.zeros((20, 24))
    for row, fold in zip(members, FOLDS):
        row[random[fold.name].sequence[:10]] = 1
    shares = members.mean(axis=0)
    # Nogueira, Sechidis, Brown (2018): 1 − mean unbiased variance / (k/m)(1 − k/m)
    expected = 1 - (20 / 19 * shares * (1 - shares)).mean() / (10 / 24 * 14 / 24)
    printed = float(cells(text, "random")[2].split()[0].replace("−", "-"))
    assert printed == pytest.approx(expected, abs=0.005)
    scores = []
    for fold in FOLDS:
        scaler = MinMaxScaler().fit(TABLE.X[fold.train, :5])
        knn = KNeighborsClassifier(3).fit(scaler.transform(TABLE.X[fold.train, :5]), Y[fold.train])
        scores.append(knn.score(scaler.transform(TABLE.X[fold.test, :5]), Y[fold.test]))
    assert cells(text, "always")[4] == f"{np.mean(scores):.2f}"


def test_the_sentence_says_what_differs():
    worst = selections_of(range(23, -1, -1))
    text = comparison_table(
        {"best": selections_of(range(24)), "worst": worst}, TABLE, FOLDS, "Made"
    )
    assert "best is about as stable as worst (1.00 and 1.00), more accurate (" in text
    random = select_all({"use": "random"}, None, TABLE, FOLDS, "made")
    text = comparison_table(
        {"random": random, "best": selections_of(range(24))}, TABLE, FOLDS, "Made"
    )
    assert "random is less stable than best" in text


def test_a_selector_that_lists_too_few_features_has_no_value_there():
    text = comparison_table(
        {"few": selections_of(range(7)), "all": selections_of(range(24))}, TABLE, FOLDS, "Made"
    )
    assert cells(text, "few")[2:4] == ["–", "–"]
    assert "few ranks fewer than 10 features" in text
