"""The benchmark of trust: rows, tables and verdicts, by numbers that can be counted."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from figure_cases import made

from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.core.paths import Paths
from steadfast.experiments.recovery import HEADER, recovery_rows, scenario_table
from steadfast.outputs.figures import panels
from steadfast.outputs.times import all_times
from steadfast.outputs.verdict import AGAINST, FOR, OPEN
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
BLOCKS = {"kind": "blocks", "rows": 60, "features": 20, "relevant": 8, "effect": 3, "leaks": 1}
BLOCKS |= {"correlation": 0.9}


class FirstOfEach:
    """Chooses by name what a test wants: columns of these numbers."""

    def __init__(self, columns=()):
        self.columns = columns

    def get_params(self, deep=True):
        return {"columns": self.columns}

    def fit(self, X, y):
        self.support_ = np.isin(np.arange(X.shape[1]), self.columns)
        self.scores_ = self.support_.astype(float)
        return self


def rows_of(columns, scenario, sets=1):
    run = {"use": FirstOfEach(columns)}
    given = {"scenario": scenario, "sets": sets, "run": run, "discretise": None}
    rows = recovery_rows("made", given, selector="mine", seed=1, study="s")
    return [dict(zip(HEADER, row, strict=True)) for row in rows]


def test_found_and_false_features_are_counted_and_a_leak_is_neither(capsys):
    features = list(scenario_table("s made 1", {**BLOCKS, "seed": 1}).features)
    names = ["relevant_1_in_1", "relevant_4_in_1", "noise_2", "noise_5", "leak_1"]
    (row,) = rows_of(sorted(map(features.index, names)), BLOCKS)
    false = row.pop("false_features").split()
    assert sorted(false) == ["noise_2", "noise_5"]
    expected = {"rows": 60, "features": 20, "relevant": 8, "chosen": 5, "found": 2, "false": 2}
    expected |= {"scenario": "made", "set": 1, "selector": "mine", "blocks": 2, "blocks_found": 1}
    assert row == expected
    assert capsys.readouterr().err.startswith("set1: ")


def test_nothing_chosen_is_nothing_found_and_sets_differ(capsys):
    first, second = rows_of((), {"rows": 20, "features": 4}, sets=2)
    assert (first["chosen"], first["blocks"], first["false_features"]) == (0, 0, "")
    assert second["set"] == 2
    one, other = (scenario_table(f"s made {k}", {"rows": 20, "features": 4}) for k in (1, 2))
    assert not np.array_equal(one.X, other.X)


def test_a_selector_that_chooses_nothing_by_itself_is_refused():
    scenario = {"rows": 20, "features": 4}
    given = {"scenario": scenario, "sets": 1, "run": {"use": "fisher"}, "discretise": None}
    with pytest.raises(UserError, match="fisher ranks features and chooses none"):
        list(recovery_rows("made", given, selector="fisher", seed=1, study="s"))


# relevant, chosen, found, false, blocks, blocks found: three data sets of each
MADE = {
    ("signal", "significant"): [(4, 4, 4, 0, 4, 4), (4, 4, 2, 2, 4, 2), (4, 0, 0, 0, 4, 0)],
    ("signal", "boruta"): [(4, 4, 4, 0, 4, 4), (4, 4, 2, 2, 4, 2)],
    ("noise", "significant"): [(0, 0, 0, 0, 0, 0), (0, 2, 0, 2, 0, 0), (0, 0, 0, 0, 0, 0)],
    ("noise", "boruta"): [(0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)],
}


#: A study of these scenarios and selectors.
RECOVERY = {
    "datasets": [],
    "selectors": {"significant": {"label": "Mine"}, "boruta": {"label": "Other"}},
    "recovery": {
        "scenarios": {
            "signal": {"label": "Signal", "rows": 50, "features": 10, "relevant": 4},
            "noise": {"label": "Noise", "rows": 50, "features": 10},
        }
    },
}


def write_sets(folder, scenario, selector, sets):
    """The file of a scenario and a selector, a row for each data set."""
    rows = [(scenario, at, selector, 50, 10, *numbers, "") for at, numbers in enumerate(sets, 1)]
    place = Paths(str(folder)).within(study="mine")
    path = Path(place("recovery", scenario=scenario, selector=selector))
    write_with_manifest({path: table_to_bytes(HEADER, rows)})


@pytest.fixture
def made_up(tmp_path):
    """Makes an entry from files that are made up."""
    for (scenario, selector), sets in MADE.items():
        write_sets(tmp_path, scenario, selector, sets)
    return lambda sort, **entry: made(tmp_path, sort, entry, **RECOVERY)


def test_the_table_has_recall_share_of_false_and_tables_with_any(made_up):
    both = {"scenarios": ["signal", "noise"], "selectors": ["significant", "boruta"]}
    table = made_up("table", kind="recovery", **both)
    labels = {"scenario": {"signal": "Signal"}, "selector": {"significant": "Mine"}}
    header, cells = table.texts(labels)
    assert header == ["Scenario", "Mine", "boruta"]
    assert cells == [["Signal", "0.50 / 0.17", "0.75 / 0.25"], ["noise", "0.33", "0.00"]]
    row = table.frame.iloc[0]
    assert (row["sets"], row["recall"], row["false_share"]) == (3, 0.5, pytest.approx(1 / 6))
    assert row["recall_se"] == pytest.approx(0.5 / 3**0.5)


def test_the_figure_has_a_row_for_each_scenario(made_up):
    both = {"selectors": ["significant", "boruta"]}
    recall, false = made_up("figure", kind="recovery", scenarios=["signal"], **both).axes
    assert [label.get_text() for label in recall.get_yticklabels()] == ["Signal"]
    assert [line.get_xdata()[0] for line in recall.lines[:2]] == [0.5, 0.75]
    assert false.get_title() == "(b) Share of false features"
    panels.pyplot().close("all")


@pytest.mark.parametrize(
    ("selector", "bars", "sides"),
    [
        ("significant", {"recall": {"least": 0.5}}, [FOR]),
        ("significant", {"recall": {"least": 0.6}}, [OPEN]),
        ("significant", {"false_share": {"most": 0.2}, "any_false": {"most": 0.4}}, [FOR, FOR]),
        ("significant", {"any_false": {"most": 0.06}}, [OPEN]),
        ("boruta", {"any_false": {"most": 0.0}}, [FOR]),
        # On the two data sets that both saw, they found the same.
        ("significant", {"least_of": "boruta"}, [FOR]),
        ("boruta", {"least_of": "significant"}, [FOR]),
    ],
)
def test_bars_are_judged_by_the_mean_and_its_interval(made_up, selector, bars, sides):
    claim = made_up("claim", kind="recovery_bar", text="So.", selector=selector, **bars)
    assert [case.side for case in claim.cases] == sides


def test_a_bar_that_is_missed_by_more_than_the_interval_speaks_against(made_up, tmp_path):
    write_sets(tmp_path, "signal", "significant", [(4, 1, 1, 0, 4, 1)] * 3)
    bar = {"selector": "significant", "recall": {"least": 0.5}}
    (case,) = made_up("claim", kind="recovery_bar", text="So.", **bar).cases
    assert (case.side, case.name) == (AGAINST, "Signal (recall)")


def test_times_come_from_the_logs_and_stand_by_scenario_and_selector(tmp_path):
    paths = Paths(str(tmp_path)).within(study="s")
    log = Path(paths.log("{study}", "recovery", "signal", "mine"))
    log.parent.mkdir(parents=True)
    log.write_text("set1: 0.500 s\nset2: 1.500 s\n")
    run = {"scenario": "signal", "selector": "mine", "labels": ["Signal", "Mine"], "sets": 2}
    table, page = all_times({"title": "Times", "runs": [], "recovery": [run]}, paths)
    assert table.decode().splitlines()[1] == "signal,mine,2,1.0,2.0"
    assert "| Signal | 1.00 |" in page.decode()


STUDY = {
    "title": "Mine",
    "datasets": [],
    "resample": {"scheme": "subsample"},
    "selectors": {"significant": {}, "boruta": {}},
    "stability": {"compare": "all_pairs", "measures": ["nogueira"]},
    "recovery": {"scenarios": {"small": {"rows": 40, "features": 5, "relevant": 2}}},
}


def load(tmp_path, **parts):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**STUDY, **parts}, sort_keys=False))
    return load_study(path, SCHEMA, {"wine"})


def test_a_study_of_scenarios_alone_is_complete(tmp_path):
    study = load(tmp_path, tables={"all": {"kind": "recovery", "title": "All"}})
    assert study.recovery["selectors"] == ["significant", "boruta"]
    assert (study.recovery["sets"], study.recovery["fewer"]) == (20, {})
    assert study.scenarios["small"]["effect"] == 1.0
    assert study.tables["all"]["scenarios"] == ["small"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"recovery": {"scenarios": {"a": {"rows": 9, "features": 2, "efect": 1}}}}, "efect"),
        ({"recovery": {"scenarios": {"a": {"rows": 9, "features": 2, "leaks": 3}}}}, "3 are asked"),
        ({"recovery": {**STUDY["recovery"], "fewer": {"votes": 2}}}, "unknown selector 'votes'"),
        ({"recovery": None}, "datasets: none; name one"),
        (
            {"tables": {"t": {"kind": "recovery", "title": "T", "scenarios": ["smal"]}}},
            "did you mean 'small'",
        ),
        (
            {"claims": [{"kind": "recovery_bar", "text": "So.", "selector": "boruta"}]},
            "has no bar; add recall",
        ),
    ],
)
def test_mistakes_are_one_line(tmp_path, parts, message):
    content = {**STUDY, **parts}
    content = {key: value for key, value in content.items() if value is not None}
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(UserError, match=message) as caught:
        load_study(path, SCHEMA, {"wine"})
    assert "\n" not in str(caught.value)
