"""When a claim holds: what a case says of it, how many cases must support it, and all in words."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.accuracy.scores import USUAL, Score
from steadfast.core.keys import Key
from steadfast.outputs.intervals import Interval

HOLDS, IN_PART, FAILS = "holds", "holds in part", "does not hold"
UNTESTED = "cannot be tested here"
VERDICTS = (HOLDS, IN_PART, FAILS, UNTESTED)

#: What a case says of a claim.
FOR, OPEN, AGAINST = 1, 0, -1

_SHARE = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
_OBJECT = {"type": "object", "minProperties": 1, "additionalProperties": False}
SHARES = Key(
    "Shares of the cases that must speak for it, in place of the run's `verdicts`: `holds`, "
    "`in_part`.",
    {**_OBJECT, "properties": {"holds": _SHARE, "in_part": _SHARE}},
)

#: Conditions of a number, one of which an entry names.
_NUMBER = {"type": "number"}
CONDITIONS = {"above": _NUMBER, "below": _NUMBER, "within": {**_NUMBER, "exclusiveMinimum": 0}}
EXPECT = Key(
    "What is claimed of the difference: `above: x`, `below: x` or `within: m`, from −m to +m.",
    {**_OBJECT, "maxProperties": 1, "properties": CONDITIONS},
    default={"above": 0},
)
Expect = Mapping[str, float]


class Case(NamedTuple):
    """One test of a claim: its name, what it says of the claim, and the number that says so."""

    name: str
    side: int
    value: float = float("nan")


class Words(NamedTuple):
    """How two things compare, in print."""

    more: str
    less: str
    equal: str


STABLE = Words("more stable", "less stable", "equally stable")
ACCURATE = Words("more accurate", "less accurate", "equally accurate")
HIGH = Words("higher", "lower", "equal")


def advantage(of: str, score: Score) -> Words:
    """How two selectors compare in stability, or in accuracy as a score measures it."""
    if of == "stability":
        return STABLE
    if score.name in USUAL:
        return ACCURATE
    by = f"by {score.noun}"
    return Words(f"better {by}", f"worse {by}", f"equally good {by}")


# What is expected of a number


def judge(expect: Expect, interval: Interval) -> int:
    """Whether an interval supports what is expected; without ends, its mean alone."""
    mean, low, high = interval
    if np.isnan(low) or np.isnan(high):
        low = high = mean
    ((condition, limit),) = expect.items()
    if condition == "within":
        return FOR if -limit <= low and high <= limit else -int(low > limit or high < -limit)
    if condition == "below":
        return FOR if high < limit else -int(low >= limit)
    return FOR if low > limit else -int(high <= limit)


def claims_absence(expect: Expect) -> bool:
    """Whether what is expected is that there is no difference, or none that matters."""
    ((condition, limit),) = expect.items()
    return condition == "within" or (limit > 0 if condition == "below" else limit < 0)


def with_limits(entry: Any, times: float) -> Any:
    """An entry of a claim, or a part of it, whose limits are so many times as large."""
    if isinstance(entry, list):
        return [with_limits(part, times) for part in entry]
    if not isinstance(entry, Mapping):
        return entry
    scaled = {key: with_limits(value, times) for key, value in entry.items()}
    limits = [name for name in (*CONDITIONS, "remains") if isinstance(entry.get(name), int | float)]
    return scaled | {name: times * entry[name] for name in limits}


def rule_of_cases(
    unit: str, number: str, expect: Expect, by_value: bool = False, percent: bool = False
) -> str:
    """What a case is, and when it supports the claim.

    `number` is what is looked at, `by_value` whether that is a single value without an interval.
    """
    ((condition, given),) = expect.items()
    limit, least = _amount(given, percent), _amount(-given, percent)
    wanted, against = {
        "above": (f"above {limit}", f"at {limit} or below"),
        "below": (f"below {limit}", f"at {limit} or above"),
        "within": (f"between {least} and {limit}", "wholly outside"),
    }[condition]
    begin = f"A case is {unit}. It speaks for the claim where"
    if by_value:
        return f"{begin} {number} (a single value) is {wanted}, and against it else."
    return (
        f"{begin} the 95% interval of {number} lies {wanted}, against it where {against}; else it "
        "is open."
    )


def state(expect: Expect, first: str, second: str, words: Words, percent: bool = False) -> str:
    """What is expected of two things, as a statement."""
    ((condition, limit),) = expect.items()
    if condition == "within":
        return f"{first} and {second} are {words.equal} to within {_amount(limit, percent)}"
    if ", " in first and not first.endswith(","):
        first += ","
    more, less = words.more, words.less
    if condition == "below":
        more, less, limit = less, more, -limit
    if limit < 0:
        return f"{first} is at most {_amount(-limit, percent)} {less} than {second}"
    by = f" by over {_amount(limit, percent)}" if limit else ""
    return f"{first} is {more} than {second}{by}"


# The verdict


def decide(cases: Sequence[Case], shares: Mapping[str, float], absence: bool = False) -> str:
    """The verdict that the cases give.

    `absence` is whether the claim is that there is no difference: intervals that are too wide to
    tell then do not speak against it.
    """
    if not cases:
        return UNTESTED
    share = count(cases, FOR) / len(cases)
    # Shares such as 0.7 of 10 must not fail by rounding.
    if share >= shares["holds"] - 1e-9:
        return HOLDS
    if share >= shares["in_part"] - 1e-9:
        return IN_PART
    return FAILS if count(cases, AGAINST) or not absence else UNTESTED


def count(cases: Sequence[Case], side: int) -> int:
    """How many cases are on a side."""
    return sum(case.side == side for case in cases)


def rule_of_shares(shares: Mapping[str, float]) -> str:
    """How many cases must support a claim."""
    return (
        f"A claim holds where {_at_least(shares['holds'])} of its cases speak for it, holds in "
        f"part where {_at_least(shares['in_part'])} do, and else does not hold. It cannot be "
        "tested here without a case, nor where it says that there is no difference, too few "
        "cases show that, and none speaks against it."
    )


def own_shares(shares: Mapping[str, float]) -> str:
    """The same of one claim that has shares of its own."""
    in_part = _at_least(shares["in_part"])
    return f"It holds with {_at_least(shares['holds'])} of its cases, in part with {in_part}."


def _at_least(share: float) -> str:
    return "all" if share >= 1 else f"at least {share:.0%}"


def by_limit(verdict: str, halved: str, doubled: str) -> str:
    """What other limits would make of a claim."""
    if halved == doubled == verdict:
        return "The verdict is the same with half and with twice the limit."
    return f"With half the limit it {halved}, with twice the limit it {doubled}."


# The sentence


def sentence(statement: str, cases: Sequence[Case], unit: str, percent: bool = False) -> str:
    """How many cases support a statement, and the difference in them."""
    known = [case for case in cases if not np.isnan(case.value)]
    if len(cases) == 1:
        so = {FOR: "", OPEN: ": open", AGAINST: ": not so"}[cases[0].side]
        number = f", where the difference is {signed(known[0].value, percent)}" if known else ""
        return f"{statement}{so} on {cases[0].name}, the one case{number}."
    text = f"{statement} in {_counts(cases, unit)}."
    if not known:
        return text
    lowest, highest = (end(known, key=lambda case: case.value) for end in (min, max))
    if lowest.value == highest.value:
        return f"{text} The difference is {signed(lowest.value, percent)} in each."
    mean = float(np.mean([case.value for case in known]))
    return (
        f"{text} The mean difference is {signed(mean, percent)}, from "
        f"{signed(lowest.value, percent)} ({lowest.name}) to {signed(highest.value, percent)} "
        f"({highest.name})."
    )


def _counts(cases: Sequence[Case], unit: str) -> str:
    """How many cases are for it, and of the others how many are against it or open."""
    whole, number = len(cases), count(cases, FOR)
    every, none = ("both", "neither case") if whole == 2 else ("all", f"none of {whole} cases")
    of = f"{every} cases" if whole == 2 else f"{every} {whole} cases"
    text = {whole: of, 0: none}.get(number, f"{number} of {whole} cases") + f" ({unit})"
    verbs = {AGAINST: ("speaks against it", "speak against it"), OPEN: ("is open", "are open")}
    numbers = {side: count(cases, side) for side in verbs if count(cases, side)}
    others = [
        f"{every if number == whole else number} {verbs[side][number > 1]}"
        for side, number in numbers.items()
    ]
    return f"{text}; {listed(others)}" if others else text


def signed(value: float, percent: bool = False) -> str:
    """A difference in print; no −0.000."""
    shown = round(value, 3) + 0.0
    return f"{shown:+.0%}" if percent else f"{shown:+.3f}"


def _amount(value: float, percent: bool) -> str:
    return f"{value:.0%}" if percent else f"{value + 0.0:g}"


def capital(text: str) -> str:
    """The text with a capital to begin with."""
    return text[0].upper() + text[1:]


def listed(parts: Sequence[str]) -> str:
    """a, b and c."""
    *before, last = parts
    return f"{', '.join(before)} and {last}" if before else last
