"""Advice in words: the answer in a few sentences, and the reasons."""

from collections.abc import Iterator, Sequence
from math import isnan

from steadfast.advice.recommendation import LEVEL, WEIGHT, Best, largest_size, stability_test
from steadfast.advice.words.chosen import chosen_in_words, count_chosen
from steadfast.advice.words.facts import Facts, and_more, listed
from steadfast.advice.words.scores import achieved, has_points, loss_text, lost, margin_text
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

#: Selectors that cannot be told apart from the recommended one; of more, their number.
NAMED_TIED = 2

#: A loss that is printed as none.
NO_LOSS = 0.0005

#: The step of stability by which the page explains the balance.
_STEP = 0.05


#: What choosing on the runs that are also reported does to the score that decides.
OPTIMISM = (
    "Selector and size were chosen on the same runs that measured their {}, so it looks better "
    "than it is: in a comparison on 54 tables, by about 1.7 points on average."
)


def verdict(facts: Facts, doubts: Sequence[str]) -> str:
    """`trust`, `caution`, `nothing`, or `unjudged` where accuracy was not measured.

    `doubts` are the warnings that could turn the answer: with any of them it is no `trust`.
    """
    useless = facts.best is not None and not facts.beats_blind
    if not facts.trusted_columns and (facts.trusted.asked or useless):
        return "nothing"
    if facts.best is None:
        return "unjudged"
    return "caution" if doubts else "trust"


def answer(facts: Facts, table: Table) -> list[str]:
    """What to use, how far it holds, which features to trust, and at what risk."""
    if facts.best is None:
        return [*_features(facts, table), _no_recommendation(facts)]
    if verdict(facts, ()) == "nothing":
        return [_nothing(facts, table), _how_good(facts), _no_feature(facts, table)]
    return [
        _use(facts),
        _how_good(facts),
        *_features(facts, table),
        *_chosen(facts),
    ]


def _features(facts: Facts, table: Table) -> list[str]:
    """Which features to trust, and at what risk."""
    if facts.trusted.asked and not facts.trusted_columns:
        return [_no_feature(facts, table)]
    if facts.best is None and not facts.trusted.asked:
        return []
    return [_which(facts, table), *_risk(facts, table)]


def _no_recommendation(facts: Facts) -> str:
    if facts.measured:
        return (
            "No selector is recommended: those that were run chose at random, saw rows that they "
            "must not see, or have no score."
        )
    return (
        "Accuracy was not measured, so no selector and no number of features is recommended: "
        "stability alone cannot tell whether the features are of any use."
    )


def in_size(best: Best) -> str:
    """`5 features`, `one feature`, `the features it chooses itself, 3.2 on average`."""
    if best.size == OWN_SIZE:
        return f"the features it chooses itself, {best.witness.mean_size:.1f} on average"
    return "one feature" if best.size == 1 else f"{best.size} features"


def _use(facts: Facts) -> str:
    """The recommendation, and what it costs against the most accurate selection."""
    best, top = facts.choice.best, facts.choice.top
    use = f"Use {best.witness.label} with {in_size(best)}"
    if best == top:
        needed = _needed(facts)
        return f"{use}: no other selection is more accurate.{needed}{_tied(facts)}"
    cost = f"{lost(facts.score, facts.choice.loss)} than"
    if facts.choice.loss < NO_LOSS:
        cost = "as accurate as"
    size = in_size(top)
    if top.size > largest_size(facts.n_features):
        size = f"{top.size} of the {facts.n_features} features"
    which = f"{top.witness.label} with {size}"
    if top.size == facts.n_features:
        which = f"all {facts.n_features} features"
    elif top.witness.id == best.witness.id:
        which = f"the same selector with {size}"
    text = f"{use}: {cost} the most accurate selection ({which})"
    text += f"{_against_top(best, top, facts.n_features)}.{_needed(facts)}"
    return f"{text}{_tied(facts)}"


def _needed(facts: Facts) -> str:
    """What fewer features would lose, where the recommendation has more than half of them."""
    choice = facts.choice
    if not choice.within_margin:
        margin = margin_text(facts.score, choice.margin)
        return f" Every selection loses more than the margin of {margin} against all features."
    if choice.smaller is None or choice.best.mean_size <= largest_size(facts.n_features):
        return ""
    less = choice.top.accuracy(facts.classifier) - choice.smaller.accuracy(facts.classifier)
    return (
        f" So many are needed: with at most half of the features, at least "
        f"{loss_text(facts.score, less)} are lost."
    )


def _against_top(best: Best, top: Best, n_features: int) -> str:
    """The stability of the recommendation compared with that of the most accurate selection."""
    ours, theirs = f"{best.stability():.2f}", f"{top.stability():.2f}"
    if isnan(top.stability()):
        return ""
    if ours == theirs:
        return f", and as stable ({ours})"
    test = stability_test(best, top, n_features)
    if test is None or test["p"] >= LEVEL:
        return f"; their stability cannot be told apart ({ours} and {theirs})"
    more = "more" if best.stability() > top.stability() else "less"
    return f", and {more} stable ({ours} instead of {theirs})"


def _tied(facts: Facts) -> str:
    """Selectors within the margin of the same stability, each with its size where it differs."""
    best, top = facts.choice.best, facts.choice.top
    others = [one for one in facts.choice.tied if one != top]
    if not others:
        return ""
    names = [
        one.witness.label + ("" if one.size == best.size else f" with {in_size(one)}")
        for one in others
    ]
    return f" Its stability cannot be told apart from that of {listed(names, NAMED_TIED)}."


