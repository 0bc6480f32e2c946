"""How many subsamples are enough: more of them until stability is known closely, or time is up."""

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

from steadfast.core.errors import UserError

#: Half of the 95% interval of stability that is narrow enough, and minutes that may be spent.
WITHIN, BUDGET = 0.1, 10.0

#: No more subsamples than this, and no more in a round than so many times those before: what a
#: round costs is known from the last one, which may have found its results there already.
MOST, GROWTH = 500, 3

#: A few more would not be worth another round.
WORTH = 1.2

#: Why there is no further round.
UNKNOWN, MET, CLOSE, ENOUGH, SPENT = "unknown", "met", "close", "enough", "spent"


class Asked(NamedTuple):
    """How closely stability is to be known (±), and how many seconds that may take."""

    within: float
    budget: float


def asked(within: str | None, budget: str | None) -> Asked:
    """What the options say."""
    return Asked(
        _number("within", within, WITHIN, "half the width of an interval, 0.05 say"),
        60 * _number("budget", budget, BUDGET, "a number of minutes"),
    )


def _number(option: str, text: str | None, usual: float, what: str) -> float:
    if text is None:
        return usual
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise UserError(f"--{option}: {text!r} is not {what}")
    return value


class Step(NamedTuple):
    """How many subsamples the next round takes; where there is none, why."""

    runs: int
    why_not: str = ""


def next_step(runs: int, half: float | None, told: Asked, spent: float, last: float) -> Step:
    """What follows a round.

    The interval narrows as 1/√runs, and a round costs what its runs cost.

    Parameters
    ----------
    runs : of the last round
    half : half of the interval of stability after it; None where there is none
    told : what was asked for
    spent, last : seconds of all rounds, and of the last
    """
    if half is None:
        return Step(runs, UNKNOWN)
    if half <= told.within:
        return Step(runs, MET)
    needed = ceil(1.1 * runs * (half / told.within) ** 2)
    if needed < WORTH * runs:
        return Step(runs, CLOSE)
    wanted = min(needed, GROWTH * runs, MOST)
    if wanted < WORTH * runs:
        return Step(runs, ENOUGH)
    number = min(wanted, int(runs * (told.budget - spent) / max(last, 1e-9)))
    return Step(number) if number >= WORTH * runs else Step(runs, SPENT)


def announcement(runs: int, half: float, more: int) -> str:
    """That there is another round."""
    return f"Stability is known to ±{half:.2f} after {runs} subsamples; now {more} of them."


def with_runs(settings: Mapping[str, Any], resample: Mapping[str, Any], runs: int) -> dict:
    """Settings of a run with so many subsamples."""
    overrides = dict(settings.get("overrides") or {})
    own = {**(overrides.get("advise") or {}), "resample": {**resample, "repeats": runs}}
    return {**settings, "overrides": {**overrides, "advise": own}}


def first_runs(settings: Mapping[str, Any], resample: Mapping[str, Any], before: Any) -> int:
    """With how many subsamples to begin: those of an earlier call that asked for the same.

    `before` is what that one was asked for in the end.
    """
    usual = resample["repeats"]
    try:
        runs = int(before["overrides"]["advise"]["resample"]["repeats"])
    except (KeyError, TypeError, ValueError):
        return usual
    return runs if before == with_runs(settings, resample, runs) else usual


def outcome(runs: int, half: float | None, told: Asked, why: str) -> str:
    """What came of it, in a sentence."""
    if half is None:
        return f"How closely stability is known after {runs} subsamples cannot be told."
    reasons = {
        MET: "",
        CLOSE: ", close enough",
        ENOUGH: ", no more are drawn",
        SPENT: f", the budget of {told.budget / 60:g} minutes allows no more",
    }
    known = f"Stability is known to ±{half:.2g} after {runs} subsamples"
    return f"{known} (asked for: ±{told.within:g}{reasons[why]})."
