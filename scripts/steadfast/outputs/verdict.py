"""When a claim holds: what makes a case speak for it, and how many of its cases must."""

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
SHARES = Key(
    "Shares of the cases that must speak for it, in place of the run's `verdicts`: `holds`, "
    "`in_part`.",
    {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {"holds": _SHARE, "in_part": _SHARE},
    },
)

#: Conditions of a number, one of which an entry names.
CONDITIONS = {
    "above": {"type": "number"},
    "below": {"type": "number"},
    "within": {"type": "number", "exclusiveMinimum": 0},
}
EXPECT = Key(
    "What is claimed of the difference: `above: x`, `below: x` or `within: m`, from −m to +m.",
    {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
        "properties": CONDITIONS,
    },
    default={"above": 0},
)
Expect = Mapping[str, float]


#: Keys of a claim whose number is the limit of what is expected; 0 stays 0.
_LIMITS = (*CONDITIONS, "remains")


def with_limits(entry: Any, times: float) -> Any:
    """An entry of a claim, or a part of it, whose limits are so many times as large."""
    if isinstance(entry, list):
        return [with_limits(part, times) for part in entry]
    if not isinstance(entry, Mapping):
        return entry
    return {
        key: times * value
        if key in _LIMITS and isinstance(value, int | float)
        else with_limits(value, times)
        for key, value in entry.items()
    }


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


def judge(expect: Expect, interval: Interval) -> int:
    """Whether an interval speaks for what is expected; without ends, its mean alone."""
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
    return sum(case.side == side for case in cases)


# In words


def rule_of_shares(shares: Mapping[str, float]) -> str:
    """How many cases must speak for a claim."""
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


def by_limit(verdict: str, halved: str, doubled: str) -> str:
    """What other limits would make of a claim."""
    if halved == doubled == verdict:
        return "The verdict is the same with half and with twice the limit."
    return f"With half the limit it {halved}, with twice the limit it {doubled}."


def _at_least(share: float) -> str:
    return "all" if share >= 1 else f"at least {share:.0%}"


def rule_of_cases(
    unit: str, number: str, expect: Expect, by_value: bool = False, percent: bool = False
) -> str:
    """What a case is, and when it speaks for the claim.

    `number` is what is looked at, `by_value` whether that is a single value without an interval.
    """
    ((condition, given),) = expect.items()
    limit, least = _amount(given, percent), _amount(-given, percent)
    for_it, against = {
        "above": (f"above {limit}", f"at {limit} or below"),
        "below": (f"below {limit}", f"at {limit} or above"),
        "within": (f"between {least} and {limit}", "wholly outside"),
    }[condition]
    if by_value:
        return (
            f"A case is {unit}. It speaks for the claim where {number} (a single value) is "
            f"{for_it}, and against it else."
        )
    return (
        f"A case is {unit}. It speaks for the claim where the 95% interval of {number} lies "
        f"{for_it}, against it where {against}; else it is open."
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


def sentence(statement: str, cases: Sequence[Case], unit: str, percent: bool = False) -> str:
    """How many cases bear a statement out, and the difference in them."""
    if len(cases) == 1:
        return _of_one(statement, cases[0], percent)
    text = f"{statement} in {_of(count(cases, FOR), len(cases))} ({unit}){_others(cases)}."
    known = [case for case in cases if not np.isnan(case.value)]
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


def _of_one(statement: str, case: Case, percent: bool) -> str:
    """Of the only case there is."""
    number = f", where the difference is {signed(case.value, percent)}"
    where = f"on {case.name}, the one case{'' if np.isnan(case.value) else number}."
    return f"{statement}{ {FOR: '', OPEN: ': open', AGAINST: ': not so'}[case.side] } {where}"


def _of(part: int, whole: int) -> str:
    if part == whole:
        return "both cases" if whole == 2 else f"all {whole} cases"
    if not part:
        return "neither case" if whole == 2 else f"none of {whole} cases"
    return f"{part} of {whole} cases"


_OTHERS = [
    (AGAINST, "speaks against it", "speak against it"),
    (OPEN, "is open", "are open"),
]


def _others(cases: Sequence[Case]) -> str:
    """Cases that do not speak for the claim."""
    whole, parts = len(cases), []
    for side, one, many in _OTHERS:
        number = count(cases, side)
        shown = {whole: "both" if whole == 2 else "all"}.get(number, str(number))
        if number:
            parts.append(f"{shown} {one if number == 1 else many}")
    return f"; {' and '.join(parts)}" if parts else ""


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
