"""The JSON behind a page: strict, aligned, and in whole sentences, whatever the evidence."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadfast.accuracy.rows import HEADER
from steadfast.advice.consensus import Trusted
from steadfast.advice.dossier import dossier
from steadfast.advice.effects import STEADY
from steadfast.advice.evidence import Witness, witness
from steadfast.advice.recommendation import Best, Choice
from steadfast.advice.words import answer as wording
from steadfast.advice.words.facts import Facts
from steadfast.advice.words.warnings import warnings
from steadfast.core.files import parse_table, table_to_bytes
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import OWN_SIZE, Selection
from steadfast.statistics.curve import Curve

#: What a number that is none looks like in print.
_NO_NUMBER = re.compile(r"\b(nan|NaN|None|inf|Infinity)\b|nan%|inf%")
CLASSIFIERS = {"svm": "SVM", "knn": "5-NN"}


@st.composite
def evidences(draws):
    """A table, folds, and selectors with or without accuracy, copies and sizes of their own."""
    draw = np.random.default_rng(draws(st.integers(0, 2**31)))
    n, m = draws(st.integers(12, 40)), draws(st.integers(2, 9))
    n_classes = draws(st.integers(2, 3))
    y = draw.permutation(np.arange(n) % n_classes)
    X = draw.normal(size=(n, m)) + draws(st.sampled_from([0, 3])) * y[:, None]
    X[draw.random((n, m)) < 0.05] = np.nan
    X[0] = 0.0  # so that no column is empty
    levels = ()
    if draws(st.booleans()):
        X[:, 0] = draw.integers(3, size=n)
        levels = (("red", "green", "blue"), *[()] * (m - 1))
    groups = draw.permutation(np.arange(n) // 3) if draws(st.booleans()) else None
    table = Table(
        *(X, y, tuple(f"feature {i}" for i in range(m)), tuple("abc"[:n_classes]), levels, groups)
    )
    n_folds = draws(st.integers(2, 5))
    folds = []
    for number in range(1, n_folds + 1):
        order = draw.permutation(n)
        parts = np.sort(order[: n * 4 // 5]), np.sort(order[n * 4 // 5 :])
        folds.append(Fold(f"s{number}", number, 1.0, *parts))
    scored = draws(st.sampled_from([(), ("svm",), ("svm", "knn")]))
    probed = draws(st.booleans())
    witnesses = []
    for number in range(draws(st.integers(0, 4))):
        own = draws(st.booleans())
        about = {"label": f"Selector {number}", "baseline": draws(st.integers(0, 4)) == 4}
        about["barred"] = draws(st.sampled_from(["", "", "learnt from test rows"]))
        steady = draws(st.booleans())
        selections = {}
        for fold in folds:
            sequence = np.arange(m) if steady else draw.permutation(m)
            n_chosen = int(draw.integers(0, m + 1)) if own else None
            stopped = draws(st.integers(0, 9)) == 9
            note = "stopped by its time limit" if stopped else ""
            selections[fold.name] = Selection(sequence, -np.arange(m), n_chosen, note)
        rows = []
        for classifier in scored:
            level = draw.random()
            for fold in folds:
                if selections[fold.name].note:
                    continue
                for k in [OWN_SIZE] if own else range(1, m + 1):
                    value = round(level * 4) / 4 if draws(st.booleans()) else draw.random()
                    rows.append((classifier, 1.0, k, fold.name, value, 5, ""))
        accuracy = parse_table(table_to_bytes(HEADER, rows)) if scored else None
        one = witness(f"w{number}", about, selections, accuracy, folds, m, 100)
        if one is None:
            continue
        if probed and not about["baseline"]:
            one.ahead = draw.choice([0.0, 0.5, 0.8, 1.0], size=m)
        witnesses.append(one)
    about = {
        "name": "mine",
        "title": "mine.csv",
        "origin": "local file mine.csv",
        "rows": n,
        "features": m,
        "classes": table.class_counts(),
        "left_out": draws(st.sampled_from([[], [{"column": "id", "reason": "an id"}]])),
    }
    if draws(st.booleans()):
        about["missing"] = {"values": 3, "how": "median"}
    return table, about, folds, witnesses, {name: CLASSIFIERS[name] for name in scored}


def strings(value):
    """Every text of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def check_curve(found, sizes):
    assert set(found) == {"value", "low", "high"}
    assert {len(values) for values in found.values()} == {len(sizes)}
    for value, low, high in zip(*(found[key] for key in ("value", "low", "high")), strict=True):
        if value is None:
            assert low is None
            assert high is None
        elif low is not None:
            assert low - 1e-6 <= value <= high + 1e-6


