"""What a reader must know before believing any of the advice."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.advice.words.answer import POOR
from steadfast.advice.words.facts import Facts, and_more
from steadfast.advice.words.scores import BEFORE_OR_AFTER, alone, loss_text, margin_text, no_better
from steadfast.core.seeds import generator
from steadfast.data.encoding import category_mask
from steadfast.data.table import Table
from steadfast.selectors.trust import LEVEL
from steadfast.selectors.trust.columns import describe_columns
from steadfast.selectors.trust.dependent_rows import LEFT_OUT, locate_signal

#: Of a table of noise, the smallest q-value is at most this as rarely as this.
STRONG = 0.002

#: A class of fewer rows is tiny.
TINY = 20

#: Names that a warning lists; the rest are counted.
NAMED = 8

#: A single feature that is right as often as this may well be a consequence of the class.
SUSPICIOUS = 0.99

#: So may one that tells this share of all there is to tell, and of which the second best feature
#: tells no more than the last share.
LEAK, ALMOST_ALL, SECOND = 0.75, 0.9, 0.6

#: A mean correlation of neighbouring rows from which they may belong together, by so many features.
ALIKE, MOST_COLUMNS = 0.1, 500

#: How groups are named to the command, and to a `StabilityReport`.
NAME_GROUPS = "--groups COLUMN, in Python groups="

#: Where more than this share of so many features pass, rows may belong together.
NEARLY_ALL, MANY = 0.9, 10


class Caution(NamedTuple):
    """What a reader must know.

    Attributes
    ----------
    kind : warnings of one kind on several data sets of a study are printed once
    text : in a sentence or two
    doubt : in a few words, where it could turn the answer; the verdict names it
    """

    kind: str
    text: str
    doubt: str = ""


def warnings(facts: Facts, table: Table, about: Mapping[str, Any]) -> list[Caution]:
    """All warnings, the gravest first.

    `about` describes the data set: `proposed_groups` are columns that look like ids of what
    several rows belong to.
    """
    found = [*_about_evidence(facts), *_about_stability(facts), *_about_accuracy(facts)]
    found += _about_names(table)
    found += _about_classes(table)
    found += _about_dependent_rows(facts, table, about.get("proposed_groups") or [])
    found += _about_single_features(facts, table)
    return found


def _about_evidence(facts: Facts) -> list[Caution]:
    """Trusted features of which noise alone would show as much in some of such tables."""
    columns = facts.trusted_columns
    if facts.q_values is None or not columns:
        return []
    smallest = float(facts.q_values.q[columns].min())
    if smallest <= STRONG:
        return []
    text = (
        f"The evidence is weak: the smallest q-value is {smallest:.2g}. In tables of noise it is "
        f"{LEVEL:g} or less in about {LEVEL:.0%}, and {STRONG:g} or less in about {STRONG:.1%}."
    )
    return [Caution("weak", text, f"weak evidence (smallest q-value {smallest:.2g})")]


def _about_stability(facts: Facts) -> list[Caution]:
    if facts.best is None:
        return []
    if not facts.above_chance:
        text = (
            "Stability is no better than chance: the 95% interval of the recommended selection "
            "reaches down to that of features drawn at random."
        )
        return [Caution("chance", text, "stability is no better than chance")]
    if facts.best.stability() < POOR:
        text = (
            "The selection is unstable: other rows of the same kind would give many other features."
        )
        return [Caution("unstable", text, "the selection is unstable")]
    return []


def _about_accuracy(facts: Facts) -> list[Caution]:
    """Accuracy that is lost, or that nothing or random features would have, too."""
    if facts.best is None:
        return []
    return [*_about_loss(facts), *_about_baselines(facts)]


def _about_loss(facts: Facts) -> list[Caution]:
    """A recommendation that loses more than the margin, as no other loses less."""
    choice = facts.choice
    if choice.within_margin:
        return []
    others = "the most accurate one"
    if choice.top.size == facts.n_features:
        others = "all features"
    loss = f"{loss_text(facts.score, choice.loss)} against {others}"
    text = (
        f"Every smaller selection loses more than {margin_text(facts.score, choice.margin)} "
        f"against {others}; the recommended one loses {loss_text(facts.score, choice.loss)}."
    )
    return [Caution("costly", text, f"loses {loss}")]


def _about_baselines(facts: Facts) -> list[Caution]:
    """Accuracy that knowing nothing, or random features of the same number, would have, too."""
    score, value = facts.score, facts.score_of(facts.best)
    if not facts.beats_blind:
        text = no_better(score, facts.label, value, score.blind, facts.blind)
        if facts.trusted_columns:
            text += " All the same, the trusted features are related to the class."
        doubt = f"{score.noun} is not significantly better than without features"
        return [Caution("blind", text, doubt)]
    if facts.random is None:
        text = (
            f"The {score.noun} cannot be compared with that of random features, because none were "
            "drawn here."
        )
        return [Caution("no random", text, "not compared with random features")]
    if not facts.beats_random:
        size = facts.random.size
        others = "one random feature" if size == 1 else f"{size} random features"
        text = no_better(score, facts.label, value, others, facts.score_of(facts.random))
        return [Caution("random", text, "not significantly better than random features")]
    return []


def _about_names(table: Table) -> list[Caution]:
    """Classes that only a letter's case, or a blank, tells apart."""
    spellings: dict[str, list[str]] = {}
    for name in table.classes:
        spellings.setdefault("".join(name.split()).lower(), []).append(name)
    return [
        Caution("names", f"{' and '.join(names)} count as different classes. Are they?")
        for names in spellings.values()
        if len(names) > 1
    ]


