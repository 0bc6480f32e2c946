"""Tables and claims about α and the subset size, by numbers that can be counted."""

from pathlib import Path

import alpha_results
import numpy as np
import pandas as pd
import pytest
import yaml

from steadfast.core.errors import UserError
from steadfast.outputs.tables.alpha import correlate_facts
from steadfast.outputs.verdict import AGAINST, FOR, OPEN
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
NAN = float("nan")

# Stability, matching and accuracy of 0, 0.5, 1 and MIQ; on every fold the same.
WORTH = {
    "first": [(0.2, 0.9, 0.5), (0.4, 0.2, 0.7), (0.8, 0.3, 0.6), (0.3, 0.1, 0.5)],
    "second": [(0.9, 0.1, 0.5), (0.5, 0.2, 0.5), (0.1, 0.3, 0.9), (0.6, 0.1, 0.5)],
    "made": [(0.3, 0.1, 0.6), (0.5, 0.2, 0.6), (0.5, 0.3, 0.6), (0.5, 0.1, 0.5)],
}
# Variance and noise of the same four.
SPREAD = {
    "first": [(0.4, 0.9), (0.2, 0.8), (0.3, 0.1), (5.0, 0.9)],
    "second": [(0.1, 0.1), (0.2, 0.5), (0.3, 0.9), (0.1, 0.1)],
    "made": [(0.3, 0.5), (0.1, 0.4), (0.2, 0.3), (0.5, 0.9)],
}
# Size, precision, recall, found, where the truth is known; sizes are twice as large elsewhere.
SIZES = {
    ("size", "auto"): (4, 0.5, 1.0, 1.0),
    ("size", "knot"): (8, 0.25, 0.75, 0.5),
    ("size", "peak"): (2, 1.0, 0.5, 1.0),
    ("size", "one_se"): (3, 0.6, 0.6, 1.0),
    ("both", "auto"): (5, 1.0, 1.0, 1.0),
}
AUTO = {"first": 0.8, "second": 0.25, "made": 0.5}
ROWS = {"first": 100, "second": 200, "made": 50}
# What rules lose in both, by data set; in stability twice, and in accuracy half of it.
LOST = {
    "best": (0.0, 0.0, 0.0),
    "auto": (0.01, 0.3, 0.02),
    "half": (0.05, 0.1, 0.023),
    "blind": (0.1, 0.2, 0.3),
}


def choices(dataset):
    yield "alpha", "auto", AUTO[dataset], NAN, 0, 0, NAN, NAN, 1.0
    for rule, (k, precision, recall, found) in SIZES.items():
        if dataset == "made":
            yield *rule, 0.5, k, 0, 0, precision, recall, found
        else:
            yield *rule, 0.5, 2 * k, 0, 0, NAN, NAN, found


def rules():
    for question in ("alpha", "size"):
        for aim, times in {"stability": 2, "accuracy": 0.5, "both": 1}.items():
            for rule, lost in LOST.items():
                k = NAN if question == "alpha" else {"half": 10, "auto": 4}.get(rule, 7)
                for dataset, loss in zip(WORTH, lost, strict=True):
                    own = [loss * times if of == aim else 9 for of in ("stability", "accuracy")]
                    own.append(loss * times if aim == "both" else 9)
                    yield question, aim, dataset, rule, 0.5, k, 0, 0, 0, *own


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    names = ("features", "classes", "rows_per_feature", "class_entropy", "relevance_mean")
    more = ("relevance_sd", "redundancy", "effective_features", "label_noise")
    for dataset in WORTH:
        facts = {"rows": ROWS[dataset], **dict.fromkeys((*names, *more), 2)}
        own = WORTH[dataset], SPREAD[dataset], choices(dataset), facts, dataset.capitalize()
        alpha_results.write_dataset(folder, dataset, *own)
    alpha_results.write_rules(folder, rules())
    return folder


@pytest.fixture
def table(results):
    """The frame of a table, by its first column, and what is printed by the first cell."""

    def made(name, **entry):
        table = alpha_results.make(results, "table", name, {"datasets": list(WORTH)}, **entry)
        titles = {"dataset": {name: name.capitalize() for name in WORTH}}
        _, rows = table.texts(titles)
        frame = table.frame.set_index(table.frame.columns[0])
        return frame, {row[0]: row[1:] for row in rows}, table.notes

    return made


@pytest.fixture
def claim(results):
    def made(name, datasets=tuple(WORTH), **entry):
        return alpha_results.make(results, "claim", name, {"datasets": [*datasets]}, **entry)

    return made


@pytest.fixture
def sides(claim):
    return lambda name, **entry: [case.side for case in claim(name, **entry).cases]


# Tables


