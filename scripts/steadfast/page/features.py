"""What the page says about the features: how often each is selected, and how far to trust it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import floor, log10
from typing import Any

from steadfast.advice.effects import STEADY
from steadfast.page import text
from steadfast.page.data import asks_for_trust, direction, selector_of
from steadfast.page.text import Markup, join, name, tag

#: Rows of the table of features that are shown, trusted ones that are, and others to be opened.
FIRST_FEATURES, MOST_TRUSTED, MOST_REST = 50, 200, 200
#: Interchangeable groups that are shown, and others to be opened.
FIRST_GROUPS, MOST_GROUPS = 20, 100
#: A feature is selected if this share of the runs selects it.
SELECTED = 0.5
#: Names in a reason; of more, their number.
MOST_NAMES = 3


def features_part(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """The recommended features; the script puts those of another pick in their place."""
    entries = evidence["advice"]["consensus"]
    columns = _columns(evidence)
    yield tag(heading, "The features")
    if entries:
        yield tag("p", join(_explain(evidence, columns), " "), class_="told")
    rows = [[columns[title](entry) for title in columns] for entry in entries]
    header = list(columns)
    numbers = [at for at, title in enumerate(header) if title in _NUMBERS]
    marked = ["trusted" if entry.get("trusted") else None for entry in entries]
    found = text.cut_table(
        *(header, rows, numbers, marked),
        first=max(FIRST_FEATURES, min(marked.count("trusted"), MOST_TRUSTED)),
        rest=MOST_REST,
        one="feature",
        class_="consensus stack",
    )
    nothing = tag("p", "No feature is recommended.", class_="none")
    yield tag("div", found if rows else nothing, class_="features")


_DIFFERENCE, _AUC = "Difference", "AUC"
_AHEAD, _AGREE, _Q, _TELLS = (
    *("Ahead of shuffled copies", "Selectors that agree"),
    *("q-value", "What it tells"),
)
_NUMBERS = ("Mean rank", _DIFFERENCE, _AUC, _AHEAD, _AGREE, _Q)


def _columns(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """Titles of the columns that there is something to show in, and what makes a cell of a row."""
    advice, features = evidence["advice"], evidence["features"]
    known = {key for row in advice["consensus"] for key, value in row.items() if value is not None}
    voters = advice.get("voters")
    columns = {
        "Feature": lambda row: name(features[row["feature"]]["name"]),
        "In how many runs": lambda row: frequency(row["frequency"]),
        "Mean rank": lambda row: text.mean_rank(row["mean_rank"]),
        "Direction": lambda row: direction(features[row["feature"]]) or text.NONE,
    }
    effects = [_effect(features[row["feature"]]) for row in advice["consensus"]]
    if any(effect.get("difference") is not None for effect in effects):
        columns[_DIFFERENCE] = lambda row: difference(features[row["feature"]])
    if any(effect.get("auc") is not None for effect in effects):
        columns[_AUC] = lambda row: _auc(_effect(features[row["feature"]]))
    if "ahead" in known and "q" not in known:
        columns[_AHEAD] = lambda row: text.share(row.get("ahead"))
    if "votes" in known:
        columns[_AGREE] = lambda row: _votes(row.get("votes"), voters)
    if "q" in known:
        columns[_Q] = lambda row: text.p_value(row.get("q"))
        columns[_TELLS] = tells
    if asks_for_trust(advice):
        columns["Trusted"] = lambda row: "✓ yes" if row.get("trusted") else "no"
    if any(reason(evidence, row) for row in advice["consensus"]):
        columns["Why"] = lambda row: join(reason(evidence, row, name)) or text.NONE
    return columns


def _effect(feature: Mapping[str, Any]) -> Mapping[str, Any]:
    return feature.get("effect") or {}


def difference(feature: Mapping[str, Any]) -> Markup:
    """A difference with its interval; and of what, where the direction does not tell."""
    effect = _effect(feature)
    if effect.get("difference") is None:
        return Markup(text.NONE)
    ends = [effect[end] for end in ("difference", "low", "high")]
    found = text.with_interval(text.Value(*ends), _amount(ends))
    said = []
    if effect["unit"] == "points":
        said.append(join(["points, share of ", name(effect["level"])]))
    if effect["against"] is None and not feature["direction"]:
        said.append(join([name(effect["class"]), " against all others"]))
    return join([found, *(tag("small", one, class_="note") for one in said)], " ")


def _amount(ends: Sequence[float | None]) -> Callable[[float], str]:
    """How numbers in a feature's units are printed: the width of the interval with two digits."""
    value, low, high = ends
    width = abs(value) if low is None or high is None or low == high else high - low
    digits = 1 - floor(log10(width)) if width else 0
    if -6 < digits < 8:
        return lambda number: text.to_fixed(number, max(digits, 0))
    return lambda number: f"{number:.2g}".replace("-", "−")


