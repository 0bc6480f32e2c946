"""All that a page says of one data set, as JSON: curves, runs, and the advice drawn from them."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.accuracy.scores import Score
from steadfast.advice.by_runs import stability_by_runs
from steadfast.advice.conclusions import collect_facts, draw_conclusions
from steadfast.advice.consensus import Trusted, find_trusted
from steadfast.advice.deciding_score import Deciding
from steadfast.advice.error_bounds import error_bounds
from steadfast.advice.evidence import (
    ACCURACY,
    KEPT,
    Witness,
    as_printed,
    curve_json,
    directions,
    point_json,
    shown_sizes,
    to_json_number,
)
from steadfast.advice.feature_groups import group_columns
from steadfast.advice.recommendation import (
    MARGIN,
    Best,
    Choice,
    compared,
    knot_size,
    pareto,
    recommend,
    stability_test,
)
from steadfast.advice.words.chosen import count_chosen
from steadfast.advice.words.fewer import fewer_in_words
from steadfast.data.table import Table
from steadfast.experiments.q_values import QValues
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import OWN_SIZE

#: So few sizes at which a classifier was scored are all shown.
FEW_SIZES = 50


def dossier(
    table: Table,
    about: Mapping[str, Any],
    folds: Sequence[Fold],
    witnesses: Sequence[Witness],
    classifiers: Mapping[str, str],
    drawn: str,
    *,
    halves: str = "",
    independent: bool = True,
    deciding: Deciding | None = None,
    q_values: QValues | None = None,
    fewer: Mapping[str, Any] | None = None,
    margin: float = MARGIN,
    advise: bool = True,
) -> dict[str, Any]:
    """Everything about a data set.

    Parameters
    ----------
    table, about : the data set and its description
    folds : those that the witnesses are about
    witnesses : one per selector
    classifiers : id to label; the first is the one that advice goes by
    drawn : how the runs were drawn, in print
    halves : which halves of the rows the runs are on: see `resampling.scheme.Scheme.halves`
    independent : whether runs are drawn one by one, so that there could be fewer or more of them
    deciding : the score that accuracy goes by; None: the study has accuracy alone
    q_values : how far each feature can be trusted; None where the study does not ask
    fewer : what was made smaller to keep within a budget; see `words.fewer`
    margin : score that may be given up for a more stable selection
    advise : whether anything is recommended; not in a study of methods
    """
    score = deciding.score if deciding else ACCURACY
    classifier = next((name for name in classifiers if _is_scored(witnesses, name)), None)
    n_features = table.X.shape[1]
    choice = recommend(witnesses, classifier, n_features, margin) if advise else None
    bests = _compared_selections(witnesses, choice, classifier, n_features)
    sizes = _sizes(witnesses, list(bests.values()))
    blind = float(score.baseline(table.y, table.y)) if classifier else None
    result: dict[str, Any] = {
        "dataset": _describe(table, about),
        "runs": {"count": len(folds), "told": drawn},
        "measure": "Nogueira",
        "sizes": sizes,
        "classifiers": {k: v for k, v in classifiers.items() if _is_scored(witnesses, k)},
        "majority": None if blind is None else to_json_number(blind),
    }
    if deciding:
        result["scoring"] = deciding.as_json()
    advice, trusted = None, None
    if advise and bests:
        trusted = find_trusted(witnesses, n_features, q_values)
        facts = collect_facts(
            *(table, folds, choice, bests, classifier, classifiers.get(classifier, "")),
            *(score, blind, trusted),
        )
        named = group_columns(about.get("feature_groups") or {}, table.features)
        advice = draw_conclusions(table, about, facts, named, fewer)
        if independent and choice is not None:
            advice["by_runs"] = stability_by_runs(choice.best, n_features)
    shown = _shown_columns(witnesses, advice)
    number = {column: at for at, column in enumerate(shown)}
    result["features"] = [
        {**found, **_evidence_of(column, trusted)}
        for column, found in zip(shown, directions(table, folds, shown), strict=True)
    ]
    on_front = pareto(list(bests.values()), classifier)
    best = choice.best if choice else None
    result["selectors"] = [
        _selector(
            *(one, bests.get(one.id), best, classifier, sizes, number, on_front, table, score)
        )
        for one in witnesses
    ]
    result["advice"] = None if advice is None else _renumber(advice, number)
    if not advise:
        result["of_methods"] = True
    if fewer:
        result["fewer"] = fewer_in_words(fewer)
    if halves:
        result["error_bounds"] = error_bounds(witnesses, table, halves)
    return result


def _sizes(witnesses: Sequence[Witness], bests: Sequence[Best]) -> list[int]:
    """Sizes for the curves of a page: a grid, those recommended, knots, and the few scored."""
    largest = max([1, *(int(one.stability.sizes.max(initial=0)) for one in witnesses)])
    sizes = {*shown_sizes(largest), *(best.size for best in bests)}
    sizes |= {knot for one in witnesses if (knot := knot_size(one)) is not None}
    for one in witnesses:
        for curve in one.accuracy.values():
            if curve.sizes.size <= FEW_SIZES:
                sizes |= set(curve.sizes.tolist())
    return sorted(size for size in sizes if size != OWN_SIZE)


def _compared_selections(
    witnesses: Sequence[Witness], choice: Choice | None, classifier: str | None, n_features: int
) -> dict[str, Best]:
    """Each selector at the size at which the page compares it with others.

    The size that would be recommended for it; random features, and selectors that are never
    recommended, at the recommended one. Without a recommendation, all at the same size.
    """
    if choice is None:
        return compared(witnesses, n_features)
    found = dict(choice.by_selector)
    size = round(choice.best.mean_size)
    for one in witnesses:
        if one.id not in found and (at := _at_size(one, classifier, size)) is not None:
            found[one.id] = at
    return found


def _at_size(witness: Witness, classifier: str | None, size: int) -> Best | None:
    """A selector at the scored size nearest to this, or at that which it chooses."""
    curve = witness.accuracy.get(classifier)
    if witness.chosen:
        size = OWN_SIZE
    elif curve is not None and curve.sizes.size:
        size = int(min(curve.sizes, key=lambda one: (abs(int(one) - size), one)))
    known = (one.place(size, defined=True) for one in (witness.stability, curve) if one is not None)
    if curve is None or any(place is None for place in known):
        return None
    return Best(witness, size)


def _is_scored(witnesses: Sequence[Witness], classifier: str) -> bool:
    return any(classifier in one.accuracy for one in witnesses)


def _describe(table: Table, about: Mapping[str, Any]) -> dict[str, Any]:
    missing = about.get("missing")
    return {
        **{key: about.get(key) for key in ("name", "title", "origin", "rows", "features")},
        "classes": about["classes"],
        "groups": about.get("groups"),
        "categories": len(about.get("categories", {})),
        "missing": f"{missing['values']} values: {missing['how']}" if missing else None,
        "left_out": about.get("left_out", []),
        **{key: about[key] for key in ("noticed", "proposed_groups") if about.get(key)},
        **{key: about.get(key) for key in ("sha256", "licence", "citation")},
    }


def _evidence_of(column: int, trusted: Trusted | None) -> dict[str, Any]:
    """How far a column differs from noise, whichever selector is picked on the page."""
    found: dict[str, Any] = {}
    if trusted is not None and trusted.votes is not None:
        found["votes"] = int(trusted.votes[column])
    if trusted is not None and trusted.q_values is not None:
        found["q"] = float(f"{trusted.q_values.q[column]:.4g}")
    return found


def _shown_columns(witnesses: Sequence[Witness], advice: Mapping[str, Any] | None) -> list[int]:
    """Columns that the page names: all that are in what it keeps of a run, or in the advice."""
    columns = {int(column) for one in witnesses for run in one.runs for column in run[:KEPT]}
    if advice is not None:
        columns |= {row["feature"] for row in advice["consensus"]}
    return sorted(columns)


def _renumber(advice: dict[str, Any], number: Mapping[int, int]) -> dict[str, Any]:
    """Advice with columns of the data set as places in the page's list of features."""
    rows = [{**row, "feature": number[row["feature"]]} for row in advice["consensus"]]
    groups = {
        sort: [
            {**group, "features": [number[column] for column in group["features"]]}
            for group in advice[sort]
        ]
        for sort in ("interchangeable", "named_groups")
        if sort in advice
    }
    return {**advice, "consensus": rows, **groups}


