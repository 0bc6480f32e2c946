"""Tables of the data sets."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from steadfast.outputs.arguments import Published
from steadfast.outputs.kinds import table
from steadfast.outputs.results import Results
from steadfast.outputs.table import Table

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

SIZES = ["features", "instances", "classes"]


class DescribedDatasets(Results):
    """The data sets, and which of the paper's they stand in for."""

    @classmethod
    def context_of(cls, study: "Study", entry: Mapping[str, Any]) -> dict[str, Any]:
        return {"stand_ins": study.stand_ins}


@table
def datasets(results: DescribedDatasets, *, published_as: Published) -> Table:
    """The size of each data set, beside the paper's where it prints them."""
    rows = []
    for name in results.datasets:
        about = results.about(name)
        sizes = [about["features"], about["rows"], len(about["classes"])]
        printed = [published_as.get(name, {}).get(size, np.nan) for size in SIZES]
        differing = np.where(np.equal(sizes, printed), np.nan, printed)
        smallest = min(about["classes"].values())
        texts = (f"{number:g}" for number in printed)
        row = name, results.title(name), *sizes, smallest, about["origin"], *texts, *differing
        rows.append(row)
    published, hidden = ([f"{start}{size}" for size in SIZES] for start in ("published_", "_"))
    names = ["dataset", "title", *SIZES, "smallest_class", "origin"]
    frame = pd.DataFrame(rows, columns=[*names, *published, *hidden])
    return Table(
        frame if published_as else frame.drop(columns=published),
        {"Dataset": "{dataset}"}
        | {size.capitalize(): f"{{{size}}}| (published: {{_{size}:g}})" for size in SIZES}
        | {"Source": "{origin}"},
        notes=_notes(results, published_as) if published_as else [],
    )


def _notes(results: Results, published: Mapping[str, Mapping[str, float]]) -> list[str]:
    """What stands in for what, and what the paper has and this run has not."""
    notes = ["Numbers without brackets are the paper's too."]
    notes += [
        f"{results.title(name)} stands in for the paper's {theirs}."
        for theirs, name in results.context["stand_ins"].items()
        if name in results.datasets
    ]
    absent = [
        f"{name}: " + ", ".join(f"{row[size]:g} {size}" for size in SIZES)
        for name, row in published.items()
        if name not in results.datasets
    ]
    if absent:
        notes.append(f"In the paper, but not in this run: {'; '.join(absent)}.")
    return notes
