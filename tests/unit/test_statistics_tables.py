"""Tables and diagrams of tests: what is ranked, what is left out, and mistakes in a study."""

import json
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from figure_cases import write_frames
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata
from statsmodels.stats.multitest import multipletests

from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest
from steadfast.measures.frequency import nogueira_test
from steadfast.measures.runs import Runs
from steadfast.outputs.figures import panels
from steadfast.outputs.results import Results
from steadfast.outputs.sources.ranks import mean_ranks
from steadfast.outputs.tables.tests import pairs_to_test, sample
from steadfast.resampling.folds import Fold, write_plan
from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.curve import Curve
from steadfast.statistics.p_values import holm
from steadfast.study.context import entry_context
from steadfast.study.load import kind_of, load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
DATASETS = ["wine", "iris", "wdbc", "sonar"]
NAMES = ["mid", "miq", "fisher"]

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
FRIEDMAN = {"kind": "friedman", "of": "stability"}
DIAGRAM = {"kind": "critical_difference", "of": "stability"}
TEST = {"kind": "stability_test"}


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


def make(tmp_path, entry, curves, **changes):
    """The table or figure of an entry about some curves: data set → selector → values by size."""
    write_results(tmp_path, curves)
    sort = "figure" if entry["kind"] == "critical_difference" else "table"
    study = load(tmp_path, **{sort: entry}, **changes)
    (entry,) = getattr(study, f"{sort}s").values()
    run = {"published": {}, "folds_per_job": 50, "seed": 1}
    kind = kind_of(sort, entry)
    context = {**entry_context(study, kind, entry, **run), "datasets": list(curves)}
    return kind.make(Results(context, str(tmp_path), panels.as_text))


def write_results(folder, curves):
    about = {"features": 5, "rows": 10, "classes": {"a": 5, "b": 5}}
    halves = np.arange(10).reshape(2, 5)
    folds = [Fold("a", 1, 1.0, *halves, scored=True), Fold("b", 1, 1.0, *halves[::-1], scored=True)]
    rows, units = [], []
    for dataset, selectors in curves.items():
        titled = json.dumps({"title": dataset.upper(), **about})
        write_with_manifest({folder / f"data/{dataset}.json": titled.encode()})
        write_plan(folds, np.arange(10) % 2, "ab", folder / f"mine/resamples/{dataset}.npz")
        for selector, values in selectors.items():
            key = {"dataset": dataset, "selector": selector, "transform": "", "ratio": 1.0}
            for k, value in enumerate(values, start=1):
                own = {**key, "quantity": "stability", "comparison": "all_pairs", "size": k}
                rows += [{**own, "measure": m, "value": value} for m in ("canberra", "jaccard")]
                own = {**key, "quantity": "accuracy", "classifier": "knn", "size": k}
                units += [{**own, "fold": fold, "value": value} for fold in "ab"]
    write_frames(folder, rows, units)


def facts(table, what):
    rows = table.frame[table.frame["what"] == what].drop(columns="what")
    return {tuple(key): value for *key, value in rows.itertuples(index=False)}


def printed(table):
    return table.to_markdown("T", {}).decode()


CURVES_OF = {
    dataset: {
        "mid": [0.9, 0.8 - 0.01 * at, 0.7],
        "miq": [0.5, 0.8, 0.6],
        "fisher": [0.4, 0.3, 0.9],
    }
    for at, dataset in enumerate(DATASETS)
}


def test_mean_ranks_over_sizes_are_ranked_on_every_data_set(tmp_path):
    found = make(tmp_path, FRIEDMAN, CURVES_OF)
    values, ranks = facts(found, "value"), facts(found, "rank")
    assert {name for _, _, name, _ in values} == set(NAMES)  # random is not ranked
    # wine: at size 2 mid and miq share rank 1; elsewhere miq is ahead of mid there.
    assert values["wine", 3, "mid", ""] == pytest.approx((1 + 1 + 2) / 3)
    assert values["iris", 3, "mid", ""] == pytest.approx((1 + 2 + 2) / 3)
    assert values["iris", 3, "miq", ""] == pytest.approx((2 + 1 + 3) / 3)
    assert [ranks["iris", 3, name, ""] for name in NAMES] == [1, 2, 3]
    assert "| iris | 3 | 1.67 (1) | 2.00 (2) | 2.33 (3) |" in printed(found)
    assert "Friedman's test, 4 data sets" in printed(found)