def check_effect(effect, classes):
    """Who is compared with whom, and intervals that hold their values."""
    assert effect["unit"] in ("units", "points")
    assert effect["class"] in (*classes, None)
    assert effect["against"] == (next(iter(classes)) if len(classes) == 2 else None)
    for names in (("low", "difference", "high"), ("auc_low", "auc", "auc_high")):
        low, value, high = (effect[name] for name in names)
        if low is not None:
            assert low - 1e-4 <= value <= high + 1e-4
    assert effect["auc"] is None or 0 <= effect["auc_low"] <= effect["auc_high"] <= 1
    if effect["unit"] == "points":
        assert effect["auc"] is None
        assert effect["difference"] is None or -100 <= effect["low"] <= effect["high"] <= 100


def check_contract(found):
    """What the page relies on."""
    sizes, n_features = found["sizes"], len(found["features"])
    assert sizes == sorted(set(sizes))
    assert sizes[0] >= 1
    assert len(sizes) <= 200
    for feature in found["features"]:
        assert feature["name"]
        assert feature["agreement"] is None or 0 <= feature["agreement"] <= 1
        steady = feature["agreement"] is not None and feature["agreement"] >= STEADY
        assert steady == (feature["direction"] != "")
        check_effect(feature["effect"], found["dataset"]["classes"])
    ids = [one["id"] for one in found["selectors"]]
    assert len(ids) == len(set(ids))
    for one in found["selectors"]:
        check_curve(one["stability"], sizes)
        assert set(one["accuracy"]) <= set(found["classifiers"])
        for curve in one["accuracy"].values():
            check_curve(curve, sizes)
        for run in one["runs"]:
            assert len(run) == len(set(run)) <= 100
            assert all(0 <= at < n_features for at in run)
        if one["own"] is not None:
            assert set(one["own"]["accuracy"]) <= set(found["classifiers"])
        if one["best"] is not None:
            assert one["own"] is not None or one["best"]["size"] in sizes
        assert not (one["baseline"] and one["pareto"])
    assert (found["majority"] is None) == (not found["classifiers"])


def check_advice(found):
    advice = found["advice"]
    by_id = {one["id"]: one for one in found["selectors"]}
    assert advice["verdict"] in ("trust", "caution", "nothing", "unjudged")
    assert (advice["verdict"] == "caution") <= bool(advice["doubts"])
    assert not (advice["verdict"] == "trust" and advice["doubts"])
    warnings = [one["text"] for one in advice["warnings"]]
    reasons = [text for text in (advice["why_size"], advice["why_selector"]) if text]
    for text in [*advice["answer"], *reasons, *warnings]:
        assert text == text.strip()
        assert text[-1] in ".?"
        assert text[0].isupper() or text[0].isdigit() or text.startswith("feature ")
        assert "  " not in text
    check_recommendation(found, advice, by_id)
    n_features = len(found["features"])
    assert len({row["feature"] for row in advice["consensus"]}) == len(advice["consensus"])
    for row in advice["consensus"]:
        assert 0 <= row["feature"] < n_features
        assert (row["frequency"] is None) == (advice["selector"] is None)
        assert row["frequency"] is None or 0 <= row["frequency"] <= 1
        assert (row["votes"] is None) == (advice["voters"] is None)
        assert row["votes"] is None or 0 <= row["votes"] <= advice["voters"]
    for group in advice["interchangeable"]:
        assert len(group["features"]) == len(group["each"]) >= 2
        assert all(0 <= at < n_features for at in group["features"])
        assert max(group["each"]) - 1e-6 <= group["frequency"] <= min(1, sum(group["each"])) + 1e-6
    trusted = [row for row in advice["consensus"] if row["trusted"]]
    if trusted:
        name = found["features"][trusted[0]["feature"]]["name"]
        assert advice["verdict"] != "nothing"
        assert any(name in sentence for sentence in advice["answer"])
        assert "No feature can be trusted" not in " ".join(advice["answer"])
    if advice["verdict"] == "nothing":
        starts = ("Nothing here can be trusted", "No feature can be trusted")
        assert advice["answer"][0].startswith(starts)


def check_recommendation(found, advice, by_id):
    """A selector that may be recommended and what it costs; else no size, and no accuracy."""
    assert advice["classifier"] is None or advice["classifier"] in found["classifiers"]
    if advice["selector"] is None:
        assert advice["size"] is None
        assert advice["verdict"] in ("unjudged", "nothing")
        assert "accurate" not in " ".join(advice["answer"]).replace("Accuracy", "")
        return
    assert len(advice["answer"]) in (3, 4)
    chosen = by_id[advice["selector"]]
    assert not chosen["baseline"]
    assert "barred" not in chosen
    assert chosen["difference"] is None
    assert advice["own"] == (chosen["own"] is not None)
    assert advice["size"] == chosen["best"]["size"]
    lost = advice["most_accurate"]["loss"]
    assert lost >= 0
    above = advice["why_size"].startswith("No selection loses at most")
    assert (lost > advice["margin"] + 1e-6) <= above
    if advice["verdict"] == "trust":
        assert advice["accurate"]