def _chosen(facts: Facts) -> Iterator[str]:
    """The parameters that the runs of the recommended selector chose."""
    parameters = count_chosen(facts.best.witness.selections)
    if parameters:
        yield f"{facts.best.witness.label}: {chosen_in_words(parameters)}."


def _nothing(facts: Facts, table: Table) -> str:
    if facts.trusted.asked and facts.beats_blind:
        return (
            "Nothing here can be trusted: no feature is shown to be related to the class. Together "
            "the features seem to predict it better than guessing, but on noise the best of many "
            "selections often does, too."
        )
    if facts.q_values is not None:
        return (
            f"Nothing here can be trusted: {_rows(table)} give no evidence that any feature is "
            "related to the class."
        )
    return (
        "Nothing here can be trusted: the classifier is not significantly better with these "
        "features than without any."
    )


def _rows(table: Table) -> str:
    """How many rows, or groups of them, there are to show anything with."""
    if table.groups is None:
        return f"{len(table.y)} rows"
    return f"{len(set(table.groups.tolist()))} groups of rows"


def _how_good(facts: Facts) -> str:
    best = facts.best
    stability = best.stability()
    if isnan(facts.low):
        steady = "cannot be judged with so few runs"
    elif not facts.above_chance:
        steady = "is no more stable than one drawn at random"
    elif stability < POOR:
        steady = "changes a lot"
    else:
        steady = "hardly changes" if stability >= EXCELLENT else "changes in part"
    whose = "this selection"
    if verdict(facts, ()) == "nothing":
        whose = f"even the best selection, {best.witness.label} with {in_size(best)},"
    text = (
        f"If the data change a little, {whose} {steady} (stability {stability:.2f} on a scale from "
        "0, chance, to 1, the same features every time)"
    )
    value = facts.score_of(best)
    return f"{text}, and {achieved(facts.score, facts.label, value, facts.blind)}{_random(facts)}."


def _random(facts: Facts) -> str:
    """What random features of the same number achieve."""
    if facts.random is None:
        return ""
    value = facts.score.text(facts.score_of(facts.random))
    if facts.random.size == 1:
        return f" and one random feature gives {value}"
    return f" and {facts.random.size} random features give {value}"


def _no_feature(facts: Facts, table: Table) -> str:
    if not facts.trusted.asked:
        return "So do not read anything into the features that were selected."
    if facts.q_values is not None:
        smallest = facts.q_values.q.min()
        return (
            f"No feature can be trusted (the smallest q-value is {smallest:.2g}). That does not "
            "prove that no feature is related to the class: more rows may show it."
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
    which = ""
    if _open_groups(facts):
        which = " The data cannot tell which feature of a group in braces it is."
    return f"{start}: {shown}.{which}"


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
    text = f"{risk}, provided that {_independent(table)}"
    company = [column for column in columns if facts.q_values.how[column] == TOGETHER]
    if company:
        names = ", ".join(table.features[column] for column in company[:NAMED])
        more = and_more(len(company) - NAMED)
        text += f" Informative only together with others: {names}{more}."
    yield text


def _independent(table: Table) -> str:
    what = "rows" if table.groups is None else "groups of rows"
    return f"the {what} are independent samples of the same population."


def why_size(facts: Facts, knot: int | None) -> str:
    """The reason for the recommended size, what the runs could not tell, and the knot."""
    best, choice = facts.best, facts.choice
    if best is None:
        return ""
    margin = margin_text(facts.score, choice.margin)
    text = (
        f"Of all selections that lose at most {margin} against the most accurate one, this has the "
        f"best balance of both: {_STEP:g} of stability counts as much as "
        f"{margin_text(facts.score, _STEP * WEIGHT)}. More than half of the features would be "
        "considered only if no smaller selection lost so little."
    )
    if not choice.within_margin:
        text = (
            f"No selection loses at most {margin} against all features; this is the most accurate "
            "selection."
        )
    elif best.mean_size > largest_size(facts.n_features):
        text = (
            f"No selection of at most half of the features loses at most {margin} against the most "
            "accurate one; of the larger ones, this has the best balance of both."
        )
    if best.size == OWN_SIZE:
        text += " The selector chooses the size of its subset itself."
    if not choice.enough_runs:
        text += (
            f" Over these {facts.n_runs} runs, the {facts.score.noun} is known to "
            f"±{loss_text(facts.score, choice.known_to)} only; a smaller loss cannot be told from "
            "none."
        )
    if knot is not None and knot >= best.size != OWN_SIZE:
        text += (
            f" Its stability drops after {knot} features: those that come later are added more or "
            "less at random."
        )
    optimism = OPTIMISM.format(facts.score.noun) if has_points(facts.score) else ""
    return f"{text} {optimism}".rstrip()


def why_selector(facts: Facts) -> str:
    """Which selectors were within the margin."""
    if facts.best is None:
        return ""
    choice = facts.choice
    least = choice.top.accuracy(facts.classifier) - choice.margin
    others = [
        one.witness.label
        for one in choice.by_selector.values()
        if one.accuracy(facts.classifier) >= least - 1e-12
    ]
    if not others:
        return f"{choice.best.witness.label} loses least against the most accurate selection."
    lost_at_most = margin_text(facts.score, choice.margin)
    return (
        f"Selectors that lose at most {lost_at_most} against the most accurate selection: "
        f"{listed(others, NAMED)}."
    )
