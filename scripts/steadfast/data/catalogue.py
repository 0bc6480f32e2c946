"""The catalogue of data sets, checked: what every entry says, and what its source adds."""

from typing import Any

from steadfast.core import registry
from steadfast.core.config import check_schema
from steadfast.core.keys import Key, Keys, check_entry, one_of
from steadfast.core.paths import NAME
from steadfast.data.source import COMMON

#: The short name of a data set.
_NAME = {
    "description": "The name of a data set, used in paths: at most 80 letters, digits, - and _.",
    "pattern": rf"(?!.*\.){NAME}",
}


def source_key() -> Key:
    """The key that names the source."""
    return one_of("Where the data come from.", *registry.declared("source"), required=True)


def keys_of(source: str) -> Keys:
    """What an entry of a source may say: the keys of all entries, and those of the source."""
    own = registry.load("source", source).keys
    return {"title": COMMON["title"], "source": source_key(), **COMMON, **own}


def check_catalogue(content: Any, path: str) -> dict[str, dict[str, Any]]:
    """The entries by name with defaults filled in; the first mistake is a `UserError`.

    Parameters
    ----------
    content
        What the catalogue's file holds.
    path
        What error messages call that file.
    """
    entry = {"type": "object", "required": ["source"]}
    entry["properties"] = {"source": source_key().json_schema()}
    check_schema(
        content,
        {
            "type": "object",
            "minProperties": 1,
            "propertyNames": _NAME,
            "additionalProperties": entry,
        },
        path,
    )
    return {
        name: check_entry(
            entry, keys_of(entry["source"]), path, name, of=f"source {entry['source']}"
        )
        for name, entry in content.items()
    }
