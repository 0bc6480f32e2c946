"""The data of the benchmark, made from the bundled tables with fixed seeds."""

import os
from pathlib import Path
from typing import Any

TABLES = Path(__file__).resolve().parent.parent / "config" / "datasets"

#: A folder with tables that are not bundled: make bench local_data=FOLDER.
LOCAL = Path(os.environ.get("LOCAL_DATA") or TABLES)

#: This seed leaves 736 of the 2000 rows of mfeat out of the bootstrap, close to the mean.
SEED = 9

#: Rows and columns of the warm-up.
SMALL = 60, 12


def binned_table(name: str, small: bool) -> dict[str, Any]:
    """A table, bundled or of the local folder: numbers `X`, in ten `bins`, classes `y`."""
    import numpy as np
    import pandas as pd

    from steadfast.data.discretise import EqualWidth

    bundled = TABLES / f"{name}.csv.gz"
    table = pd.read_csv(bundled if bundled.exists() else LOCAL / bundled.name)
    X = np.ascontiguousarray(table.iloc[:, :-1].to_numpy(dtype=np.float64))
    _, y = np.unique(table.iloc[:, -1].to_numpy(), return_inverse=True)
    if small:
        rows = np.linspace(0, len(y) - 1, SMALL[0]).astype(int)
        X, y = np.ascontiguousarray(X[rows, : SMALL[1]]), y[rows]
    bins = np.ascontiguousarray(EqualWidth(10).fit(X).transform(X))
    return {"X": X, "bins": bins, "y": y}


def similarities(small: bool) -> dict[str, Any]:
    """Symmetrical uncertainty of the features of two MID rankings, each of its own bootstrap."""
    import numpy as np

    from steadfast.statistics.information import symmetrical_uncertainty

    data = binned_table("mfeat", small)
    draw = np.random.default_rng(SEED)
    first, second = (_mid(data, draw.integers(len(data["y"]), size=len(data["y"]))) for _ in "ab")
    similarity = symmetrical_uncertainty(np.ascontiguousarray(data["bins"].T))
    return {"weights": np.ascontiguousarray(similarity[np.ix_(first, second)])}


def bootstrap(small: bool) -> dict[str, Any]:
    """Bootstrapped training rows and the rows left out, columns in the order of MID."""
    import numpy as np

    data = binned_table("mfeat", small)
    n = len(data["y"])
    train = np.random.default_rng(SEED).integers(n, size=n)
    test = np.setdiff1d(np.arange(n), train)
    X = data["X"][:, _mid(data, train)]
    return {
        "X_train": np.ascontiguousarray(X[train]),
        "y_train": data["y"][train],
        "X_test": np.ascontiguousarray(X[test]),
        "y_test": data["y"][test],
    }


def numbers(name: str, small: bool) -> dict[str, Any]:
    """A bundled table as numbers."""
    data = binned_table(name, small)
    return {"X": data["X"], "y": data["y"]}


def wide_table(rows: int, columns: int, small: bool, told: int = 20) -> dict[str, Any]:
    """Normal numbers, twenty columns of them with classes a standard deviation apart."""
    import numpy as np

    n, m = (40, 30) if small else (rows, columns)
    draw = np.random.default_rng(SEED)
    y = np.arange(n) % 2
    X = draw.normal(size=(n, m))
    X[:, :told] += y[:, None]
    return {"X": X, "y": y}


def wide_bins(rows: int, columns: int, small: bool) -> dict[str, Any]:
    """As `wide_table`, in ten bins."""
    from steadfast.data.discretise import to_bins

    data = wide_table(rows, columns, small)
    return data | {"bins": to_bins(data["X"], 10)}


def half_table(small: bool) -> dict[str, Any]:
    """Every second row of mfeat."""
    return {name: values[::2].copy() for name, values in binned_table("mfeat", small).items()}


def splits(small: bool) -> dict[str, Any]:
    """80% of wdbc from 0 to 1, and ten splits 2/3 : 1/3 of it."""
    import numpy as np
    from sklearn.datasets import load_breast_cancer

    from steadfast.data.discretise import unit_range
    from steadfast.resampling.draws import draw_share
    from steadfast.wrappers.base import random_splits

    X, y = load_breast_cancer(return_X_y=True)
    draw = np.random.default_rng(SEED)
    rows = draw_share(y, 0.1 if small else 0.8, draw)
    X, y = unit_range(X[rows, : 5 if small else None]), y[rows]
    return {"X": X, "y": y, "splits": random_splits(y, 10, 2 / 3, draw)}


def rankings(small: bool) -> dict[str, Any]:
    """Rankings of noisy copies of the same weights: half of the first thousand in common."""
    import numpy as np

    runs, m = (5, 50) if small else (100, 10_000)
    draw = np.random.default_rng(SEED)
    worth = draw.normal(size=m)
    return {
        "m": m,
        "sequences": [np.argsort(-(worth + 0.3 * draw.normal(size=m))) for _ in range(runs)],
    }


def subsets(small: bool) -> dict[str, Any]:
    """Subsets of different sizes, some features more often than others."""
    import numpy as np

    runs, m = (5, 30) if small else (1000, 30)
    draw = np.random.default_rng(SEED)
    chosen = draw.random((runs, m)) < np.linspace(0.05, 0.95, m)
    return {"m": m, "subsets": [np.flatnonzero(row) for row in chosen]}


def _mid(data: dict[str, Any], rows: Any) -> Any:
    from steadfast.selectors import MRMR

    return MRMR("mid").fit(data["bins"][rows], data["y"][rows]).sequence_
