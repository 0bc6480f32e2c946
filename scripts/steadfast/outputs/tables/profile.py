"""Tables of stability profiles."""

from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, RATIO, SEVERAL_SELECTORS, WHOLE_SIZE
from steadfast.outputs.kind import Entry, Reads, TableKind, require_measured
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.named_measures import PROFILE
from steadfast.outputs.view import View
from steadfast.selectors.running.fold_file import ZERO_WEIGHTS

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("profile")
class Profile(TableKind):
    """Stability of weights, ranks and subsets."""

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "ratio": RATIO,
        "size": WHOLE_SIZE,
        "selectors": SEVERAL_SELECTORS,
    }
    any_size = True
    reads = Reads(stability=True)
    mean_columns = (*PROFILE, ZERO_WEIGHTS, "expected_overlap")

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        for measure in PROFILE:
            require_measured(study, {"measure": measure, "compare": "all_pairs"}, where)

    def build(self, view: View) -> Result:
        entry, k = view.entry, view.entry["size"]
        header = ["dataset", "selector", *PROFILE, ZERO_WEIGHTS, "expected_overlap"]
        header += [f"{measure} half interval" for measure in PROFILE]
        printed = ["Dataset", "Selector", *PROFILE.values(), "Zero weights", f"Overlap of {k}"]
        result = Result(header, [], printed)
        for dataset in view.datasets:
            query = {"dataset": dataset, "ratio": entry["ratio"], "compare": "all_pairs"}
            for selector, label in view.selectors.items():
                pairs = [
                    view.stability_at(
                        {**query, "measure": name}, selector, k if name == "jaccard" else None
                    )
                    for name in PROFILE
                ]
                values, halves = zip(*pairs, strict=True)
                zero = view.zero_weights(dataset, entry["ratio"], selector)
                overlap = expected_overlap(values[-1], k)
                result.rows.append([dataset, selector, *values, zero, overlap, *halves])
                cells = [*(_percent(*pair) for pair in pairs), _percent(zero), plus_minus(overlap)]
                result.printed.append([view.title(dataset), label, *cells])
        result.notes.append(
            f"In percent; S_S and the features in common for subsets of {k}. Mean over the pairs "
            "of inner folds, then over the outer folds, ± half of the 95% interval over the outer "
            "folds (any two share most of their rows: the spread, not a test). Zero weights: share "
            "of the features without a weight. – : undefined; the files of stability say why (a "
            "selector that states no weights, or weights that are not finite)."
        )
        return result


def expected_overlap(tanimoto: float, k: int) -> float:
    """Features in common of two subsets of k: S = r / (2k − r), so r = 2kS / (1 + S)."""
    return 2 * k * tanimoto / (1 + tanimoto)


def _percent(value: float, half: float = float("nan")) -> str:
    return plus_minus(100 * value, 100 * half)
