"""The evidence of a data set as the page reads it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from steadfast.accuracy.scores import SCORES, USUAL, Score
from steadfast.core.errors import UserError
from steadfast.core.files import read_verified
from steadfast.page.text import Value

#: What every evidence file has, and what its parts have.
_FIELDS = {
    "": ("dataset", "runs", "measure", "sizes", "classifiers", "features", "selectors", "advice"),
    "dataset": ("name", "title", "rows", "features", "classes"),
    "runs": ("count", "told"),
    "advice": ("verdict", "doubts", "answer", "selector", "size", "warnings", "consensus"),
}
#: Where no selector could be measured.
NO_ADVICE = {
    "verdict": "unjudged",
    "doubts": [],
    "answer": ["No selector finished enough runs to say anything about this data set."],
    "selector": None,
    "size": None,
    "warnings": [],
    "consensus": [],
}
VERDICTS = ("trust", "caution", "nothing", "unjudged")
#: In a study of methods, which recommends nothing.
OF_METHODS = {**NO_ADVICE, "answer": []}
#: Where fewer runs than `advice.effects.STEADY` agree in which class a feature is highest.
NO_DIRECTION = "no steady direction"


class Point(NamedTuple):
    """A selector at one size (a mean, where it chose its own): stability and accuracy there."""

    size: float
    stability: Value | None
    accuracy: Value | None


def read_evidence(path: Path) -> dict[str, Any]:
    """The evidence of a data set, checked."""
    content = read_verified(path)
    try:
        # What is not a number (NaN, Infinity) is no value.
        evidence = json.loads(content, parse_constant=lambda _: None)
    except ValueError as error:
        raise UserError(
            f"{path}: is no JSON ({error}); delete it and run the same command again"
        ) from None
    if isinstance(evidence, dict):
        evidence = with_advice(evidence)
    problem = _problem(evidence)
    if problem:
        raise UserError(f"{path}: {problem}; delete it and run the same command again")
    return evidence


def with_advice(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence with advice even where there is none: no selector could be measured.

    A study of methods recommends nothing.
    """
    if evidence.get("advice", 0) is not None:
        return {**evidence}
    return {**evidence, "advice": OF_METHODS if evidence.get("of_methods") else NO_ADVICE}


def _problem(evidence: Any) -> str | None:
    """What is wrong with an evidence file, as half a sentence that names the field."""
    for part, fields in _FIELDS.items():
        found = evidence.get(part) if part else evidence
        if not isinstance(found, Mapping):
            return f"{part or 'the file'}: must be an object"
        for field in fields:
            if field not in found:
                return f"{part + '.' if part else ''}{field}: is missing"
    if evidence["advice"]["verdict"] not in VERDICTS:
        return f"advice.verdict: must be one of {', '.join(VERDICTS)}"
    known = [selector.get("id") for selector in evidence["selectors"]]
    if evidence["advice"]["selector"] not in [*known, None]:
        return f"advice.selector: {evidence['advice']['selector']!r} is none of the selectors"
    n_features = len(evidence["features"])
    for selector in evidence["selectors"]:
        where = f"selectors: {selector.get('id')!r}"
        if not {"id", "label", "runs", "stability", "accuracy"} <= selector.keys():
            return f"{where}: id, label, runs, stability or accuracy is missing"
        if any(not 0 <= f < n_features for run in selector["runs"] for f in run):
            return f"{where}: runs: a feature is not in the list of features"
        for curve in (selector["stability"], *selector["accuracy"].values()):
            if any(len(curve[end]) != len(evidence["sizes"]) for end in Value._fields):
                return f"{where}: its curves and sizes differ in length"
    return None


def classifier_of(evidence: Mapping[str, Any]) -> str | None:
    """The classifier whose score is shown: that which decided, or the first."""
    return evidence["advice"].get("classifier") or next(iter(evidence["classifiers"]), None)


