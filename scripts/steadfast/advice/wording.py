"""Advice in words: the answer in three sentences, the reasons, and the warnings."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.accuracy.scores import Score
from steadfast.advice.evidence import ACCURACY
from steadfast.advice.recommendation import Best, votes_needed
from steadfast.advice.scored_words import achieved, alone, as_good, best_of, no_better
from steadfast.data.table import Table
from steadfast.experiments.probes import AHEAD
from steadfast.selectors.running.fold_file import OWN_SIZE

#: Stability below the first is poor, above the second excellent (Nogueira, Sechidis, Brown 2018).
POOR, EXCELLENT = 0.4, 0.75

#: A class of fewer rows is tiny.
TINY = 20

#: Features that the answer names; the rest are in the table.
NAMED = 8

#: A single feature that is right as often as this may well be a consequence of the class.
SUSPICIOUS = 0.99


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
    voters : how many selectors could vouch; None where none could
    swaps : how many interchangeable groups there are
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
    voters: int | None
    swaps: int
    score: Score = ACCURACY

    @property
    def trusted_columns(self) -> list[int]:
        """Columns that are trusted."""
        return [row["feature"] for row in self.rows if row["trusted"]]

    @property
    def scored(self) -> tuple[Score, str, float, float]:
        """The score, who has it, and what the recommended selection and no feature have."""
        value = self.score.direction * self.best.accuracy(self.classifier)
        return self.score, self.label, value, self.majority

    @property
    def above_chance(self) -> bool:
        """Whether the interval of stability lies above 0."""
        return bool(self.low > 0)


def verdict(facts: Facts) -> str:
    """`trust`, `caution`, or `nothing`."""
    if facts.voters is not None and not facts.trusted_columns:
        return "nothing"
    if not facts.trusted_columns and (facts.beats_majority is False or not facts.above_chance):
        return "nothing"
    doubts = facts.beats_majority is False or not facts.above_chance
    return "caution" if doubts or facts.best.stability() < POOR else "trust"


def answer(facts: Facts, table: Table) -> list[str]:
    """Three sentences: what to use, how far it holds, which features to trust."""
    if verdict(facts) == "nothing":
        return [_nothing(facts), _how_good(facts), _no_feature(facts)]
    return [_use(facts), _how_good(facts), _which(facts, table)]


def _and_more(count: int) -> str:
    return f" and {count} more" if count > 0 else ""


def _size(best: Best) -> str:
    if best.size == OWN_SIZE:
        return f"the features it chooses itself, {best.witness.mean_size:.1f} on average"
    return "one feature" if best.size == 1 else f"{best.size} features"


def _use(facts: Facts) -> str:
    best = facts.best
    why = "it is the most stable of all selectors here"
    if facts.classifier is not None:
        others = len(facts.as_accurate)
        good = as_good(facts.score)
        why = f"of the {others} selectors {good} as the best, it is the most stable"
        if others == 1:
            why = f"no other is {good}, by more than chance explains"
    return f"Use {best.witness.label} with {_size(best)}: {why}."


def _nothing(facts: Facts) -> str:
    if facts.voters is not None and facts.beats_majority:
        return (
            "Nothing here can be trusted by itself, though together the features seem to tell a "
            "little more about the class than one would know without them."
        )
    if facts.classifier is None or facts.beats_majority:
        return "Nothing here can be trusted: what is selected is left to chance."
    return (
        "Nothing here can be trusted: the features tell no more about the class than one would "
        "know without them."
    )


def _how_good(facts: Facts) -> str:
    best = facts.best
    stability = best.stability()
    if not facts.above_chance:
        steady = "no more stable than features drawn at random"
    elif stability < POOR:
        steady = "poorly stable"
    else:
        steady = "very stable" if stability >= EXCELLENT else "fairly stable"
    whose = "its selection"
    if verdict(facts) == "nothing":
        whose = f"even the selection to be preferred, {best.witness.label} with {_size(best)},"
    text = (
        f"When the data change a little, {whose} is {steady} ({stability:.2f}; 0 is chance, 1 the "
        "same features every time)"
    )
    if facts.classifier is None:
        return text + "."
    return f"{text}, and {achieved(*facts.scored)}."


def _no_feature(facts: Facts) -> str:
    if facts.voters is None:
        return "So do not read anything into the features that were selected."
    return (
        "No feature can be trusted: none stays ahead of shuffled copies of the features in "
        f"{AHEAD:.0%} of the runs of at least {votes_needed(facts.voters)} of the {facts.voters} "
        "selectors."
    )


def _which(facts: Facts, table: Table) -> str:
    if facts.voters is not None and not facts.trusted_columns:
        return _no_feature(facts)
    if facts.voters is None:
        columns = [row["feature"] for row in facts.rows if row["frequency"] >= 0.9]
        if not columns:
            return "No feature is selected in nine of ten runs."
        start = "Selected in at least nine of ten runs"
    else:
        columns = facts.trusted_columns
        count = "this feature" if len(columns) == 1 else f"these {len(columns)} features"
        start = f"You can trust {count}"
    names = [table.features[column] for column in columns]
    shown = ", ".join(names[:NAMED]) + _and_more(len(names) - NAMED)
    swaps = ""
    if facts.swaps:
        swap_groups = "one group" if facts.swaps == 1 else f"{facts.swaps} groups"
        swaps = f"; below, {swap_groups} of features that can stand in for each other"
    return f"{start}: {shown}{swaps}."


def why_size(facts: Facts, knot: int | None) -> str:
    """The reason for the recommended size, and the knot."""
    best = facts.best
    if best.size == OWN_SIZE:
        return "The selector chooses the size of its subset itself."
    text = (
        f"{best.size} is the smallest size at which stability is not significantly below its best"
    )
    if best.most_accurate is not None:
        text = (
            f"The {best_of(facts.score)} is reached with {best.most_accurate}; {best.size} is the "
            f"smallest size that is not significantly worse, in {facts.score.noun} or in stability"
        )
    if knot is None:
        return text + ". The curve of stability has no knot."
    return (
        f"{text}. The curve of stability has a knot at {knot}: features that come later are added "
        "more or less at random."
    )


def why_selector(facts: Facts) -> str:
    """The reason for the recommended selector."""
    if facts.classifier is None:
        return "The most stable at its own best size; accuracy was not measured."
    labels = [one.witness.label for one in facts.as_accurate]
    names = ", ".join(labels[:NAMED]) + _and_more(len(labels) - NAMED)
    good = as_good(facts.score).replace("as", "As", 1)
    return (
        f"{good} as the best, up to what chance explains: {names}. Of these, "
        f"{facts.best.witness.label} is the most stable."
    )


def warnings(facts: Facts, table: Table) -> list[str]:
    """What a reader must know before believing any of it."""
    found = []
    if not facts.above_chance:
        found.append(
            "Stability is no better than chance: the 95% interval of the recommended selector "
            "reaches down to that of features drawn at random."
        )
    if facts.beats_majority is False:
        found.append(no_better(*facts.scored))
    found += _about_names(table)
    found += _about_classes(table)
    found += _about_rows(table)
    found += _about_single_features(facts, table)
    if "all rows" in facts.best.witness.note:
        found.append(
            "The recommended selector learnt from test rows as well (as published), so that its "
            "accuracy and stability are too good."
        )
    return found


def _about_names(table: Table) -> list[str]:
    """Classes that only a letter's case, or a blank, tells apart."""
    spellings: dict[str, list[str]] = {}
    for name in table.classes:
        spellings.setdefault("".join(name.split()).lower(), []).append(name)
    return [
        f"{' and '.join(names)} count as different classes. Are they?"
        for names in spellings.values()
        if len(names) > 1
    ]