def _selector(
    one: Witness,
    best: Best | None,
    chosen: Best | None,
    classifier: str | None,
    sizes: Sequence[int],
    number: Mapping[int, int],
    on_front: set[str],
    table: Table,
    score: Score,
) -> dict[str, Any]:
    own, curves = None, {name: as_printed(curve, score) for name, curve in one.accuracy.items()}
    place = one.stability.place(OWN_SIZE, defined=True)
    if one.chosen and place is not None:
        own = {
            "size": to_json_number(one.mean_size, 2),
            "stability": point_json(one.stability, place),
            "accuracy": {
                k: point_json(c, c.place(OWN_SIZE, defined=True)) for k, c in curves.items()
            },
        }
    at_best = None
    if best is not None:
        at_best = {
            "size": to_json_number(one.mean_size, 2) if one.chosen else best.size,
            "stability": to_json_number(best.stability()),
            "accuracy": to_json_number(score.direction * best.accuracy(classifier)),
        }
    difference = None
    if best is not None and chosen is not None and best is not chosen:
        difference = stability_test(best, chosen, table.X.shape[1])
    parameters = count_chosen(one.selections)
    return {
        "id": one.id,
        "label": one.label,
        "baseline": one.baseline,
        "note": one.note,
        **({"barred": one.barred} if one.barred else {}),
        **({"chosen": parameters} if parameters else {}),
        **_ahead(one, number),
        "runs": [[number[int(column)] for column in run[:KEPT]] for run in one.runs],
        "stability": curve_json(one.stability, sizes),
        "accuracy": {name: curve_json(curve, sizes) for name, curve in curves.items()},
        "own": own,
        "knot": None if one.chosen else knot_size(one),
        "best": at_best,
        "pareto": one.id in on_front,
        "difference": difference,
    }


def _ahead(one: Witness, number: Mapping[int, int]) -> dict[str, Any]:
    """The columns that some run ranks ahead of all shuffled copies, each with its share of runs."""
    if one.ahead is None:
        return {}
    shares = ((at, to_json_number(one.ahead[column])) for column, at in number.items())
    return {"ahead": [[at, share] for at, share in shares if share]}
