"""Tables of stability over groups of data sets."""

from typing import Any

import numpy as np

from steadfast.core.registry import table
from steadfast.outputs.kind import Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.dataset_groups import OfDatasetGroups, stability_of_each
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman


@table("dataset_groups")
class DatasetGroups(OfDatasetGroups, TableKind):
    """Stability over groups of data sets, at a size that goes with their features."""

    reads = Reads(stability=True, chance=True)

    def build(self, view: View) -> Result:
        selectors = view.selectors
        header = ["dataset", "rows", "features", "size", "chance", *selectors, "mean"]
        printed = ["Group", "Dataset", "Rows n", "Features m", "k", "Chance"]
        result = Result(header, [], [*printed, *selectors.values(), "Mean"])
        for group, names in view.entry["dataset_groups"].items():
            rows = {name: self._row(view, name) for name in names}
            for dataset, row in rows.items():
                result.rows.append([dataset, *row])
                cells = [*(f"{number:g}" for number in row[:3]), *map(plus_minus, row[3:])]
                result.printed.append([group, view.title(dataset), *cells])
            mean = np.mean([row[3:] for row in rows.values()], axis=0)
            result.printed.append([f"**{group}**", "**mean**", "", "", "", *map(plus_minus, mean)])
        result.notes.append(
            f"{view.measure()['label']} of the folds' selections; chance is the value of "
            f"random selection at that size. {_correlations(result.rows)}"
        )
        return result

    def _row(self, view: View, dataset: str) -> list[float]:
        """Rows, features, size, chance, stability of each selector, and their mean."""
        about, k = view.about(dataset), view.size(dataset)
        query = {**view.entry, "dataset": dataset}
        values = stability_of_each(view, dataset)
        numbers = [about["rows"], about["features"], k, view.chance_at(query, k)]
        return [*numbers, *values.tolist(), float(values.mean())]


def _correlations(rows: list[list[Any]]) -> str:
    """Of the mean stability over the selectors with rows and features, over the data sets."""
    columns = np.array([[row[1], row[2], row[-1]] for row in rows], dtype=float).T
    by_rows, by_features = (spearman(columns[at], columns[2]) for at in (0, 1))
    return (
        "Spearman's correlation of the mean stability over the data sets: with the number of rows "
        f"{by_rows:+.2f}, with the number of features {by_features:+.2f} ({len(rows)} data sets)."
    )
