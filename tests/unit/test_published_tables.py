"""Tables that stand beside the paper's: both rules for constant features, seeds, sizes, spreads."""

import csv
import io
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.datasets import load_wine
from summaries import summarise

from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.discretise import EqualWidth
from steadfast.data.table import Table, save
from steadfast.experiments.seed_ranks import RankedData, seed_ranks
from steadfast.measures.similarity import Similarities
from steadfast.measuring.curves import HEADER, measure_stability
from steadfast.outputs.frames import CURVES, UNITS, in_order, to_parquet
from steadfast.outputs.published import Pair, to_csv
from steadfast.outputs.results import Results
from steadfast.resampling.folds import write_plan
from steadfast.resampling.schemes import create
from steadfast.selectors import MRMR
from steadfast.selectors.running.fold_file import Selection, selection_to_bytes
from steadfast.study.context import entry_context
from steadfast.study.load import kind_of, load_study
from steadfast.study.run import load_run, study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
ALPHAS = {"none": 0, "half": 0.5, "all": 1}
PUBLISHED = {
    "wine": {"none": 2.0, "none sd": 0.5, "half": 2.5, "half sd": 0.1, "all": 1.0, "all sd": 0.0}
}
RANKS = {
    "kind": "ranks",
    "title": "R",
    "of": "stability",
    "ratio": 0.5,
    "selectors": list(ALPHAS),
}


def study_of(tmp_path, tables=None, **more):
    study = {
        "title": "Mine",
        "datasets": ["wine"],
        "resample": {"scheme": "shrinking_bootstrap", "repeats": 2, "ratios": [0.5]},
        "selectors": {n: {"use": "mid_alpha", "alpha": a, "label": n} for n, a in ALPHAS.items()},
        "stability": {"compare": "reference", "measures": ["su_matching"]},
        "accuracy": {"classifiers": {}},
        "tables": tables or {},
        **more,
    }
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    return load_study(path, SCHEMA, ["wine"])


def make(study, name, results, published=None, **more):
    """A table as its kind makes it."""
    entry = study.tables[name]
    kind = kind_of("table", entry)
    run = {"published": published or {}, "folds_per_job": 50, "seed": 1}
    context = {**entry_context(study, kind, entry, **run), **more}
    return kind.make(Results(context, str(results)))


