"""Tables of selectors after transforms: stability or accuracy, and what the transforms gain."""

from typing import ClassVar

import numpy as np

from steadfast.accuracy.scores import USUAL
from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import BASELINE, EITHER, FAMILIES, ONE_DATASET, SIZE, TRANSFORMS
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.treated import OfTreated, treated_values
from steadfast.outputs.verdict import capital
from steadfast.outputs.view import View
from steadfast.study.treatments import wanted_transforms


@table("treatments")
class Treatments(OfTreated, TableKind):
    """Stability or accuracy of every selector after each transform, and what transforms gain."""

    keys: ClassVar[Keys] = {
        **EITHER,
        "dataset": ONE_DATASET,
        "size": SIZE,
        "families": FAMILIES,
        "transforms": TRANSFORMS,
        "baseline": BASELINE,
    }
    mean_columns = ("stability", "accuracy")
    has_published_cells = True

    def build(self, view: View) -> Result:
        entry = view.entry
        infos = [view.context["transforms"][name] for name in wanted_transforms(entry)]
        sign = view.direction(entry) if entry["of"] == "accuracy" else 1
        header = ["row", *(f"{name} {entry['of']}" for name in wanted_transforms(entry))]
        printed = ["Selector", "Dataset", *(info["label"] for info in infos)]
        result = Result(header, [], printed)
        rows = treated_values(view)
        for (family, dataset), values in rows.items():
            result.rows.append([f"{family} {dataset}", *values.values()])
            known = [sign * value for value in values.values() if not np.isnan(value)]
            best = sign * max(known, default=np.nan)
            cells = [
                f"**{value:.3f}**" if value == best else plus_minus(value, digits=3)
                for value in values.values()
            ]
            label = view.context["families"][family]
            result.printed.append([label, view.title(dataset), *cells])
        result.printed += _foot(np.array([list(values.values()) for values in rows.values()]), sign)
        shown = capital(view.quantity(entry["of"]))
        told = "accuracies are" if view.score.name in USUAL else f"{view.score.noun} is"
        result.notes += [
            f"{shown} at {_size_text(entry['size'])} selected; {told} "
            "on the rows as they are, whatever the features were selected on. Bold: the "
            f"{'largest' if sign > 0 else 'smallest'} of a row.",
            " ".join(f"{info['label']}: {info['note']}." for info in infos),
        ]
        return result


def _foot(matrix: np.ndarray, sign: int) -> list[list[str]]:
    """Averages, their improvement over the first column, and how often a column is the best.

    `sign` is −1 where small values are good.
    """
    means = matrix.mean(axis=0)
    better = [f"{sign * (mean / means[0] - 1):+.1%}" for mean in means[1:]]
    oriented = sign * matrix
    most = np.count_nonzero(oriented == oriented.max(axis=1, keepdims=True), axis=0)
    return [
        ["Average", "", *(plus_minus(mean, digits=3) for mean in means)],
        ["Average improvement", "", "", *better],
        ["Number of max" if sign > 0 else "Number of min", "", *map(str, most)],
    ]


def _size_text(size: float | str) -> str:
    return f"{size:.0%} of the features" if isinstance(size, float) and size < 1 else f"{size}"
