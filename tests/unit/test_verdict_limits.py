"""Verdicts in words; what other limits would make of them; intervals too wide to tell."""

from summaries import cases

from steadfast.outputs.claim import limit_words
from steadfast.outputs.verdict import (
    AGAINST,
    FOR,
    OPEN,
    VERDICTS,
    Case,
    decide,
    sentence,
    with_limits,
)


def test_limits_are_scaled_wherever_they_stand_and_nothing_else_is():
    entry = {
        "expect": {"above": -0.03},
        "remains": 0.5,
        "size": 10,
        "verdict": {"holds": 0.75},
        "cases": [{"columns": ["a"], "within": 0.05}, {"above": {"column": "b", "times": -1}}],
    }
    assert with_limits(entry, 2) == {
        **entry,
        "expect": {"above": -0.06},
        "remains": 1,
        "cases": [{"columns": ["a"], "within": 0.1}, {"above": {"column": "b", "times": -1}}],
    }
    without = {"expect": {"above": 0}, "size": 10}
    assert with_limits(without, 2) == without


def test_verdicts_that_rest_on_their_limit_are_named():
    firm = {"number": 1, "verdict": "holds", "limit_halved": "holds", "limit_doubled": "holds"}
    loose = {**firm, "number": 4, "limit_doubled": "holds in part"}
    assert limit_words([{"number": 2, "verdict": "holds"}]) == ""
    assert "1 changes where it is halved or doubled: 4." in limit_words([firm, loose])
    assert "none changes" in limit_words([firm])


def test_a_claim_of_no_difference_fails_only_where_a_case_speaks_against_it():
    shares = {"holds": 0.75, "in_part": 0.25}
    few, wide = cases(FOR, OPEN, OPEN, OPEN, OPEN), cases(OPEN, OPEN)
    assert decide(few, shares, absence=True) == decide(wide, shares, absence=True) == VERDICTS[3]
    assert decide(cases(FOR, OPEN, OPEN, OPEN, AGAINST), shares, absence=True) == "does not hold"
    assert decide(few, shares) == "does not hold"


def test_the_sentence_counts_in_plain_words():
    several = [Case("a", FOR, 0.2), Case("b", AGAINST, -0.1), Case("c", OPEN, 0), Case("d", OPEN)]
    assert sentence("It is so", several, "a data set") == (
        "It is so in 1 of 4 cases (a data set); 1 speaks against it and 2 are open. The mean "
        "difference is +0.033, from -0.100 (b) to +0.200 (a)."
    )
    assert sentence("It is so", cases(FOR, FOR), "a set") == "It is so in both cases (a set)."
    assert sentence("It is so", cases(OPEN, OPEN), "a set") == (
        "It is so in neither case (a set); both are open."
    )
    assert sentence("X is best", [Case("Wine", AGAINST, -0.02)], "a set") == (
        "X is best: not so on Wine, the one case, where the difference is -0.020."
    )
