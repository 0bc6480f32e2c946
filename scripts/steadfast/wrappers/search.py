"""Sequential searches for the best subset of every size."""

from dataclasses import dataclass, field
from typing import NamedTuple

from steadfast.wrappers.base import Criterion


class Step(NamedTuple):
    """One change of the subset.

    Attributes
    ----------
    action
        `add` or `drop`; `return` and `leave` where the search resumes a subset that it knows.
    feature
        The column that enters or leaves.
    size
        Of the subset after the change.
    score
        Of that subset; see `Criterion`.
    best_score, best_size
        Of the best subset so far: the highest score, the smaller subset on ties.
    """

    action: str
    feature: int
    size: int
    score: int
    best_score: int
    best_size: int


@dataclass
class Search:
    """What a search found.

    Attributes
    ----------
    steps
        Every change of the subset, in order.
    kept
        Size to the best subset of that size (columns in their order), the first found on ties.
    kept_at
        Size to the number of the step that found it.
    scores
        Size to its score.
    """

    steps: list[Step] = field(default_factory=list)
    kept: dict[int, list[int]] = field(default_factory=dict)
    kept_at: dict[int, int] = field(default_factory=dict)
    scores: dict[int, int] = field(default_factory=dict)

    @property
    def chosen_size(self) -> int:
        """The size of the best subset of all, the smaller on ties."""
        return self.steps[-1].best_size

    @property
    def chosen(self) -> list[int]:
        return self.kept[self.chosen_size]

    def record(self, action: str, feature: int, subset: list[int], score: int) -> None:
        """Note a change, and keep the subset if it is the best of its size so far."""
        size = len(subset)
        if score > self.scores.get(size, -1):
            self.kept[size], self.scores[size] = list(subset), score
            self.kept_at[size] = len(self.steps)
        best, negative_size = max((score, -size) for size, score in self.scores.items())
        self.steps.append(Step(action, feature, size, score, best, -negative_size))


def sequential_search(
    criterion: Criterion,
    *,
    floating: bool,
    largest: int | None = None,
    stop_when_perfect: bool = False,
    resume_best: bool = False,
) -> Search:
    """Forward search: add the best feature, again and again; ties go to the lowest column.

    Parameters
    ----------
    floating
        After each addition, drop the feature without which the subset is best, as long as the
        smaller subset beats the best of its size so far.
    largest
        Size at which to stop; None goes on to all features.
    stop_when_perfect
        Stop once the subset is as large as one that makes no error, because no larger one would
        be chosen. A floating search that has dropped below that size goes on: it may find a smaller
        one.
    resume_best
        After the dropping, go on from the best subset known of the size that is left.

    References
    ----------
    Pudil, Novovicova, Kittler, Floating search methods in feature selection (1994).
    """
    m = criterion.X.shape[1]
    largest = m if largest is None else min(largest, m)
    search = Search()
    while len(criterion.subset) < largest:
        inside = set(criterion.subset)
        candidates = [feature for feature in range(m) if feature not in inside]
        scores = criterion.scores_with(candidates)
        at = int(scores.argmax())
        criterion.add(candidates[at])
        search.record("add", candidates[at], criterion.subset, int(scores[at]))
        while floating and _drop_one(criterion, search):
            pass
        if resume_best:
            _resume(criterion, search)
        best = search.steps[-1]
        perfect = best.best_score == criterion.perfect
        if stop_when_perfect and perfect and len(criterion.subset) >= best.best_size:
            break
    return search


def _drop_one(criterion: Criterion, search: Search) -> bool:
    """Drop the feature whose absence is best, if that beats the best subset of the size so far."""
    size = len(criterion.subset) - 1
    # The best single feature is known, and so is that no feature is worth nothing.
    if size < 2:
        return False
    scores = criterion.scores_without(above=search.scores[size])
    at = int(scores.argmax())
    if scores[at] <= search.scores[size]:
        return False
    feature = criterion.subset[at]
    criterion.drop(feature)
    search.record("drop", feature, criterion.subset, int(scores[at]))
    return True


def _resume(criterion: Criterion, search: Search) -> None:
    """Go on from the best subset known of the present size."""
    size, last = len(criterion.subset), search.steps[-1]
    subset, before = set(search.kept[size]), set(criterion.subset)
    changed = last._replace(size=size, score=search.scores[size])
    for feature in sorted(subset - before):
        criterion.add(feature)
        search.steps.append(changed._replace(action="return", feature=feature))
    for feature in sorted(before - subset):
        criterion.drop(feature)
        search.steps.append(changed._replace(action="leave", feature=feature))
