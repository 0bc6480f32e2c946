"""Singular values of the rows of each class."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys, whole
from steadfast.data.encoding import complete_numbers
from steadfast.data.table import Table
from steadfast.outputs.keys import ONE_DATASET
from steadfast.outputs.kind import Kind, Reads

#: Values of each class: of the rows as they are, and of their differences to the class's mean.
Spectra = dict[str, dict[str, np.ndarray]]

ROWS, CENTRED = "rows", "centred"


LARGEST = whole("How many singular values.", least=2, default=6)


class OfSingularValues(Kind):
    """A kind of table or figure of the singular values of each class."""

    keys: ClassVar[Keys] = {"dataset": ONE_DATASET, "largest": LARGEST}
    reads = Reads(rows=True)
    all_selectors = False


def singular_values(table: Table) -> Spectra:
    """σ₁ ≥ σ₂ ≥ … by class, with and without the class's mean row.

    Of rows away from 0 the first value is that of the mean row: what is left without it is how the
    rows of a class differ.
    """
    X, found = complete_numbers(table, "singular values"), {}
    for code, name in enumerate(table.classes):
        own = X[table.y == code]
        found[name] = {
            ROWS: np.linalg.svd(own, compute_uv=False),
            CENTRED: np.linalg.svd(own - own.mean(axis=0), compute_uv=False),
        }
    return found
