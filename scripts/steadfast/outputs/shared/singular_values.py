"""Singular values of the rows of each class."""

import numpy as np

from steadfast.data.encoding import complete_numbers
from steadfast.data.table import Table

#: Values of each class: of the rows as they are, and of their differences to the class's mean.
Spectra = dict[str, dict[str, np.ndarray]]

ROWS, CENTRED = "rows", "centred"


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