def selector_of(evidence: Mapping[str, Any], name: str | None) -> Mapping[str, Any] | None:
    """The selector of this id."""
    return next((s for s in evidence["selectors"] if s["id"] == name), None)


def value_of(found: Mapping[str, Any] | None, place: int | None = None) -> Value | None:
    """One value of a curve, or one that stands alone; None where it is undefined."""
    if found is None:
        return None
    ends = [found[end] if place is None else found[end][place] for end in Value._fields]
    return None if ends[0] is None else Value(*ends)


def point(evidence: Mapping[str, Any], selector: Mapping[str, Any], size: float | None) -> Point:
    """A selector at a size of the curves; None: the subsets that it chose itself."""
    classifier = classifier_of(evidence)
    if size is None:
        own = selector["own"]
        scored = value_of((own.get("accuracy") or {}).get(classifier))
        return Point(own["size"], value_of(own["stability"]), scored)
    if size not in evidence["sizes"]:
        return Point(size, None, None)
    place = evidence["sizes"].index(size)
    scored = value_of(selector["accuracy"].get(classifier), place)
    return Point(size, value_of(selector["stability"], place), scored)


def best_point(evidence: Mapping[str, Any], selector: Mapping[str, Any]) -> Point | None:
    """A selector at its own best size; random selection, which has none, at the recommended one."""
    best, own = selector.get("best"), selector.get("own")
    if best is None:
        size = evidence["advice"]["size"]
        return point(evidence, selector, size) if selector.get("baseline") and size else None
    chosen = own is not None and (best["size"] == own["size"] or not _has_curve(selector))
    found = point(evidence, selector, None if chosen else best["size"])
    # Where the curves do not hold that size, the value is known without its interval.
    values = [
        known or (None if best.get(of) is None else Value(best[of]))
        for of, known in (("stability", found.stability), ("accuracy", found.accuracy))
    ]
    return Point(best["size"], *values)


def recommended_point(evidence: Mapping[str, Any]) -> Point | None:
    """What the page recommends; None where it recommends nothing."""
    advice = evidence["advice"]
    selector = selector_of(evidence, advice["selector"])
    if selector is None or (advice["size"] is None and not advice.get("own")):
        return None
    return point(evidence, selector, None if advice.get("own") else advice["size"])


def _has_curve(selector: Mapping[str, Any]) -> bool:
    """Whether a selector has stability at any size of the curves."""
    return any(value is not None for value in selector["stability"]["value"])


def asks_for_trust(advice: Mapping[str, Any]) -> bool:
    """Whether there is anything by which a feature could be trusted: q-values, or votes."""
    return advice.get("level") is not None or advice.get("voters") is not None


def score_of(evidence: Mapping[str, Any]) -> Score:
    """What accuracy goes by."""
    return SCORES[(evidence.get("scoring") or {}).get("id", USUAL[0])]


def score_labels(evidences: Sequence[Mapping[str, Any]]) -> str:
    """What accuracy goes by on several data sets."""
    return " or ".join(dict.fromkeys(score_of(one).label for one in evidences))


def direction(feature: Mapping[str, Any]) -> str:
    """Which class has the higher values; that it is not the same in most runs; "" if undefined."""
    unsteady = NO_DIRECTION if feature.get("agreement") is not None else ""
    return feature.get("direction") or unsteady


def random_accuracy(evidence: Mapping[str, Any], size: float | None) -> tuple[int, float] | None:
    """The accuracy of random features, and of how many: the number nearest to this one.

    None where no selector chose at random, or none was scored.
    """
    chance = next((s for s in evidence["selectors"] if s.get("baseline")), None)
    curve = chance and chance["accuracy"].get(classifier_of(evidence))
    if size is None or curve is None:
        return None
    scored = zip(evidence["sizes"], curve["value"], strict=True)
    known = [(abs(at - size), at, value) for at, value in scored if value is not None]
    return min(known)[1:] if known else None
