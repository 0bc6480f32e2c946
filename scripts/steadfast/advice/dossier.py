"""All that a page says of one data set, as JSON: curves, runs, and the advice drawn from them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.accuracy.scores import Score
from steadfast.advice.by_runs import stability_by_runs
from steadfast.advice.consensus import Trusted, consensus, find_trusted
from steadfast.advice.deciding_score import Deciding, baseline_units
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
from steadfast.advice.feature_groups import group_columns, group_stability, named_groups
from steadfast.advice.interchangeable import InterchangeableGroup, interchangeable_groups
from steadfast.advice.recommendation import (
    Best,
    best_size,
    is_better,
    knot_size,
    pareto,
    recommend,
    stability_test,
)
from steadfast.advice.words import answer as wording
from steadfast.advice.words.chosen import count_chosen
from steadfast.advice.words.facts import Facts
from steadfast.advice.words.fewer import WARNING, fewer_in_words, is_smaller
from steadfast.advice.words.warnings import warnings
from steadfast.data.discretise import EqualWidth
from steadfast.data.encoding import fill_gaps, with_codes
from steadfast.data.table import Table
from steadfast.experiments.q_values import QValues
from steadfast.resampling.folds import Fold, test_share
from steadfast.selectors.running.fold_file import OWN_SIZE
from steadfast.selectors.trust import LEVEL

#: So few sizes at which a classifier was scored are all shown.
FEW_SIZES = 50

#: Bins for the similarity of features: fewer where few rows would make all features look similar.
BINS, BINS_OF_FEW_ROWS, FEW_ROWS = 10, 5, 200


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
    """
    score = deciding.score if deciding else ACCURACY
    share = test_share(folds)
    classifier = next((name for name in classifiers if _is_scored(witnesses, name)), None)
    # More than half of the features is hardly a selection, though it is a stable one.
    most = max(1, table.X.shape[1] // 2)
    judged = (best_size(one, classifier, share, most) for one in witnesses)
    bests = [best for best in judged if best is not None]
    sizes = _sizes(witnesses, bests)
    result: dict[str, Any] = {
        "dataset": _describe(table, about),
        "runs": {"count": len(folds), "told": drawn},
        "measure": "Nogueira",
        "sizes": sizes,
        "classifiers": {k: v for k, v in classifiers.items() if _is_scored(witnesses, k)},
        "majority": to_json_number(_known(folds, table.y, score).mean()) if classifier else None,
    }
    if deciding:
        result["scoring"] = deciding.as_json()
    chosen = advice = None
    if bests:
        chosen, as_accurate = recommend(bests, classifier, share)
        label = classifiers.get(classifier, "")
        trusted = find_trusted(witnesses, table.X.shape[1], q_values)
        scored = (classifier, label, score)
        named = group_columns(about.get("feature_groups") or {}, table.features)
        advice = _advice(table, folds, chosen, as_accurate, *scored, trusted, named)
        if independent:
            advice["by_runs"] = stability_by_runs(chosen, table.X.shape[1])
    shown = _shown_columns(witnesses, advice)
    number = {column: at for at, column in enumerate(shown)}
    result["features"] = list(directions(table, folds, shown))
    on_front = pareto(bests, classifier)
    by_name = {best.witness.id: best for best in bests}
    result["selectors"] = [
        _selector(
            *(one, by_name.get(one.id), chosen, classifier, sizes, number, on_front, table, score)
        )
        for one in witnesses
    ]
    result["advice"] = None if advice is None else _renumber(advice, number)
    if fewer:
        result["fewer"] = fewer_in_words(fewer)
        if advice is not None and is_smaller(fewer):
            result["advice"]["warnings"].append(WARNING.format(**fewer))
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


def _known(folds: Sequence[Fold], y: np.ndarray, score: Score) -> np.ndarray:
    """The score of knowing nothing, in the folds that have one."""
    units = baseline_units(folds, y, score)
    return units[~np.isnan(units)]


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
        **({"noticed": about["noticed"]} if about.get("noticed") else {}),
        **{key: about.get(key) for key in ("sha256", "licence", "citation")},
    }


