"""What transforms gain by subset size, in stability and in accuracy."""

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from steadfast.core.keys import Keys, list_of
from steadfast.core.paths import name_after
from steadfast.outputs.keys import (
    BASELINE,
    FAMILIES,
    ONE_DATASET,
    STABILITY_AND_ACCURACY,
    TRANSFORMS,
)
from steadfast.outputs.kind import Entry, Kind, Reads
from steadfast.outputs.shared.treated import check_treated
from steadfast.outputs.view import View
from steadfast.study.treatments import wanted_transforms

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


class Gains(NamedTuple):
    """Of one selector on one data set after one transform, by size; NaN where not measured."""

    stability: np.ndarray
    stability_gain: np.ndarray
    accuracy: np.ndarray
    accuracy_gain: np.ndarray


class OfGains(Kind):
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

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return study.treated_selectors(entry)

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        return {"families": study.families, "transforms": study.transform_infos}

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        check_treated(study, entry, where)


def read_gains(view: View) -> dict[str, dict[str, dict[str, Gains]]]:
    """Selector, whatever the transform, to transform to data set to gains."""
    entry, found = view.entry, {}
    for family in entry.get("families", view.context["families"]):
        if all(name_after(family, name) in view.selectors for name in wanted_transforms(entry)):
            found[family] = {
                transform: {
                    dataset: _gains(view, family, transform, dataset) for dataset in view.datasets
                }
                for transform in entry["transforms"]
            }
    return found


def mean_gains(gains: list[Gains]) -> Gains:
    """Mean over data sets or selectors of what was measured on all of them."""
    return Gains(*(np.mean(values, axis=0) for values in zip(*gains, strict=True)))


def _gains(view: View, family: str, transform: str, dataset: str) -> Gains:
    found = []
    for of in ("stability", "accuracy"):
        query = {**view.entry, "of": of, "dataset": dataset}
        after, before = (
            _at_sizes(view, query, name_after(family, name))
            for name in (transform, view.entry["baseline"])
        )
        found += [after, after - before]
    return Gains(*found)


def _at_sizes(view: View, query: Entry, selector: str) -> np.ndarray:
    curve = view.curves.find(query, selector)
    at = [None if curve is None else curve.place(k) for k in view.entry["sizes"]]
    return np.array([np.nan if place is None else curve.values[place] for place in at])
