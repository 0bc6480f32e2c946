"""Tables and claims about α and the subset size, by numbers that can be counted."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.core.paths import Paths
from steadfast.experiments.alpha.choices import CHOICES
from steadfast.experiments.alpha.curves import CURVES, UNITS
from steadfast.experiments.alpha.facts import HEADER as FACTS
from steadfast.experiments.alpha.prediction import HEADER as RULES
from steadfast.experiments.alpha.variance import HEADER as VARIANCE
from steadfast.outputs.claims.alpha_differs import AlphaDiffers
from steadfast.outputs.claims.alpha_quotient import AlphaQuotient
from steadfast.outputs.claims.alpha_rule import AlphaRule
from steadfast.outputs.claims.alpha_size_truth import AlphaSizeTruth
from steadfast.outputs.claims.alpha_variance import AlphaVarianceClaim
from steadfast.outputs.tables.alpha_best import AlphaBest
from steadfast.outputs.tables.alpha_facts import AlphaFacts, correlations
from steadfast.outputs.tables.alpha_regret import AlphaRegret
from steadfast.outputs.tables.alpha_sizes import AlphaSizes
from steadfast.outputs.tables.alpha_variance import AlphaVariance
from steadfast.outputs.verdict import AGAINST, FOR, OPEN
from steadfast.outputs.view import View
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
NAN = float("nan")
CRITERIA = ("0", "0.5", "1", "miq")

# Stability, matching and accuracy of 0, 0.5, 1 and MIQ; on every fold and at every size the same.
VALUES = {
    "first": [(0.2, 0.9, 0.5), (0.4, 0.2, 0.7), (0.8, 0.3, 0.6), (0.3, 0.1, 0.5)],
    "second": [(0.9, 0.1, 0.5), (0.5, 0.2, 0.5), (0.1, 0.3, 0.9), (0.6, 0.1, 0.5)],
    "made": [(0.3, 0.1, 0.6), (0.5, 0.2, 0.6), (0.5, 0.3, 0.6), (0.5, 0.1, 0.5)],
}
# Variance and noise of the same four.
SPREADS = {
    "first": [(0.4, 0.9), (0.2, 0.8), (0.3, 0.1), (5.0, 0.9)],
    "second": [(0.1, 0.1), (0.2, 0.5), (0.3, 0.9), (0.1, 0.1)],
    "made": [(0.3, 0.5), (0.1, 0.4), (0.2, 0.3), (0.5, 0.9)],
}
# Size, precision, recall, found; stability and accuracy are of no account here.
SIZES = {
    ("size", "auto"): (4, 0.5, 1.0, 1.0),
    ("size", "knot"): (8, 0.25, 0.75, 0.5),
    ("size", "peak"): (2, 1.0, 0.5, 1.0),
    ("size", "one_se"): (3, 0.6, 0.6, 1.0),
    ("both", "auto"): (5, 1.0, 1.0, 1.0),
}
AUTO = {"first": 0.8, "second": 0.25, "made": 0.5}
# What rules lose in both, by data set; in stability twice, and in accuracy half of it.
LOST = {
    "best": {"first": 0.0, "second": 0.0, "made": 0.0},
    "auto": {"first": 0.01, "second": 0.3, "made": 0.02},
    "half": {"first": 0.05, "second": 0.1, "made": 0.023},
    "blind": {"first": 0.1, "second": 0.2, "made": 0.3},
}


def rule_rows():
    for question in ("alpha", "size"):
        for aim, times in {"stability": 2, "accuracy": 0.5, "both": 1}.items():
            for rule, own in LOST.items():
                for dataset, lost in own.items():
                    losses = [lost * times if of == aim else 9 for of in ("stability", "accuracy")]
                    losses.append(lost * times if aim == "both" else 9)
                    k = NAN if question == "alpha" else {"half": 10, "auto": 4}.get(rule, 7)
                    yield (question, aim, dataset, rule, 0.5, k, 0, 0, 0, *losses)


def files(paths, dataset):
    values = dict(zip(CRITERIA, VALUES[dataset], strict=True))
    spreads = zip(CRITERIA, SPREADS[dataset], strict=True)
    known = dataset == "made"
    choices = [("alpha", "auto", AUTO[dataset], NAN, 0, 0, NAN, NAN, 1.0)]
    for (question, rule), (k, precision, recall, found) in SIZES.items():
        truth = (precision, recall) if known else (NAN, NAN)
        choices.append((question, rule, 0.5, k if known else 2 * k, 0, 0, *truth, found))
    rows = {"first": 100, "second": 200, "made": 50}[dataset]
    facts = {
        **dict.fromkeys(("features", "classes", "rows_per_feature", "class_entropy"), 2),
        **dict.fromkeys(("relevance_mean", "relevance_sd", "redundancy"), 0.1),
        **{"rows": rows, "effective_features": 0.5, "label_noise": 0.25},
    }
    return {
        "tsv": table_to_bytes(
            CURVES, [(name, k, *own) for name, own in values.items() for k in (1, 2)]
        ),
        "units.tsv": table_to_bytes(
            UNITS, [(name, fold, *own) for name, own in values.items() for fold in "abc"]
        ),
        "choices.tsv": table_to_bytes(CHOICES, choices),
        "facts.tsv": table_to_bytes(FACTS, facts.items()),
        "variance.tsv": table_to_bytes(VARIANCE, [(name, *own, 0, 0) for name, own in spreads]),
    }


@pytest.fixture
def view(tmp_path):
    """A view of an entry on files that are made up."""
    paths = Paths(str(tmp_path)).within(study="s")
    for dataset in VALUES:
        about = json.dumps({"title": dataset.capitalize()}).encode()
        write_with_manifest({Path(paths("data", "json", dataset=dataset)): about})
        own = files(paths, dataset).items()
        write_with_manifest(
            {Path(paths("alpha", end, dataset=dataset)): content for end, content in own}
        )
    write_with_manifest({Path(paths("alpha_rules")): table_to_bytes(RULES, rule_rows())})
    context = {"study": "s", "datasets": list(VALUES), "selectors": {}, "ratios": [], "seed": 1}

    def make(kind, **entry):
        defaults = {name: key.default for name, key in kind.keys.items() if key.has_default}
        return View({**context, "entry": {**defaults, **entry}}, str(tmp_path))

    return make


def table(view, kind, **entry):
    result = kind().build(view(kind, **entry))
    return result, [dict(zip(result.header, row, strict=True)) for row in result.rows]


def outcome(view, kind, **entry):
    return kind().build(view(kind, **entry), {})


def sides(view, kind, **entry):
    return [case.side for case in outcome(view, kind, **entry).cases]


# Tables


def test_the_best_alpha_stands_with_its_interval_and_what_auto_chose(view):
    result, rows = table(view, AlphaBest)
    first = rows[0]
    assert [first[of] for of in ("stability", "matching", "accuracy", "both")] == [1, 0, 0.5, 1]
    assert (first["stability_low"], first["stability_high"], first["auto"]) == (1, 1, 0.8)
    assert [first["stability_half"], first["stability_largest"]] == pytest.approx([0.4, 0.8])
    assert result.printed[0][:6] == [
        "First",
        "1 (1–1)",
        "0 (0–0)",
        "0.5 (0.5–0.5)",
        "1 (1–1)",
        "0.80",
    ]
    assert result.printed[0][6:] == ["0.40 (0.80)", "0.70 (0.70)"]
    # Means of stability over the three: 1.4, 1.4 and 1.4 thirds; of accuracy 1.6, 1.8 and 2.1.
    assert "α = 1 for accuracy" in result.notes[1]


def test_losses_are_means_over_data_sets_in_what_is_aimed_at(view):
    result, rows = table(view, AlphaRegret)
    assert [row["rule"] for row in rows] == ["best", "auto", "half", "blind"]
    assert [row[0] for row in result.printed][:2] == [
        "auto, inside the training rows",
        "always α = 0.5",
    ]
    auto = rows[1]
    assert auto["both"] == pytest.approx(0.11)
    assert (auto["stability"], auto["accuracy"]) == pytest.approx((0.22, 0.055))
    # Standard deviation 0.16462, √3, and t of two degrees of freedom at 0.975, 4.3027.
    assert auto["both_high"] - auto["both"] == pytest.approx(0.16462 / 3**0.5 * 4.3027, abs=1e-4)
    assert (auto["both_worst"], auto["both_worst_dataset"]) == (0.3, "second")
    assert result.printed[0][3:] == ["0.110 [-0.299, 0.519]", "0.300 (Second)"]


def test_data_sets_count_by_whether_their_truth_is_known(view):
    _, rows = table(view, AlphaRegret, truth="unknown")
    assert (rows[1]["datasets"], rows[1]["both"]) == (2, pytest.approx(0.155))
    result, rows = table(view, AlphaRegret, truth="known", question="size")
    assert (rows[2]["datasets"], rows[2]["both"]) == (1, 0.023)
    assert result.printed[1][:2] == ["always 10 features", "0.046"]


def test_facts_go_with_the_best_alpha_by_rank(view):
    result, rows = table(view, AlphaFacts)
    assert (rows[0]["rows"], rows[0]["best_both"], rows[2]["best_stability"]) == (100, 1, 0.5)
    # The best α for stability are 1, 0 and 0.5, of data sets of 100, 200 and 50 rows.
    correlation = next(row for row in rows if row["dataset"].endswith("best alpha for stability"))
    assert correlation["rows"] == pytest.approx(-0.5)
    assert result.printed[3][1:3] == ["-0.50 (–)", "–"]  # three are too few for a test


def test_tests_of_facts_are_corrected_together():
    rising, swapped = np.arange(5.0), np.array([0, 1, 2, 4, 3.0])
    columns = {"a": rising, "b": rising, "constant": np.ones(5)}
    rho, p = correlations(columns, {"both": swapped})
    assert rho[0, :2] == pytest.approx([0.9, 0.9])
    # Two tests, each of p = 0.03739 as tables of Student's t have it (3.576, three degrees).
    assert p[0, :2] == pytest.approx([0.07477, 0.07477], abs=1e-4)
    assert np.isnan([rho[0, 2], p[0, 2]]).all()


def test_variances_stand_beside_stability(view):
    result, rows = table(view, AlphaVariance)
    first, second, made = rows
    assert (first["least_variance"], first["least_noise"]) == (0.5, 1)
    # Variances 0.4, 0.2, 0.3 and stabilities 0.2, 0.4, 0.8; noise falls throughout.
    assert (first["rho_variance"], first["rho_noise"]) == pytest.approx((-0.5, -1))
    assert (second["rho_variance"], second["rho_noise"]) == pytest.approx((-1, -1))
    assert made["rho_variance"] == pytest.approx(-(3**0.5) / 2)
    assert (first["variance_miq"], first["stability_miq"]) == pytest.approx((5, 0.3))
    assert result.printed[0][2] == "5.0e+03"
    assert result.printed[3][0] == "**Mean**"
    assert result.printed[3][-2:] == ["0.47", "0.47"]
    assert result.printed[4][0] == "**Median**"
    assert result.printed[4][1] == "200.00"


def test_sizes_are_held_against_the_truth_where_it_is_known(view):
    result, rows = table(view, AlphaSizes)
    by_rule = {row["rule"]: row for row in rows}
    assert list(by_rule) == ["best", "auto", "auto_both", "half", "knot", "peak", "one_se", "blind"]
    auto = by_rule["auto"]
    assert (auto["k"], auto["both"], auto["k_known"]) == (4, pytest.approx(0.155), 4)
    assert (auto["precision"], auto["recall"], auto["f1"]) == pytest.approx((0.5, 1, 2 / 3))
    assert (by_rule["knot"]["k"], by_rule["knot"]["found"]) == (16, 0.5)
    printed = {row[0]: row[1:] for row in result.printed}
    assert printed["always 10 features"][4:] == ["–"] * 5
    assert printed["auto, α too"] == ["10.0", "–", "–", "–", "5.0", "1.00", "1.00", "1.00", "–"]
    assert printed["knot of stability"][-1] == "50%"


# Claims


def test_a_rule_that_loses_less_by_more_than_the_margin_speaks_for_the_claim(view):
    rules = {"rule": "auto", "than": "half"}
    assert sides(view, AlphaRule, **rules) == [FOR, AGAINST, OPEN]
    assert sides(view, AlphaRule, **rules, margin=0.001) == [FOR, AGAINST, FOR]
    assert sides(view, AlphaRule, **rules, truth="known") == [OPEN]
    assert sides(view, AlphaRule, **rules, expect={"below": 0}) == [AGAINST, FOR, OPEN]
    assert sides(view, AlphaRule, **rules, expect={"within": 0.05}) == [FOR, AGAINST, FOR]
    found = outcome(view, AlphaRule, **rules)
    assert [case.value for case in found.cases] == pytest.approx([0.04, -0.2, 0.003])
    assert found.statement == (
        "Auto, inside the training rows, is nearer to the best than always α = 0.5, for both,"
    )
    assert "It loses less on 2 and more on 1 (sign test, p = 1;" in found.more
    assert "is above 0.005, and against it where it is at -0.005 or below" in found.rule


def test_a_rule_that_needs_other_data_sets_has_no_case_without_them(view):
    found = outcome(view, AlphaRule, rule="regression", than="half")
    assert found.cases == []
    assert "too few data sets" in found.reason


def test_the_best_alpha_differs_where_its_interval_leaves_out_the_common_one(view):
    # Accuracy is best at 1 on the mean; at 0.5 on the first. On the last all α are equally good.
    assert sides(view, AlphaDiffers, aim="accuracy") == [FOR, AGAINST, AGAINST]
    found = outcome(view, AlphaDiffers, aim="accuracy")
    assert [case.value for case in found.cases] == [-0.5, 0, -1]
    assert found.more == "The best α lie from 0 to 1."


def test_what_varies_less_is_more_stable_where_the_correlation_is_low_enough(view):
    assert sides(view, AlphaVarianceClaim) == [FOR, FOR, FOR]
    assert sides(view, AlphaVarianceClaim, margin=0.6) == [OPEN, FOR, FOR]
    assert sides(view, AlphaVarianceClaim, expect={"above": 0}) == [AGAINST] * 3
    noise = outcome(view, AlphaVarianceClaim, term="noise")
    assert [case.value for case in noise.cases] == pytest.approx([-1, -1, -(3**0.5) / 2])


def test_the_quotient_must_vary_more_and_be_less_stable(view):
    # More stable than MID on the second, equally stable on the last.
    assert sides(view, AlphaQuotient) == [FOR, AGAINST, OPEN]
    assert sides(view, AlphaQuotient, term="noise") == [FOR, AGAINST, OPEN]


def test_rules_for_the_size_are_compared_by_f1(view):
    def side(rule, than, **entry):
        return sides(view, AlphaSizeTruth, rule=rule, than=than, **entry)

    # F1: auto 2/3, with α 1, knot 3/8, peak 2/3, one standard error 0.6
    assert side("auto", "knot") == [FOR]
    assert side("auto", "peak") == [OPEN]
    assert side("one_se", "auto") == [AGAINST]
    assert side("one_se", "auto", margin=0.1) == [OPEN]
    assert side("auto_both", "auto") == [FOR]
    found = outcome(view, AlphaSizeTruth, rule="settled", than="knot")
    assert (found.cases, found.reason) == (
        [],
        "the study has no selector for the smallest that is not significantly worse",
    )
    without = view(AlphaSizeTruth, rule="auto", than="knot")
    without.datasets = ["first", "second"]
    found = AlphaSizeTruth().build(without, {})
    assert (found.cases, found.reason) == ([], "no data set of the run has known truth")


# The study


def load(tmp_path, **changes):
    study = yaml.safe_load((ROOT / "config/studies/alpha_from_data.yaml").read_text())
    study = {key: value for key, value in {**study, **changes}.items() if value is not None}
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(study))
    names = set(yaml.safe_load((ROOT / "config/datasets.yaml").read_text()))
    return load_study(path, study_schema(ROOT / "workflow/schemas"), names)


def test_a_rule_must_answer_the_question(tmp_path):
    entry = {"kind": "alpha_rule", "text": "A", "rule": "knot", "than": "half"}
    with pytest.raises(UserError, match=r"claims\.0\.rule: knot answers the question size only"):
        load(tmp_path, claims=[entry])
    load(tmp_path, claims=[{**entry, "question": "size"}])


def test_kinds_about_alpha_need_a_study_about_it(tmp_path):
    table = {"kind": "alpha_best", "title": "A"}
    parts = {"alpha": None, "claims": None, "figures": None, "tables": {"a": table}}
    with pytest.raises(UserError, match=r"tables\.a: the study has no `alpha`"):
        load(tmp_path, **parts)