def test_the_best_alpha_stands_with_its_interval_and_what_auto_chose(table):
    frame, printed, notes = table("alpha_best")
    first = frame.loc["first"]
    assert list(first[["stability", "matching", "accuracy", "both"]]) == [1, 0, 0.5, 1]
    assert list(first[["stability_low", "stability_high", "auto"]]) == [1, 1, 0.8]
    assert list(first[["stability_half", "stability_largest"]]) == [0.4, 0.8]
    best = ["1 (1–1)", "0 (0–0)", "0.5 (0.5–0.5)", "1 (1–1)"]
    assert printed["First"] == [*best, "0.80", "0.40 (0.80)", "0.70 (0.70)"]
    # Sums of accuracy over the three: 1.6, 1.8 and 2.1.
    assert "α = 1 for accuracy" in notes[1]


def test_losses_are_means_over_data_sets_in_what_is_aimed_at(table):
    frame, printed, _ = table("alpha_regret")
    assert list(frame.index) == ["best", "auto", "half", "blind"]
    assert list(printed)[:2] == ["auto, inside the training rows", "always α = 0.5"]
    auto = frame.loc["auto"]
    assert list(auto[["both", "stability", "accuracy"]]) == pytest.approx([0.11, 0.22, 0.055])
    # Standard deviation 0.16462, √3, and t of two degrees of freedom at 0.975, 4.3027.
    assert auto["both_high"] - auto["both"] == pytest.approx(0.16462 / 3**0.5 * 4.3027, abs=1e-4)
    assert (auto["both_worst"], auto["both_worst_dataset"]) == (0.3, "second")
    assert printed["auto, inside the training rows"][2:] == [
        "0.110 [-0.299, 0.519]",
        "0.300 (Second)",
    ]


def test_data_sets_count_by_whether_their_truth_is_known(table):
    frame, *_ = table("alpha_regret", truth="unknown")
    assert list(frame.loc["auto", ["datasets", "both"]]) == [2, pytest.approx(0.155)]
    frame, printed, _ = table("alpha_regret", truth="known", question="size")
    assert list(frame.loc["half", ["datasets", "both"]]) == [1, 0.023]
    assert printed["always 10 features"][0] == "0.046"


def test_facts_go_with_the_best_alpha_by_rank(table):
    frame, printed, _ = table("alpha_facts")
    assert list(frame.loc["first", ["rows", "best_both"]]) == [100, 1]
    # The best α for stability are 1, 0 and 0.5, of data sets of 100, 200 and 50 rows.
    assert frame.loc["correlation with the best alpha for stability", "rows"] == pytest.approx(-0.5)
    # Three data sets are too few for a test.
    assert printed["**ρ with the best α for stability (p)**"][:2] == ["-0.50 (–)", "–"]


def test_tests_of_facts_are_corrected_together():
    rising, swapped = np.arange(5.0), np.array([0, 1, 2, 4, 3.0])
    facts = pd.DataFrame({"a": rising, "b": rising, "constant": 1.0})
    rho, p = correlate_facts(facts, pd.DataFrame({"both": swapped}))
    assert rho[0, :2] == pytest.approx([0.9, 0.9])
    # Two tests, each of p = 0.03739 as tables of Student's t have it (3.576, three degrees).
    assert p[0, :2] == pytest.approx([0.07477, 0.07477], abs=1e-4)
    assert np.isnan([rho[0, 2], p[0, 2]]).all()


def test_variances_stand_beside_stability(table):
    frame, printed, _ = table("alpha_variance")
    first = frame.loc["first"]
    assert list(first[["least_variance", "least_noise"]]) == [0.5, 1]
    assert list(first[["variance_miq", "stability_miq"]]) == pytest.approx([5, 0.3])
    # Of the first: variances 0.4, 0.2, 0.3 and stabilities 0.2, 0.4, 0.8; noise falls throughout.
    assert list(frame["rho_variance"]) == pytest.approx([-0.5, -1, -(3**0.5) / 2])
    assert list(frame["rho_noise"][:2]) == pytest.approx([-1, -1])
    assert printed["First"][1] == "5.0e+03"
    assert printed["**Mean**"][-2:] == ["0.47", "0.47"]
    assert printed["**Median**"][0] == "200.00"


def test_criteria_have_medians_of_variance_and_the_mean_of_stability(table):
    frame, printed, _ = table("alpha_criteria")
    assert frame.loc["1", "stability"] == pytest.approx((0.8 + 0.1 + 0.5) / 3)
    # Of α = 1: noise 0.1, 0.9 and 0.3, stability 0.8, 0.1 and 0.5.
    assert frame.loc["1", "rho_noise"] == pytest.approx(-1)
    assert printed["V / W (MIQ)"][:2] == ["500.00", "0.90"]


def test_sizes_are_held_against_the_truth_where_it_is_known(table):
    frame, printed, notes = table("alpha_sizes")
    rules = ["best", "auto", "auto_both", "half", "knot", "peak", "one_se", "blind"]
    assert list(frame.index) == rules
    auto = frame.loc["auto", ["k", "both", "k_known", "precision", "recall", "f1"]]
    assert list(auto) == pytest.approx([4, 0.155, 4, 0.5, 1, 2 / 3])
    assert list(frame.loc["knot", ["k", "found"]]) == [16, 0.5]
    assert printed["always 10 features"][4:] == ["–"] * 5
    assert printed["auto, α too"] == ["10.0", "–", "–", "–", "5.0", "1.00", "1.00", "1.00", "–"]
    assert printed["knot of stability"][-1] == "50%"
    assert notes[0].startswith("α is 0.5, but for “auto, α too”. Size k")


