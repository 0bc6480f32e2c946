"""Tables of mean stability over groups of data sets, and of its causes."""

from collections.abc import Mapping

import numpy as np

from steadfast.core.registry import table
from steadfast.outputs.kind import Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.dataset_groups import OfDatasetGroups, stability_of_each
from steadfast.outputs.view import View
from steadfast.statistics.correlation import partial, spearman

#: Lines below the groups: over all data sets, correlation with what, given what.
_CORRELATIONS = {
    "correlation with rows": "Correlation with n",
    "correlation with features": "Correlation with m",
    "correlation with rows at equal features": "With n, at equal m",
    "correlation with features at equal rows": "With m, at equal n",
}


@table("group_means")
class GroupMeans(OfDatasetGroups, TableKind):
    """Mean stability over groups of data sets, and its correlation with rows and features."""

    reads = Reads(stability=True)

    def build(self, view: View) -> Result:
        values = {name: self._values(view, name) for name in view.datasets}
        names = [*view.selectors, "mean"]
        labels = [*view.selectors.values(), "Mean"]
        result = Result(["row", "sets", *names], [], ["", "Data sets", *labels])
        means = {}
        for group, members in view.entry["dataset_groups"].items():
            means[group] = np.mean([values[name] for name in members], axis=0)
            self._add(result, group, group, len(members), means[group])
        spread = np.ptp(list(means.values()), axis=0)
        self._add(result, "range", "Largest minus smallest group", len(values), spread)
        for (key, label), row in zip(_CORRELATIONS.items(), _correlations(view, values)):
            self._add(result, key, label, len(values), row)
        result.notes += _notes(view, means)
        return result

    def _values(self, view: View, dataset: str) -> np.ndarray:
        """Stability of each selector on a data set, and their mean."""
        own = stability_of_each(view, dataset)
        return np.array([*own, own.mean()])

    def _add(self, result: Result, key: str, label: str, sets: int, row: np.ndarray) -> None:
        result.rows.append([key, sets, *row.tolist()])
        result.printed.append([label, str(sets), *map(plus_minus, row)])


def _correlations(view: View, values: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """Of every column with rows and features, alone and given the other, over the data sets."""
    abouts = [view.about(name) for name in values]
    n, m = (np.array([about[key] for about in abouts]) for key in ("rows", "features"))
    columns = np.array(list(values.values())).T
    return [
        np.array([spearman(n, column) for column in columns]),
        np.array([spearman(m, column) for column in columns]),
        np.array([partial(n, column, m) for column in columns]),
        np.array([partial(m, column, n) for column in columns]),
    ]


def _notes(view: View, means: Mapping[str, np.ndarray]) -> list[str]:
    labels, lines = list(view.selectors.values()), []
    for group, row in means.items():
        order = sorted(zip(labels, row[:-1]), key=lambda pair: -pair[1])
        shown = ", ".join(f"{label} {value:.2f}" for label, value in order)
        lines.append(
            f"{group}: {shown}; first minus last {np.ptp(row[:-1]):.2f}, mean {row[-1]:.2f}"
        )
    return [
        f"As measured: {'. '.join(lines)}.",
        f"{view.measure()['label']} at the size that the data set's features give. Correlations "
        "are Spearman's over the data sets; at equal m, the partial one: what n has to say where "
        "the features' part is taken out. Few data sets, and rows and features go together.",
    ]