@pytest.mark.parametrize(
    ("entry", "sign"),
    [
        ({"of": "accuracy"}, -1),
        ({"of": "stability"}, -1),
        ({"of": "stability", "measure": "canberra"}, 1),  # a distance: small is stable
    ],
)
def test_values_at_one_size_are_ranked(tmp_path, entry, sign):
    found = make(tmp_path, {"kind": "friedman", "size": 3, **entry}, CURVES_OF)
    values, ranks = facts(found, "value"), facts(found, "rank")
    for dataset, curves in CURVES_OF.items():
        keys = [(dataset, 3, name, "") for name in NAMES]
        expected = np.array([curves[name][2] for name in NAMES])
        assert [values[key] for key in keys] == expected.tolist()
        assert [ranks[key] for key in keys] == rankdata(sign * expected).tolist()


def test_small_values_are_best_under_a_loss_and_only_sizes_of_all_curves_count():
    good, bad = Curve(np.array([1, 2]), np.array([0.1, 0.3])), Curve(np.arange(4), np.full(4, 0.2))
    ranks = mean_ranks({"good": good, "bad": bad}, -1)
    assert ranks == {"sizes": 2, "good": 1.5, "good sd": 0.5**0.5, "bad": 1.5, "bad sd": 0.5**0.5}
    assert mean_ranks({"good": good.take(good.sizes < 2), "bad": bad}, -1)["good"] == 1
    nothing = mean_ranks({"good": good, "bad": None})
    assert (nothing["sizes"], np.isnan(nothing["bad"])) == (0, True)


def test_data_sets_without_a_value_are_named_and_too_few_give_no_test(tmp_path):
    curves = json.loads(json.dumps(CURVES_OF))
    curves["iris"]["miq"] = [0.5, 0.8, float("nan")]
    text = printed(make(tmp_path, {**FRIEDMAN, "size": 3}, curves))
    assert "some selector has no value there: IRIS." in text
    assert "Friedman's test, 3 data sets" in text
    assert "| iris | 3 | 0.700 | – | 0.900 |" in text
    del curves["sonar"]
    found = make(tmp_path, {**FRIEDMAN, "size": 3}, curves)
    assert "No test: fewer than 3 data sets are ranked." in found.notes
    assert facts(found, "p") == {}
    (ax,) = make(tmp_path, {**DIAGRAM, "size": 3}, curves).axes
    assert ax.get_title() == "No test: fewer than 3 data sets are ranked"


def test_a_diagram_joins_the_selectors_that_do_not_differ(tmp_path):
    """Twelve data sets, equal but for two selectors that change places."""
    curves = {
        f"d{at:02d}": {"mid": [0.9], "miq": [0.5 + 0.1 * (at % 2)], "fisher": [0.55], "chi2": [0.1]}
        for at in range(12)
    }
    selectors = {**STUDY["selectors"], "chi2": {"label": "$χ²$"}}
    (ax,) = make(tmp_path, {**DIAGRAM, "size": 1}, curves, selectors=selectors).axes
    names = ["MID  1.00", "MIQ  2.50", "fisher  2.50", r"\$χ²\$  4.00"]
    assert [label.get_text() for label in ax.get_yticklabels()] == names
    # CD = 1.35: 1.00 and 2.50 differ, 2.50 and 4.00 too; the two at 2.50 do not.
    (bar,) = (line for line in ax.lines if line.get_label().startswith("no difference"))
    assert [round(end) for end in bar.get_ydata()] == [1, 2]
    (width,) = (line for line in ax.lines if line.get_label() == "critical difference 1.35")
    assert np.ptp(width.get_xdata()) == pytest.approx(1.354, abs=1e-3)


def test_a_diagram_of_selectors_that_do_not_differ_has_no_bar(tmp_path):
    values = [[0.9, 0.5, 0.1], [0.5, 0.1, 0.9], [0.1, 0.9, 0.5]]
    curves = {
        f"d{at}": {name: [value] for name, value in zip(NAMES, values[at % 3])} for at in range(6)
    }
    (ax,) = make(tmp_path, {**DIAGRAM, "size": 1}, curves).axes
    assert ax.get_title().endswith("p = 1.000, no selectors differ significantly")
    assert [line.get_label() for line in ax.lines if line.get_linewidth() > 2] == []


