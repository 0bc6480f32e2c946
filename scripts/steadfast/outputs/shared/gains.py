"""What transforms gain by subset size, in stability and in accuracy."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np

from steadfast.core.keys import Keys, list_of
from steadfast.outputs.keys import (
    BASELINE,
    FAMILIES,
    ONE_DATASET,
    STABILITY_AND_ACCURACY,
    TRANSFORMS,
)
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.shared.treated import OfTreated, treated_members
from steadfast.outputs.view import View


class Gains(NamedTuple):
    """Of one selector on one data set after one transform, by size; NaN where not measured."""

    stability: np.ndarray
    stability_gain: np.ndarray
    accuracy: np.ndarray
    accuracy_gain: np.ndarray


class OfGains(OfTreated):
    """A kind of table or figure about gains by size."""

    keys: ClassVar[Keys] = {
        **STABILITY_AND_ACCURACY,
        "dataset": ONE_DATASET,
        "families": FAMILIES,
        "transforms": TRANSFORMS,
        "baseline": BASELINE,
        "sizes": list_of(
            "Subset sizes.", {"type": "integer", "minimum": 1}, default=[10, 30, 50, 100]
        ),
    }
    reads = Reads(stability=True, accuracy=True)


def read_gains(view: View) -> dict[str, dict[str, dict[str, Gains]]]:
    """Selector, whatever the transform, to transform to data set to gains."""
    return {
        family: {
            transform: {
                dataset: _gains(view, members, transform, dataset) for dataset in view.datasets
            }
            for transform in view.entry["transforms"]
        }
        for family, members in treated_members(view)
    }


def mean_gains(gains: list[Gains]) -> Gains:
    """Mean over data sets or selectors of what was measured on all of them."""
    return Gains(*(np.mean(values, axis=0) for values in zip(*gains, strict=True)))


def _gains(view: View, members: Mapping[str, str], transform: str, dataset: str) -> Gains:
    found = []
    for of in ("stability", "accuracy"):
        query = {**view.entry, "of": of, "dataset": dataset}
        after, before = (
            _at_sizes(view, query, members[name]) for name in (transform, view.entry["baseline"])
        )
        # Of a score whose small values are good, less is a gain.
        sign = view.direction(query) if of == "accuracy" else 1
        found += [after, sign * (after - before)]
    return Gains(*found)


def _at_sizes(view: View, query: Entry, selector: str) -> np.ndarray:
    curve = view.curves.find(query, selector)
    at = [None if curve is None else curve.place(k) for k in view.entry["sizes"]]
    return np.array([np.nan if place is None else curve.values[place] for place in at])
