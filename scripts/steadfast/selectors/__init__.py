"""Feature selectors, one file per family.

A file is found by itself: `from steadfast.selectors import MRMR` looks up which file declares the
class, and nothing imports the others.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    from steadfast.core import registry

    for declaration in registry.declared("selector").values():
        if declaration.class_name == name:
            return registry.load_class(f"{declaration.module}.{name}")
    raise AttributeError(f"steadfast.selectors has no selector class {name!r}")