# Claims


def test_a_rule_that_loses_less_by_more_than_the_margin_speaks_for_the_claim(claim, sides):
    rules = {"rule": "auto", "than": "half"}
    assert sides("alpha_rule", **rules) == [FOR, AGAINST, OPEN]
    assert sides("alpha_rule", **rules, margin=0.001) == [FOR, AGAINST, FOR]
    assert sides("alpha_rule", **rules, truth="known") == [OPEN]
    assert sides("alpha_rule", **rules, expect={"below": 0}) == [AGAINST, FOR, OPEN]
    assert sides("alpha_rule", **rules, expect={"within": 0.05}) == [FOR, AGAINST, FOR]
    made = claim("alpha_rule", **rules)
    assert [case.value for case in made.cases] == pytest.approx([0.04, -0.2, 0.003])
    assert made.shows == (
        "Auto, inside the training rows, is nearer to the best of both than always α = 0.5"
    )
    assert "It loses less on 2 and more on 1 (sign test, p = 1;" in made.more
    assert "is above 0 by more than 0.005, and against it where it is as far" in made.rule


def test_a_rule_that_needs_other_data_sets_has_no_case_without_them(claim):
    made = claim("alpha_rule", rule="regression", than="half")
    assert "There is no case: the run has no data sets, or too few" in made.sentence


def test_rules_for_the_size_are_compared_by_f1_where_the_truth_is_known(claim, sides):
    def side(rule, than, margin=0.02):
        entry = {"question": "size", "aim": "truth", "rule": rule, "than": than, "margin": margin}
        return sides("alpha_rule", **entry)

    # F1: auto 2/3, with α 1, knot 3/8, peak 2/3, one standard error 0.6
    assert side("auto", "knot") == side("auto_both", "auto") == [FOR]
    assert side("auto", "peak") == [OPEN]
    assert side("one_se", "auto") == [AGAINST]
    assert side("one_se", "auto", margin=0.1) == [OPEN]
    assert side("settled", "knot") == []  # no selector of the study
    entry = {"question": "size", "aim": "truth", "rule": "auto", "than": "knot"}
    assert claim("alpha_rule", datasets=("first", "second"), **entry).cases == []


def test_the_best_alpha_differs_where_its_interval_leaves_out_the_common_one(claim):
    made = claim("alpha_differs", aim="accuracy")
    # Accuracy is best at 1 on the mean; at 0.5 on the first. On the last all α are equally good.
    assert [case.side for case in made.cases] == [FOR, AGAINST, AGAINST]
    assert [case.value for case in made.cases] == [-0.5, 0, -1]
    assert made.more == "The best α lie from 0 to 1."


def test_what_varies_less_is_more_stable_where_the_correlation_is_low_enough(claim, sides):
    below = {"expect": {"below": 0}}
    assert sides("alpha_variance", **below) == [FOR, FOR, FOR]
    assert sides("alpha_variance", **below, margin=0.6) == [OPEN, FOR, FOR]
    assert sides("alpha_variance", expect={"above": 0}) == [AGAINST] * 3
    noise = claim("alpha_variance", term="noise", **below)
    assert [case.value for case in noise.cases] == pytest.approx([-1, -1, -(3**0.5) / 2])


def test_the_quotient_must_vary_more_and_be_less_stable(sides):
    # More stable than MID on the second, equally stable on the last.
    assert sides("alpha_quotient") == [FOR, AGAINST, OPEN]
    assert sides("alpha_quotient", term="noise") == [FOR, AGAINST, OPEN]


# The study


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"claims": [{"kind": "alpha_rule", "text": "A", "rule": "knot", "than": "half"}]},
            "claims.0.rule: knot answers the question size only",
        ),
        (
            {
                "figures": {
                    "f": {"kind": "alpha_predicted", "title": "F", "rules": ["auto", "knot"]}
                }
            },
            "figures.f.rules: knot answers the question size only",
        ),
        (
            {"alpha": None, "tables": {"a": {"kind": "alpha_best", "title": "A"}}},
            "tables.a: the study has no `alpha`",
        ),
    ],
)
def test_what_a_study_cannot_give_is_refused_in_one_line(tmp_path, changes, message):
    study = yaml.safe_load((ROOT / "config/studies/alpha_from_data.yaml").read_text())
    study = {**study, "tables": None, "claims": None, "figures": None, **changes}
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({key: value for key, value in study.items() if value}))
    names = set(yaml.safe_load((ROOT / "config/datasets.yaml").read_text()))
    with pytest.raises(UserError) as raised:
        load_study(path, study_schema(ROOT / "workflow/schemas"), names)
    assert message in str(raised.value)
