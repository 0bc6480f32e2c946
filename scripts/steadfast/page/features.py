"""What the page says about the features: how often each is selected, and how far to trust it."""

from collections.abc import Iterator, Mapping
from typing import Any

from steadfast.page import text
from steadfast.page.data import asks_for_trust, direction
from steadfast.page.text import Markup, join, name, tag

#: Rows of the table of features that are shown, trusted ones that are, and others to be opened.
FIRST_FEATURES, MOST_TRUSTED, MOST_REST = 50, 200, 200
#: Interchangeable groups that are shown, and others to be opened.
FIRST_GROUPS, MOST_GROUPS = 20, 100


def features_part(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """The recommended features; the script puts those of another pick in their place."""
    entries = evidence["advice"]["consensus"]
    columns = _columns(evidence)
    yield tag(heading, "The features")
    yield tag("p", " ".join(_explain(evidence, columns)), class_="told")
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


_AHEAD, _AGREE, _Q, _TELLS = (
    *("Ahead of shuffled copies", "Selectors that agree"),
    *("q-value", "What it tells"),
)
_NUMBERS = ("Mean rank", _AHEAD, _AGREE, _Q)


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
    if "ahead" in known:
        columns[_AHEAD] = lambda row: text.share(row.get("ahead"))
    if "votes" in known:
        columns[_AGREE] = lambda row: _votes(row.get("votes"), voters)
    if "q" in known:
        columns[_Q] = lambda row: text.p_value(row.get("q"))
        columns[_TELLS] = tells
    if asks_for_trust(advice):
        columns["Trusted"] = lambda row: "✓ yes" if row.get("trusted") else "no"
    return columns


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
        "over the runs that select the feature, 1 is first. Direction: in brackets the share of "
        "the runs that agree, where not all do."
    )
    if _AHEAD in columns:
        yield (
            "Shuffled copies have a feature's values in random order: a feature that a run ranks "
            "ahead of all of them tells more than chance."
        )
    if _AGREE in columns:
        yield "Selectors that agree place it so in most of their runs."
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


def frequency(value: float) -> Markup:
    """A share of the runs as a bar and a number."""
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
