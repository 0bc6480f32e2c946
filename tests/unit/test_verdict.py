"""Verdicts: what makes a case speak for a claim, and what a claim ends in."""

import json
from pathlib import Path

import pytest
import yaml
from figure_cases import stability, write_frames
from hypothesis import given
from hypothesis import strategies as st
from summaries import SHARES, cases, summarise

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.files import csv_to_bytes, write_with_manifest
from steadfast.outputs.claim import claims_file, in_words
from steadfast.outputs.intervals import Interval, single_value
from steadfast.outputs.verdict import (
    AGAINST,
    FOR,
    OPEN,
    STABLE,
    VERDICTS,
    decide,
    judge,
    state,
)
from steadfast.study.load import load_study
from steadfast.study.run import load_run, study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
BETTER = {name: rank for rank, name in enumerate(reversed(VERDICTS[:3]))}
SIDES = st.sampled_from([FOR, OPEN, AGAINST])


@pytest.mark.parametrize(
    ("expect", "low", "high", "side"),
    [
        ({"above": 0}, 0.01, 0.2, FOR),
        ({"above": 0}, -0.01, 0.2, OPEN),
        ({"above": 0}, -0.2, -0.01, AGAINST),
        ({"above": 0}, 0, 0, AGAINST),
        ({"above": 0.12}, 0.1, 0.2, OPEN),
        ({"above": -0.03}, -0.02, 0.01, FOR),
        ({"below": 0.05}, 0, 0.04, FOR),
        ({"below": 0.05}, 0, 0.06, OPEN),
        ({"below": 0.05}, 0.06, 0.1, AGAINST),
        ({"within": 0.05}, -0.05, 0.05, FOR),
        ({"within": 0.05}, -0.06, 0.05, OPEN),
        ({"within": 0.05}, 0.06, 0.1, AGAINST),
        ({"within": 0.05}, -0.2, -0.06, AGAINST),
    ],
)
def test_an_interval_speaks_for_what_is_expected_or_against_it(expect, low, high, side):
    assert judge(expect, Interval((low + high) / 2, low, high)) == side


def test_a_value_without_an_interval_decides_by_itself():
    assert judge({"above": 0}, single_value(1e-6)) == FOR
    assert judge({"below": 0}, single_value(1e-6)) == AGAINST
    assert judge({"within": 0.1}, single_value(0.1)) == FOR


def test_the_shares_give_the_verdict():
    assert decide(cases(*[FOR] * 3, OPEN), SHARES) == "holds"
    assert decide(cases(FOR, FOR, OPEN, AGAINST), SHARES) == "holds in part"
    assert decide(cases(FOR, OPEN, OPEN, OPEN, AGAINST), SHARES) == "does not hold"
    assert decide(cases(FOR, FOR, OPEN), {"holds": 2 / 3, "in_part": 0.1}) == "holds"
    assert decide([], SHARES) == "cannot be tested here"


def test_open_cases_do_not_refute_that_there_is_no_difference():
    undecided = cases(OPEN, OPEN)
    assert decide(undecided, SHARES) == "does not hold"
    assert decide(undecided, SHARES, absence=True) == "cannot be tested here"
    assert decide(cases(OPEN, AGAINST), SHARES, absence=True) == "does not hold"


@given(st.lists(SIDES, min_size=1), st.randoms(use_true_random=False))
def test_the_order_of_cases_does_not_matter_and_one_more_for_it_lowers_nothing(sides, random):
    verdict = decide(cases(*sides), SHARES)
    assert BETTER[decide(cases(*sides, FOR), SHARES)] >= BETTER[verdict]
    assert BETTER[decide(cases(*sides, AGAINST), SHARES)] <= BETTER[verdict]
    random.shuffle(sides)
    assert decide(cases(*sides), SHARES) == verdict


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ({"above": 0}, "MID is more stable than MIQ"),
        ({"above": 0.12}, "MID is more stable than MIQ by over 0.12"),
        ({"above": -0.03}, "MID is at most 0.03 less stable than MIQ"),
        ({"below": 0}, "MID is less stable than MIQ"),
        ({"below": 0.05}, "MID is at most 0.05 more stable than MIQ"),
        ({"within": 0.1}, "MID and MIQ are equally stable to within 0.1"),
    ],
)
def test_what_is_expected_is_said_in_plain_words(expect, words):
    assert state(expect, "MID", "MIQ", STABLE) == words


def test_the_count_of_verdicts_is_a_sentence():
    counts = dict(zip(VERDICTS, (3, 1, 2, 0)))
    assert in_words(counts) == "Of 6 claims 3 hold, 1 holds in part and 2 do not hold."
    assert in_words(dict(zip(VERDICTS, (0, 0, 0, 1)))) == "The one claim cannot be tested here."


# Claims of made studies

