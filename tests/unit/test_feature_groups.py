"""Features that count as one: how they are named, checked and kept, and their stability."""

import json

import advised
import numpy as np
import plain_measures as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_own_tables import table as lines_of

import steadfast
from steadfast.advice.evidence import OWN_SIZE
from steadfast.advice.feature_groups import group_columns, group_stability
from steadfast.advice.interchangeable import count_group
from steadfast.api.data import to_feature_groups
from steadfast.core.errors import UserError
from steadfast.data.loader import load
from steadfast.data.own_tables import option_text
from steadfast.data.table import save
from steadfast.measures.kinds import interval
from steadfast.measures.kinds import load as load_measure
from steadfast.measures.runs import Runs
from steadfast.study.plan import Plan

NAMES = ("a1", "a2", "b1", "b2", "c", "same")
TABLE = lines_of(names=NAMES, cells=lambda row, numbers: [*numbers[:5], "7"])
GROUPS = {"A": ["a1", "a2"], "B": ["b1", "b2"]}
FILE = "feature,group\nb1,B\nb2,B\na2,A\na1,A\nsame,S\nc,\n"


@pytest.fixture
def own(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)

    def described(**said):
        entry = {"source": "file", "path": "t.csv", "columns": "any", **said}
        return load("t", entry, root=tmp_path, cache=tmp_path)

    return described


def test_groups_are_kept_in_the_description_only_where_they_are_given(own, tmp_path):
    assert "feature_groups" not in own()[1]
    table, about = own(feature_groups=GROUPS)
    assert about["feature_groups"] == GROUPS
    save(table, about, tmp_path / "t.npz")
    assert json.loads((tmp_path / "t.json").read_text())["feature_groups"] == GROUPS
    assert list(group_columns(about["feature_groups"], table.features).values()) == [[0, 1], [2, 3]]


@pytest.mark.parametrize(("ending", "sign"), [("csv", ","), ("csv", ";"), ("tsv", "\t")])
def test_a_file_names_them_feature_by_feature(own, tmp_path, ending, sign):
    """In any order; a feature without a group, and a column that was left out, are in none."""
    (tmp_path / f"genes.{ending}").write_text(FILE.replace(",", sign))
    found = own(feature_groups=f"genes.{ending}")[1]["feature_groups"]
    assert found == {"B": ["b1", "b2"], "A": ["a1", "a2"]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"A": ["a1", "b_1"]},
            "feature_groups: group 'A': 'b_1' is no feature of the table; did you mean 'b1'?",
        ),
        ({"A": ["a1"], "B": ["a1"]}, "'a1' is in two groups, 'A' and 'B'; leave it in one"),
        (
            "feature,group\na1,A\na22,A\n",
            "genes.csv: line 3: 'a22' is no feature of the table; did you mean 'a2'?",
        ),
        ("feature,group\na1,A\na1,B\n", "genes.csv: line 3: 'a1' is in two groups, 'A' and 'B'"),
        ("probe,gene\na1,A\n", "genes.csv: has no column 'feature'; the first line names"),
        ("feature\na1\n", "one column only ('feature'); a table needs a feature and its group"),
    ],
)
def test_mistakes_are_one_line(own, tmp_path, given, said):
    if isinstance(given, str):
        (tmp_path / "genes.csv").write_text(given)
        given = "genes.csv"
    with pytest.raises(UserError) as error:
        own(feature_groups=given)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_the_command_takes_a_file_that_the_workflow_then_watches(tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "genes.csv").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    run, _ = advised.study_of("t.csv", feature_groups="genes.csv")
    plan = Plan(run, "scripts")
    (name,) = run.local_files
    assert plan.source_files(name) == ["t.csv", "genes.csv"]
    assert "--feature-groups=genes.csv" in plan.page_context(*run.studies)
    assert str(tmp_path) not in plan.page_context(*run.studies)
    with pytest.raises(UserError, match=r"feature_groups: no\.csv is not there; name a file"):
        advised.study_of("t.csv", feature_groups="no.csv")
    assert option_text("feature_groups", GROUPS) == "--feature-groups=FILE"


def test_a_data_set_of_the_catalogue_takes_them_and_keeps_what_it_expects():
    named = {"one": ["alcohol", "ash"]}
    run, _ = advised.study_of("wine", feature_groups=named)
    assert run.catalogue["wine"]["expect"]["features"] == 13
    assert advised.read("wine", feature_groups=named)[1]["feature_groups"] == named


def test_the_library_takes_a_mapping_or_a_file(tmp_path):
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(30, 4)), np.arange(30) % 2
    report = steadfast.StabilityReport("fisher", cv=3, classifiers=[], probes=False)
    assert report.fit(X, y, feature_groups={"first": ["x0", "x1"]}).evidence_
    (tmp_path / "g.csv").write_text("feature,group\nx1,g\nx0,g\n")
    names = ["x0", "x1", "x2"]
    assert to_feature_groups(tmp_path / "g.csv", names) == {"g": ["x0", "x1"]}
    with pytest.raises(UserError, match="'x9' is no feature of the table; did you mean"):
        to_feature_groups({"g": ["x9"]}, names)
    for wrong in (["x0"], {"g": "x0"}):
        with pytest.raises(UserError, match="feature_groups: must map each group to a list"):
            to_feature_groups(wrong, names)


@st.composite
def grouped_runs(draw):
    m = draw(st.integers(2, 9))
    label = draw(st.lists(st.integers(-1, 3), min_size=m, max_size=m))
    groups = [[f for f in range(m) if label[f] == g] for g in sorted(set(label) - {-1})]
    one = st.sets(st.integers(0, m - 1), min_size=1)
    runs = draw(st.lists(one, min_size=3, max_size=6))
    return m, groups, runs


@settings(max_examples=60, deadline=None)
@given(grouped_runs())
def test_the_stability_of_groups_is_that_of_the_sets_of_groups(case):
    m, groups, runs = case
    arrays = [np.array(sorted(run)) for run in runs]
    whole = [set(group) for group in groups]
    whole += [{f} for f in range(m) if not any(f in group for group in whole)]
    selected = [{g for g, group in enumerate(whole) if group & run} for run in runs]
    wanted = plain.nogueira(selected, len(whole))
    found = group_stability(arrays, groups, m)
    if np.isnan(wanted):
        assert found.sizes.size == 0
    else:
        assert found.sizes.tolist() == [OWN_SIZE]
        assert found.values[0] == pytest.approx(wanted, abs=1e-12)
        system = Runs(len(whole), [np.array(sorted(one)) for one in selected], ranked=False)
        low, high = interval(load_measure("nogueira").subsets(system), (-1, 1))
        assert (found.low[0], found.high[0]) == pytest.approx((low[0], high[0]), abs=1e-12)
    shares = [sum(bool(group & run) for run in runs) / len(runs) for group in whole]
    counted = [count_group(group, arrays).frequency for group in groups]
    assert counted == pytest.approx(shares[: len(groups)])


def test_runs_that_take_other_probes_of_the_same_genes_are_stable_by_genes():
    runs = [np.array(one) for one in ([0, 2], [1, 3], [0, 3], [1, 2])]
    assert group_stability(runs, [[0, 1], [2, 3]], 6).values[0] == pytest.approx(1)
    assert group_stability(runs, [], 6).values[0] < 0.3
    groups = [[0, 1], [2, 3], [4, 5]]
    assert [count_group(group, runs).frequency for group in groups] == [1, 1, 0]
