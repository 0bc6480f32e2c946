"""The conclusions on a data set: what is recommended, at what cost, and what to beware of."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.accuracy.scores import Score
from steadfast.advice.consensus import Trusted, consensus
from steadfast.advice.evidence import point_json, to_json_number
from steadfast.advice.feature_groups import group_stability, named_groups
from steadfast.advice.interchangeable import InterchangeableGroup, interchangeable_groups
from steadfast.advice.recommendation import Best, Choice, is_better, knot_size
from steadfast.advice.words import answer as wording
from steadfast.advice.words.facts import Facts
from steadfast.advice.words.fewer import WARNING
from steadfast.advice.words.warnings import Caution, warnings
from steadfast.data.discretise import EqualWidth
from steadfast.data.encoding import fill_gaps, with_codes
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold, test_share
from steadfast.selectors.running.fold_file import OWN_SIZE
from steadfast.selectors.trust import LEVEL

#: Bins for the similarity of features: fewer where few rows would make all features look similar.
BINS, BINS_OF_FEW_ROWS, FEW_ROWS = 10, 5, 200


def collect_facts(
    table: Table,
    folds: Sequence[Fold],
    choice: Choice | None,
    bests: Mapping[str, Best],
    classifier: str | None,
    label: str,
    score: Score,
    blind: float | None,
    trusted: Trusted,
) -> Facts:
    """What the words are about: the recommendation, and how it compares with the baselines."""
    share, columns = test_share(folds), np.flatnonzero(trusted.columns).tolist()
    chance, beats_blind, beats_random = None, None, None
    low, subsets = float("nan"), []
    if choice is not None:
        best, curve = choice.best, choice.best.witness.stability
        low, subsets = float(curve.low[curve.place(best.size)]), best.subsets()
        units = best.accuracy_units(classifier)
        beats_blind = is_better(units, score.direction * blind, share)
        chance = next((one for one in bests.values() if one.witness.baseline), None)
    if chance is not None:
        others = chance.accuracy_units(classifier)
        others = others if others.size == units.size else others.mean()
        beats_random = is_better(units, others, share)
    return Facts(
        choice=choice,
        classifier=classifier if choice else None,
        measured=classifier is not None,
        label=label,
        n_runs=len(folds),
        n_features=table.X.shape[1],
        blind=float("nan") if blind is None else blind,
        beats_blind=beats_blind,
        random=chance,
        beats_random=beats_random,
        low=low,
        rows=consensus(choice.best if choice else None, trusted),
        trusted=trusted,
        groups=interchangeable_groups(subsets, _bins(table), columns) if subsets else [],
        score=score,
    )


def draw_conclusions(
    table: Table,
    about: Mapping[str, Any],
    facts: Facts,
    named: Mapping[str, Sequence[int]],
    fewer: Mapping[str, Any] | None,
) -> dict[str, Any]:
    best, trusted = facts.best, facts.trusted
    own_size = best is not None and best.size == OWN_SIZE
    cautions = warnings(facts, table, about)
    if fewer:
        cautions.append(Caution("fewer", WARNING.format(**fewer)))
    doubts = [one.doubt for one in cautions if one.doubt]
    return {
        "verdict": wording.verdict(facts, doubts),
        "doubts": doubts,
        "answer": wording.answer(facts, table),
        "selector": best.witness.id if best else None,
        "size": to_json_number(best.witness.mean_size, 2) if own_size else best and best.size,
        "own": own_size,
        "classifier": facts.classifier,
        **_cost(facts),
        "why_size": wording.why_size(facts, knot_size(best.witness) if best else None),
        "why_selector": wording.why_selector(facts),
        "warnings": [{"kind": one.kind, "text": one.text} for one in cautions],
        "consensus": facts.rows,
        "voters": trusted.voters,
        **({"level": LEVEL} if trusted.q_values is not None else {}),
        "interchangeable": [_group(group, facts) for group in facts.groups],
        **(_by_groups(facts, named, table.X.shape[1]) if best else {}),
    }


def _cost(facts: Facts) -> dict[str, Any]:
    """What the recommendation loses against the most accurate selection, and the baselines."""
    if facts.choice is None:
        return {}
    top, random = facts.choice.top, facts.random
    found: dict[str, Any] = {
        "margin": facts.choice.margin,
        "most_accurate": {
            "selector": top.witness.id,
            "size": to_json_number(top.mean_size, 2),
            "loss": to_json_number(facts.choice.loss),
        },
        "tied": [one.witness.id for one in facts.choice.tied],
        "known_to": to_json_number(facts.choice.known_to),
        "enough_runs": facts.choice.enough_runs,
        "accurate": bool(facts.beats_blind and facts.beats_random),
    }
    if random is not None:
        value = to_json_number(facts.score_of(random))
        found["random"] = {"size": random.size, "value": value, "beaten": facts.beats_random}
    return found


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
