"""When a claim holds: what makes a case speak for it, and how many of its cases must."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from steadfast.core.keys import Key
from steadfast.outputs.differences import Interval

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


def judge(expect: Expect, interval: Interval) -> int:
    """Whether an interval speaks for what is expected; without ends, its mean alone."""
    mean, low, high = interval
    if np.isnan(low) or np.isnan(high):
        low = high = mean
    ((condition, limit),) = expect.items()
    if condition == "within":
        return FOR if -limit <= low and high <= limit else -int(low > limit or high < -limit)
    above = int(low > limit) - int(high < limit)
    return above if condition == "above" else -above


def decide(cases: Sequence[Case], shares: Mapping[str, float]) -> str:
    """The verdict that the cases give."""
    if not cases:
        return UNTESTED
    share = sum(case.side == FOR for case in cases) / len(cases)
    # Shares such as 0.7 of 10 must not fail by rounding.
    reached = [name for name in ("holds", "in_part") if share >= shares[name] - 1e-9]
    return {"holds": HOLDS, "in_part": IN_PART}[reached[0]] if reached else FAILS


def count(cases: Sequence[Case], side: int) -> int:
    return sum(case.side == side for case in cases)


# In words


def rule_of_shares(shares: Mapping[str, float]) -> str:
    """How many cases must speak for a claim."""
    return (
        f"A claim holds where {_at_least(shares['holds'])} of its cases speak for it, holds in "
        f"part where {_at_least(shares['in_part'])} do, and else does not hold; without a case "
        "it cannot be tested here."
    )


def _at_least(share: float) -> str:
    return "all" if share >= 1 else f"at least {share:.0%}"


def rule_of_cases(unit: str, number: str, expect: Expect, by_value: bool = False) -> str:
    """What a case is, and when it speaks for the claim.

    `number` is what is looked at, `by_value` whether that is a single value without an interval.
    """
    ((condition, limit),) = expect.items()
    limits = {
        "above": (f"above {limit:g}", f"below {limit:g}"),
        "below": (f"below {limit:g}", f"above {limit:g}"),
        "within": (f"between {-limit:g} and {limit:g}", "wholly outside"),
    }
    for_it, against = limits[condition]
    looked_at = f"{number} (a single value)" if by_value else f"the 95% interval of {number}"
    return (
        f"A case is {unit}. It speaks for the claim where {looked_at} lies {for_it}, against it "
        f"where {against.replace('wholly', '') if by_value else against}; else it is open."
    ).replace("  ", " ")


def state(expect: Expect, first: str, second: str, words: Words) -> str:
    """What is expected of two things, as a statement."""
    ((condition, limit),) = expect.items()
    if condition == "within":
        return f"{first} and {second} are {words.equal} to within {limit:g}"
    more, less = (words.more, words.less) if condition == "above" else (words.less, words.more)
    beyond = limit if condition == "above" else -limit
    if beyond < 0:
        return f"{first} is not {less} than {second} by {-beyond:g}"
    return f"{first} is {more} than {second}" + (f" by over {beyond:g}" if beyond else "")


def sentence(statement: str, cases: Sequence[Case], unit: str) -> str:
    """How many cases bear a statement out, and the difference in them."""
    if len(cases) == 1:
        case = cases[0]
        begin = {FOR: "", OPEN: "It stays open whether ", AGAINST: "It is not so that "}[case.side]
        number = "" if np.isnan(case.value) else f": difference {signed(case.value)}"
        return f"{begin}{statement} (one case, {case.name}{number})."
    known = [case for case in cases if not np.isnan(case.value)]
    text = f"{statement} in {_of(count(cases, FOR), len(cases))} ({unit}){_others(cases)}."
    if not known:
        return text
    lowest, highest = (end(known, key=lambda case: case.value) for end in (min, max))
    mean = np.mean([case.value for case in known])
    if lowest.value == highest.value:
        return f"{text} The difference is {signed(mean)} in each."
    return (
        f"{text} The mean difference is {signed(mean)}, from {signed(lowest.value)} "
        f"({lowest.name}) to {signed(highest.value)} ({highest.name})."
    )


def _of(part: int, whole: int) -> str:
    if part == whole:
        return "both cases" if whole == 2 else f"all {whole} cases"
    if not part:
        return "neither case" if whole == 2 else f"none of {whole} cases"
    return f"{part} of {whole} cases"


def _others(cases: Sequence[Case]) -> str:
    """Cases that do not speak for the claim."""
    against, still_open = count(cases, AGAINST), count(cases, OPEN)
    parts = []
    if against:
        parts.append(f"{against} {'speaks' if against == 1 else 'speak'} against it")
    if still_open:
        parts.append(f"{still_open} {'is' if still_open == 1 else 'are'} open")
    return f"; {' and '.join(parts)}" if parts else ""


def signed(value: float) -> str:
    """A difference in print; no −0.000."""
    return f"{round(value, 3) + 0.0:+.3f}"
