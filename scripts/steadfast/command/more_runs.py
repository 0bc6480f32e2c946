"""How many subsamples are enough: more of them until stability is known closely, or time is up."""

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

from steadfast.core.errors import UserError

#: Half of the 95% interval of stability that is narrow enough, and minutes that may be spent.
WITHIN, BUDGET = 0.1, 10.0

#: No more subsamples than this.
MOST = 500

#: A few more would not be worth another round.
WORTH = 1.2


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


def next_number(runs: int, half: float | None, told: Asked, spent: float, last: float) -> int:
    """How many subsamples the next round takes; as many as now where there is none.

    The interval narrows as 1/√runs, and a round costs what its runs cost.

    Parameters
    ----------
    runs : of the last round
    half : half of the interval of stability after it; None where there is none
    told : what was asked for
    spent, last : seconds of all rounds, and of the last
    """
    if half is None or half <= told.within:
        return runs
    needed = ceil(1.1 * runs * (half / told.within) ** 2)
    affordable = int(runs * (told.budget - spent) / max(last, 1e-9))
    number = min(needed, affordable, MOST)
    return number if number >= WORTH * runs else runs


def announcement(runs: int, half: float, more: int) -> str:
    """That there is another round."""
    return f"Stability is known to ±{half:.2f} after {runs} subsamples; now {more} of them."


def with_runs(settings: Mapping[str, Any], resample: Mapping[str, Any], runs: int) -> dict:
    """Settings of a run with so many subsamples."""
    overrides = dict(settings.get("overrides") or {})
    own = {**(overrides.get("advise") or {}), "resample": {**resample, "repeats": runs}}
    return {**settings, "overrides": {**overrides, "advise": own}}


def outcome(runs: int, half: float | None, told: Asked) -> str:
    """What came of it, in a sentence."""
    if half is None:
        return f"How closely stability is known after {runs} subsamples cannot be told."
    known = f"Stability is known to ±{half:.2f} after {runs} subsamples"
    if half <= told.within:
        return f"{known} (asked for: ±{told.within:g})."
    ends = "more are not drawn" if runs >= MOST else f"{told.budget / 60:g} minutes are the budget"
    return f"{known} (asked for: ±{told.within:g}; {ends})."
