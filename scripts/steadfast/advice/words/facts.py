"""What the words of the advice are about."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from steadfast.accuracy.scores import Score
from steadfast.advice.consensus import Trusted
from steadfast.advice.evidence import ACCURACY
from steadfast.advice.interchangeable import InterchangeableGroup
from steadfast.advice.recommendation import Best, Choice
from steadfast.experiments.q_values import TOGETHER, QValues
from steadfast.selectors.trust import OWN


class Facts(NamedTuple):
    """What the words are about.

    Attributes
    ----------
    choice : the recommendation and what it was chosen from; None where no accuracy was measured
    label : the classifier that accuracy is measured by, in print
    classifier : its id; None where nothing is recommended
    measured : whether accuracy was measured
    n_runs : how many runs there were
    n_features : how many features the table has
    blind : the score of knowing nothing but the shares of the classes
    beats_blind : whether the recommended selection is significantly better; None: not measured
    random : random features of the same number; None where no selector chose at random
    beats_random : whether the recommended selection is significantly better; None: not known
    low : the lower end of the interval of its stability
    rows : the consensus; see `advice.consensus`
    trusted : what is known about each column
    groups : interchangeable groups
    score : what accuracy goes by, and `blind` is measured in
    """

    choice: Choice | None
    classifier: str | None
    measured: bool
    label: str
    n_runs: int
    n_features: int
    blind: float
    beats_blind: bool | None
    random: Best | None
    beats_random: bool | None
    low: float
    rows: Sequence[Mapping[str, Any]]
    trusted: Trusted
    groups: Sequence[InterchangeableGroup]
    score: Score = ACCURACY

    @property
    def best(self) -> Best | None:
        """The recommended selection."""
        return None if self.choice is None else self.choice.best

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

    def score_of(self, one: Best) -> float:
        """The score of a selection, as it is printed."""
        return self.score.direction * one.accuracy(self.classifier)

    @property
    def above_chance(self) -> bool:
        """Whether the interval of stability lies above 0."""
        return bool(self.low > 0)

    @property
    def skill(self) -> float:
        """How far the recommended features bring a classifier from knowing nothing to perfection.

        1 where none is measured.
        """
        if self.best is None:
            return 1.0
        perfect = self.score.largest if self.score.larger_is_better else 0.0
        gained = self.score_of(self.best) - self.blind
        return gained / (perfect - self.blind) if perfect != self.blind else 0.0


def and_more(count: int) -> str:
    """` and 3 more` of what is listed."""
    return f" and {count} more" if count > 0 else ""


def listed(names: Sequence[str], most: int) -> str:
    """`a`, `a and b`, `a, b and c`; of more than `most` names `a, b and 3 more`."""
    shown = list(names[:most])
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return " and ".join([*filter(None, [", ".join(shown[:-1])]), *shown[-1:]])
