"""Tables of errors beside stability."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, SEVERAL_SELECTORS, STABILITY_AND_ACCURACY
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("tradeoff")
class Tradeoff(TableKind):
    """Errors beside stability by size, with McNemar's test and the most stable of the best."""

    keys: ClassVar[Keys] = {
        **STABILITY_AND_ACCURACY,
        "dataset": ONE_DATASET,
        "sizes": list_of(
            "Subset sizes.", {"type": "integer", "minimum": 1}, default=[10, 20, 30, 40, 50]
        ),
        "selectors": SEVERAL_SELECTORS,
    }
    reads = Reads(stability=True, accuracy=True)
    mean_columns = ("error", "stability")

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        name = entry["classifier"]
        classifier = study.classifiers[name]
        if not classifier.get("outcomes"):
            raise UserError(
                f"{where}.classifier: McNemar's test needs the rows that {name} was wrong on; set "
                f"accuracy.classifiers.{name}.outcomes: true (svm)"
            )
        for sizes in (classifier.get("sizes"), study.sizes):
            missing = set(entry["sizes"]) - set(sizes) if isinstance(sizes, list) else set()
            if missing:
                raise UserError(
                    f"{where}.sizes: {min(missing)} is not among the sizes that are scored"
                )

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """Readings of a paper are shown, and never the choice."""
        return {"judged": list(study.judged_selectors())}

    def build(self, view: View) -> Result:
        entry, selectors = view.entry, view.selectors
        columns = (" error", " stability", " best")
        header = ["dataset", "k", *(f"{name}{end}" for name in selectors for end in columns)]
        result = Result([*header, "choice"], [], ["Dataset", "N", *selectors.values(), "Choice"])
        for dataset in view.datasets:
            for k in entry["sizes"]:
                self._add(view, dataset, k, result)
        result.notes.append(
            f"Error in percent ({view.classifiers[entry['classifier']]} on the first N features, "
            f"outer folds) – stability ({view.measure()['label']}, inner folds) ± half of its "
            "interval over the outer folds. In italics: not different from the lowest error of the "
            "row (McNemar's test, exact, 0.05). Choice: the most stable of them."
        )
        return result

    def _add(self, view: View, dataset: str, k: int, result: Result) -> None:
        """One row, unless nothing was scored at the size."""
        selectors, query = view.selectors, {**view.entry, "dataset": dataset}
        errors, same = view.errors(query, list(selectors), k)
        if not errors:
            return
        stable = {name: view.stability_at(query, name, k) for name in selectors}
        sign = -1 if view.measure()["distance"] else 1
        judged = same & set(view.context["judged"])
        known = [name for name in selectors if name in judged and not np.isnan(stable[name][0])]
        choice = max(known, key=lambda name: sign * stable[name][0], default="")
        row: list[Any] = [dataset, k]
        cells = [view.title(dataset), str(k)]
        for name in selectors:
            error = errors.get(name, float("nan"))
            row += [error, stable[name][0], name in same]
            cell = f"{plus_minus(100 * error)} – {plus_minus(*stable[name])}"
            cells.append(f"*{cell}*" if name in same else cell)
        result.rows.append([*row, choice])
        result.printed.append([*cells, selectors.get(choice, "–")])
