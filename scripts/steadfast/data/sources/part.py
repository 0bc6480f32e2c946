"""Some rows of another data set."""

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, text, whole
from steadfast.core.registry import source
from steadfast.core.seeds import generator
from steadfast.data.frame import Frame
from steadfast.data.source import Origin, Place, Source, require
from steadfast.data.table import Table


@source("part")
class Part(Source):
    """Rows of another data set of the catalogue, drawn class by class."""

    keys: ClassVar[Keys] = {
        "of": text("The data set that rows are drawn from.", names="dataset", required=True),
        "rows": whole("How many rows; each class keeps its share of them.", least=4, required=True),
    }
    is_table = False

    def read(self, name: str, entry: Mapping[str, Any], place: Place) -> Origin:
        of, size = require(name, entry, "of"), require(name, entry, "rows")
        table = place.load_other(of)
        if table.levels or table.groups is not None or np.isnan(table.X).any():
            raise UserError(f"{name}: `of: {of}` must be numbers, without groups and gaps")
        rows = draw_rows(table, size, name)
        X, labels = table.X[rows], [table.classes[code] for code in table.y[rows]]
        digest = hashlib.sha256(X.astype("<f8").tobytes() + "\n".join(labels).encode()).hexdigest()
        places = [f"row {row + 1} of {of}" for row in rows]
        frame = Frame(X, labels, table.features, "target", places, f"{size} rows of {of}")
        return Origin(frame, f"{size} of {len(table.y)} rows of {of}", digest)


def draw_rows(table: Table, size: int, name: str) -> np.ndarray:
    """Numbers of rows in order, drawn without replacement, as many of each class as its share.

    What rounding down leaves over goes to the classes with the largest remainders.
    """
    counts = np.bincount(table.y)
    if size > len(table.y):
        raise UserError(f"{name}: `rows: {size}`: there are {len(table.y)}; ask for fewer")
    shares = counts * size / len(table.y)
    kept = shares.astype(int)
    kept[np.argsort(kept - shares, kind="stable")[: size - kept.sum()]] += 1
    draw = generator(1, "part", name)
    of_class = [np.flatnonzero(table.y == label) for label in range(len(counts))]
    drawn = [draw.choice(rows, n, replace=False) for rows, n in zip(of_class, kept, strict=True)]
    return np.sort(np.concatenate(drawn))
