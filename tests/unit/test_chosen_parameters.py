"""Parameters that selectors chose: read from their files, counted, told, and what that costs."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_wine

import steadfast
from steadfast.advice.words.chosen import chosen_in_words, count_chosen
from steadfast.api import choices
from steadfast.core.home import project_folder
from steadfast.page.sections import _selectors
from steadfast.selectors.running.fold_file import Selection, parse_selection, selection_to_bytes
from steadfast.selectors.running.select import select
from steadfast.study import costs
from steadfast.study.budget import Budget
from steadfast.study.costs import Shape
from steadfast.study.plan import Plan
from steadfast.study.run import load_run, over_default

AUTO = {"use": "mid_alpha", "alpha": "auto", "tuned": {"prefer": {"alpha": 0.9}}, "label": "mRMR"}
BINS = {"method": "equal_width", "bins": 5}
LARGE = ("wine", Shape(20_000, 500, 500, 2))


def run_of(results="results", **changes):
    """The run of `advise`, with some keys of its study changed."""
    given = {"data": "wine", "overrides": {"advise": changes} if changes else {}}
    config = over_default({**given, "results": str(results)}, project_folder())
    return load_run(config, project_folder())


def advice(**changes):
    (study,) = run_of(**changes).studies.values()
    return study


# What choosing costs


@pytest.mark.parametrize("size", [100, "auto"])
def test_choosing_is_a_part_of_what_a_selector_costs(size):
    auto, plain = (
        Budget(advice(selectors={"mrmr": {"alpha": alpha, "n_features_to_select": size}}), *LARGE)
        for alpha, size in (("auto", size), (1, 100))
    )
    seconds, least = (budget.tasks[0].seconds for budget in (auto, plain))
    choosing = 20 * costs.choosing(8000, LARGE[1].columns)
    assert seconds(16_000) == pytest.approx(least(16_000) + choosing)
    assert auto.rows("select", "mrmr") < (plain.rows("select", "mrmr") or 16_000)
    assert auto.fits
    assert auto.study.selectors["mrmr"].use == "tuned"


def test_estimates_are_near_what_was_measured():
    """Seconds of one fit with ten samples of eight tenths of the rows; within a factor of two."""
    measured = {(569, 30): 0.014, (476, 166): 0.06, (2000, 649): 0.58, (171, 5748): 1.9}
    for (rows, features), seconds in measured.items():
        assert 0.5 < 10 * costs.choosing(int(0.8 * rows), features) / seconds < 2


def test_what_is_tried_one_by_one_costs_as_many_rankings():
    tried = {"use": "relieff", "tuned": {"over": {"n_neighbours": [5, 10]}, "n_samples": 7}}
    study = advice(selectors={"relieff": tried})
    task = next(task for task in Budget(study, *LARGE).tasks if task.name == "relieff")
    once = costs.selecting("relieff", 8000, LARGE[1].columns, LARGE[1].classes)
    assert task.seconds(16_000) == pytest.approx(2 * 7 * once)


def test_advice_runs_relevance_alone(tmp_path):
    run = run_of(tmp_path)
    (name,) = run.studies
    settings = json.loads(Plan(run, "scripts").selector_settings(name, "mrmr"))
    params = {"alpha": 1, "n_features_to_select": 100}
    assert settings == {"use": "mid_alpha", "params": params}


def test_only_a_study_with_a_budget_waits_for_its_table(tmp_path):
    for budget in ("10 min", None):
        run = run_of(tmp_path, budget=budget)
        (name,) = run.studies
        assert Plan(run, "scripts").waits_for_table(name, "wine") == (budget is not None)


# Words


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
    selectors = {"mrmr": AUTO, "fisher": "fisher"}
    return steadfast.StabilityReport(selectors, cv=4, classifiers="knn").fit(X, Y)


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


def test_mid_by_its_name_is_mid():
    made = choices.to_selectors("mid", 10)["mid"]
    assert (made.use, made.label) == ("mid", "mRMR (MID)")
