"""Advice in words: the answer in a few sentences, and the reasons."""

from collections.abc import Iterator

from steadfast.advice.recommendation import Best
from steadfast.advice.words.chosen import chosen_in_words, count_chosen
from steadfast.advice.words.facts import Facts, and_more
from steadfast.advice.words.scores import achieved, as_good, best_of
from steadfast.data.table import Table
from steadfast.experiments.q_values import TOGETHER
from steadfast.selectors.running.fold_file import OWN_SIZE
from steadfast.selectors.running.probes import AHEAD, votes_needed

#: Stability below the first is poor, above the second excellent (Nogueira, Sechidis, Brown 2018).
POOR, EXCELLENT = 0.4, 0.75

#: Features that the answer names; the rest are in the table.
NAMED = 8

#: Members of a group that it names.
NAMED_IN_GROUP = 4


def verdict(facts: Facts) -> str:
    """`trust`, `caution`, or `nothing`."""
    doubts = facts.beats_majority is False or not facts.above_chance
    if not facts.trusted_columns and (facts.trusted.asked or doubts):
        return "nothing"
    return "caution" if doubts or facts.best.stability() < POOR else "trust"


def answer(facts: Facts, table: Table) -> list[str]:
    """What to use, how far it holds, which features to trust, and at what risk."""
    if verdict(facts) == "nothing":
        return [_nothing(facts, table), _how_good(facts), _no_feature(facts, table)]
    found = [_use(facts), _how_good(facts), _which(facts, table), *_risk(facts, table)]
    return [*found, *_chosen(facts)]


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


def _chosen(facts: Facts) -> Iterator[str]:
    """The parameters that the runs of the recommended selector chose."""
    parameters = count_chosen(facts.best.witness.selections)
    if parameters:
        yield f"{facts.best.witness.label}: {chosen_in_words(parameters)}."


def _nothing(facts: Facts, table: Table) -> str:
    if facts.trusted.asked and facts.beats_majority:
        return (
            "Nothing here can be trusted by itself, though together the features seem to tell more "
            "about the class than one would know without them."
        )
    if facts.q_values is not None:
        return (
            "Nothing here can be trusted: that the features tell anything about the class could "
            f"not be shown with {_rows(table)}."
        )
    if facts.classifier is None or facts.beats_majority:
        return "Nothing here can be trusted: what is selected is left to chance."
    return (
        "Nothing here can be trusted: no classifier could tell more about the class by these "
        "features than one would know without them."
    )


def _rows(table: Table) -> str:
    """How many rows, or groups of them, there are to show anything with."""
    if table.groups is None:
        return f"{len(table.y)} rows"
    return f"{len(set(table.groups.tolist()))} groups of rows"


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


def _no_feature(facts: Facts, table: Table) -> str:
    if not facts.trusted.asked:
        return "So do not read anything into the features that were selected."
    if facts.q_values is not None:
        return (
            f"No feature can be trusted: none could be shown with {_rows(table)} to tell more than "
            f"noise would (the smallest q-value is {facts.q_values.q.min():.2g}). That is no proof "
            "that there is nothing: more rows may show it."
        )
    voters = facts.trusted.voters
    return (
        "No feature can be trusted: none stays ahead of shuffled copies of the features in "
        f"{AHEAD:.0%} of the runs of at least {votes_needed(voters)} of the {voters} selectors."
    )


def _which(facts: Facts, table: Table) -> str:
    if not facts.trusted.asked:
        columns = [row["feature"] for row in facts.rows if row["frequency"] >= 0.9]
        if not columns:
            return "No feature is selected in nine of ten runs."
        names = [table.features[column] for column in columns]
        start = "Selected in at least nine of ten runs"
    else:
        names = list(_trusted_names(facts, table))
        start = f"You can trust {_counted(facts)}"
    shown = ", ".join(names[:NAMED]) + and_more(len(names) - NAMED)
    which = "; of those in braces the data cannot tell which" if _open_groups(facts) else ""
    return f"{start}: {shown}{which}."


def _open_groups(facts: Facts) -> list[list[int]]:
    """Groups of trusted features of which the data cannot tell which one it is."""
    if not facts.trusted.asked:
        return []
    return [members for members in map(facts.open_members, facts.groups) if members]


def _counted(facts: Facts) -> str:
    """`these 5 features`, `this feature and 2 groups of features`."""
    groups = _open_groups(facts)
    single = len(facts.trusted_columns) - sum(map(len, groups))
    features = "this feature" if single == 1 else f"these {single} features"
    if not groups:
        return features
    several = "one group of features" if len(groups) == 1 else f"{len(groups)} groups of features"
    return f"{features} and {several}" if single else several


def _trusted_names(facts: Facts, table: Table) -> Iterator[str]:
    """Trusted features, and groups of them where the data cannot tell which one it is."""
    group_of = {column: members for members in _open_groups(facts) for column in members}
    told: set[int] = set()
    for column in facts.trusted_columns:
        members = group_of.get(column)
        if members is None:
            yield table.features[column]
        elif column not in told:
            told.update(members)
            some = ", ".join(table.features[member] for member in members[:NAMED_IN_GROUP])
            more = ", …" if len(members) > NAMED_IN_GROUP else ""
            yield f"one of {{{some}{more}}}"


def _risk(facts: Facts, table: Table) -> Iterator[str]:
    """How many of the trusted features are expected to be noise, and on what assumption."""
    columns = facts.trusted_columns
    if facts.q_values is None or not columns:
        return
    share = float(facts.q_values.q[columns].max())
    expected = share * len(columns)
    if len(columns) == 1:
        risk = f"Noise would show as much in about {share:.2g} of such tables (its q-value)"
    elif expected < 1:
        risk = f"Fewer than one of them is expected to be noise (all have q ≤ {share:.2g})"
    else:
        risk = f"About {expected:.0f} of them are expected to be noise (all have q ≤ {share:.2g})"
    text = f"{risk}, provided that {_exchangeable(table)}"
    company = [column for column in columns if facts.q_values.how[column] == TOGETHER]
    if company:
        names = ", ".join(table.features[column] for column in company[:NAMED])
        more = and_more(len(company) - NAMED)
        text += f" Shown to tell something only together with others: {names}{more}."
    yield text


def _exchangeable(table: Table) -> str:
    what = "rows" if table.groups is None else "groups of rows"
    return f"{what} are exchangeable: drawn in the same way, and none because of another."


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
    names = ", ".join(labels[:NAMED]) + and_more(len(labels) - NAMED)
    good = as_good(facts.score).replace("as", "As", 1)
    return (
        f"{good} as the best, up to what chance explains: {names}. Of these, "
        f"{facts.best.witness.label} is the most stable."
    )
