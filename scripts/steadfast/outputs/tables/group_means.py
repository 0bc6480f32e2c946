"""Tables of mean stability over groups of data sets, and of its causes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import DATASET_GROUPS, SEVERAL_SELECTORS, SIZE, STABILITY
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.view import View
from steadfast.statistics.correlation import partial, spearman

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Lines below the groups: over all data sets, correlation with what, given what.
_CORRELATIONS = {
    "correlation with rows": "Correlation with n",
    "correlation with features": "Correlation with m",
    "correlation with rows at equal features": "With n, at equal m",
    "correlation with features at equal rows": "With m, at equal n",
}


@table("group_means")
class GroupMeans(TableKind):
    """Mean stability over groups of data sets, and its correlation with rows and features."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "dataset_groups": DATASET_GROUPS,
        "size": SIZE,
        "selectors": SEVERAL_SELECTORS,
    }
    reads = Reads(stability=True)

    def datasets(self, study: "Study", entry: Entry) -> list[str]:
        """Those of its dataset groups that the run has."""
        every = super().datasets(study, entry)
        return [name for name in every if name in study.datasets]

    def why_absent(self, study: "Study", entry: Entry, has_published: bool) -> str:
        return "" if self.datasets(study, entry) else "none of its data sets"

    def build(self, view: View) -> Result:
        values = {name: self._values(view, name) for name in view.datasets}
        names = [*view.selectors, "mean"]
        labels = [*view.selectors.values(), "Mean"]
        result = Result(["row", "sets", *names], [], ["", "Data sets", *labels])
        means = {}
        for group, members in view.entry["dataset_groups"].items():
            own = [values[name] for name in members if name in values]
            if own:
                means[group] = np.mean(own, axis=0)
                self._add(result, group, group, len(own), means[group])
        spread = np.ptp(list(means.values()), axis=0)
        self._add(result, "range", "Largest minus smallest group", len(values), spread)
        for (key, label), row in zip(_CORRELATIONS.items(), _correlations(view, values)):
            self._add(result, key, label, len(values), row)
        result.notes += _notes(view, means)
        return result

    def _values(self, view: View, dataset: str) -> np.ndarray:
        """Stability of each selector on a data set, and their mean."""
        k, query = view.size(dataset), {**view.entry, "dataset": dataset}
        own = [view.stability_at(query, name, k)[0] for name in view.selectors]
        return np.array([*own, np.mean(own)])

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
