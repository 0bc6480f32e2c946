"""What the words of the advice are about."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from steadfast.advice.consensus import Trusted
from steadfast.advice.interchangeable import InterchangeableGroup
from steadfast.advice.recommendation import Best
from steadfast.experiments.q_values import QValues
from steadfast.selectors.trust import OWN


class Facts(NamedTuple):
    """What the words are about.

    Attributes
    ----------
    best, as_accurate : the recommended selector, and all that are as accurate
    classifier, label : by which accuracy is measured, and its name in print; None: by none
    majority : mean accuracy of naming the most frequent class; NaN where none is measured
    beats_majority : whether the recommended one is significantly better; None: not measured
    low : the lower end of the interval of its stability
    rows : the consensus; see `advice.consensus`
    trusted : what is known about each column
    groups : interchangeable groups
    """

    best: Best
    as_accurate: Sequence[Best]
    classifier: str | None
    label: str
    majority: float
    beats_majority: bool | None
    low: float
    rows: Sequence[Mapping[str, Any]]
    trusted: Trusted
    groups: Sequence[InterchangeableGroup]

    @property
    def trusted_columns(self) -> list[int]:
        """Columns that are trusted, in the order of the consensus."""
        return [row["feature"] for row in self.rows if row["trusted"]]

    @property
    def q_values(self) -> QValues | None:
        return self.trusted.q_values

    def open_members(self, group: InterchangeableGroup) -> list[int]:
        """Trusted members of a group, where the data cannot tell which of them it is; else none.

        They can where one of them tells something of its own.
        """
        members = [column for column in group.columns if self.trusted.columns[column]]
        labels = self.q_values.beyond_others if self.q_values else None
        told = labels is not None and any(labels[column] == OWN for column in members)
        return [] if told or len(members) < 2 else members

    @property
    def above_chance(self) -> bool:
        """Whether the interval of stability lies above 0."""
        return bool(self.low > 0)

    @property
    def skill(self) -> float:
        """How far above the majority a classifier gets with these features: 1 is always right.

        1 where none is measured.
        """
        if self.classifier is None:
            return 1.0
        return (self.best.accuracy(self.classifier) - self.majority) / max(1 - self.majority, 1e-9)


def and_more(count: int) -> str:
    """` and 3 more` of what is listed."""
    return f" and {count} more" if count > 0 else ""