def _advice(
    table: Table,
    folds: Sequence[Fold],
    chosen: Best,
    as_accurate: Sequence[Best],
    classifier: str | None,
    label: str,
    score: Score,
    trusted: Trusted,
    named: Mapping[str, Sequence[int]],
) -> dict[str, Any]:
    share, n_features = test_share(folds), table.X.shape[1]
    majority = _known(folds, table.y, score)
    units = chosen.accuracy_units(classifier)
    beats = None
    if units is not None:
        own = majority if units.size == majority.size else np.full(units.size, majority.mean())
        beats = is_better(units, score.direction * own, share)
    curve = chosen.witness.stability
    columns = np.flatnonzero(trusted.columns).tolist()
    groups = interchangeable_groups(chosen.subsets(), _bins(table), columns)
    facts = Facts(
        best=chosen,
        as_accurate=as_accurate,
        classifier=classifier if units is not None else None,
        label=label,
        majority=float(majority.mean()),
        beats_majority=beats,
        low=float(curve.low[curve.place(chosen.size)]),
        rows=consensus(chosen, trusted),
        trusted=trusted,
        groups=groups,
        score=score,
    )
    own_size = chosen.size == OWN_SIZE
    return {
        "verdict": wording.verdict(facts),
        "answer": wording.answer(facts, table),
        "selector": chosen.witness.id,
        "size": to_json_number(chosen.witness.mean_size, 2) if own_size else chosen.size,
        "own": own_size,
        "classifier": facts.classifier,
        "why_size": wording.why_size(facts, knot_size(chosen.witness)),
        "why_selector": wording.why_selector(facts),
        "warnings": warnings(facts, table),
        "consensus": facts.rows,
        "voters": trusted.voters,
        **({"level": LEVEL} if trusted.q_values is not None else {}),
        "interchangeable": [_group(group, facts) for group in groups],
        **_by_groups(facts, named, n_features),
    }


def _by_groups(facts: Facts, named: Mapping[str, Sequence[int]], n_features: int) -> dict[str, Any]:
    """Groups that the user named, and the stability of these, or of interchangeable ones.

    Nothing where there are no groups.
    """
    runs = facts.best.subsets()
    found: dict[str, Any] = {}
    if named:
        counted = named_groups(named, runs, facts.trusted.columns)
        found["named_groups"] = [
            {"name": name, **_group(group, facts)} for name, group in counted.items()
        ]
    members = list(named.values()) or [group.columns for group in facts.groups]
    curve = group_stability(runs, members, n_features) if members else None
    if curve is not None and curve.sizes.size:
        found["group_stability"] = {"of_named": bool(named), **point_json(curve, 0)}
    return found


def _group(group: InterchangeableGroup, facts: Facts) -> dict[str, Any]:
    return {
        "features": group.columns,
        "similarity": to_json_number(group.similarity),
        "frequency": to_json_number(group.frequency),
        "each": [to_json_number(one) for one in group.each],
        "trusted": [bool(facts.trusted.columns[column]) for column in group.columns],
        "one_of": bool(facts.open_members(group)),
    }


def _bins(table: Table) -> np.ndarray:
    """The data set in bins, one row per column; categories are bins as they are."""
    X = fill_gaps(table.X)
    bins = EqualWidth(BINS if len(X) >= FEW_ROWS else BINS_OF_FEW_ROWS).fit(X).transform(X)
    return np.ascontiguousarray(with_codes(bins, X, table.levels).T)


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
        **({"chosen": parameters} if parameters else {}),
        "runs": [[number[int(column)] for column in run[:KEPT]] for run in one.runs],
        "stability": curve_json(one.stability, sizes),
        "accuracy": {name: curve_json(curve, sizes) for name, curve in curves.items()},
        "own": own,
        "knot": None if one.chosen else knot_size(one),
        "best": at_best,
        "pareto": one.id in on_front,
        "difference": difference,
    }
