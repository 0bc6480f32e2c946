"""Tables of two selectors under several classifiers."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.accuracy.scores import USUAL
from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, RATIOS, TWO_SELECTORS
from steadfast.outputs.kind import Entry, Reads, TableKind, require_accuracy, require_scored
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman
from steadfast.statistics.curve import common_sizes

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("classifiers")
class Classifiers(TableKind):
    """Two selectors compared under each classifier, at the sizes that all classifiers share."""

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "ratios": RATIOS,
        "selectors": TWO_SELECTORS,
    }
    reads = Reads(accuracy=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """All of the study: the order of classifiers is compared over them."""
        return list(study.selectors)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        require_accuracy(study, where)
        for classifier in study.classifiers:
            require_scored(study, classifier, set(entry["ratios"]), where)

    def build(self, view: View) -> Result:
        first, second = view.entry["selectors"]
        labels = [view.selectors[selector] for selector in (first, second)]
        header, printed = ["dataset", "ratio", "sizes"], ["Dataset", "r", "Sizes"]
        for name, label in view.classifiers.items():
            header += [f"{name} {first}", f"{name} {second}", f"{name} difference"]
            printed += [f"{label}: {labels[0]}", f"{label}: {labels[1]}", f"{label}: difference"]
        result = Result([*header, "rank_correlation"], [], [*printed, "Rank correlation"])
        for dataset in view.datasets:
            for ratio in view.entry["ratios"]:
                row = self._row(view, dataset, ratio)
                if row is None:
                    continue
                result.rows.append([dataset, ratio, *row])
                numbers = [f"{value:.3f}" for value in row[1:-1]]
                correlation = "–" if np.isnan(row[-1]) else f"{row[-1]:.2f}"
                key = [view.title(dataset), f"{ratio:g}", str(row[0])]
                result.printed.append([*key, *numbers, correlation])
        usual = view.score.name in USUAL
        means = "the mean accuracies" if usual else f"the mean {view.score.noun}"
        result.notes.append(
            f"{view.score.label}, mean over the resamples and over the subset sizes that all "
            "classifiers share. Rank correlation: Spearman's, between the first and the last "
            f"classifier, of {means} of all {len(view.selectors)} selectors."
        )
        return result

    def _row(self, view: View, dataset: str, ratio: float) -> list[Any] | None:
        """Number of shared sizes, accuracies and correlation; None where no size is shared."""
        names, selectors = list(view.classifiers), list(view.selectors)
        query = {"of": "accuracy", "dataset": dataset, "ratio": ratio}
        pairs = [(name, selector) for name in names for selector in selectors]
        curves = [view.curves.find({**query, "classifier": name}, s) for name, s in pairs]
        if any(curve is None for curve in curves):
            return None
        shared = common_sizes(curves)
        if not shared[0].sizes.size:
            return None
        means = dict(zip(pairs, (float(curve.values.mean()) for curve in shared), strict=True))
        row: list[Any] = [shared[0].sizes.size]
        for name in names:
            first, second = (means[name, selector] for selector in view.entry["selectors"])
            row += [first, second, first - second]
        first, last = (np.array([means[n, s] for s in selectors]) for n in (names[0], names[-1]))
        return [*row, spearman(first, last)]
