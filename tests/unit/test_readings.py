"""Readings of mRSmR whose runs know more than their rows."""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from test_mrsmr import noisy_data, plain_iteration

from steadfast.core.errors import UserError
from steadfast.core.seeds import derive_seed, random_generator
from steadfast.data.discretise import EqualWidth
from steadfast.data.table import make_table, save
from steadfast.resampling import schemes
from steadfast.resampling.draws import draw_share
from steadfast.resampling.folds import write_plan
from steadfast.selectors import MRSMR
from steadfast.selectors.running.fold_file import read_folds
from steadfast.study.context import evidence_context
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
BINS = {"method": "equal_width", "bins": 4, "fit_on": "train"}


@pytest.fixture(scope="module")
def command():
    spec = importlib.util.spec_from_file_location(
        "select_features", ROOT / "scripts/select_features.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main


@pytest.fixture(scope="module")
def halves(tmp_path_factory):
    """A table of 9 features, and two experiments of three halves each."""
    folder = tmp_path_factory.mktemp("halves")
    X, y = noisy_data(n=60, m=9)
    table = make_table(X, list(map(str, y)), [f"x{i}" for i in range(9)], "mine")
    save(table, {}, folder / "mine.npz")
    scheme = schemes.create({"scheme": "repeated_halves", "experiments": 2, "repeats": 3})
    folds = list(scheme.folds(table.y, table.classes, 1, ("study", "mine")))
    assert [fold.name for fold in folds] == scheme.names()
    write_plan(folds, table.y, table.classes, folder / "plan.npz")
    return folder, table, folds


def select_all(command, monkeypatch, halves, out, params, *options):
    """The ranking of every fold, as the command of the workflow writes it."""
    folder, table, folds = halves
    selector = json.dumps({"use": "mrsmr", "params": params})
    names = [fold.name for fold in folds]
    words = [folder / "mine.npz", "--plan", folder / "plan.npz", "--folds", *names, *options]
    words += ["--selector", selector, "--discretise", json.dumps(BINS), "--seed", 1]
    words += ["--manifest", out / "batch0.sha256", "--code", "digest"]
    monkeypatch.setattr(sys, "argv", ["select_features.py", *map(str, words)])
    command()
    found = read_folds([out / "batch0.sha256"], table.features)
    return [found[name].sequence.tolist() for name in names]


def plain_experiments(halves, kappa, n_iterations, ratio, goes_on):
    """Table 2 in a loop over the halves in which nobody clears what earlier halves left behind."""
    _, table, folds = halves
    found = []
    for fold in folds:
        if fold.name.endswith("h01"):
            memory, i = [], 0
        X, y = table.X[fold.train], table.y[fold.train]
        bins = EqualWidth(4).fit(X, y).transform(X)
        draw = random_generator(derive_seed(1, "mine", fold.name, "random_state") % 2**32)
        i = i if goes_on else 0
        for _ in range(n_iterations):
            i += 1
            rows = draw_share(np.zeros_like(y), ratio, draw)
            earlier = memory if i > 1 else []
            chosen, _ = plain_iteration(bins[rows].T, y[rows], earlier, kappa * i, 6)
            memory.append(chosen)
        found.append(chosen)
    return found


@pytest.mark.parametrize(
    ("carry", "kappa", "n_iterations", "ratio"),
    [("results", 1.0, 3, 0.8), ("iterations", 0.1, 1, 1.0), ("iterations", 0.02, 2, 0.8)],
)
def test_memory_is_carried_as_in_a_loop_that_never_clears_it(
    command, monkeypatch, halves, tmp_path, carry, kappa, n_iterations, ratio
):
    params = {"kappa": kappa, "ratio": ratio, "carry": carry, "n_features_to_select": 6}
    params |= {"least_iterations": n_iterations, "most_iterations": n_iterations}
    found = select_all(command, monkeypatch, halves, tmp_path, params, "--chain")
    assert found == plain_experiments(halves, kappa, n_iterations, ratio, carry == "iterations")
    alone = select_all(command, monkeypatch, halves, tmp_path, {**params, "carry": "nothing"})
    assert [a == b for a, b in zip(found, alone)][::3] == [True, True]  # experiments begin anew
    assert found != alone


def test_a_run_that_goes_on_can_be_fitted_twice():
    X, y = noisy_data(m=12)
    params = {"carry": "results", "n_features_to_select": 6}
    first = MRSMR(random_state=1, **params).fit(X[:60], y[:60])
    second = MRSMR(random_state=2, **params)
    second.go_on_from(first)
    once = second.fit(X[60:], y[60:]).sequence_.tolist()
    assert second.fit(X[60:], y[60:]).sequence_.tolist() == once
    own = len(second.iterations_["iteration"])
    assert second.memory_[:-own].tolist() == first.memory_.tolist()


def test_all_rows_are_the_same_for_every_fold_and_the_draws_are_not(
    command, monkeypatch, halves, tmp_path
):
    params = {"kappa": 0.0, "ratio": 1.0, "n_features_to_select": 6}
    whole = select_all(command, monkeypatch, halves, tmp_path, params, "--all-rows")
    assert all(sequence == whole[0] for sequence in whole)
    _, table, _ = halves
    bins = EqualWidth(4).fit(table.X, table.y).transform(table.X)
    assert whole[0] == plain_iteration(bins.T, table.y, [], 0.0, 6)[0]
    params["ratio"] = 0.5
    drawn = select_all(command, monkeypatch, halves, tmp_path, params, "--all-rows")
    assert len(set(map(tuple, drawn))) > 1


def test_the_consensus_orders_features_by_their_mean_rank():
    X, y = noisy_data(m=12)
    params = {"kappa": 0.01, "n_features_to_select": 5, "random_state": 1}
    params |= {"least_iterations": 7, "most_iterations": 7}
    found = MRSMR(result="mean_rank", **params).fit(X, y)
    ranks = [
        [list(one).index(f) + 1 if f in one else 6 for f in range(12)] for one in found.memory_
    ]
    mean = np.mean(ranks, axis=0)
    expected = sorted(range(12), key=lambda f: (mean[f], f))[:5]
    assert len(ranks) == 7
    assert found.sequence_.tolist() == expected
    assert found.steps_["mean_rank"].tolist() == mean[expected].tolist()
    last = MRSMR(**params).fit(X, y)
    assert last.sequence_.tolist() == found.memory_[-1].tolist()


def test_it_goes_on_to_the_least_iterations_though_nothing_changes():
    X, y = noisy_data(m=12)
    found = MRSMR(ratio=1.0, least_iterations=6, most_iterations=9, random_state=1).fit(X, y)
    assert found.iterations_["iteration"].tolist() == [1, 2, 3, 4, 5, 6]
    assert found.converged_


@pytest.mark.parametrize(
    "params", [{"result": "first"}, {"carry": "all"}, {"least_iterations": 21}]
)
def test_readings_that_are_none_are_refused(params):
    X, y = noisy_data()
    with pytest.raises(ValueError, match=r"one of|at least 21"):
        MRSMR(**params).fit(X, y)


STUDY = {
    "title": "For tests",
    "datasets": ["wine"],
    "resample": {"scheme": "repeated_halves", "experiments": 2, "repeats": 3},
    "selectors": {
        "mid": {"label": "mRMR"},
        "carried": {"use": "mrsmr", "carry": "results"},
        "leaking": {"use": "mrsmr", "rows": "all"},
    },
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
    "accuracy": {"classifiers": {"knn": {"label": "3-NN"}}},
}


def load(tmp_path, **changes):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**STUDY, **changes}, sort_keys=False))
    return load_study(path, SCHEMA, ["wine"])


def test_one_job_runs_a_selector_that_carries_something_over(tmp_path):
    runs = [{"per_job": 2}]
    study = load(tmp_path, runs=runs)
    assert [len(batch) for batch in study.batches("wine", "mid", 50)] == [2, 2, 2]
    assert study.batches("wine", "carried", 50) == [study.scheme.names()]


def test_no_page_judges_runs_that_are_not_independent(tmp_path):
    study = load(tmp_path, probes=True)
    context = evidence_context(study, "wine", folds_per_job=50, seed=1)
    assert list(context["selectors"]) == ["mid"]
    with pytest.raises(UserError, match="selectors: runs of all of them depend"):
        load(
            tmp_path, selectors={name: STUDY["selectors"][name] for name in ("carried", "leaking")}
        )


def test_a_rule_cannot_be_told_which_rows_to_read(tmp_path):
    with pytest.raises(UserError, match=r"selectors\.r\.rows: use: rule has no such setting"):
        load(tmp_path, selectors={"r": {"use": "rule", "rows": "all"}})
