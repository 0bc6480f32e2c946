"""Claims: the cases in which a claim is tested, and the words of its verdict."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from steadfast.outputs.intervals import Interval
from steadfast.outputs.table import Labels, Table
from steadfast.outputs.verdict import (
    AGAINST,
    FOR,
    Case,
    Expect,
    claims_absence,
    judge,
    rule_of_cases,
    sentence,
)

#: Shown when a claim needs published numbers and none are on file.
NOT_PUBLISHED = "config/published has no numbers for the rows of this run"


@dataclass
class Claim:
    """What a run shows about a claim.

    Attributes
    ----------
    cases
        Its tests; none where the run has nothing to test it on.
    shows
        What a case that supports the claim shows, as a sentence without its full stop.
    unit
        What a case is.
    rule
        When a case supports the claim, as sentences.
    table
        The numbers.
    lines
        Lines of Markdown before the table.
    more
        A second sentence, after that of the counts.
    reason
        Why there is no case.
    absence
        Whether the claim is that there is no difference.
    percent
        Whether the numbers of the cases are shares.
    """

    cases: Sequence[Case]
    shows: str
    unit: str
    rule: str
    table: Table | None = None
    lines: Sequence[str] = ()
    more: str = ""
    reason: str = "nothing in this run is a case of it"
    absence: bool = False
    percent: bool = False

    @property
    def sentence(self) -> str:
        """The result in words."""
        if not self.cases:
            return f"There is no case: {self.reason}."
        counts = sentence(self.shows, self.cases, self.unit, self.percent)
        return f"{counts} {self.more}".strip()

    def details(self, labels: Labels) -> str:
        """The numbers, in Markdown."""
        table = self.table.lines(labels) if self.table else []
        return "\n".join([*self.lines, "", *table]).strip()


def untestable(reason: str) -> Claim:
    """A claim that the run cannot test."""
    return Claim([], "", "", "", reason=reason)


def by_interval(
    cases: Iterable[tuple[str, Interval]],
    expect: Expect,
    *,
    unit: str,
    number: str,
    values_only: bool = False,
    percent: bool = False,
    **more: Any,
) -> Claim:
    """A claim whose cases are numbers, with or without an interval, of which something is expected.

    Parameters
    ----------
    cases
        The name and the number of each.
    expect
        `above`, `below` or `within` and a limit.
    number
        What the number is, in the middle of a sentence.
    values_only
        Whether the numbers have no intervals.
    more
        Other attributes of the claim.
    """
    judged = [Case(name, judge(expect, one), one.mean) for name, one in cases]
    rule = rule_of_cases(unit, number, expect, values_only, percent)
    absence = claims_absence(expect)
    return Claim(judged, unit=unit, rule=rule, absence=absence, percent=percent, **more)


def by_condition(
    cases: Iterable[tuple[str, bool]], *, unit: str, condition: str, **more: Any
) -> Claim:
    """A claim whose cases meet a condition or do not; the condition is a clause after "where"."""
    judged = [Case(name, FOR if met else AGAINST) for name, met in cases]
    rule = (
        f"A case is {unit}. It speaks for the claim where {condition}, and against it else "
        "(single values)."
    )
    return Claim(judged, unit=unit, rule=rule, **more)
