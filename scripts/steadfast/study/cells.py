"""The cells of a study, a selector on a data set: how many runs they take, a job or in all."""

from collections.abc import Mapping
from typing import Any

from steadfast.resampling import schemes
from steadfast.resampling.folds import batches


def _asked(study: Mapping[str, Any], dataset: str, selector: str) -> Mapping[str, Any]:
    """The first entry of `runs` that fits."""
    for cells in study["runs"]:
        fits = selector in cells.get("selectors", [selector])
        if fits and dataset in cells.get("datasets", [dataset]):
            return cells
    return {}


def cell_folds(study: Mapping[str, Any], dataset: str, selector: str) -> list[str]:
    """Names of the folds that a selector is run on."""
    names = schemes.create(study["resample"]).names()
    return names[: _asked(study, dataset, selector).get("runs")]


def cell_batches(
    study: Mapping[str, Any], dataset: str, selector: str, folds_per_job: int
) -> list[list[str]]:
    """The same in groups that one job selects for."""
    size = _asked(study, dataset, selector).get("per_job", folds_per_job)
    return batches(cell_folds(study, dataset, selector), size)


def alike(
    study: Mapping[str, Any], folds_per_job: int
) -> list[tuple[list[list[str]], list[str], list[str]]]:
    """Batches, and selectors and data sets whose cells all have exactly these."""
    by_batches: dict[Any, dict[str, list[str]]] = {}
    for selector in study["selectors"]:
        for dataset in study["datasets"]:
            found = cell_batches(study, dataset, selector, folds_per_job)
            cells = by_batches.setdefault(tuple(map(tuple, found)), {})
            cells.setdefault(selector, []).append(dataset)
    groups = []
    for found, cells in by_batches.items():
        for datasets in dict.fromkeys(map(tuple, cells.values())):
            selectors = [name for name, own in cells.items() if tuple(own) == datasets]
            groups.append(([list(batch) for batch in found], selectors, list(datasets)))
    return groups
