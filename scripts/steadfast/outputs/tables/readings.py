"""Tables of several readings of a selector against another selector."""

from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.keys import Keys, text
from steadfast.core.registry import table
from steadfast.outputs.differences import mean_interval
from steadfast.outputs.keys import ONE_DATASET, SEVERAL_SELECTORS, STABILITY_AND_ACCURACY
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.against import difference_texts, hold_against, told_of_losses
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Selector, Study

#: Columns of an interval.
_ENDS = ("", " low", " high")


@table("readings")
class Readings(TableKind):
    """Stability and accuracy of several readings of a selector, and how far they beat another.

    What a run sees beside its training rows is said of each: with that, runs are not independent.
    """

    keys: ClassVar[Keys] = {
        **STABILITY_AND_ACCURACY,
        "dataset": ONE_DATASET,
        "selectors": SEVERAL_SELECTORS.but(description="The readings.", required=True),
        "reference": text("Selector they are held against.", names="selector", required=True),
    }
    reads = Reads(stability=True, accuracy=True, rows=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return list(dict.fromkeys([entry["reference"], *entry["selectors"]]))

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        names = self.selectors(study, entry)
        return {"sees": {name: _sees(study.selectors[name]) for name in names}}

    def build(self, view: View) -> Result:
        ends = [f"{name}{end}" for name in ("stability", "difference") for end in _ENDS]
        score = view.score
        ends += [
            "relative",
            *(f"{score.name}{name}" for name in ("", " difference", " low", " high")),
        ]
        measure, reference = view.measure(), view.selectors[view.entry["reference"]]
        printed = ["Dataset", "Selector", "A run sees", measure["label"], f"Minus {reference}"]
        printed += ["Relative", score.label, f"{score.label} minus {reference}"]
        result = Result(["dataset", "selector", "sees", *ends], [], printed)
        for dataset in view.datasets:
            for selector in view.selectors:
                _add(view, dataset, selector, result)
        result.notes.append(
            f"Stability and {score.noun} ({view.classifiers[view.entry['classifier']]}), means "
            f"over all subset sizes, with 95% intervals. Differences to {reference} are paired: "
            "both see the same folds; ▲ where the interval lies above 0, ▼ where below."
            f"{told_of_losses(score)} Where a run sees more than its own training rows, its "
            "stability says nothing about other samples of the rows."
        )
        return result


def _sees(selector: "Selector") -> str:
    if selector.carries:
        return "its training rows, the runs before it"
    return "all rows, those that test too" if selector.sees_all_rows else "its training rows"


def _add(view: View, dataset: str, selector: str, result: Result) -> None:
    """One reading on one data set."""
    query, reference = {**view.entry, "dataset": dataset}, view.entry["reference"]
    found = hold_against(view, dataset, selector, reference)
    own, apart, accuracy, gain = found
    relative = apart.mean / mean_interval(view.curves.units(query, reference)).mean
    sees = view.context["sees"][selector]
    result.rows.append([dataset, selector, sees, *own, *apart, relative, accuracy, *gain])
    is_reference = selector == reference
    stability_difference, accuracy_difference = difference_texts(view, found)
    result.printed.append(
        [
            *(view.title(dataset), view.selectors[selector], sees),
            plus_minus(own.mean, (own.high - own.low) / 2, 3),
            "–" if is_reference else stability_difference,
            "–" if is_reference else f"{relative:+.1%}",
            f"{accuracy:.3f}",
            "–" if is_reference else accuracy_difference,
        ]
    )
