"""A measure of the tests' own: the share of the smaller subset that is in both."""

import numpy as np

from steadfast.measures.declare import measure
from steadfast.measures.index import divide


@measure("smaller_share", label="Smaller share", kind="counts", bounds=(0, 1), source="the tests")
def smaller_share(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """|A ∩ B| / min(|A|, |B|)."""
    return divide(shared, np.minimum(a, b))