def _about_classes(table: Table) -> list[Caution]:
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
    more = and_more(len(tiny) - NAMED)
    text = f"Tiny classes: {names}{more}. Results for them rest on a handful of {what}."
    return [Caution("tiny", text, f"classes of fewer than {TINY} {what}")]


def _about_dependent_rows(
    facts: Facts, table: Table, proposed: Sequence[Mapping[str, Any]]
) -> list[Caution]:
    """Rows of one subject or batch make noise pass; what to do about it."""
    if table.groups is not None:
        return []
    neighbours = _about_neighbours(table)
    if proposed:
        neighbours = [_about_proposed_groups(proposed[0], table, neighbours)]
    found = [*neighbours, *_about_copies(table), *_about_nearly_all(facts, table)]
    return found or _about_nearest_rows(facts, table)


def _about_proposed_groups(
    proposed: Mapping[str, Any], table: Table, neighbours: Sequence[Caution]
) -> Caution:
    """A column that looks like the id of what several rows belong to."""
    column = proposed["column"]
    text = (
        f"{column} looks like the id of what rows belong to ({proposed['values']} values in "
        f"{len(table.y)} rows). If rows of one {column} belong together, name it as groups; "
        "otherwise noise may pass as signal."
    )
    if neighbours:
        text += " Neighbouring rows are indeed more alike than expected by chance."
    return Caution("groups", text, f"rows of one {column} may belong together")


def _about_copies(table: Table) -> list[Caution]:
    """Rows that stand in the table more than once fall on both sides of a split."""
    values = np.nan_to_num(table.X, nan=np.inf)  # two missing values are the same
    _, counts = np.unique(np.column_stack([values, table.y]), axis=0, return_counts=True)
    copies = len(table.y) - counts.size
    if copies < max(2, 0.01 * len(table.y)):
        return []
    text = (
        f"{copies} of {len(table.y)} rows are copies of other rows, so that tests see rows that "
        "were trained on. If they are of one subject, name its column as groups."
    )
    return [Caution("copies", text, "rows are repeated")]


def _about_neighbours(table: Table) -> list[Caution]:
    """Rows of one subject often stand next to each other, and resemble each other."""
    alike, limit = likeness_of_neighbours(table)
    if alike < max(ALIKE, limit):
        return []
    text = (
        "Neighbouring rows are more alike than expected by chance (mean correlation "
        f"{alike:.2f} within classes). If rows come from the same subject or batch, name groups "
        f"({NAME_GROUPS}); otherwise noise may pass as signal."
    )
    return [Caution("neighbours", text, "neighbouring rows are alike")]


def likeness_of_neighbours(table: Table) -> tuple[float, float]:
    """Mean correlation of each row with the next, over the features, and what chance stays below.

    Of ranks around the mean of their class, so that tables sorted by class are not meant; chance by
    100 shuffles of the rows inside their classes: their mean and five standard deviations.
    """
    ranks = describe_columns(table.X, table.levels).ranks[:, :MOST_COLUMNS]
    own = (table.y[:, None] == np.arange(len(table.classes))).astype(float)
    around = ranks - own @ ((own.T @ ranks) / np.maximum(own.sum(axis=0), 1)[:, None])
    spread = (around**2).mean(axis=0)
    around = around[:, spread > 0] / np.sqrt(spread[spread > 0])
    if not around.size:
        return 0.0, 0.0

    def likeness(rows: np.ndarray) -> float:
        return float(np.mean(rows[1:] * rows[:-1]))

    draw, by_class = generator(0, "neighbours"), np.argsort(table.y, kind="stable")
    found = []
    for _ in range(100):
        order = np.empty(len(table.y), dtype=np.int64)
        order[by_class] = np.lexsort((draw.random(len(table.y)), table.y))
        found.append(likeness(around[order]))
    return likeness(around), float(np.mean(found) + 5 * np.std(found))


