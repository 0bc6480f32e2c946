"""The features of a data set: how often each is selected, and how far to trust it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from steadfast.advice.effects import STEADY
from steadfast.page import text
from steadfast.page.data import asks_for_trust, direction, selector_of
from steadfast.page.feature_cells import EffectCell, auc, difference, effect_of, points_both_ways
from steadfast.page.text import Markup, join, name, tag

#: Rows of the table of features that are shown, trusted ones that are, and others to be opened.
FIRST_FEATURES, MOST_TRUSTED, MOST_REST = 50, 200, 200
#: Interchangeable groups that are shown, and others to be opened.
FIRST_GROUPS, MOST_GROUPS = 20, 100
#: A feature is selected if this share of the runs selects it.
SELECTED = 0.5
#: Names in a reason; of more, their number.
MOST_NAMES = 3


class Column(NamedTuple):
    """A column of the table of features.

    Attributes
    ----------
    key : what the script knows it by
    title : its heading
    cell : what makes a cell of a row of the consensus
    is_number : whether it is set to the right
    """

    key: str
    title: str
    cell: Callable[[Mapping[str, Any]], object]
    is_number: bool = False


#: Below the table, where it holds for a feature in it.
BOTH_WAYS = "Direction and AUC compare ranks; the difference of medians may point the other way."


def features_part(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """The recommended features; the script puts those of another pick in their place."""
    entries = evidence["advice"]["consensus"]
    columns = feature_columns(evidence)
    yield tag(heading, "The features")
    if entries:
        yield tag("p", join(_explain(evidence, {one.key for one in columns}), " "), class_="told")
    if any(reason(evidence, row) for row in entries):
        why = Column("why", "Why", lambda row: join(reason(evidence, row, name)) or text.NONE)
        columns = [*columns, why]
    rows = [[one.cell(entry) for one in columns] for entry in entries]
    numbers = [at for at, one in enumerate(columns) if one.is_number]
    marked = ["trusted" if entry.get("trusted") else None for entry in entries]
    found = text.cut_table(
        *([one.title for one in columns], rows, numbers, marked),
        first=max(FIRST_FEATURES, min(marked.count("trusted"), MOST_TRUSTED)),
        rest=MOST_REST,
        one="feature",
        class_="consensus stack",
    )
    nothing = tag("p", "No feature is recommended.", class_="none")
    both_ways = any(points_both_ways(evidence["features"][row["feature"]]) for row in entries)
    note = tag("p", BOTH_WAYS, class_="told") if both_ways else None
    yield tag("div", found if rows else nothing, note, class_="features")


def feature_columns(evidence: Mapping[str, Any]) -> list[Column]:
    """Columns that there is something to show in, whichever selector and size are picked."""
    advice, features = evidence["advice"], evidence["features"]
    rows = [*advice["consensus"], *features]
    known = {key for row in rows for key in ("q", "votes") if row.get(key) is not None}
    columns = [
        Column("name", "Feature", lambda row: name(features[row["feature"]]["name"])),
        Column("frequency", "In how many runs", lambda row: frequency(row["frequency"])),
        Column("rank", "Mean rank", lambda row: text.mean_rank(row["mean_rank"]), True),
        Column(
            "direction", "Direction", lambda row: direction(features[row["feature"]]) or text.NONE
        ),
    ]
    effects = (("difference", "Difference", difference), ("auc", "AUC", auc))
    columns += [
        Column(key, title, partial(_effect_cell, features, of), True)
        for key, title, of in effects
        if any(of(feature) for feature in features)
    ]
    if "q" not in known and _knows_copies(evidence):
        columns.append(
            Column(
                "ahead", "Ahead of shuffled copies", lambda row: text.share(row.get("ahead")), True
            )
        )
    if "votes" in known:
        voters = advice.get("voters")
        votes = Column(
            "votes", "Selectors that agree", lambda row: _votes(row.get("votes"), voters)
        )
        columns.append(votes._replace(is_number=True))
    if "q" in known:
        columns.append(Column("q", "q-value", lambda row: text.p_value(row.get("q")), True))
        columns.append(Column("tells", "Information", tells))
    if asks_for_trust(advice):
        columns.append(
            Column("trusted", "Trusted", lambda row: "✓ yes" if row.get("trusted") else "no")
        )
    return columns


def _knows_copies(evidence: Mapping[str, Any]) -> bool:
    """Whether some selector was compared with shuffled copies of the features."""
    rows = evidence["advice"]["consensus"]
    return any(row.get("ahead") is not None for row in rows) or any(
        selector.get("ahead") is not None for selector in evidence["selectors"]
    )


def _effect_cell(
    features: Sequence[Mapping[str, Any]],
    of: Callable[[Mapping[str, Any]], EffectCell | None],
    row: Mapping[str, Any],
) -> Markup:
    found = of(features[row["feature"]])
    return Markup(text.NONE) if found is None else found.markup()


def reason(
    evidence: Mapping[str, Any], row: Mapping[str, Any], named: Callable[[str], str] = str
) -> list[str]:
    """Why a feature is selected in most runs but not trusted, or trusted but not selected so often.

    Pieces of a sentence, with names of the data as `named` gives them; none where both agree, or
    where nothing was selected or trust was not asked for.
    """
    advice, selected = evidence["advice"], row["frequency"]
    if selected is None or not asks_for_trust(advice):
        return []
    if bool(row.get("trusted")) == (selected >= SELECTED):
        return []
    if row.get("trusted"):
        return _why_not_selected(evidence, row, named)
    if row.get("q") is not None:
        why = f"q = {text.p_value(row['q'])}"
    else:
        why = f"{_votes(row.get('votes'), advice['voters'])} selectors agree"
    return [f"{why}: not distinguishable from noise"]


def _why_not_selected(
    evidence: Mapping[str, Any], row: Mapping[str, Any], named: Callable[[str], str]
) -> list[str]:
    advice, feature = evidence["advice"], row["feature"]
    others = []
    for group in advice.get("interchangeable") or []:
        if feature in group["features"] and group["frequency"] >= SELECTED:
            more = zip(group["each"], group["features"], strict=True)
            others = sorted((-each, f) for each, f in more if each > row["frequency"])
    if others:
        names = [named(evidence["features"][f]["name"]) for _, f in others]
        return [*_listed(names), f" {'is' if len(names) == 1 else 'are'} selected in its place"]
    selector = selector_of(evidence, advice["selector"])
    if selector is None:
        return []
    if advice.get("own") or advice["size"] is None:
        return ["left out in most runs by ", named(selector["label"])]
    room = text.count(advice["size"], "feature")
    return ["ranked lower by ", named(selector["label"]), f"; the list has room for {room}"]


def _listed(names: Sequence[str]) -> list[str]:
    """`a`, `a and b`, `a, b and c`, and of more the number of the rest, in pieces."""
    shown = list(names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        shown.append(f"{len(names) - MOST_NAMES} more")
    marks = ["", *[", "] * (len(shown) - 2), " and "][: len(shown)]
    return [piece for pair in zip(marks, shown, strict=True) for piece in pair if piece]


def _votes(votes: int | None, voters: int | None) -> str:
    if votes is None:
        return text.NONE
    return f"{votes} of {voters}" if voters else str(votes)


def tells(row: Mapping[str, Any]) -> str:
    """Whether a trusted feature adds to the others, in words."""
    if not row.get("trusted"):
        return text.NONE
    if row.get("how") == "together":
        return "only with others"
    return row.get("beyond_others") or text.NONE


def _explain(evidence: Mapping[str, Any], keys: Collection[str]) -> Iterator[str]:
    """What the columns mean."""
    yield (
        f"Features were selected again in each of {text.count(evidence['runs']['count'], 'run')}. "
        "Mean rank: the mean position in the runs that select the feature; 1 is first. Direction: "
        "the class whose values rank highest on average, named where at least "
        f"{text.share(STEADY)} of the runs agree."
    )
    if "difference" in keys:
        yield from _explain_effects(evidence, keys)
    if "ahead" in keys or "votes" in keys:
        yield "A shuffled copy has the values of a feature in random order."
    if "ahead" in keys:
        yield (
            "Ahead of shuffled copies: the share of the runs that rank the feature above all "
            "copies."
        )
    if "votes" in keys:
        yield "Selectors that agree rank the feature above all copies in most of their runs."
    if "q" in keys:
        level = evidence["advice"]["level"]
        yield (
            "The q-value is the share of noise that is expected among the features with this "
            f"q-value or a smaller one. Features with a q-value of at most {level:g} are trusted, "
            "even if the recommended size has no room for them. Information is own where the "
            "feature adds to the other trusted features, borrowed where they carry the same, and "
            "only with others where the feature carries too little by itself; “cannot tell” means "
            "that the data do not decide."
        )
    elif "votes" in keys:
        yield (
            "A feature on which enough selectors agree is trusted, even if the recommended size "
            "has no room for it."
        )


def _explain_effects(evidence: Mapping[str, Any], keys: Collection[str]) -> Iterator[str]:
    """Which classes are compared, by what, and why not to take it at face value."""
    effects = [effect_of(feature) for feature in evidence["features"]]
    first = next(effect for effect in effects if effect.get("difference") is not None)
    one, other = "the class whose values rank highest", "all other rows"
    if first["against"] is not None:
        one, other = name(first["class"]), name(first["against"])
    pieces = ["Difference: the median of ", one, " minus that of ", other]
    yield join([*pieces, ", in units of the feature, with its 95% interval."])
    if any(effect.get("unit") == "points" for effect in effects):
        yield (
            "For a category, it is the difference between the shares of rows with that category, "
            "in percentage points."
        )
    if "auc" in keys:
        pieces = ["AUC: the probability that the value is higher in a row of ", one]
        yield join([*pieces, " than in one of ", other, ", with its 95% interval; 0.5 is chance."])
    if evidence["dataset"].get("groups"):
        yield "Each group of rows counts once per class, because its rows are not independent."
    yield "The features were selected on the same rows, so these effects are too large on average."


def frequency(value: float | None) -> Markup:
    """A share of the runs as a bar and a number."""
    if value is None:
        return Markup(text.NONE)
    return tag("span", text.bar(value), tag("span", text.share(value)), class_="frequency")


def groups_part(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """Features that count as one, or can stand in for each other, and what runs select of them."""
    advice = evidence["advice"]
    named, groups = advice.get("named_groups") or [], advice.get("interchangeable") or []
    if named:
        yield tag(heading, "Groups of features")
        about = (
            "These groups were named for this table. Small numbers show how often each member is "
            "selected; members that no run selects and that are not trusted are left out."
        )
        yield tag("p", join([about, *_group_stability(advice, True)], " "), class_="told")
        yield _group_table(evidence, named, similar=False)
    if not groups and advice["selector"] is None:
        return
    yield tag(heading, "Interchangeable features")
    if not groups:
        yield tag("p", "No two of these features are similar enough to replace each other.")
        return
    about = (
        "Features of a group carry nearly the same information, so that one can replace another. "
        "Small numbers show how often each is selected. Similarity ranges from 0 (nothing in "
        "common) to 1 (the same information)."
    )
    yield tag("p", join([about, *_group_stability(advice, False)], " "), class_="told")
    yield _group_table(evidence, groups, similar=True)


def _group_stability(advice: Mapping[str, Any], of_named: bool) -> Iterator[str]:
    """Stability where a group counts as selected if any of its members is."""
    found = advice.get("group_stability")
    if not found or found["of_named"] != of_named:
        return
    ends = ""
    if found["low"] is not None:
        ends = f" ({text.stability(found['low'])} to {text.stability(found['high'])})"
    yield (
        "If a group counts as selected when any of its members is, the stability of the "
        f"recommended selection is {text.stability(found['value'])}{ends}."
    )


def _group_table(
    evidence: Mapping[str, Any], groups: list[Mapping[str, Any]], *, similar: bool
) -> Markup:
    asked = asks_for_trust(evidence["advice"])
    rows = []
    for number, group in enumerate(groups, 1):
        members = [
            tag("li", name(evidence["features"][feature]["name"]), " ", tag("small", text.share(f)))
            for feature, f in zip(group["features"], group["each"], strict=True)
        ]
        first = name(group["name"]) if "name" in group else f"Group {number}"
        row = [first, tag("ul", *members), frequency(group["frequency"])]
        row += [text.stability(group["similarity"])] if similar else []
        rows.append([*row, trust_in(group)] if asked else row)
    header = ["Group", "Features, and in how many runs each", "At least one of them"]
    header += [*(["Similarity"] if similar else []), *(["Trusted"] if asked else [])]
    shape = {"first": FIRST_GROUPS, "rest": MOST_GROUPS, "one": "group", "class_": "groups stack"}
    return text.cut_table(header, rows, [3] if similar else [], **shape)


def trust_in(group: Mapping[str, Any]) -> str:
    """How a group is trusted: as one, where the data cannot tell which of its members it is."""
    trusted = sum(group.get("trusted") or [])
    if group.get("one_of"):
        return "one of them; the data cannot tell which"
    return f"{trusted} of {len(group['features'])}" if trusted else "no"


def runs_part(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """Whether there are enough runs: stability by their number."""
    found = evidence["advice"].get("by_runs") or []
    if len(found) < 2:
        return
    yield tag(heading, "How many runs?")
    yield tag(
        "p",
        "The table shows the stability of the recommended selection with fewer runs, and its 95% "
        "interval. More runs make the interval narrower, but not the selection more stable.",
        class_="told",
    )
    rows = [
        [
            text.count(one["runs"], "run"),
            text.stability(one["value"]),
            text.NONE
            if one["low"] is None
            else f"{text.stability(one['low'])} to {text.stability(one['high'])}",
        ]
        for one in found
    ]
    yield text.table(["Runs", "Stability", "95% interval"], rows, [1, 2], class_="runs stack")
