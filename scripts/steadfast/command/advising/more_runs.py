"""How many subsamples are enough: until stability is known closely and the choice is clear."""

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

from steadfast.core.errors import UserError
from steadfast.study.costs import minutes
from steadfast.study.declaration import Study

#: Half of the 95% interval of stability that is narrow enough, and minutes that may be spent.
WITHIN, BUDGET = 0.1, 10.0

#: No more subsamples than this, and no more in a round than so many times those before: what a
#: round costs is known from the last one, which may have found its results there already.
MOST, GROWTH = 500, 3

#: A few more would not be worth another round.
WORTH = 1.2

#: No more subsamples than this to tell which selection loses least; some are equally good.
MOST_TO_CHOOSE = 100

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
        60 * _minutes(budget),
    )


def points(text: str) -> float:
    """A margin of 2 points as the key of a study has it: 0.02."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise UserError(f"--margin: {text!r} is not a number of points; write 2, for 2 points")
    return value / 100


def _minutes(text: str | None) -> float:
    """A budget as the key of a study has it: `10`, `10 min` or `2 h`."""
    try:
        return _number("budget", str(minutes(text)) if text else None, BUDGET, "minutes")
    except (UserError, AttributeError):
        raise UserError(f"--budget: {text!r} is no time; write 10, `10 min` or `2 h`") from None


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


def next_step(
    runs: int, half: float | None, told: Asked, spent: float, last: float, clear: bool = True
) -> Step:
    """What follows a round.

    The interval narrows as 1/√runs, and a round costs what its runs cost.

    Parameters
    ----------
    runs : of the last round
    half : half of the interval of stability after it; None where there is none
    told : what was asked for
    spent, last : seconds of all rounds, and of the last
    clear : whether the runs were enough to tell which selection to recommend
    """
    if half is None:
        return Step(runs, UNKNOWN)
    to_choose = 0 if clear else min(GROWTH * runs, MOST_TO_CHOOSE)
    if half <= told.within and to_choose < WORTH * runs:
        return Step(runs, MET)
    needed = max(to_choose, ceil(1.1 * runs * (half / told.within) ** 2))
    if needed < WORTH * runs:
        return Step(runs, CLOSE)
    wanted = min(needed, GROWTH * runs, MOST)
    if wanted < WORTH * runs:
        return Step(runs, ENOUGH)
    number = min(wanted, int(runs * (told.budget - spent) / max(last, 1e-9)))
    return Step(number) if number >= WORTH * runs else Step(runs, SPENT)


def announcement(runs: int, half: float, more: int, clear: bool = True) -> str:
    """That there is another round."""
    known = f"Stability is known to ±{half:.2f} after {runs} subsamples"
    why = "" if clear else ", too few to tell which selection to recommend"
    return f"{known}{why}; now {more} of them."


def with_runs(settings: Mapping[str, Any], study: Study, runs: int) -> dict:
    """Settings of a run with so many subsamples.

    More of them have as much more time, so that each is on as many rows as before.
    """
    usual = study.resample["repeats"]
    changes: dict[str, Any] = {"resample": {**study.resample, "repeats": runs}}
    if runs > usual and study.budget is not None:
        changes["budget"] = study.budget * runs / usual
    return with_changes(settings, changes)


def with_changes(settings: Mapping[str, Any], changes: Mapping[str, Any]) -> dict:
    """Settings with other values for some keys of the study."""
    overrides = dict(settings.get("overrides") or {})
    own = {**(overrides.get("advise") or {}), **changes}
    return {**settings, "overrides": {**overrides, "advise": own}}


def first_runs(settings: Mapping[str, Any], study: Study, before: Any) -> int:
    """With how many subsamples to begin: those of an earlier call that asked for the same.

    `before` is what that one was asked for in the end; it may have had another budget.
    """
    usual = study.resample["repeats"]
    try:
        runs = int(before["overrides"]["advise"]["resample"]["repeats"])
    except (KeyError, TypeError, ValueError):
        return usual
    same = _but_budget(before) == _but_budget(with_runs(settings, study, runs))
    return runs if same else usual


def _but_budget(settings: Mapping[str, Any]) -> dict[str, Any]:
    overrides = settings["overrides"]
    own = {key: value for key, value in overrides["advise"].items() if key != "budget"}
    others = {key: value for key, value in settings.items() if key != "typed"}
    return {**others, "overrides": {**overrides, "advise": own}}


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