def _about_nearest_rows(facts: Facts, table: Table) -> list[Caution]:
    """Rows that tell the class of those most similar to them, and of hardly any others."""
    if facts.trusted.asked and not facts.trusted_columns:
        return []
    found = locate_signal(table)
    if found is None or not found.rows_may_belong_together:
        return []
    text = (
        "The class of a row can be predicted from the few rows most similar to it (AUC "
        f"{found.auc_of_nearest:.2f}) far better than from all others ({found.auc_of_others:.2f} "
        f"without the {LEFT_OUT} most similar rows of each class), as if several rows came from "
        f"one subject. If they do, name groups ({NAME_GROUPS}); otherwise noise may pass as signal."
    )
    return [Caution("nearest", text, "only the most similar rows tell the class")]


def _about_nearly_all(facts: Facts, table: Table) -> list[Caution]:
    """Rows that belong together make noise pass, all of it alike."""
    passed, m = len(facts.trusted_columns), table.X.shape[1]
    if facts.q_values is None or m < MANY or passed < NEARLY_ALL * m:
        return []
    which = "All" if passed == m else f"{passed} of"
    text = (
        f"{which} {m} features have q ≤ {LEVEL:g}. If several rows come from one subject, batch or "
        f"place, noise passes too: name groups ({NAME_GROUPS}). If not, nearly all features are "
        "related to the class."
    )
    return [Caution("nearly all", text, "nearly all features pass")]


def _about_single_features(facts: Facts, table: Table) -> list[Caution]:
    """A feature that tells nearly all there is to tell may be a consequence of the class."""
    if facts.best is None or table.X.shape[1] < 2:
        return []
    curve = facts.best.witness.accuracy.get(facts.classifier)
    # A loss is turned round in there, and never reaches what is suspicious.
    place = None if curve is None else curve.place(1, defined=True)
    if place is not None and curve.values[place] >= SUSPICIOUS:
        first = [int(run[0]) for run in facts.best.witness.runs]
        name = table.features[max(set(first), key=lambda column: (first.count(column), -column))]
        text = alone(facts.score, name, curve.values[place])
        return [Caution("alone", text, f"{name} alone tells nearly everything")]
    skills = single_skills(table)
    order = np.argsort(-skills, kind="stable")
    best, second = skills[order[0]], skills[order[1]]
    if best < LEAK or second > SECOND * best or best < ALMOST_ALL * facts.skill:
        return []
    name = table.features[order[0]]
    text = (
        f"{name} alone tells nearly as much as all features together, and far more than any "
        f"other. {BEFORE_OR_AFTER}"
    )
    return [Caution("alone", text, f"{name} alone tells nearly everything")]


def single_skills(table: Table) -> np.ndarray:
    """How well each column alone tells a class from the others: 0 is guessing, 1 is always right.

    For each class, the largest difference of its distribution function and that of the others
    (Kolmogorov and Smirnov's D), which is how much better than guessing the best cut is; of
    categories, half of the sum of the differences of their shares. The mean over the classes, of
    two the same for both. Gaps lie above all numbers.
    """
    categories = category_mask(table.levels, table.X.shape[1])
    X = np.nan_to_num(table.X, nan=np.inf, posinf=np.inf)
    own = (table.y[:, None] == np.arange(len(table.classes))).astype(float)
    weights = own / np.maximum(own.sum(axis=0), 1)
    weights -= (1 - own) / np.maximum((1 - own).sum(axis=0), 1)
    skills = np.empty(X.shape[1])
    for column, values in enumerate(X.T):
        _, codes = np.unique(values, return_inverse=True)
        steps = np.zeros((codes.max() + 1, weights.shape[1]))
        np.add.at(steps, codes, weights)
        apart = np.abs(steps).sum(axis=0) / 2
        if not categories[column]:
            apart = np.abs(steps.cumsum(axis=0)).max(axis=0)
        skills[column] = apart.mean()
    return skills
