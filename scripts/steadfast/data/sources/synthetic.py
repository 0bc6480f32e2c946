"""Data of which it is known what matters: relevant features, noisy copies of them, and noise."""

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, list_of, schema_of, whole
from steadfast.core.registry import source
from steadfast.core.seeds import generator
from steadfast.data.frame import Frame
from steadfast.data.source import Origin, Place, Source, require

#: Settings of a generator.
GENERATOR: Keys = {
    "rows": whole("Number of rows.", least=4, required=True),
    "features": whole("Number of features.", required=True),
    "relevant": whole("Features whose mean differs between the classes.", required=True),
    "redundant": whole("Noisy copies of relevant features.", least=0, default=0),
    "separation": Key(
        "Standard deviation of the class means.",
        {"type": "number", "exclusiveMinimum": 0},
        default=1.0,
    ),
    "noise": Key(
        "Standard deviation of what is added to a copy.",
        {"type": "number", "minimum": 0},
        default=0.5,
    ),
    "offset": Key(
        "Added to all values, as of intensities, which are not around 0.",
        {"type": "number"},
        default=0.0,
    ),
    "brightness": Key(
        "Standard deviation of the logarithm of a factor of each row, as arrays and images have.",
        {"type": "number", "minimum": 0},
        default=0.0,
    ),
    "classes": whole("Number of classes.", least=2, default=2),
    "class_rows": list_of(
        "Rows of each class, in all as many as `rows`; equal shares if empty.",
        {"type": "integer", "minimum": 2},
        least=0,
        default=[],
    ),
    "seed": Key("Another seed gives other data.", {"type": "integer"}, default=1),
}


@source("synthetic")
class Synthetic(Source):
    """A generator of data with known relevant features."""

    keys: ClassVar[Keys] = {
        "generator": Key(
            "The size of the data and what is in them.", schema_of(GENERATOR), required=True
        )
    }
    is_table = False

    def read(self, name: str, entry: Mapping[str, Any], place: Place) -> Origin:
        frame, digest = synthetic(name, require(name, entry, "generator"))
        return Origin(frame, "synthetic", digest)


def _classes(name: str, given: Mapping[str, Any]) -> np.ndarray:
    """The class of each row, not yet in random order."""
    sizes = given["class_rows"]
    if not sizes:
        return np.arange(given["rows"]) % given["classes"]
    if (len(sizes), sum(sizes)) != (given["classes"], given["rows"]):
        raise UserError(
            f"{name}: generator: class_rows: must be {given['classes']} numbers that add up to "
            f"{given['rows']} rows, got {sizes}"
        )
    return np.repeat(np.arange(len(sizes)), sizes)


def synthetic(name: str, settings: Mapping[str, Any]) -> tuple[Frame, str]:
    """A frame and the SHA-256 of its content.

    Classes are of equal size, unless `class_rows` says otherwise. A relevant feature has a mean of
    its own for each class, drawn from N(0, separation²), and N(0, 1) around it. A redundant one is
    a relevant one, each in turn, plus N(0, noise²). All others are N(0, 1). An offset is added to
    all, and each row is multiplied by exp(N(0, brightness²)). Columns stand in random order; names
    tell what they are: `relevant_3`, `copy_1_of_3`, `noise_17`.
    """
    defaults = {key: about.default for key, about in GENERATOR.items() if about.has_default}
    given = {**defaults, **settings}
    for key in (key for key in GENERATOR if key not in given):
        raise UserError(f"{name}: its generator has no `{key}`; add it")
    rows, m, relevant, copies = (given[k] for k in ("rows", "features", "relevant", "redundant"))
    if relevant < 1 or relevant + copies > m:
        raise UserError(
            f"{name}: generator: {relevant} relevant and {copies} redundant features do not fit "
            f"into {m}; it needs at least one relevant one"
        )
    draw = generator(given["seed"], "synthetic", name)
    y = draw.permutation(_classes(name, given))
    means = draw.normal(0, given["separation"], (relevant, given["classes"]))
    X = draw.normal(size=(rows, m))
    X[:, :relevant] += means[:, y].T
    names = [f"relevant_{i + 1}" for i in range(relevant)]
    for copy in range(copies):
        original = copy % relevant
        X[:, relevant + copy] = X[:, original] + draw.normal(0, given["noise"], rows)
        names.append(f"copy_{copy // relevant + 1}_of_{original + 1}")
    names += [f"noise_{i + 1}" for i in range(m - relevant - copies)]
    order = draw.permutation(m)
    X = np.ascontiguousarray(X[:, order] + given["offset"], dtype="<f8")
    if given["brightness"]:
        X *= np.exp(draw.normal(0, given["brightness"], (rows, 1)))
    labels = [f"class_{code + 1}" for code in y]
    digest = hashlib.sha256(X.tobytes() + "\n".join(labels).encode()).hexdigest()
    places = [f"row {row}" for row in range(1, rows + 1)]
    features = tuple(names[column] for column in order)
    return Frame(X, labels, features, "target", places, f"generator of {name}"), digest