@pytest.mark.parametrize(
    ("entry", "changes", "says"),
    [
        ({"kind": "friedman"}, {}, "tables.t.of: this key is missing"),
        ({**FRIEDMAN, "selectors": ["mid"]}, {}, r"tables.t.selectors: \['mid'\] is too short"),
        (TEST, {"selectors": {"mid": {}, "random": {}}}, "selectors: mid; a test needs two"),
        (
            {**TEST, "pairs": [["mid", "miq"]], "reference": "fisher"},
            {},
            "tables.t.reference: does not go with the other keys beside it",
        ),
        ({**TEST, "compare": "reference"}, {}, "compare: 'reference' is not known; .*all_pairs"),
        (TEST, {"resample": {"scheme": "nested_cv"}}, "folds of nested_cv come in several groups"),
        (
            {**FRIEDMAN, "size": 3},
            {"stability": {"compare": "chosen", "measures": ["nogueira"]}},
            "tables.t.size: subsets that selectors chose have their own",
        ),
    ],
)
def test_a_mistake_is_one_line(tmp_path, entry, changes, says):
    with pytest.raises(UserError, match=rf"mine\.yaml: .*{says}"):
        load(tmp_path, entry, **changes)


def test_friedmans_test_of_two_data_sets_is_left_out_and_said_so(tmp_path):
    study = load(tmp_path, FRIEDMAN, DIAGRAM, datasets=["wine", "iris"])
    assert study.left_out == [f"{at} (Friedman's test needs 3 data sets)" for at in "tf"]
    assert not {*study.tables, *study.figures}


def test_pairs_that_are_tested():
    names = ["a", "b", "c"]
    assert pairs_to_test(names, None) == list(combinations(names, 2))
    assert pairs_to_test(names, "b") == [("b", "a"), ("b", "c")]


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


class Selected(SimpleNamespace):
    """Stands for the results of a study: the sequences of one selector, four features."""

    ties, seed, selectors, ratios = "column", 1, {"a": "A", "b": "B"}, [1.0]
    datasets, measures, __hash__ = ["wine"], [], object.__hash__

    def __init__(self, *sequences, n_chosen=None, stopped=False):
        super().__init__(folds=[f"s{at}" for at in range(len(sequences))])
        runs = [Selection(np.array(s), np.linspace(1, 0.1, len(s)), n_chosen) for s in sequences]
        self.runs = dict(zip(self.folds, runs))
        if stopped:
            self.folds.append("s9")
            self.runs["s9"] = Selection(np.empty(0, int), np.empty(0), 0, "took too long")

    def selections(self, dataset, selector, ties):
        return self.runs

    def compared_folds(self, dataset, ratio):
        return [SimpleNamespace(name=name) for name in self.folds]

    def features(self, dataset):
        return range(4)

    def is_run(self, dataset, selector):
        return True

    def title(self, dataset):
        return dataset.upper()


def sample_of(selected, k):
    return sample(selected, "wine", 1.0, "a", k)


WHOLE = [0, 1, 2, 3], [1, 0, 3, 2], [0, 2, 1, 3]


def test_runs_without_a_selection_or_with_too_few_features_are_named():
    # Kuncheva's index of the pairs is 1, 0 and 0.
    whole = sample_of(Selected(*WHOLE), 2)
    assert (whole.stability.mean, len(whole.runs)) == (pytest.approx(1 / 3), 3)
    undefined = sample_of(Selected(*WHOLE), 4)
    assert np.isnan(undefined.stability.mean)
    assert undefined.note == "every run selects every feature"
    short = sample_of(Selected(*WHOLE, [1]), 2)
    assert np.isnan(short.stability.mean)
    assert short.note == "run s3 lists fewer than 2 features"
    left = sample_of(Selected(*WHOLE, stopped=True), 2)
    assert left.stability == whole.stability
    assert left.note == "1 of 4 runs have no selection"


def test_subsets_of_their_own_size_are_taken_whole():
    chosen = Selected([0, 1, 2, 3], [0, 1, 3, 2], n_chosen=2)
    assert sample_of(chosen, None).stability.mean == 1


