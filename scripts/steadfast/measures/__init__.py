"""Stability measures, one file a family; a study names them under `stability: {measures: […]}`.

A measure is a class: made from the data set in bins, its `curve` compares two sequences for every
prefix length at once. Modules are imported by name when a measure is used, so that editing one
family reruns only the studies that use it.
"""

from importlib import import_module
from typing import Any

#: Name in a study to module of this package and class in it.
MEASURES = {"su_matching": ("similar_features", "SUMatching")}


def load_measure(name: str) -> Any:
    """The class of a measure."""
    module, class_name = MEASURES[name]
    return getattr(import_module(f"{__name__}.{module}"), class_name)
