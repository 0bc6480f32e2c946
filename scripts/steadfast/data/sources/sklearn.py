"""Data sets that are part of scikit-learn."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, one_of
from steadfast.core.registry import source
from steadfast.data.frame import Frame
from steadfast.data.source import SHA256, Origin, Place, Source, digest_of, require

LOADERS = ("wine", "breast_cancer", "digits", "iris")


@source("sklearn")
class ScikitLearn(Source):
    """A data set that is part of scikit-learn."""

    keys: ClassVar[Keys] = {
        "loader": one_of("Which load_... function.", *LOADERS, required=True),
        "sha256": SHA256.but(
            description="The SHA-256 of values and class names, checked on every read."
        ),
    }
    is_table = False

    def read(self, name: str, entry: Mapping[str, Any], place: Place) -> Origin:
        loader = require(name, entry, "loader")
        if loader not in LOADERS:
            raise UserError(
                f"{name}: `loader: {loader}` is unknown; use one of {', '.join(LOADERS)}"
            )
        with cli.count_start_up():
            from sklearn import datasets

        data = getattr(datasets, f"load_{loader}")()
        X = np.ascontiguousarray(data.data, dtype="<f8")
        labels = [str(data.target_names[code]) for code in data.target]
        digest = digest_of(X, labels)
        text = f"scikit-learn load_{loader}"
        if entry.get("sha256", digest) != digest:
            raise UserError(
                f"{text}: gives other values than the catalogue's `sha256` of {name!r} pins; "
                "install the pinned version of scikit-learn"
            )
        places = [f"row {row}" for row in range(1, len(X) + 1)]
        features = tuple(map(str, data.feature_names))
        return Origin(Frame(X, labels, features, "target", places, text), text, digest)