def test_runs_without_variance_are_not_tested_and_the_table_says_why():
    same = Selected([0, 1, 2, 3], [0, 1, 3, 2], [0, 1, 2, 3])
    found = kind_of("table", TEST).function(
        same, compare="all_pairs", ratio=1.0, size=2, selectors=["a", "b"]
    )
    (row,) = found.frame.to_dict("records")
    assert [row[f"{side}_stability"] for side in ("first", "second")] == [1, 1]
    assert np.isnan([row["statistic"], row["p"], row["p_holm"]]).all()
    assert found.say["absent"] == "– : no test. WINE, neither has a variance."


@given(st.integers(2, 60), st.integers(2, 40), st.data())
def test_runs_that_are_all_the_same_give_no_test_whatever_the_rounding(m, n_runs, data):
    """Variances of 1e-33 in the place of 0 would make any difference significant."""
    k = data.draw(st.integers(1, m - 1))
    same = Runs(m, [np.arange(k)] * n_runs, ranked=False)
    assert np.isnan(nogueira_test(same, same)).all()
    other = Runs(m, [np.arange(k + 1)[-k:]] * n_runs, ranked=False)
    assert np.isnan(nogueira_test(same, other)).all()


def test_the_study_of_the_documentation_is_a_right_one(tmp_path):
    text = (ROOT / "docs/statistics.md").read_text()
    path = tmp_path / "mine.yaml"
    path.write_text(text.partition("```yaml\n")[2].partition("```")[0])
    study = load_study(path, SCHEMA, DATASETS)
    assert set(study.tables) == {"friedman_stability", "friedman_accuracy", "stability_test"}


def last_row(table):
    return table.printed.iloc[-1].tolist()


def test_groups_of_selectors_that_do_not_differ_are_numbered(tmp_path):
    """χ² = 12, p = 0.0025; CD = 1.35, the first and the last are 2 ranks apart."""
    curves = {"mid": [0.9], "miq": [0.5], "fisher": [0.1]}
    found = make(tmp_path, {**FRIEDMAN, "size": 1}, dict.fromkeys("abcdef", curves))
    assert facts(found, "p")["", "", "", ""] == pytest.approx(np.exp(-6))
    assert last_row(found) == ["Group", "", "1", "1, 2", "2"]
    assert found.notes[-1].startswith("Selectors of one group do not differ")


def test_of_few_data_sets_the_ranks_are_shown_and_no_critical_difference(tmp_path):
    """p = 0.0498 by Friedman's test, and yet no two selectors could differ by the sign test."""
    curves = {name: {"mid": [0.9], "miq": [0.5], "fisher": [0.1]} for name in "abc"}
    found = make(tmp_path, {**FRIEDMAN, "size": 1}, curves)
    assert facts(found, "p")["", "", "", ""] == pytest.approx(np.exp(-3))
    assert last_row(found)[0] == "**Mean rank**"
    assert not any("critical difference at" in note for note in found.notes)
    assert "has p = 0.250 (sign test)" in found.notes[-1]
    (ax,) = make(tmp_path, {**DIAGRAM, "size": 1}, curves).axes
    assert "too few data sets to tell which selectors differ" in ax.get_title()
    of_datasets = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    assert [of_datasets[name] for name in "ABC"] == [[1, 2, 3]] * 3
    assert not any(label.startswith("critical difference") for label in of_datasets)
    assert ax.get_yticklabels()[0].get_text() == "MID  1.00"


def test_a_table_says_when_friedman_rejects_and_nemenyi_finds_no_pair(tmp_path):
    """Mean ranks 2.00, 3.17, 3.33 and 1.50: p = 0.035, but 1.83 is less than the CD of 1.91."""
    ranks = [*[[2, 3, 4, 1]] * 3, [2, 4, 3, 1], [1, 2, 3, 4], [3, 4, 2, 1]]
    curves = {
        f"d{at}": {name: [1 - 0.1 * rank] for name, rank in zip([*NAMES, "chi2"], row)}
        for at, row in enumerate(ranks)
    }
    selectors = {**STUDY["selectors"], "chi2": {}}
    found = make(tmp_path, {**FRIEDMAN, "size": 1}, curves, selectors=selectors)
    assert facts(found, "p")["", "", "", ""] < 0.05
    assert last_row(found) == ["Group", "", "1", "1", "1", "1"]
    assert found.notes[-1].startswith("No two selectors differ by more than that")
