"""Claims about how many of the relevant features a selector finds on made data."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys, text
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.keys import FAMILIES
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.precision import (
    CONDITIONS,
    SEVERAL_LABEL_NOISES,
    OfPrecision,
    by_data_set,
    precision_rows,
)
from steadfast.outputs.view import View
from steadfast.statistics.intervals import t_half_width


@claim("precision")
class Precision(OfPrecision, ClaimKind):
    """Whether a selector finds more of the relevant features after a transform."""

    keys: ClassVar[Keys] = {
        "families": FAMILIES,
        "transform": text("Transform.", names="transform", required=True),
        "than": text("Transform it is compared with; chance if left out.", names="transform"),
        "label_noise": SEVERAL_LABEL_NOISES,
        **CONDITIONS,
    }

    def wanted(self, entry: Entry) -> dict[str, list]:
        """The transforms are two keys here."""
        named = [entry[key] for key in ("transform", "than") if key in entry]
        return dict(super().wanted({**entry, "transforms": named}))

    def build(self, view: View, published: ByTable) -> list[str]:
        entry, rows = view.entry, precision_rows(view)
        infos = view.context["transforms"]
        than = infos[entry["than"]]["label"] if "than" in entry else "by chance"
        printed, above, below, n_cases = [], 0, 0, 0
        for family in entry["families"]:
            for level in entry["label_noise"]:
                found, other = _pair(rows, entry, family, level)
                apart, half = found - other, float(t_half_width(found - other))
                above += apart.mean() - half > 0
                below += apart.mean() + half < 0
                n_cases += 1
                printed.append(
                    [
                        *(view.context["families"][family], f"{level:.0%}"),
                        *(f"{found.mean():.3f}", f"{other.mean():.3f}"),
                        f"{apart.mean():+.3f} ± {half:.3f}",
                    ]
                )
        label = infos[entry["transform"]]["label"]
        noise = ", ".join(f"{level:g}" for level in entry["noise"])
        header = ["Selector", "Wrong classes η", label, than, "Difference"]
        return [
            f"As measured: the share of relevant features found after {label} is above that of "
            f"{than} in {above} of {n_cases} cases, below it in {below}, and in "
            f"{n_cases - above - below} the 95% interval over data sets tells no difference "
            f"(noise α of the values: {noise}).",
            "",
            *markdown_rows(header, printed),
            "",
        ]


def _pair(
    rows: dict[str, np.ndarray], entry: Entry, family: str, level: float
) -> tuple[np.ndarray, np.ndarray]:
    """Precision on each data set after the transform, and what it is compared with."""
    own = (rows["selector"] == family) & (rows["label_noise"] == level)
    after = own & (rows["transform"] == entry["transform"])
    found = by_data_set(rows, after, "precision")
    if "than" not in entry:
        return found, by_data_set(rows, after, "chance")
    return found, by_data_set(rows, own & (rows["transform"] == entry["than"]), "precision")
