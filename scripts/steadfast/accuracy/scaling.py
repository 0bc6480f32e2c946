"""Features brought to one scale by what the training rows say."""

import numpy as np

from steadfast.core.keys import one_of

#: The key of classifiers that take features as they are unless a study says otherwise.
SCALE = one_of(
    'Features of variance 1 ("standard"), or from 0 to 1 ("unit"); as they are if left out.',
    *("standard", "unit"),
)


def scale_parts(
    X_train: np.ndarray, X_test: np.ndarray, how: str | None
) -> tuple[np.ndarray, np.ndarray]:
    """Both parts by what the training part says: to [0, 1], or to mean 0 and variance 1."""
    if not how:
        return X_train, X_test
    if how == "unit":
        centre, span = X_train.min(axis=0), np.ptp(X_train, axis=0)
    else:
        centre, span = X_train.mean(axis=0), X_train.std(axis=0)
    span = np.where(span == 0, 1.0, span)
    return (X_train - centre) / span, (X_test - centre) / span