STUDY = {
    "title": "Mine",
    "paper": "A paper (2013)",
    "datasets": ["wine", "iris"],
    "resample": {"scheme": "subsample"},
    "selectors": {"mid": {"label": "MID"}, "miq": {"label": "MIQ"}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
    "tables": {"few": {"kind": "trends", "title": "T", "along": "size"}},
}
COMPARE = {"kind": "compare", "text": "MID is.", "of": "stability", "better": "mid", "than": "miq"}
BY_TABLE = {"kind": "by_table", "text": "So.", "table": "few", "shows": "So it is", "case": "a row"}
FEW = [
    ["dataset", "measure", "mid", "miq", "best"],
    ["wine", "jaccard", 0.5, -0.1, "mid"],
    ["iris", "jaccard", "nan", 0.3, "mid miq"],
    ["wine", "kuncheva", -0.2, 0.0, ""],
]
VALUES = {"wine": {"mid": (0.9, 0.8, 1.0), "miq": (0.7, 0.9, 1.0)}}
VALUES["iris"] = {"mid": (0.5, 0.5, 1.0), "miq": (0.5, 0.4, 1.0)}


def study_of(tmp_path, *claims, **parts):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**STUDY, "claims": list(claims), **parts}, sort_keys=False))
    return load_study(path, SCHEMA, {"wine", "iris", "sonar"})


def results_of(tmp_path, results=VALUES):
    """Curves of two selectors on two data sets, and a table."""
    curves, units = [], []
    for dataset, selectors in results.items():
        about = {"title": dataset.upper(), "features": 3}
        write_with_manifest({tmp_path / f"data/{dataset}.json": json.dumps(about).encode()})
        for selector, values in selectors.items():
            curves += stability(selector, [(value,) * 3 for value in values], dataset=dataset)
            about = {**curves[-1], "size": None, "value": sum(values) / 3}
            mean = about["value"]
            units += [{**about, "fold": f"s{at}", "value": mean + at} for at in (0, 1)]
    write_frames(tmp_path, curves, units)
    table = {tmp_path / "mine/tables/few.csv": csv_to_bytes(FEW[0], FEW[1:])}
    write_with_manifest({**table, tmp_path / "mine/tables/few.md": b"**T**\n"})
    return tmp_path


def verdict_on(tmp_path, claim, results=VALUES):
    found, _ = summarise(study_of(tmp_path, claim), results_of(tmp_path, results))
    return found[0]


@pytest.mark.parametrize(
    ("test", "counts"),
    [
        ({"columns": ["mid", "miq"], "above": 0}, (2, 0, 3)),
        ({"rows": {"measure": "jaccard"}, "columns": ["miq"], "below": 0}, (1, 0, 1)),
        ({"columns": ["miq"], "within": 0.1}, (2, 0, 1)),
        ({"columns": ["miq"], "between": [0.2, 0.4]}, (1, 0, 2)),
        ({"columns": ["mid", "miq"], "together": "sum", "below": 0}, (1, 0, 1)),
        ({"rows": {"dataset": "wine"}, "columns": ["mid"], "minus": "miq", "above": 0}, (1, 0, 1)),
        ({"columns": ["miq"], "minus": ["mid", "miq"], "below": 0}, (1, 0, 1)),
        (
            {
                **{"rows": {"dataset": "wine", "measure": "jaccard"}, "columns": ["mid", "miq"]},
                **{"together": "spread", "minus": {"measure": "kuncheva"}, "above": 0},
            },
            (1, 0, 0),
        ),
    ],
)
def test_each_number_of_a_table_is_a_case(tmp_path, test, counts):
    found = verdict_on(tmp_path, {**BY_TABLE, "cases": [test]})
    assert (found["for"], found["open"], found["against"]) == counts
    assert "single values" in found["rule"]
    assert found["details"] == "**T**"


def test_differences_in_a_table_have_a_mean(tmp_path):
    test = {"rows": {"dataset": "wine"}, "columns": ["mid"], "minus": "miq", "above": 0}
    found = verdict_on(tmp_path, {**BY_TABLE, "cases": [test]})
    assert "The mean difference is +0.200, from -0.200 (WINE) to +0.600 (WINE)" in found["sentence"]
    assert 'mid minus miq is above 0 (rows with "wine" under dataset)' in found["rule"]


def test_a_table_without_such_rows_cannot_test_a_claim(tmp_path):
    test = {"rows": {"dataset": "sonar"}, "columns": ["mid"], "above": 0}
    found = verdict_on(tmp_path, {**BY_TABLE, "cases": [test]})
    assert found["verdict"] == "cannot be tested here"
    assert "has no row of this kind" in found["sentence"]


@pytest.mark.parametrize(
    ("test", "line"),
    [
        ({"columns": ["mad"], "above": 0}, "no column 'mad'; did you mean 'mid'?"),
        ({"columns": ["best"], "above": 0}, "could not convert string to float: 'mid'"),
        ({"columns": ["mid"], "minus": {"dataset": "wine"}, "above": 0}, "2 rows are {'dataset'"),
    ],
)
def test_a_mistaken_test_of_a_table_is_one_line(tmp_path, test, line):
    with pytest.raises(UserError, match="claim 1 on the table few: ") as caught:
        verdict_on(tmp_path, {**BY_TABLE, "cases": [test]})
    assert line in str(caught.value)


