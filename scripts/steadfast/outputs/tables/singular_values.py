"""Tables of the singular values of each class."""

from steadfast.core.registry import table
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.shared.singular_values import (
    CENTRED,
    ROWS,
    OfSingularValues,
    singular_values,
)
from steadfast.outputs.view import View

_LABELS = {ROWS: "as they are", CENTRED: "minus the class's mean"}


@table("singular_values")
class SingularValues(OfSingularValues, TableKind):
    """Singular values of the rows of each class, and without the class's mean."""

    def build(self, view: View) -> Result:
        largest = view.entry["largest"]
        header = ["dataset", "class", "rows", "number", "value", "relative", "share"]
        numbers = [f"σ{i}/σ1" for i in range(2, largest + 1)]
        printed = ["Dataset", "Class", "Rows", "σ1", *numbers, "Share of σ1² in Σσ²"]
        result = Result(header, [], printed)
        for dataset in view.datasets:
            for name, spectra in singular_values(view.table(dataset)).items():
                for form, values in spectra.items():
                    relative, share = values / values[0], values**2 / (values**2).sum()
                    first = [dataset, name, form]
                    result.rows += [
                        [*first, i + 1, values[i], relative[i], share[i]]
                        for i in range(min(largest, values.size))
                    ]
                    cells = [f"{value:.2f}" for value in relative[1:largest]]
                    cells += ["–"] * (len(numbers) - len(cells))
                    shown = [view.title(dataset), name, _LABELS[form], f"{values[0]:.4g}"]
                    result.printed.append([*shown, *cells, f"{share[0]:.0%}"])
        result.notes.append(
            "Where σ1 is far smaller without the class's mean, most of it is the mean's: matrix "
            "rank 1 keeps the mean row of each class, a multiple of it for each row, and little "
            "else."
        )
        return result