def _about_classes(table: Table) -> list[str]:
    """Classes of few rows, or, where rows stay together in groups, of few groups."""
    what, rows = "rows", np.arange(len(table.y))
    if table.groups is not None:
        what = "groups"
        rows = np.unique(np.column_stack([table.groups, table.y]), axis=0, return_index=True)[1]
    counts = np.bincount(table.y[rows], minlength=len(table.classes))
    tiny = [(name, n) for name, n in zip(table.classes, counts, strict=True) if n < TINY]
    if not tiny:
        return []
    names = ", ".join(f"{name} ({n} {what})" for name, n in tiny[:NAMED])
    more = _and_more(len(tiny) - NAMED)
    return [f"Tiny classes: {names}{more}. What is said about them rests on a handful of {what}."]


def _about_rows(table: Table) -> list[str]:
    """Rows that stand in the table more than once fall on both sides of a split."""
    if table.groups is not None:
        return []
    values = np.nan_to_num(table.X, nan=np.inf)  # two missing values are the same
    _, counts = np.unique(np.column_stack([values, table.y]), axis=0, return_counts=True)
    copies = len(table.y) - counts.size
    if copies < max(2, 0.01 * len(table.y)):
        return []
    return [
        f"{copies} of {len(table.y)} rows are copies of other rows, so that tests see rows that "
        "were trained on. If they are of one subject, name its column under groups."
    ]


def _about_single_features(facts: Facts, table: Table) -> list[str]:
    curve = facts.best.witness.accuracy.get(facts.classifier)
    # A loss is turned round in there, and never reaches what is suspicious.
    place = None if curve is None else curve.place(1, defined=True)
    if place is None or table.X.shape[1] < 2 or curve.values[place] < SUSPICIOUS:
        return []
    first = [int(run[0]) for run in facts.best.witness.runs]
    name = table.features[max(set(first), key=lambda column: (first.count(column), -column))]
    return [alone(facts.score, name, curve.values[place])]
