"""The part of the evidence that a page carries for its script.

Names of features, selectors and classifiers are data: the page's script gets their places in lists
and never uses a name as a key.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from steadfast.accuracy.scores import Score
from steadfast.page.data import (
    asks_for_trust,
    best_point,
    classifier_of,
    direction,
    score_of,
    value_of,
)
from steadfast.page.feature_cells import auc, difference, points_both_ways
from steadfast.page.features import feature_columns, tells
from steadfast.page.text import Value, accuracy, p_value, stability

#: Digits of features in the page: characters that need no escape in JSON or in HTML.
DIGITS = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"\\<>&')

#: Of more features, only those get their effects that the advice lists or that a run has first.
MOST_EFFECTS, FIRST_OF_RUN = 500, 20


def shorten(number: float | None) -> float | None:
    """The number with as few digits as print the same on the page, whichever way it is printed."""
    if number is None:
        return None
    for digits in (4, 6, 9):
        rounded = round(number, digits)
        if all(f(rounded) == f(number) for f in (stability, accuracy)):
            return rounded
    return number


def page_payload(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """What the page's script needs of a data set."""
    classifiers = list(evidence["classifiers"])
    places = {s["id"]: place for place, s in enumerate(evidence["selectors"])}
    advice = evidence["advice"]
    return {
        "title": evidence["dataset"]["title"],
        "runs": evidence["runs"]["count"],
        "sizes": evidence["sizes"],
        "classifiers": [evidence["classifiers"][name] for name in classifiers],
        "majority": shorten(evidence.get("majority")),
        "score": _score(score_of(evidence)),
        "digits": DIGITS,
        **_features(evidence),
        "selectors": [_selector(evidence, s, classifiers) for s in evidence["selectors"]],
        "advice": {
            "selector": places.get(advice["selector"]),
            "size": advice["size"],
            "own": bool(advice.get("own")),
            "classifier": _place(classifiers, classifier_of(evidence)),
            **_trust(advice),
        },
    }


def _features(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """What the table of features shows of each, whichever selector and size are picked.

    Each is a list without the missing values at its end: name, direction, q-value, votes,
    difference and AUC, as they are printed. `mixed` are those whose medians point the other way.
    """
    features = evidence["features"]
    rows = {row["feature"]: row for row in evidence["advice"]["consensus"]}
    if evidence.get("of_methods"):
        return {"features": [[one["name"], direction(one)] for one in features], "columns": []}
    with_effects = _with_effects(evidence)
    found = []
    for place, feature in enumerate(features):
        known = {**feature, **rows.get(place, {})}
        cells = [of(feature) if place in with_effects else None for of in (difference, auc)]
        entry = [feature["name"], direction(feature), _q_text(known), known.get("votes")]
        entry += [None if cell is None else cell.as_json() for cell in cells]
        while entry[-1] is None:
            entry.pop()
        found.append(entry)
    mixed = [place for place in sorted(with_effects) if points_both_ways(features[place])]
    columns = [[one.key, one.title, one.is_number] for one in feature_columns(evidence)]
    return {"features": found, "columns": columns, **({"mixed": mixed} if mixed else {})}


def _q_text(known: Mapping[str, Any]) -> str | None:
    return None if known.get("q") is None else p_value(known["q"])


def _with_effects(evidence: Mapping[str, Any]) -> set[int]:
    """Features whose effects the page carries: of many, the listed ones and the first of a run."""
    n_features = len(evidence["features"])
    if n_features <= MOST_EFFECTS:
        return set(range(n_features))
    runs = (run for selector in evidence["selectors"] for run in selector["runs"])
    first = {feature for run in runs for feature in run[:FIRST_OF_RUN]}
    return first | {row["feature"] for row in evidence["advice"]["consensus"]}


def _trust(advice: Mapping[str, Any]) -> dict[str, Any]:
    """Trusted features and what they tell, and what reasons go by; None: trust was not asked for.

    `groups` are features that can stand in for each other.
    """
    if not asks_for_trust(advice):
        return {"trusted": None}
    trusted = [row for row in advice["consensus"] if row.get("trusted")]
    return {
        "trusted": [row["feature"] for row in trusted],
        "tells": [tells(row) for row in trusted],
        "voters": advice.get("voters"),
        "groups": [group["features"] for group in advice.get("interchangeable") or []],
    }


def _score(score: Score) -> dict[str, Any]:
    """What the page's script needs of a score; no largest value: it has none."""
    return {
        "label": score.label,
        "noun": score.noun,
        "blind": score.blind.removeprefix("the "),
        "percent": score.percent,
        "lower": not score.larger_is_better,
        "largest": score.largest if isfinite(score.largest) else None,
    }


def _selector(
    evidence: Mapping[str, Any], selector: Mapping[str, Any], classifiers: Sequence[str]
) -> dict[str, Any]:
    own, best = selector.get("own"), best_point(evidence, selector)
    # Where there are q-values, the table has no column on copies.
    with_copies = selector.get("ahead") is not None and evidence["advice"].get("level") is None
    return {
        "id": selector["id"],
        "label": selector["label"],
        "baseline": bool(selector.get("baseline")),
        "pareto": bool(selector.get("pareto")),
        "barred": selector.get("barred") or "",
        "knot": selector.get("knot"),
        **({"ahead": selector["ahead"]} if with_copies else {}),
        "runs": [pack_run(run, len(evidence["features"])) for run in selector["runs"]],
        "stability": _curve(selector["stability"]),
        "accuracy": [_curve(selector["accuracy"].get(name)) for name in classifiers],
        "own": own
        and {
            "size": own["size"],
            "stability": _ends(value_of(own["stability"])),
            "accuracy": [_ends(value_of((own.get("accuracy") or {}).get(c))) for c in classifiers],
        },
        "best": best and {"size": best.size, "at": [_ends(best.stability), _ends(best.accuracy)]},
    }


def pack_run(run: Sequence[int], n_features: int) -> str:
    """A run as text, as many digits per feature as the last one needs: a third of the JSON list."""
    width, base = 1, len(DIGITS)
    while base**width < n_features:
        width += 1
    powers = [base**place for place in reversed(range(width))]
    return "".join(DIGITS[feature // power % base] for feature in run for power in powers)


def _curve(curve: Mapping[str, Sequence[float | None]] | None) -> list[list] | None:
    """Value, low and high, each by size."""
    if curve is None or all(value is None for value in curve["value"]):
        return None
    return [[shorten(number) for number in curve[end]] for end in Value._fields]


def _ends(value: Value | None) -> list[float | None] | None:
    return None if value is None else [shorten(number) for number in value]


def _place(names: Sequence[str], name: str | None) -> int | None:
    return names.index(name) if name in names else None