def _auc(effect: Mapping[str, Any]) -> Markup:
    if effect.get("auc") is None:
        return Markup(text.NONE)
    ends = text.Value(effect["auc"], effect["auc_low"], effect["auc_high"])
    return text.with_interval(ends, text.stability)


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
    """What a trusted feature tells beside the others, in words."""
    if not row.get("trusted"):
        return text.NONE
    if row.get("how") == "together":
        return "only with others"
    return row.get("beyond_others") or text.NONE


def _explain(evidence: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[str]:
    """What the columns mean."""
    yield (
        f"Selected again in each of {text.count(evidence['runs']['count'], 'run')}. Mean rank: "
        "over the runs that select the feature, 1 is first. Direction: the class with the highest "
        f"mean rank, named where at least {text.share(STEADY)} of the runs agree."
    )
    if _DIFFERENCE in columns:
        yield from _explain_effects(evidence, columns)
    if _AHEAD in columns or _AGREE in columns:
        yield "A shuffled copy has the values of a feature in random order."
    if _AHEAD in columns:
        yield "A feature that a run ranks above all of these copies tells more than chance."
    if _AGREE in columns:
        yield "Selectors that agree rank the feature above all copies in most of their runs."
    if _Q in columns:
        level = evidence["advice"]["level"]
        yield (
            "The q-value is the share of noise that is expected among the features of at most this "
            f"q-value; trusted are those of at most {level:g}, even if the recommended size has no "
            "room for them. What it tells is its own where it goes beyond the other trusted "
            "features, borrowed where they tell it as well, and shows only with others where by "
            "itself it tells too little; where the data cannot tell, it says so."
        )
    elif _AGREE in columns:
        yield (
            "A feature on which enough selectors agree is trusted, even if the recommended size "
            "has no room for it."
        )


def _explain_effects(evidence: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[str]:
    """Which classes are compared, by what, and why not to take it at face value."""
    features = evidence["features"]
    effects = [_effect(features[row["feature"]]) for row in evidence["advice"]["consensus"]]
    first = next(effect for effect in effects if effect.get("difference") is not None)
    one, other = "the class with the highest mean rank", "all other rows"
    if first["against"] is not None:
        one, other = name(first["class"]), name(first["against"])
    said = ["Difference: the median of ", one, " minus that of ", other]
    yield join([*said, ", in units of the feature, with its 95% interval."])
    if any(effect.get("unit") == "points" for effect in effects):
        yield "Of a category, it is the difference of its shares, in percentage points."
    if _AUC in columns:
        said = ["AUC: the probability that the value is higher in a row of ", one]
        yield join([*said, " than in one of ", other, ", with its 95% interval; 0.5 is chance."])
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
        told = "Groups as they were named. Small numbers are how often each member is selected; "
        told += "members that no run selects and that are not trusted are left out."
        yield tag("p", join([told, *_group_stability(advice, True)], " "), class_="told")
        yield _group_table(evidence, named, similar=False)
    if not groups and advice["selector"] is None:
        return
    yield tag(heading, "Interchangeable features")
    if not groups:
        yield tag("p", "No two of these features are similar enough to stand in for each other.")
        return
    told = (
        "Features of a group tell much the same, so that one can stand in for another; small "
        "numbers are how often each is selected. Similarity goes from 0 (nothing in common) to 1 "
        "(the same information)."
    )
    yield tag("p", join([told, *_group_stability(advice, False)], " "), class_="told")
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
        "With a group counted as selected if any of its members is, the stability of the "
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
        "Stability of the recommended selection, had there been fewer runs, with its 95% interval: "
        "more runs make the interval narrower, and the selection no more stable.",
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
