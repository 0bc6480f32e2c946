"""Tables of what transforms gain by subset size."""

import numpy as np

from steadfast.core.registry import table
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.shared.gains import Gains, OfGains, mean_gains, read_gains
from steadfast.outputs.view import View

#: What stands in the place of a selector or data set, in files.
_MEAN = "mean"


@table("gain_by_size")
class GainBySize(OfGains, TableKind):
    """What transforms gain over the baseline by size, in stability and, in brackets, accuracy."""

    def build(self, view: View) -> Result:
        sizes, infos = view.entry["sizes"], view.context["transforms"]
        header = ["selector", "dataset", "transform", "size"]
        header += [field.replace("accuracy", view.score.name) for field in Gains._fields]
        printed = ["Selector", "Dataset", "Transform", *(f"k = {k}" for k in sizes)]
        result = Result(header, [], printed)
        found = read_gains(view)
        titles = {name: view.title(name) for name in view.datasets} | {_MEAN: "Average"}
        labels = {**view.context["families"], _MEAN: "Average"}
        for family, by_transform in (found | {_MEAN: _over_selectors(found)}).items():
            for transform, by_dataset in by_transform.items():
                own = by_dataset | {_MEAN: mean_gains(list(by_dataset.values()))}
                for dataset, gains in own.items():
                    where = [family, dataset, transform]
                    result.rows += [
                        [*where, k, *values] for k, *values in zip(sizes, *gains, strict=True)
                    ]
                    label = infos[transform]["label"]
                    cells = map(_cell, gains.stability_gain, gains.accuracy_gain)
                    result.printed.append([labels[family], titles[dataset], label, *cells])
        base = infos[view.entry["baseline"]]["label"]
        result.notes.append(
            f"Gain over {base} in {view.measure()['label']} stability, and in brackets in "
            f"{view.score.noun} ({view.classifiers[view.entry['classifier']]}, on the rows as they "
            "are). –: not measured at this size on every data set."
        )
        return result


def _over_selectors(found: dict[str, dict[str, dict[str, Gains]]]) -> dict[str, dict[str, Gains]]:
    """Mean over the selectors, by transform and data set."""
    first = next(iter(found.values()))
    return {
        transform: {
            dataset: mean_gains([own[transform][dataset] for own in found.values()])
            for dataset in by_dataset
        }
        for transform, by_dataset in first.items()
    }


def _cell(stability: float, accuracy: float) -> str:
    return "–" if np.isnan(stability) else f"{stability:+.2f} ({accuracy:+.2f})"