@settings(max_examples=100, deadline=None)
@given(evidences())
def test_any_evidence_makes_a_page_in_whole_sentences(evidence):
    table, about, folds, witnesses, classifiers = evidence
    found = dossier(table, about, folds, witnesses, classifiers, "some subsamples")
    text = json.dumps(found, allow_nan=False)
    for one in strings(found):
        assert not _NO_NUMBER.search(one), one
    check_contract(found)
    if found["advice"] is not None:
        check_advice(found)
    else:
        assert all(one["best"] is None for one in found["selectors"])
    again = dossier(table, about, folds, witnesses, classifiers, "some subsamples")
    assert json.dumps(again, allow_nan=False) == text


def test_recommended_and_scored_sizes_are_among_those_of_the_curves():
    """A classifier that is slow is tried at few sizes, which lines in steps would pass by."""
    draw = np.random.default_rng(0)
    m, sizes = 120, [1, 35, 60, 80]
    table = Table(
        *(draw.normal(size=(40, m)), np.arange(40) % 2),
        *(tuple(f"f{i}" for i in range(m)), ("no", "yes")),
    )
    folds = [Fold(f"s{i}", i, 1.0, np.arange(i, 32 + i), np.arange(32 + i, 40)) for i in range(4)]
    selections = {fold.name: Selection(np.arange(m), -np.arange(m)) for fold in folds}
    rows = [("svm", 1.0, k, fold.name, k / 100, 5, "") for fold in folds for k in sizes]
    accuracy = parse_table(table_to_bytes(HEADER, rows))
    one = witness("x", {"label": "X"}, selections, accuracy, folds, m, 100)
    about = {"classes": table.class_counts()}
    found = dossier(table, about, folds, [one], {"svm": "SVM"}, "")
    shown = dict(
        zip(found["sizes"], found["selectors"][0]["accuracy"]["svm"]["value"], strict=True)
    )
    assert {k: shown[k] for k in sizes} == {k: k / 100 for k in sizes}
    assert found["advice"]["size"] == 80  # no smaller one loses at most two points


# Verdicts


def facts(*, low=0.5, stability=0.8, beats=True, random=True, trusted=(0,), voters=4):
    """Facts about one selector with two features; `beats` None: accuracy is not measured."""
    sizes, ends = np.arange(1, 3), {"low": np.full(2, low), "high": np.ones(2)}
    curve = Curve(sizes, np.full(2, stability), **ends, units=np.ones((3, 2)))
    nine = np.full(2, 0.9)
    right = Curve(sizes, nine, low=nine, high=nine, units=np.full((3, 2), 0.9))
    measured = beats is not None
    one = Witness(
        "x", "X", False, "", [np.arange(2)] * 3, curve, {"svm": right} if measured else {}
    )
    best = Best(one, 2)
    rows = [
        {"feature": at, "trusted": voters is not None and at in trusted, "frequency": 1.0}
        for at in range(2)
    ]
    return Facts(
        choice=Choice(best, best, {"x": best}, [], 0.02, 0.0, 0.01, best) if measured else None,
        classifier="svm" if measured else None,
        measured=measured,
        label="SVM",
        n_runs=3,
        n_features=2,
        blind=0.5,
        beats_blind=beats,
        random=best if measured else None,
        beats_random=random if measured else None,
        low=low,
        rows=rows,
        trusted=Trusted(np.array([row["trusted"] for row in rows]), None, voters, None),
        groups=(),
    )


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "trust"),
        ({"stability": 0.3}, "caution"),
        ({"beats": False}, "caution"),
        # 208 features were called accurate with 92.2%, where 208 random ones have 92.0%.
        ({"random": False}, "caution"),
        # That the best of many sizes and selectors seems accurate proves no feature.
        ({"trusted": ()}, "nothing"),
        ({"trusted": (), "beats": False}, "nothing"),
        ({"trusted": (), "beats": None}, "nothing"),
        ({"trusted": (), "low": -0.1, "stability": 0.1}, "nothing"),
        # Features that beat all copies can be trusted though two of them take turns.
        ({"low": -0.1, "stability": 0.1}, "caution"),
        ({"voters": None}, "trust"),
        ({"voters": None, "beats": False}, "nothing"),
        # Equally good features take turns, too: what is selected may change, and be of use.
        ({"voters": None, "low": -0.1, "stability": 0.1}, "caution"),
        ({"voters": None, "beats": None}, "unjudged"),
        ({"beats": None}, "unjudged"),
    ],
)
def test_the_verdict_follows_from_stability_accuracy_and_trust(changes, verdict):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(40, 2))
    table = Table(X, np.arange(40) % 2, ("A", "B"), ("no", "yes"))
    case = facts(**changes)
    doubts = [one.doubt for one in warnings(case, table, {}) if one.doubt]
    assert wording.verdict(case, doubts) == verdict
    answer = wording.answer(case, table)
    assert any(text.startswith("Use X with 2 features") for text in answer) == (
        verdict in ("trust", "caution")
    )
    assert any(text.startswith("Accuracy was not measured") for text in answer) == (
        case.best is None
    )
    if case.trusted_columns:
        assert "You can trust this feature: A." in answer