@pytest.mark.parametrize(
    ("test", "line"),
    [
        ({"columns": ["mid"]}, "claims.0.cases.0: needs one of above, below, "),
        ({"columns": ["mid"], "above": 0, "below": 1}, "and has above and below"),
        ({"columns": ["mid"], "over": 0}, "claims.0.cases.0.over: "),
        ({"rows": {"dataset": "vine"}, "columns": ["mid"], "above": 0}, "unknown data set 'vine'"),
    ],
)
def test_a_test_of_a_table_is_checked_before_the_run(tmp_path, test, line):
    with pytest.raises(UserError, match=line.replace(".", r"\.")):
        study_of(tmp_path, {**BY_TABLE, "cases": [test]})


def test_sizes_may_be_cases_but_for_that_of_all_features(tmp_path):
    found = verdict_on(tmp_path, {**COMPARE, "ratios": [1], "each_size": True})
    assert (found["for"], found["against"]) == (2, 2), "wine: 1 of 2; iris: 1 of 2, and equal once"
    assert "a data set and a subset size" in found["sentence"]


def test_a_claim_may_have_shares_of_its_own(tmp_path):
    claim = {**COMPARE, "ratios": [1], "largest": 1}
    assert verdict_on(tmp_path, claim)["verdict"] == "holds in part"
    own = verdict_on(tmp_path, {**claim, "verdict": {"holds": 0.5}})
    assert own["verdict"] == "holds"
    assert "It holds with at least 50% of its cases" in own["rule"]


def test_the_summary_begins_with_the_count_and_folds_the_numbers(tmp_path):
    claims = [{**COMPARE, "ratios": [1], "largest": largest} for largest in (1, 2)]
    absent = {**COMPARE, "ratios": [1], "datasets": ["sonar"]}
    study = study_of(tmp_path, *claims, absent)
    found, text = summarise(study, results_of(tmp_path))
    lines = text.splitlines()
    assert lines[4] == "**Of 3 claims 1 holds, 1 holds in part and 1 cannot be tested here.**"
    assert "| [1](#claim-1). MID is. | holds in part |" in lines
    assert text.count("<details><summary>Numbers</summary>\n\nA case is a data set.") == 2
    assert text.count("\n\n</details>\n") == 2
    assert "**Cannot be tested here.** There is no case: this run does not have" in text
    assert found[2]["number"] == 3


def test_the_file_of_claims_keeps_to_its_form(tmp_path):
    study = study_of(tmp_path, {**COMPARE, "ratios": [1]})
    claims, _ = summarise(study, results_of(tmp_path))
    context = {"study": "mine", "title": "Mine", "paper": "É", "verdicts": SHARES}
    content = claims_file(context, claims)
    assert content == claims_file(context, json.loads(json.dumps(claims)))
    assert "É" in content.decode()
    loaded = json.loads(content)
    assert list(loaded) == ["study", "title", "paper", "rule", "counts", "claims"]
    assert list(loaded["counts"]) == list(VERDICTS)
    assert sum(loaded["counts"].values()) == len(loaded["claims"])
    keys = ["number", "text", "verdict", "sentence", "rule", "for", "open", "against", "details"]
    assert list(loaded["claims"][0]) == keys


def test_a_peak_must_lie_among_the_first_features(tmp_path):
    claim = {"kind": "peaks", "text": "So.", "first": 3}
    early, late, flat = (0.5, 0.9, 0.4, 0.4, 1), (0.5, 0.5, 0.4, 0.9, 0.5), (1, 1, 1, 1, 1)
    results = {"wine": {"mid": early, "miq": late}, "iris": {"mid": flat, "miq": flat}}
    found = verdict_on(tmp_path, claim, results)
    assert (found["for"], found["against"]) == (1, 3)
    assert "up to 3 features" in found["rule"]


# The studies of the project


@pytest.fixture(scope="module")
def studies():
    """Those of the default run, and that of known truth."""
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    studies = [*config["studies"], "trust", "alpha_from_data"]
    return load_run({**config, "studies": studies}, ROOT).studies


def test_every_claim_of_every_study_has_a_rule(studies):
    """What is expected stands in its entry, or its kind knows of one thing to expect only."""
    own = {"best", "criterion_variation", "highest", "pairs", "peaks", "reading"}
    own |= {"by_table", "recovery_bar", "alpha_differs", "alpha_quotient", "alpha_size_truth"}
    claims = [claim for study in studies.values() for claim in study.claims]
    assert len(claims) > 80
    for claim in claims:
        assert claim["kind"] in own or len(claim["expect"]) == 1, claim["text"]
    assert {claim["kind"] for claim in claims} == set(registry.declared("claim"))
