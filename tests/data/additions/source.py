"""A data source of the tests' own: a table of multiples."""

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import source
from steadfast.data.frame import Frame
from steadfast.data.source import Origin, Place, Source


@source("multiples")
class Multiples(Source):
    """Row numbers times 1, 2, 3, …, modulo a prime."""

    keys: ClassVar[Keys] = {"features": whole("Number of features.", 2, required=True)}
    is_table = False

    def read(self, name: str, entry: Mapping[str, Any], place: Place) -> Origin:
        rows, columns = np.arange(60)[:, None], np.arange(1, entry["features"] + 1)[None, :]
        X = np.ascontiguousarray(rows * columns % 53, dtype=np.float64)
        labels = ["low" if value < 26 else "high" for value in X[:, 1]]
        features = tuple(f"times_{column}" for column in columns[0])
        places = [f"row {row}" for row in range(1, 61)]
        frame = Frame(X, labels, features, "target", places, "multiples")
        return Origin(frame, "multiples", hashlib.sha256(X.tobytes()).hexdigest())
