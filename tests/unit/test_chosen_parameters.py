"""Parameters that selectors chose: read from their files, counted, told, and fixed for time."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_wine

import steadfast
from steadfast.advice.words.chosen import chosen_in_words, count_chosen
from steadfast.advice.words.fewer import fewer_in_words, is_smaller
from steadfast.api import choices, defaults
from steadfast.core.home import project_folder
from steadfast.page.sections import _selectors
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection, parse_selection, selection_to_bytes
from steadfast.selectors.running.select import select
from steadfast.study import costs
from steadfast.study.budget import Budget
from steadfast.study.choosing import PART, usual
from steadfast.study.costs import Shape
from steadfast.study.plan import Plan
from steadfast.study.plan.budget import fewer
from steadfast.study.run import load_run, over_default
from steadfast.study.selectors import complete_selector

AUTO = {"use": "mid_alpha", "alpha": "auto", "n_features_to_select": 100}
BINS = {"method": "equal_width", "bins": 5}
SMALL, WIDE = Shape(569, 30, 30, 2), Shape(200, 5000, 5000, 2)


def run_of(results="results", **changes):
    """The run of `advise`, with some keys of its study changed."""
    given = {"data": "wine", "overrides": {"advise": changes} if changes else {}}
    config = over_default({**given, "results": str(results)}, project_folder())
    return load_run(config, project_folder())


def advice(**changes):
    (study,) = run_of(**changes).studies.values()
    return study


@pytest.fixture(scope="module")
def study():
    return advice()


# Whether there is time


@pytest.mark.parametrize(("shape", "use"), [(SMALL, "tuned"), (WIDE, "mid")])
def test_the_shape_of_a_table_decides_whether_alpha_is_chosen(study, shape, use):
    budget = Budget(study, "wine", shape)
    assert budget.choosing.as_run["mrmr"].use == use
    assert budget.choosing.fixed == ({} if use == "tuned" else {"mRMR": {"alpha": 0.5}})
    others = {name: one for name, one in budget.choosing.as_run.items() if name != "mrmr"}
    assert others == {name: one for name, one in study.selectors.items() if name != "mrmr"}


def test_without_a_budget_there_is_time_for_everything():
    study = advice(budget=None)
    assert study.budget is None
    assert Budget(study, "wine", WIDE).choosing.as_run == study.selectors


def test_a_longer_budget_has_time_for_a_wide_table():
    assert not Budget(advice(budget="2 h"), "wine", WIDE).choosing.fixed


def test_a_study_of_several_data_sets_shares_its_budget(study):
    whole, half = (Budget(study, "wine", SMALL, share).choosing for share in (1.0, 0.5))
    assert (half.limit, half.seconds) == (whole.limit / 2, whole.seconds)


@pytest.mark.parametrize("rows", [200, 2000, 20_000, 200_000])
@pytest.mark.parametrize("features", [10, 100, 1000])
def test_choosing_takes_a_tenth_at_most_and_no_rows(study, rows, features):
    shape = Shape(rows, features, features, 2)
    budget = Budget(study, "wine", shape)
    entry = {"mrmr": {"use": "mid", "alpha": None, "tuned": None, "n_features_to_select": 100}}
    plain = Budget(advice(selectors=entry), "wine", shape)
    assert budget.fewer_rows() == plain.fewer_rows()
    spent = sum(budget.seconds().values()) - sum(plain.seconds().values())
    assert bool(budget.choosing.fixed) == (spent == pytest.approx(0))
    assert 0 <= round(spent, 6) <= PART * 2 * 60 * study.budget
    assert sum(budget.seconds().values()) <= 0.7 * 2 * 60 * study.budget or not plain.fits


def test_estimates_are_near_what_was_measured():
    """Seconds of one fit with ten samples of eight tenths of the rows; within a factor of two."""
    measured = {(569, 30): 0.014, (476, 166): 0.06, (2000, 649): 0.58, (171, 5748): 1.9}
    for (rows, features), seconds in measured.items():
        assert 0.5 < 10 * costs.choosing(int(0.8 * rows), features) / seconds < 2


def test_what_has_no_usual_value_is_always_chosen():
    for entry in (
        {**AUTO, "n_features_to_select": "auto"},
        {"use": "relieff", "tuned": {"over": {"n_neighbours": [5, 10]}}},
        {"use": "mid"},
    ):
        assert usual(complete_selector("a", entry, "here")) is None


@pytest.mark.parametrize(
    "entry",
    [
        AUTO,
        {"use": "tuned", "n_features_to_select": 100},
        {"use": "mid_alpha", "n_features_to_select": 100, "tuned": {"over": {"alpha": [0, 1]}}},
    ],
)
def test_the_usual_alpha_is_mid(entry):
    plain, values = usual(complete_selector("a", {**entry, "label": "A"}, "here"))
    assert values == {"alpha": 0.5}
    assert plain.settings == {"use": "mid", "params": {"n_features_to_select": 100}}
    assert (plain.label, plain.discrete) == ("A", True)


@pytest.mark.parametrize(("shape", "use"), [(SMALL, "tuned"), (WIDE, "mid")])
def test_the_plan_runs_what_was_decided(shape, use, monkeypatch, tmp_path):
    run = run_of(tmp_path)
    (study,) = run.studies.values()
    plan = Plan(run, "scripts")
    assert plan.waits_for_table(study.name, "wine")
    monkeypatch.setattr(plan, "budget", lambda *names: Budget(study, "wine", shape))
    assert json.loads(plan.run_settings(study.name, "wine", "mrmr"))["use"] == use
    told = plan.fewer_option(study.name, "wine")
    assert ("fixed" in told) == (use == "mid")


def test_a_study_without_a_budget_needs_no_table(tmp_path):
    run = run_of(tmp_path, budget=None)
    (name,) = run.studies
    plan = Plan(run, "scripts")
    assert not plan.waits_for_table(name, "wine")
    assert json.loads(plan.run_settings(name, "wine", "mrmr"))["use"] == "tuned"


# Words


def test_a_fixed_parameter_is_told_and_nothing_is_smaller(study):
    told = fewer(Budget(study, "wine", WIDE), 30)
    assert fewer_in_words(told) == ["mRMR: α is 0.5; choosing it from the data would take too long"]
    assert not is_smaller(told)
    assert is_smaller({"rows": {"select": {"a": 500}}})
    assert is_smaller({"rows": {}, "runs": [10, 30]})
    assert fewer(Budget(study, "wine", SMALL), 30) == {}


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ([0.6] * 3, "0.6 in all 3 runs"),
        ([0.7, 0.4, 0.6, 0.6], "0.4 to 0.7 in 4 runs, most often 0.6"),
        ([0.0, 1.0, 1.0, 0.0, 0.5], "0 to 1 in 5 runs, most often 0 and 1"),
        ([0.1, 0.2, 0.3], "0.1 to 0.3 in 3 runs"),
        (["mean", "max", "mean"], "max, mean in 3 runs, most often mean"),
        (["scale", 0.5], "0.5, scale in 2 runs, most often 0.5 and scale"),
    ],
)
def test_what_was_chosen_is_told(chosen, words):
    nothing = np.empty(0)
    runs = [Selection(nothing, nothing, parameters={"alpha": value}) for value in chosen]
    counts = count_chosen(runs)
    assert sum(number for _, number in counts["alpha"]) == len(chosen)
    assert chosen_in_words(json.loads(json.dumps(counts))) == f"α chosen from the data: {words}"


def test_nothing_is_told_of_selectors_that_choose_nothing():
    assert count_chosen([Selection(np.empty(0), np.empty(0))]) == {}
    assert chosen_in_words({}) == ""


# The file of a fold

X, Y = load_wine(return_X_y=True)
NAMES = [f"f{column}" for column in range(X.shape[1])]


def fold_of(params, **more):
    settings = {"use": "mid_alpha", "params": params, **more}
    fitted = select(settings, X, Y, seed=1, names=("wine", "s1"), discretise=BINS)
    return fitted, selection_to_bytes(fitted, NAMES, "a note")


@pytest.mark.parametrize("size", [5, "auto"])
def test_a_fold_says_which_parameters_were_chosen(size, tmp_path):
    fitted, content = fold_of({"alpha": "auto", "n_features_to_select": size})
    found = parse_selection(content, NAMES, tmp_path)
    assert found.parameters == fitted.params_
    assert found.sequence.tolist() == fitted.sequence_.tolist()


def test_a_fold_without_a_choice_has_none(tmp_path):
    _, content = fold_of({"alpha": 0.3})
    assert parse_selection(content, NAMES, tmp_path).parameters == {}
    header, *rows = content.decode().splitlines()
    ranked = "\n".join([f"{header}\tchoice", *(f"{row}\tchosen" for row in rows), ""])
    assert parse_selection(ranked.encode(), NAMES, tmp_path).parameters == {}


def test_values_that_are_no_numbers_stay_text(tmp_path):
    lines = ["rank\tfeature\tweight\thow\tstability\tchoice", "1\tf3\t1.0\t\t\t"]
    lines += ["\t\t\tmean\t0.5\tchosen", "\t\t\tmax\t0.4\t"]
    found = parse_selection("\n".join([*lines, ""]).encode(), NAMES, tmp_path)
    assert found.parameters == {"how": "mean"}


# Report and page


@pytest.fixture(scope="module")
def report():
    return steadfast.StabilityReport(["mrmr", "fisher"], cv=4, classifiers="knn").fit(X, Y)


def test_evidence_and_page_say_what_was_chosen(report):
    mrmr, fisher = report.evidence_["selectors"]
    assert sum(count for _, count in mrmr["chosen"]["alpha"]) == 4
    assert "chosen" not in fisher
    words = chosen_in_words(mrmr["chosen"])
    page = report._page().decode()
    assert words in page
    assert "each run chose by resampling its own training rows" in page
    assert (f"mRMR: {words}." in report.answer) == (
        report.evidence_["advice"]["selector"] == "mrmr"
    )


def test_a_page_without_choices_does_not_speak_of_them(report):
    evidence = report._evidence()
    fisher = [one for one in evidence["selectors"] if one["id"] == "fisher"]
    shown = "".join(map(str, _selectors({**evidence, "selectors": fisher}, "h2")))
    assert "chose" not in shown


def test_a_report_chooses_where_advice_would(study):
    rows = {shape: np.arange(int(0.8 * shape.rows)) for shape in (SMALL, WIDE)}
    selectors = choices.to_selectors(None, defaults.LARGEST)
    for shape, train in rows.items():
        folds = [Fold(f"s{at}", at, 1.0, train, train[:1]) for at in range(30)]
        choosing = choices.time_to_choose(selectors, shape, folds, probes=True)
        assert choosing.as_run == Budget(study, "wine", shape).choosing.as_run
        assert choosing.seconds == pytest.approx(Budget(study, "wine", shape).choosing.seconds)
    assert study.budget == defaults.BUDGET


def test_mid_by_its_name_is_mid():
    made = choices.to_selectors("mid", 10)["mid"]
    assert (made.use, made.label) == ("mid", "mRMR (MID)")
