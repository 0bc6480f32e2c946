"""Readings of mRSmR whose runs know more than their rows, and what outputs say of them."""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy.stats import t as student
from summaries import summarise
from test_mrsmr import noisy_data, plain_iteration

from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.core.seeds import derive_seed, random_generator
from steadfast.data.discretise import EqualWidth
from steadfast.data.table import make_table, save
from steadfast.outputs.view import View
from steadfast.resampling import schemes
from steadfast.resampling.draws import draw_share
from steadfast.resampling.folds import Fold, write_plan
from steadfast.selectors import MRSMR
from steadfast.selectors.running.fold_file import read_folds
from steadfast.study.context import evidence_context, output_context
from steadfast.study.load import kind_of, load_study
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


#: Stability of each experiment, and accuracy of each fold by size.
UNITS = {"mid": [0.7, 0.8], "carried": [0.9, 0.96], "leaking": [0.75, 0.79]}
SCORES = {
    "mid": {1: [0.5, 0.6], 2: [0.8, 0.9], 3: [0.8, 0.88]},
    "carried": {1: [0.5, 0.5], 2: [0.7, 0.8], 3: [0.9, 0.98]},
    "leaking": {1: [0.6, 0.6], 2: [0.8, 0.8], 3: [0.8, 0.81]},
}


def write_results(folder):
    """Files as the stages before write them: one size of stability, two folds scored."""
    about = {"title": "Wine", "features": 13, "rows": 12, "classes": {"a": 6, "b": 6}}
    data = folder / "data/wine.json"
    write_with_manifest({data: json.dumps(about).encode(), data.with_suffix(".npz"): b""})
    parts = np.arange(8), np.arange(8, 12)  # half as many rows test as train
    folds = [Fold(f"e0{n}_h01", 1, 1.0, *parts, "", f"e0{n}", n < 3) for n in (1, 2, 3)]
    write_plan(folds, np.zeros(12, dtype=int), ["a"], folder / "mine/resamples/wine.npz")
    for selector, units in UNITS.items():
        key = ("jaccard", "all_pairs", 1.0)
        path = folder / f"mine/stability/wine/{selector}.tsv"
        header = ("measure", "compare", "ratio", "k", "value", "low", "high", "sd")
        curve = table_to_bytes(header, [(*key, 1, np.mean(units), 0, 1, 0.1)])
        header = ("measure", "compare", "ratio", "unit", "value")
        rows = [(*key, f"e{number}", value) for number, value in enumerate(units)]
        write_with_manifest(
            {path: curve, path.with_suffix(".units.tsv"): table_to_bytes(header, rows)}
        )
        rows = [
            ("knn", 1.0, k, fold.name, value)
            for k, values in SCORES[selector].items()
            for fold, value in zip(folds, values)
        ]
        header = ("classifier", "ratio", "k", "fold", "value")
        path = folder / f"mine/accuracy/wine/{selector}.tsv"
        write_with_manifest({path: table_to_bytes(header, rows)})


def resampled(units):
    """Nadeau and Bengio's interval with test rows half as many as training rows."""
    units = np.array(units)
    half = student.ppf(0.975, len(units) - 1) * units.std(ddof=1) * np.sqrt(1 / len(units) + 0.5)
    return units.mean() - half, units.mean() + half


def test_readings_are_held_against_the_reference_with_paired_intervals(tmp_path):
    write_results(tmp_path)
    entry = {
        "kind": "readings",
        "title": "T",
        "reference": "mid",
        "selectors": ["carried", "leaking"],
    }
    study = load(tmp_path, tables={"t": entry})
    entry = study.tables["t"]
    kind = kind_of("table", entry)
    run = {"published": {}, "folds_per_job": 50, "seed": 1}
    result = kind.build(View(output_context(study, kind, entry, **run), str(tmp_path)))
    rows = {row[1]: dict(zip(result.header, row)) for row in result.rows}
    assert [row["sees"] for row in rows.values()] == [
        "its training rows",
        "its training rows, the runs before it",
        "all rows, those that test too",
    ]
    carried = rows["carried"]
    half = student.ppf(0.975, 1) * np.std([0.2, 0.16], ddof=1) / np.sqrt(2)
    assert carried["stability"] == pytest.approx(0.93)
    assert carried["difference"] == pytest.approx(0.18)
    assert carried["difference high"] == pytest.approx(0.18 + half)
    assert carried["relative"] == pytest.approx(0.18 / 0.75)
    gains = np.mean(
        [np.subtract(SCORES["carried"][k], SCORES["mid"][k]) for k in (1, 2, 3)], axis=0
    )
    assert carried["accuracy difference"] == pytest.approx(gains.mean())
    assert [carried["accuracy low"], carried["accuracy high"]] == pytest.approx(resampled(gains))
    assert "+24.0%" in result.printed[1]


def test_claims_of_a_size_of_a_best_one_and_of_a_plateau_are_tested(tmp_path):
    write_results(tmp_path)
    both = {"better": "carried", "than": "mid", "ratios": [1]}
    claims = [
        {"kind": "compare", "of": "stability", **both, "relative": True, "expect": {"above": 0.5}},
        {"kind": "compare", "of": "accuracy", **both, "expect": {"above": -3}},
        {"kind": "highest", "best": "mid", "selectors": ["mid", "carried", "leaking"]},
        {"kind": "plateau", "size": 2, "selectors": ["mid", "carried"]},
    ]
    study = load(tmp_path, claims=[{**claim, "text": "So it is."} for claim in claims])
    claims, page = summarise(study, tmp_path)
    points, accuracy, best, plateau = page.split("## Claim")[1:]
    verdicts = ["does not hold", "holds", "does not hold", "does not hold"]
    assert [claim["verdict"] for claim in claims] == verdicts
    assert "+24.0% (-9.9% to +57.9%) | against |" in points
    assert "| for |" in accuracy
    assert "on Wine carried is the most stable, mRMR the most accurate" in best
    low, high = resampled([0.2, 0.18])
    assert f"+0.190 [{low:+.3f}, {high:+.3f}]" in plateau
    assert "0.940 (3)" in plateau
    assert "| Wine | mRMR | 0.850 | 0.840 (3) |" in plateau
    assert "beyond 2 features in neither case" in plateau


def test_a_plateau_needs_sizes_beyond_it(tmp_path):
    claim = {"kind": "plateau", "text": "So.", "size": 10, "selectors": ["mid"]}
    classifiers = {"knn": {"sizes": [5, 10]}}
    with pytest.raises(UserError, match="must be scored at 10 features and at more"):
        load(tmp_path, claims=[claim], accuracy={"classifiers": classifiers})
