"""What tests of transforms share: settings by name, and a truncated SVD written out."""

import numpy as np

#: Seed and names of a fold.
PLACE = {"seed": 1, "names": ("wine", "f01")}


def use(name, **params):
    """Settings of a selector or transform."""
    return {"use": name, "params": params}


def truncated(X, rank):
    """The sum of the first outer products, one after the other."""
    u, s, vt = np.linalg.svd(X)
    return sum(
        (s[i] * np.outer(u[:, i], vt[i]) for i in range(min(rank, s.size))), np.zeros(X.shape)
    )
