"""Characteristics of a data set that may tell which α and which size are best."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steadfast.core.seeds import generator
from steadfast.data.encoding import fill_gaps
from steadfast.data.table import Table
from steadfast.experiments.alpha.curves import binned
from steadfast.statistics.information import relevance, symmetrical_uncertainty

#: Features among which the mean symmetrical uncertainty is taken, evenly spaced over the columns,
#: and rows among which neighbours are looked for.
MOST_FEATURES, MOST_ROWS = 400, 2000

#: Neighbours that vote on the class of a row.
NEIGHBOURS = 5

HEADER = ("fact", "value")


def facts(table: Table, discretise: Mapping[str, Any], seed: int, name: str) -> dict[str, float]:
    """Characteristics by name.

    - `rows`, `features`, `classes`, `rows_per_feature`;
    - `class_entropy`: H(class) / log₂ of the number of classes, 1 where they are of equal size;
    - `relevance_mean`, `relevance_sd`: of I(f; class) / H(class) over the features;
    - `redundancy`: mean symmetrical uncertainty of pairs of features;
    - `effective_features`: (Σ λ)² / Σ λ² of the correlation matrix's eigenvalues, as a share of the
      features: 1 where they are uncorrelated, 1/m where they are one;
    - `label_noise`: share of rows whose class is not that of most of their five nearest neighbours.
      It counts overlap of the classes, too, and noise in features: it is an upper estimate.

    References
    ----------
    Participation ratio: Bretherton et al., The effective number of spatial degrees of freedom
    (1999). Neighbours that disagree: Wilson, Asymptotic properties of nearest neighbor rules using
    edited data (1972).
    """
    bins, y = binned(table, discretise), table.y
    m, n = bins.shape
    shares = np.bincount(y) / n
    shares = shares[shares > 0]
    entropy = float(-(shares * np.log2(shares)).sum())
    relevances = relevance(bins, y) / entropy
    return {
        "rows": n,
        "features": m,
        "classes": shares.size,
        "rows_per_feature": n / m,
        "class_entropy": entropy / float(np.log2(shares.size)),
        "relevance_mean": float(relevances.mean()),
        "relevance_sd": float(relevances.std()),
        "redundancy": _mean_uncertainty(bins),
        "effective_features": _effective_share(fill_gaps(table.X)),
        "label_noise": _disagreement(fill_gaps(table.X), y, seed, name),
    }


def _mean_uncertainty(bins: np.ndarray) -> float:
    m = len(bins)
    if m < 2:
        return 0.0
    kept = np.unique(np.linspace(0, m - 1, min(m, MOST_FEATURES)).astype(int))
    values = symmetrical_uncertainty(np.ascontiguousarray(bins[kept]))
    return float(values[np.triu_indices(kept.size, 1)].mean())


def _standardised(X: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and standard deviation 1; constant ones are left out."""
    spread = X.std(axis=0)
    varies = spread > 1e-12 * np.maximum(np.abs(X).max(axis=0), 1e-300)
    return (X[:, varies] - X[:, varies].mean(axis=0)) / spread[varies]


def _effective_share(X: np.ndarray) -> float:
    Z = _standardised(X)
    n, m = Z.shape
    # The eigenvalues of Z'Z and ZZ' are the same: the smaller one is made.
    product = Z @ Z.T if n < m else Z.T @ Z
    return float(m / ((product / n) ** 2).sum())


def _disagreement(X: np.ndarray, y: np.ndarray, seed: int, name: str) -> float:
    rows = generator(seed, "label noise", name).permutation(len(y))[:MOST_ROWS]
    Z, y = _standardised(X)[rows], y[rows]
    lengths = (Z**2).sum(axis=1)
    wrong = 0
    for row in range(len(y)):
        distances = lengths - 2 * Z @ Z[row]
        distances[row] = np.inf
        near = np.argsort(distances, kind="stable")[:NEIGHBOURS]
        wrong += np.bincount(y[near]).argmax() != y[row]
    return float(wrong / len(y))
