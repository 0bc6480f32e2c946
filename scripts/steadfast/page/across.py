"""Selectors of a page over its data sets: Friedman's test at their recommended sizes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.page.data import score_labels, score_of
from steadfast.statistics.friedman import FEWEST_DATASETS, FEWEST_SELECTORS, friedman

#: A diagram of more selectors cannot be read.
MOST_SELECTORS = 20


def across_datasets(evidence: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the page shows of the tests; nothing with too few data sets or too many selectors.

    Selectors that choose at random do not take part, nor data sets on which one has no value.
    """
    by_dataset = {
        one["dataset"]["name"]: {s["id"]: s for s in one["selectors"] if not s["baseline"]}
        for one in evidence
    }
    first = next(iter(by_dataset.values()))
    selectors = [name for name in first if all(name in found for found in by_dataset.values())]
    if not FEWEST_SELECTORS <= len(selectors) <= MOST_SELECTORS:
        return []
    labels = {name: first[name]["label"] for name in selectors}
    directions = {
        "stability": np.ones(len(evidence)),
        "accuracy": np.array([score_of(one).direction for one in evidence]),
    }
    recommends = any(one["advice"]["selector"] is not None for one in evidence)
    titles = {"stability": "Stability", "accuracy": score_labels(evidence)}
    results = []
    for of, name_of in titles.items():
        at = "the size that would be recommended for it" if recommends else "the same size"
        title = f"{name_of}, each selector at {at}"
        values = np.array(
            [[_value(found[name], of) for name in selectors] for found in by_dataset.values()]
        )
        values *= directions[of][:, None]
        if (~np.isnan(values).any(axis=1)).sum() >= FEWEST_DATASETS:
            test = friedman(values, list(by_dataset), selectors)
            results.append(test.as_json(title, labels))
    return results


def _value(selector: Mapping[str, Any], of: str) -> float:
    best = selector["best"] or {}
    value = best.get(of)
    return float("nan") if value is None else value
