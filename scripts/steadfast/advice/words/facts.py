"""What the words of the advice are about."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from steadfast.accuracy.scores import Score
from steadfast.advice.consensus import Trusted
from steadfast.advice.evidence import ACCURACY
from steadfast.advice.interchangeable import InterchangeableGroup
from steadfast.advice.recommendation import Best
from steadfast.experiments.q_values import TOGETHER, QValues
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
    score : what accuracy goes by, and `majority` is measured in
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
    score: Score = ACCURACY

    @property
    def trusted_columns(self) -> list[int]:
        """Columns that are trusted, in the order of the consensus."""
        return [row["feature"] for row in self.rows if row["trusted"]]

    @property
    def q_values(self) -> QValues | None:
        return self.trusted.q_values

    def open_members(self, group: InterchangeableGroup) -> list[int]:
        """Trusted members of a group, where the data cannot tell which of them it is; else none.

        They can where one of them tells something of its own, and they need not where it takes
        several to tell something, or where members are not similar.
        """
        members = [column for column in group.columns if self.trusted.columns[column]]
        similar = any(set(members) <= set(other.columns) for other in self.groups)
        if len(members) < 2 or not similar:
            return []
        if self.q_values is not None:
            told = any(self.q_values.beyond_others[column] == OWN for column in members)
            if told or any(self.q_values.how[column] == TOGETHER for column in members):
                return []
        return members

    @property
    def scored(self) -> tuple[Score, str, float, float]:
        """The score, who has it, and what the recommended selection and no feature have."""
        value = self.score.direction * self.best.accuracy(self.classifier)
        return self.score, self.label, value, self.majority

    @property
    def above_chance(self) -> bool:
        """Whether the interval of stability lies above 0."""
        return bool(self.low > 0)

    @property
    def skill(self) -> float:
        """How far the recommended features bring a classifier from knowing nothing to perfection.

        1 where none is measured.
        """
        if self.classifier is None:
            return 1.0
        score, _, value, blind = self.scored
        perfect = score.largest if score.larger_is_better else 0.0
        return (value - blind) / (perfect - blind) if perfect != blind else 0.0


def and_more(count: int) -> str:
    """` and 3 more` of what is listed."""
    return f" and {count} more" if count > 0 else ""
