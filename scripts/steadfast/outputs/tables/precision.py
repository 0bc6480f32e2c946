"""Tables of how many of the relevant features selectors find on made data."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys, one_of
from steadfast.core.registry import table
from steadfast.outputs.keys import FAMILIES, TRANSFORMS
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.precision import (
    CONDITIONS,
    SEVERAL_LABEL_NOISES,
    OfPrecision,
    by_data_set,
    precision_rows,
)
from steadfast.outputs.view import View
from steadfast.statistics.intervals import t_half_width

#: What columns are of, in print.
_BY = {
    "label_noise": ("share η of wrong classes", "η = {:.0%}"),
    "noise": ("noise α of the values", "α = {:g}"),
    "features": ("number of features m", "m = {:g}"),
}


@table("precision")
class Precision(OfPrecision, TableKind):
    """Share of the relevant features that is found, by wrong classes, noise or features."""

    keys: ClassVar[Keys] = {
        "by": one_of("What the columns are of.", *_BY, required=True),
        "families": FAMILIES,
        "transforms": TRANSFORMS,
        "label_noise": SEVERAL_LABEL_NOISES,
        **CONDITIONS,
    }

    def build(self, view: View) -> Result:
        entry, rows = view.entry, precision_rows(view)
        by, (what, form) = entry["by"], _BY[entry["by"]]
        levels = np.unique(rows[by])
        header = ["selector", "transform", by, "precision", "half_width", "chance", "data_sets"]
        printed = ["Selector", "Transform", *(form.format(level) for level in levels)]
        result = Result(header, [], printed)
        for family in entry["families"]:
            for transform in entry["transforms"]:
                own = (rows["selector"] == family) & (rows["transform"] == transform)
                cells = []
                for level in levels:
                    chosen = own & (rows[by] == level)
                    found = by_data_set(rows, chosen, "precision")
                    half, chance = float(t_half_width(found)), rows["chance"][chosen].mean()
                    shown = int(level) if by == "features" else level
                    result.rows.append(
                        [family, transform, shown, found.mean(), half, chance, found.size]
                    )
                    cells.append(plus_minus(found.mean(), half))
                labels = view.context["families"][family], view.context["transforms"][transform]
                result.printed.append([labels[0], labels[1]["label"], *cells])
        result.notes.append(
            f"Precision by {what}, mean over data sets and all else that varies ± half of the 95% "
            f"interval over data sets; by chance {rows['chance'].mean():.2f}."
        )
        return result
