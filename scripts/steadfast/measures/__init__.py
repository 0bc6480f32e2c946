"""Stability measures, one file a family; a study names them under `stability: {measures: […]}`.

A measure is a class: made from the data set in bins, its `curve` compares two sequences for every
prefix length at once. Modules are imported by name when a measure is used, so that editing one
family reruns only the studies that use it.
"""

from typing import Any, NamedTuple


class Entry(NamedTuple):
    """Module of this package, class in it, and name in print."""

    module: str
    class_name: str
    label: str


#: By the name in a study.
MEASURES = {"su_matching": Entry("similar_features", "SUMatching", "SU matching")}


def load_measure(name: str) -> Any:
    """The class of a measure."""
    from steadfast.errors import look_up
    from steadfast.registry import load_class

    entry = look_up("measure", name, MEASURES)
    return load_class(f"{__name__}.{entry.module}.{entry.class_name}")
