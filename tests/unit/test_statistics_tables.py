"""Tables and diagrams of tests: what is ranked, what is left out, and mistakes in a study."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata
from statsmodels.stats.multitest import multipletests

from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.measures.frequency import nogueira_test
from steadfast.measures.runs import Runs
from steadfast.outputs.figures import panels
from steadfast.outputs.tables.stability_test import pairs_to_test, sample_of
from steadfast.outputs.view import View
from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.p_values import holm
from steadfast.study.context import output_context
from steadfast.study.load import kind_of, load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
DATASETS = ["wine", "iris", "wdbc", "sonar"]

STUDY = {
    "title": "For tests",
    "datasets": DATASETS,
    "resample": {"scheme": "subsample", "repeats": 3},
    "selectors": {"mid": {"label": "MID"}, "miq": {"label": "MIQ"}, "fisher": {}, "random": {}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard", "canberra"]},
    "accuracy": {"classifiers": {"knn": {"label": "3-NN"}}},
    "tables": {},
    "figures": {},
}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    panels.pyplot().close("all")


def load(tmp_path, table=None, figure=None, **changes):
    study = json.loads(json.dumps({**STUDY, **changes}))
    if table:
        study["tables"]["t"] = {"title": "T", **table}
    if figure:
        study["figures"]["f"] = {"title": "F", **figure}
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    return load_study(path, SCHEMA, DATASETS)


def view_of(study, results, sort="table", **changes):
    """What the only table or figure of a study reads."""
    entry = study.tables["t"] if sort == "table" else study.figures["f"]
    run = {"published": {}, "folds_per_job": 50, "seed": 1}
    context = output_context(study, kind_of(sort, entry), entry, **run)
    return View({**context, **changes}, str(results))


def build(view, sort="table"):
    return kind_of(sort, view.entry).build(view)


def write_results(folder, curves):
    """Files as the stages before write them: data set → selector → values by size."""
    for dataset, selectors in curves.items():
        about = {"title": dataset.upper(), "features": 5, "rows": 10, "classes": {"a": 5, "b": 5}}
        write_with_manifest({folder / f"data/{dataset}.json": json.dumps(about).encode()})
        for selector, values in selectors.items():
            rows = [("canberra", "all_pairs", 1.0, k, v) for k, v in enumerate(values, start=1)]
            rows += [("jaccard", *row[1:]) for row in rows]
            header = ("measure", "compare", "ratio", "k", "value", "low", "high", "sd")
            full = [(*row, row[-1], row[-1], 0.0) for row in rows]
            path = folder / f"mine/stability/{dataset}/{selector}.tsv"
            write_with_manifest({path: table_to_bytes(header, full)})
            scored = [("knn", 1.0, k, f, v) for k, v in enumerate(values, start=1) for f in "ab"]
            path = folder / f"mine/accuracy/{dataset}/{selector}.tsv"
            header = ("classifier", "ratio", "k", "fold", "value")
            write_with_manifest({path: table_to_bytes(header, scored)})


def facts(result, what):
    return {tuple(row[1:5]): row[5] for row in result.rows if row[0] == what}


CURVES = {
    dataset: {
        "mid": [0.9, 0.8 - 0.01 * at, 0.7],
        "miq": [0.5, 0.8, 0.6],
        "fisher": [0.4, 0.3, 0.9],
    }
    for at, dataset in enumerate(DATASETS)
}


def test_mean_ranks_over_sizes_are_ranked_on_every_data_set(tmp_path):
    write_results(tmp_path, CURVES)
    study = load(tmp_path, {"kind": "friedman", "of": "stability"})
    view = view_of(study, tmp_path)
    assert list(view.selectors) == ["mid", "miq", "fisher"]  # random is not ranked
    found = build(view)
    values = facts(found, "value")
    # wine: at size 2 mid and miq share rank 1; elsewhere miq is ahead of mid there.
    assert values["wine", 3, "mid", ""] == pytest.approx((1 + 1 + 2) / 3)
    assert values["iris", 3, "mid", ""] == pytest.approx((1 + 2 + 2) / 3)
    assert values["iris", 3, "miq", ""] == pytest.approx((2 + 1 + 3) / 3)
    ranks = facts(found, "rank")
    assert [ranks["iris", 3, name, ""] for name in ("mid", "miq", "fisher")] == [1, 2, 3]
    printed = found.to_markdown("T").decode()
    assert "| IRIS | 3 | 1.67 (1) | 2.00 (2) | 2.33 (3) |" in printed
    assert "Friedman's test, 4 data sets" in printed


@pytest.mark.parametrize(
    ("entry", "sign"),
    [
        ({"of": "accuracy"}, -1),
        ({"of": "stability"}, -1),
        ({"of": "stability", "measure": "canberra"}, 1),  # a distance: small is stable
    ],
)
def test_values_at_one_size_are_ranked(tmp_path, entry, sign):
    write_results(tmp_path, CURVES)
    study = load(tmp_path, {"kind": "friedman", "size": 3, **entry})
    found = build(view_of(study, tmp_path))
    values, ranks = facts(found, "value"), facts(found, "rank")
    for dataset in DATASETS:
        keys = [(dataset, 3, name, "") for name in ("mid", "miq", "fisher")]
        expected = [CURVES[dataset][name][2] for name in ("mid", "miq", "fisher")]
        assert [values[key] for key in keys] == expected
        assert [ranks[key] for key in keys] == rankdata(sign * np.array(expected)).tolist()


def test_data_sets_without_a_value_are_named_and_too_few_give_no_test(tmp_path):
    curves = json.loads(json.dumps(CURVES))
    curves["iris"]["miq"] = [0.5, 0.8, float("nan")]
    write_results(tmp_path, curves)
    entry = {"kind": "friedman", "of": "stability", "size": 3}
    study = load(tmp_path, entry, {**entry, "kind": "critical_difference"})
    printed = build(view_of(study, tmp_path)).to_markdown("T").decode()
    assert "some selector has no value there: IRIS." in printed
    assert "Friedman's test, 3 data sets" in printed
    assert "| IRIS | 3 | 0.700 | – | 0.900 |" in printed
    found = build(view_of(study, tmp_path, datasets=DATASETS[:3]))
    assert "No test: fewer than 3 data sets are ranked." in found.notes
    assert facts(found, "p") == {}
    drawn = build(view_of(study, tmp_path, "figure", datasets=DATASETS[:3]), "figure")
    svg = panels.to_bytes(drawn, "svg")
    assert svg.startswith(b"<?xml")


def test_a_diagram_joins_the_selectors_that_do_not_differ(tmp_path):
    """Twelve data sets, equal but for two selectors that change places."""
    names = [f"d{at:02d}" for at in range(12)]
    write_results(
        tmp_path,
        {
            name: {"mid": [0.9], "miq": [0.5 + 0.1 * (at % 2)], "fisher": [0.55], "chi2": [0.1]}
            for at, name in enumerate(names)
        },
    )
    study = load(
        tmp_path,
        figure={"kind": "critical_difference", "of": "stability", "size": 1},
        selectors={**STUDY["selectors"], "chi2": {"label": "$χ²$"}},
    )
    figure = build(view_of(study, tmp_path, "figure", datasets=names), "figure")
    (ax,) = figure.axes
    names = ["MID  1.00", "MIQ  2.50", "fisher  2.50", r"\$χ²\$  4.00"]
    assert [label.get_text() for label in ax.get_yticklabels()] == names
    # CD = 1.35: 1.00 and 2.50 differ, 2.50 and 4.00 too; the two at 2.50 do not.
    (bar,) = (line for line in ax.lines if line.get_label().startswith("no difference"))
    assert [round(end) for end in bar.get_ydata()] == [1, 2]
    (width,) = (line for line in ax.lines if line.get_label() == "critical difference 1.35")
    assert np.ptp(width.get_xdata()) == pytest.approx(1.354, abs=1e-3)


def test_a_diagram_of_selectors_that_do_not_differ_has_no_bar(tmp_path):
    values = [[0.9, 0.5, 0.1], [0.5, 0.1, 0.9], [0.1, 0.9, 0.5]]
    names = [f"d{at}" for at in range(6)]
    selectors = ("mid", "miq", "fisher")
    curves = {
        name: {one: [value] for one, value in zip(selectors, values[at % 3], strict=True)}
        for at, name in enumerate(names)
    }
    write_results(tmp_path, curves)
    study = load(tmp_path, figure={"kind": "critical_difference", "of": "stability", "size": 1})
    (ax,) = build(view_of(study, tmp_path, "figure", datasets=names), "figure").axes
    assert ax.get_title().endswith("p = 1.000, no selectors differ significantly")
    assert [line.get_label() for line in ax.lines if line.get_linewidth() > 2] == []


@pytest.mark.parametrize(
    ("part", "entry", "says"),
    [
        ("table", {"kind": "friedman"}, "tables.t.of: this key is missing"),
        ("figure", {"kind": "critical_difference"}, "figures.f.of: this key is missing"),
        (
            "table",
            {"kind": "friedman", "of": "stability", "selectors": ["mid", "mic"]},
            "unknown selector 'mic'; did you mean 'mi[dq]'?",
        ),
        (
            "figure",
            {"kind": "critical_difference", "of": "stability", "selectors": ["mid"]},
            "figures.f.selectors: mid; a test needs two",
        ),
        (
            "table",
            {"kind": "friedman", "of": "stability", "dataset": "wine"},
            "tables.t.dataset: kind friedman has no such key",
        ),
        (
            "table",
            {"kind": "stability_test", "of": "stability"},
            "tables.t.of: kind stability_test has no such key",
        ),
        (
            "table",
            {"kind": "stability_test", "reference": "fischer"},
            "tables.t.reference: unknown selector 'fischer'; did you mean 'fisher'?",
        ),
        (
            "table",
            {"kind": "stability_test", "pairs": [["mid", "miq"]], "reference": "fisher"},
            "tables.t.reference: does not go with the other keys beside it",
        ),
        (
            "table",
            {"kind": "stability_test", "compare": "reference"},
            "tables.t.compare: the test is on runs compared with each other; use all_pairs",
        ),
    ],
)
def test_a_mistake_is_one_line(tmp_path, part, entry, says):
    with pytest.raises(UserError, match=rf"mine\.yaml: .*{says}"):
        load(tmp_path, **{part: entry})


def test_a_test_of_runs_refuses_folds_in_several_groups(tmp_path):
    with pytest.raises(UserError, match="the folds of nested_cv come in several groups"):
        load(tmp_path, {"kind": "stability_test"}, resample={"scheme": "nested_cv"})


def test_friedmans_test_of_two_data_sets_is_left_out_and_said_so(tmp_path):
    entry = {"kind": "friedman", "of": "stability"}
    figure = {**entry, "kind": "critical_difference"}
    study = load(tmp_path, entry, figure, datasets=["wine", "iris"])
    assert study.left_out == [f"{at} (Friedman's test needs 3 data sets)" for at in "tf"]
    assert not {*study.tables, *study.figures}


def test_pairs_that_are_tested():
    names = ["a", "b", "c"]
    assert pairs_to_test({}, names) == list(combinations(names, 2))
    assert pairs_to_test({"reference": "b"}, names) == [("b", "a"), ("b", "c")]
    assert pairs_to_test({"pairs": [["c", "a"]]}, names) == [("c", "a")]


# Each call of statsmodels' collects garbage.
@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0, 1) | st.just(float("nan")), min_size=1, max_size=12))
def test_holms_correction_is_that_of_statsmodels_without_tests_that_were_none(p):
    p = np.array(p)
    tested = ~np.isnan(p)
    found = holm(p)
    assert np.isnan(found[~tested]).all()
    if tested.any():
        expected = multipletests(p[tested], method="holm")[1]
        assert found[tested] == pytest.approx(expected, abs=1e-12)


def selections(*sequences, n_chosen=None):
    return {
        f"s{at}": Selection(np.array(s), np.linspace(1, 0.1, len(s)), n_chosen)
        for at, s in enumerate(sequences)
    }


def test_runs_without_a_selection_or_with_too_few_features_are_named():
    whole = selections([0, 1, 2, 3], [1, 0, 3, 2], [0, 2, 1, 3])
    # Kuncheva's index of the pairs is 1, 0 and 0.
    assert sample_of(whole, 4, 2).value == pytest.approx(1 / 3)
    assert len(sample_of(whole, 4, 2).runs) == 3
    undefined = sample_of(whole, 4, 4)
    assert np.isnan(undefined.value)
    assert undefined.note == "every run selects every feature"
    short = sample_of({**whole, "s9": selections([1])["s0"]}, 4, 2)
    assert (np.isnan(short.value), short.note) == (True, "run s9 lists fewer than 2 features")
    stopped = Selection(np.empty(0, dtype=int), np.empty(0), 0, "took too long")
    left = sample_of({**whole, "s9": stopped}, 4, 2)
    assert (left.value, left.note) == (pytest.approx(1 / 3), "1 of 4 runs have no selection")


@given(st.integers(2, 60), st.integers(2, 40), st.data())
def test_runs_that_are_all_the_same_give_no_test_whatever_the_rounding(m, n_runs, data):
    """Variances of 1e-33 in the place of 0 would make any difference significant."""
    k = data.draw(st.integers(1, m - 1))
    same = Runs(m, [np.arange(k)] * n_runs, ranked=False)
    assert np.isnan(nogueira_test(same, same)).all()
    other = Runs(m, [np.arange(k + 1)[-k:]] * n_runs, ranked=False)
    assert np.isnan(nogueira_test(same, other)).all()


def test_subsets_of_their_own_size_are_taken_whole():
    chosen = selections([0, 1, 2, 3], [0, 1, 3, 2], n_chosen=2)
    assert sample_of(chosen, 4, None).value == 1


def test_the_study_of_the_documentation_is_a_right_one(tmp_path):
    text = (ROOT / "docs/statistics.md").read_text()
    path = tmp_path / "mine.yaml"
    path.write_text(text.partition("```yaml\n")[2].partition("```")[0])
    study = load_study(path, SCHEMA, DATASETS)
    assert set(study.tables) == {"friedman_stability", "friedman_accuracy", "stability_test"}


def test_groups_of_selectors_that_do_not_differ_are_numbered(tmp_path):
    """χ² = 12, p = 0.0025; CD = 1.35, the first and the last are 2 ranks apart."""
    curves = {"mid": [0.9], "miq": [0.5], "fisher": [0.1]}
    write_results(tmp_path, dict.fromkeys("abcdef", curves))
    study = load(tmp_path, {"kind": "friedman", "of": "stability", "size": 1})
    found = build(view_of(study, tmp_path, datasets=list("abcdef")))
    assert facts(found, "p")["", "", "", ""] == pytest.approx(np.exp(-6))
    assert found.printed[-1] == ["Group", "", "1", "1, 2", "2"]
    assert found.notes[-1].startswith("Selectors of one group do not differ")


def test_of_few_data_sets_the_ranks_are_shown_and_no_critical_difference(tmp_path):
    """p = 0.0498 by Friedman's test, and yet no two selectors could differ by the sign test."""
    curves = {"mid": [0.9], "miq": [0.5], "fisher": [0.1]}
    write_results(tmp_path, dict.fromkeys("abc", curves))
    entry = {"kind": "friedman", "of": "stability", "size": 1}
    study = load(tmp_path, entry, {**entry, "kind": "critical_difference"})
    found = build(view_of(study, tmp_path, datasets=list("abc")))
    assert facts(found, "p")["", "", "", ""] == pytest.approx(np.exp(-3))
    assert found.printed[-1][0] == "**Mean rank**"
    assert "has p = 0.250 (sign test)" in found.notes[-1]
    assert not any("critical difference at" in note for note in found.notes)
    figure = build(view_of(study, tmp_path, "figure", datasets=list("abc")), "figure")
    (ax,) = figure.axes
    assert "too few data sets to tell which selectors differ" in ax.get_title()
    of_datasets = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    assert [of_datasets[name] for name in "ABC"] == [[1, 2, 3]] * 3
    assert not any(label.startswith("critical difference") for label in of_datasets)
    assert ax.get_yticklabels()[0].get_text() == "MID  1.00"


def test_a_table_says_when_friedman_rejects_and_nemenyi_finds_no_pair(tmp_path):
    """Mean ranks 2.00, 3.17, 3.33 and 1.50: p = 0.035, but 1.83 is less than the CD of 1.91."""
    ranks = [*[[2, 3, 4, 1]] * 3, [2, 4, 3, 1], [1, 2, 3, 4], [3, 4, 2, 1]]
    names = ("mid", "miq", "fisher", "chi2")
    curves = {
        f"d{at}": {name: [1 - 0.1 * rank] for name, rank in zip(names, row, strict=True)}
        for at, row in enumerate(ranks)
    }
    write_results(tmp_path, curves)
    study = load(
        tmp_path,
        {"kind": "friedman", "of": "stability", "size": 1},
        selectors={**STUDY["selectors"], "chi2": {}},
    )
    found = build(view_of(study, tmp_path, datasets=list(curves)))
    assert facts(found, "p")["", "", "", ""] < 0.05
    assert found.printed[-1] == ["Group", "", "1", "1", "1", "1"]
    assert found.notes[-1].startswith("No two selectors differ by more than that")
