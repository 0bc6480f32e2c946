"""Tables of readings of the similarity of the training samples."""

from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, PUBLISHED_AS, SEVERAL_SELECTORS, SIZE, STABILITY
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.sample_similarity import samples_of, stabilities
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("sample_readings")
class SampleReadings(TableKind):
    """Readings of S_X side by side, the printed value, and who is stable by each."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "dataset": ONE_DATASET,
        "size": SIZE,
        "selectors": SEVERAL_SELECTORS,
        "published_as": PUBLISHED_AS,
    }
    reads = Reads(stability=True, rows=True)

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        return {"printed": {row: cells["distance"] for row, cells in published.items()}}

    def build(self, view: View) -> Result:
        header = ["dataset", "reading", "value", "distinct rows", "printed", "stable"]
        printed = ["Dataset", "Reading of S_X", "Value", "Of distinct rows", "Printed", "Stable"]
        result = Result(header, [], printed)
        for dataset in view.datasets:
            self._add(view, dataset, result)
        result.notes.append(
            "S_X: mean over pairs of training rows of one class in two samples, at perturbation "
            f"{view.entry['ratio']:g}. Of distinct rows: without the pairs of a row that is in "
            "both samples with itself, which count in the formula as printed; d is the Euclidean "
            "distance. Stable: selectors whose stability "
            f"({view.measure()['label']}) is at least that value."
        )
        return result

    def _add(self, view: View, dataset: str, result: Result) -> None:
        """One row per reading."""
        from steadfast.resampling.sample_similarity import READINGS, training_distance

        X, y, samples = samples_of(view, dataset)
        stability = stabilities(view, dataset)
        printed = view.context["printed"].get(dataset, float("nan"))
        for name, (label, pairs) in READINGS.items():
            matrix = pairs(X)
            value, distinct = (
                training_distance(matrix, y, samples, own=own) for own in (True, False)
            )
            stable = [each for each, (own, _) in stability.items() if own >= value]
            result.rows.append([dataset, name, value, distinct, printed, " ".join(stable)])
            shown = [plus_minus(number, digits=3) for number in (value, distinct, printed)]
            labels = ", ".join(view.selectors[each] for each in stable) or "none"
            result.printed.append([view.title(dataset), label, *shown, labels])
