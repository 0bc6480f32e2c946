"""Entries about selectors after transforms."""

from collections.abc import Mapping
from typing import Any

#: What is noted of the transform that does nothing.
AS_THEY_ARE = "as they are"


def wanted_transforms(entry: Mapping[str, Any]) -> list[str]:
    """The baseline of an entry and the transforms that are compared with it."""
    named = [name for pair in entry.get("gains", []) for name in pair]
    named += [entry["published_baseline"]] if "published_baseline" in entry else []
    named += entry.get("published", [])
    return list(dict.fromkeys([entry["baseline"], *entry.get("transforms", []), *named]))