def dictionaries(result):
    return list(csv.DictReader(io.StringIO(result.to_csv().decode())))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Wine and two constant features as the stages of the workflow leave them, and the data."""
    folder = tmp_path_factory.mktemp("results")
    X, y = load_wine(return_X_y=True)
    X = np.column_stack([np.ones(len(X)), X, np.zeros(len(X))])
    bins = EqualWidth(10).fit(X).transform(X)
    names = tuple(f"f{column}" for column in range(15))
    about = {"title": "Wine", "features": 15, "rows": 178, "origin": "made up"}
    about["classes"] = {"a": 59, "b": 71, "c": 48}
    save(Table(X, y, names, ("a", "b", "c")), about, folder / "data/wine.npz")
    save(Table(bins, y, names, ("a", "b", "c")), {}, folder / "mine/discrete/wine.npz")
    scheme = create({"scheme": "shrinking_bootstrap", "repeats": 2, "ratios": [0.5]})
    folds = list(scheme.folds(y, "abc", 1, ("mine", "wine")))
    write_plan(folds, y, ("a", "b", "c"), folder / "mine/resamples/wine.npz")
    curves = []
    for name, alpha in ALPHAS.items():
        fitted = {f.name: MRMR("mid_alpha", alpha).fit(bins[f.train], y[f.train]) for f in folds}
        own = folder / "mine/selections/wine" / name
        files = {own / f"{at}.tsv": selection_to_bytes(one, names) for at, one in fitted.items()}
        write_with_manifest(files, own / "batch0.sha256")
        chosen = {at: Selection(one.sequence_, one.scores_) for at, one in fitted.items()}
        use = {"measure": "su_matching", "compare": "reference"}
        similar = Similarities(lambda: np.ascontiguousarray(bins.T))
        measured = measure_stability(use, folds, chosen, similar, 15, 1)
        rows = [row for one in measured for row in one.rows(None)]
        own = pd.DataFrame(rows, columns=HEADER).rename(columns={"compare": "comparison"})
        own = own.rename(columns={"k": "size"}).assign(dataset="wine", selector=name)
        curves.append(own.assign(quantity="stability"))
        path = folder / f"mine/stability/wine/{name}.tsv"
        write_with_manifest(
            {path: table_to_bytes(HEADER, rows), path.with_suffix(".units.tsv"): b""}
        )
    frames = {"curves": (curves, CURVES, {}), "units": ([], UNITS, {})}
    write_with_manifest(
        {
            folder / f"mine/{name}.parquet": to_parquet(in_order(*frame), frame[1])
            for name, frame in frames.items()
        }
    )
    data = RankedData(X, y, np.ascontiguousarray(bins.T), 3)
    return folder, data, folds


def test_both_rules_stand_beside_the_published_row(finished, tmp_path):
    folder, data, folds = finished
    entry = {"kind": "constant_features", "title": "C", "published_as": "ranks", "ratio": 0.5}
    entry["selectors"] = list(ALPHAS)
    study = study_of(tmp_path, {"ranks": RANKS, "rules": entry})
    rows = dictionaries(make(study, "rules", folder, PUBLISHED))
    assert [row["rule"] for row in rows] == ["0", "1", "published"]
    assert {row["constant_features"] for row in rows} == {"2"}
    wanted = {"stability": {0.5}, "accuracy": set()}
    expected = {r.rule: r for r in seed_ranks(data, folds, list(ALPHAS.values()), wanted)}
    theirs = np.array([PUBLISHED["wine"][name] for name in ALPHAS])
    for row in rows[:2]:
        means = np.array([float(row[name]) for name in ALPHAS])
        assert means.tolist() == expected[row["rule"]].means.tolist()
        sds = [float(row[f"{name} sd"]) for name in ALPHAS]
        assert sds == expected[row["rule"]].sds.tolist()
        assert float(row["difference"]) == pytest.approx(np.abs(means - theirs).mean())
    assert rows[0]["none"] != rows[1]["none"]
    assert float(rows[2]["half"]) == 2.5
    assert rows[2]["difference"] == "nan"


def test_the_rule_is_one_of_matching_with_a_reference(tmp_path):
    entry = {"kind": "constant_features", "title": "C", "ratio": 0.5, "selectors": list(ALPHAS)}
    measures = {"compare": "reference", "measures": ["jaccard"]}
    with pytest.raises(UserError, match=r"tables\.rules: the rule is one of su_matching"):
        study_of(tmp_path, {"rules": entry}, stability=measures)


def test_ranks_are_printed_beside_the_papers(finished, tmp_path):
    folder, _, _ = finished
    study = study_of(tmp_path, {"ranks": RANKS})
    alone, beside = (make(study, "ranks", folder, published) for published in ({}, PUBLISHED))
    assert alone.to_csv() == beside.to_csv()
    assert [row[0] for row in alone.texts({})[1]] == ["Wine"]
    row = ["Wine, published", "2.0 ∓ 0.5", "2.5 ∓ 0.1", "1.0 ∓ 0.0"]
    assert beside.texts({})[1][1] == row


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"ratios": [0.5]}, r"ranks\.dataset: this key is missing"),
        ({"dataset": "wine"}, r"ranks\.ratios: this key is missing"),
    ],
)
def test_rows_are_ratios_of_a_data_set_or_data_sets_at_a_ratio(tmp_path, changes, says):
    with pytest.raises(UserError, match=says):
        study_of(tmp_path, {"ranks": {**RANKS, **changes}})


def test_ties_at_random_and_by_column_beside_the_papers(tmp_path):
    m, weighted = 40, 3
    X, y = np.random.default_rng(0).normal(size=(30, m)), np.repeat([0, 1], 15)
    names = tuple(f"f{column}" for column in range(m))
    about = {"title": "Made", "features": m}
    save(Table(X, y, names, ("a", "b")), about, tmp_path / "data/wine.npz")
    folds = list(create({"scheme": "cv", "folds": 5}).folds(y, "ab", 1, ("mine", "wine")))
    write_plan(folds, y, ("a", "b"), tmp_path / "mine/resamples/wine.npz")
    sequences = {}
    for name, shift in (("one", 0), ("two", 20)):
        files = {}
        for number, fold in enumerate(folds):
            weights = np.zeros(m)
            weights[shift + number + np.arange(weighted)] = 1.0
            order = np.argsort(-weights, kind="stable")
            sequences.setdefault(name, []).append(order)
            files[tmp_path / f"mine/selections/wine/{name}/{fold.name}.tsv"] = selection_to_bytes(
                SimpleNamespace(sequence_=order, scores_=weights), names
            )
        write_with_manifest(files, tmp_path / f"mine/selections/wine/{name}/batch0.sha256")
    study = study_of(
        tmp_path,
        {"ties": {"kind": "ties", "title": "T", "sizes": [10, weighted, "sqrt"]}},
        resample={"scheme": "cv", "folds": 5},
        selectors={name: {"use": "fisher", "label": name} for name in sequences},
        stability={"compare": "all_pairs", "measures": ["jaccard"]},
        stand_ins={"theirs": "wine"},
    )
    result = make(study, "ties", tmp_path, {"theirs": {"two by column": 0.9}})
    (row,) = dictionaries(result)
    for name, own in sequences.items():
        for k, ending in ((10, ""), (weighted, f" {weighted}"), (6, " sqrt")):
            sets = [set(sequence[:k].tolist()) for sequence in own]
            pairs = [len(a & b) / len(a | b) for a, b in combinations(sets, 2)]
            assert float(row[f"{name} by column{ending}"]) == pytest.approx(np.mean(pairs))
        assert row[f"{name} {weighted}"] == row[f"{name} by column {weighted}"]
        assert float(row[name]) < float(row[f"{name} by column"])
    lines = result.texts({})[1]
    assert lines[0] == ["wine", "as published", "–", "0.900"]
    assert [line[1] for line in lines[1:]] == ["10", "3", "6"]


def test_a_published_row_has_its_percentile_among_the_seeds(finished, tmp_path):
    folder, _, _ = finished
    tables = {
        "ranks": RANKS,
        "percentiles": {"kind": "percentiles", "title": "P", "seeds": "s.csv"},
    }
    path = tmp_path / "mine.yaml"
    study = study_of(tmp_path, tables)
    study = load_study(path, SCHEMA, ["wine"], has_published=True)
    columns = [column for name in ALPHAS for column in (name, f"{name} sd")]
    lines = [",".join(["dataset,of,rule,ratio,seed", *columns])]
    ours = np.array([[1.0, 2.0, 3.0], [1.2, 2.2, 2.6], [1.4, 2.4, 2.2], [1.6, 2.6, 1.8]])
    for seed, means in enumerate(ours, start=1):
        cells = [cell for mean in means for cell in (mean, 0.5)]
        lines.append(",".join(map(str, ["wine", "stability", "0", 0.5, seed, *cells])))
        lines.append(",".join(map(str, ["wine", "stability", "0", 0.75, seed, *cells])))
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    pairs = [
        Pair("ranks", "wine", name, PUBLISHED["wine"][name], 1.0, 0.5, 0.5, "") for name in ALPHAS
    ]
    write_with_manifest({folder / "mine/published.csv": to_csv(pairs)})
    (row,) = dictionaries(make(study, "percentiles", folder, project=str(tmp_path)))
    theirs = np.array([2.0, 2.5, 1.0])
    assert (row["rule"], row["seeds"]) == ("0", "4")
    assert float(row["mean"]) == pytest.approx(np.abs(ours - theirs).mean())
    assert float(row["distance"]) == pytest.approx(np.abs(ours.mean(axis=0) - theirs).mean())
    assert [float(row[name]) for name in ("percentile", "sd_percentile")] == [100, 50]
    assert [float(row[name]) for name in ALPHAS] == [100, 75, 0]


def test_a_file_of_seeds_that_is_not_there_is_named(tmp_path):
    tables = {"percentiles": {"seeds": "config/seeds/nothing.csv"}}
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    config["overrides"] = {"gulgezen2009": {"tables": tables}}
    with pytest.raises(UserError, match=r"tables\.percentiles: config/seeds/nothing\.csv is not"):
        load_run({**config, "studies": ["gulgezen2009"]}, ROOT)


def test_the_summary_has_spreads_where_paper_and_run_have_them(tmp_path, finished):
    folder, _, _ = finished
    study = study_of(tmp_path, {"ranks": RANKS})
    spreads = {"none": (0.5, 1.0), "half": (0.7, 1.4)}
    pairs = [Pair("ranks", "wine", n, 2.0, 2.5, *sds, "") for n, sds in spreads.items()]
    assert "| +0.50 (none) | 0.60 | 1.20 | – |" in summarise(study, folder, pairs)[1]
    unknown = [Pair("ranks", "wine", n, 2.0, 2.5, float("nan"), 1.0, "") for n in spreads]
    assert "Spread" not in summarise(study, folder, unknown)[1]
