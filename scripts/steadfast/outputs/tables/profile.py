"""Tables of stability profiles."""

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, RATIO, SEVERAL_SELECTORS, WHOLE_SIZE
from steadfast.outputs.kind import Entry, TableKind
from steadfast.outputs.published import MEAN_ROW
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.named_measures import PROFILE
from steadfast.outputs.shared.profiles import OfProfile, profile_of
from steadfast.outputs.view import View
from steadfast.selectors.running.fold_file import ZERO_WEIGHTS


@table("profile")
class Profile(OfProfile, TableKind):
    """Stability of weights, ranks and subsets."""

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "ratio": RATIO,
        "size": WHOLE_SIZE,
        "selectors": SEVERAL_SELECTORS,
    }
    has_published_cells = True
    mean_columns = (*PROFILE, ZERO_WEIGHTS, "expected_overlap")

    def profile_measures(self, entry: Entry) -> Iterable[str]:
        return PROFILE

    def build(self, view: View) -> Result:
        entry, k = view.entry, view.entry["size"]
        header = ["dataset", "selector", *PROFILE, ZERO_WEIGHTS, "expected_overlap"]
        header += [f"{measure} half interval" for measure in PROFILE]
        printed = ["Dataset", "Selector", *PROFILE.values(), "Zero weights", f"Overlap of {k}"]
        result = Result(header, [], printed)
        for dataset in view.datasets:
            for selector, label in view.selectors.items():
                pairs = profile_of(view, dataset, selector, entry)
                values, halves = zip(*pairs, strict=True)
                zero = view.zero_weights(dataset, entry["ratio"], selector)
                overlap = expected_overlap(values[-1], k)
                result.rows.append([dataset, selector, *values, zero, overlap, *halves])
                cells = [*(_percent(*pair) for pair in pairs), _percent(zero), plus_minus(overlap)]
                result.printed.append([view.title(dataset), label, *cells])
        if len(view.datasets) > 1:
            _add_means(result, view)
        result.notes.append(
            f"In percent; S_S and the features in common for subsets of {k}. Mean over the pairs "
            "of inner folds, then over the outer folds, ± half of the 95% interval over the outer "
            "folds (any two share most of their rows: the spread, not a test). Zero weights: share "
            "of the features without a weight. – : undefined; the files of stability say why (a "
            "selector that states no weights, or weights that are not finite). Mean: over the data "
            "sets."
        )
        return result


def _add_means(result: Result, view: View) -> None:
    """A row for each selector with the means over the data sets."""
    of = len(PROFILE) + 2
    for selector, label in view.selectors.items():
        own = np.array([row[2 : 2 + of] for row in result.rows if row[1] == selector], dtype=float)
        means = [float(mean) for mean in own.mean(axis=0)]
        result.rows.append([MEAN_ROW, selector, *means, *[float("nan")] * len(PROFILE)])
        cells = [*(_percent(mean) for mean in means[:-1]), plus_minus(means[-1])]
        result.printed.append(["Mean", label, *cells])


def expected_overlap(tanimoto: float, k: int) -> float:
    """Features in common of two subsets of k: S = r / (2k − r), so r = 2kS / (1 + S)."""
    return 2 * k * tanimoto / (1 + tanimoto)


def _percent(value: float, half: float = float("nan")) -> str:
    return plus_minus(100 * value, 100 * half)
