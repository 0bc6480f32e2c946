"""Keys of an entry in a configuration, declared by the class that reads them.

From these come the schema that an entry is checked against, its defaults, the check of every name
in it, and its part of the documentation.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

_NONE = object()


@dataclass(frozen=True)
class Key:
    """One key.

    Attributes
    ----------
    description
        What it says, in one sentence.
    schema
        JSON Schema of its value, without description and default.
    required
        Whether an entry must have it.
    default
        What an entry without it gets; nothing if left out.
    names
        What its value, or every value of its list, names: `selector`, `dataset`, …; empty for a
        key that names nothing.
    """

    description: str
    schema: Mapping[str, Any] = field(default_factory=dict)
    required: bool = False
    default: Any = _NONE
    names: str = ""

    @property
    def has_default(self) -> bool:
        return self.default is not _NONE

    def but(self, **changes: Any) -> "Key":
        """This key with other settings; `schema` adds to the schema."""
        schema = {**self.schema, **changes.pop("schema", {})}
        return Key(**{**self.__dict__, "schema": schema, **changes})

    def json_schema(self) -> dict[str, Any]:
        default = {"default": deepcopy(self.default)} if self.has_default else {}
        return {"description": self.description, **self.schema, **default}


Keys = Mapping[str, Key]


def text(description: str, **settings: Any) -> Key:
    """A key whose value is text."""
    return Key(description, {"type": "string"}, **settings)


def flag(description: str, default: bool = False) -> Key:
    """A key that is true or false."""
    return Key(description, {"type": "boolean"}, default=default)


def whole(description: str, least: int = 1, **settings: Any) -> Key:
    """A key whose value is a whole number."""
    return Key(description, {"type": "integer", "minimum": least}, **settings)


def one_of(description: str, *options: Any, **settings: Any) -> Key:
    """A key whose value is one of a few."""
    return Key(description, {"enum": list(options)}, **settings)


def list_of(description: str, items: Mapping[str, Any], least: int = 1, **settings: Any) -> Key:
    """A key whose value is a list."""
    schema = {"type": "array", "minItems": least, "items": dict(items)}
    return Key(description, schema, **settings)


def schema_of(keys: Keys) -> dict[str, Any]:
    """The JSON Schema of an entry that has these keys and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name, key in keys.items() if key.required],
        "properties": {name: key.json_schema() for name, key in keys.items()},
    }


def check_entry(
    entry: Mapping[str, Any], keys: Keys, source: str, at: str, of: str = ""
) -> dict[str, Any]:
    """The entry with defaults filled in; the first mistake is a `UserError` of one line.

    `at` is where it stands in the file `source`, `of` what it is, for a key that it does not have.
    """
    from steadfast.core.config import check_schema

    return check_schema(dict(entry), schema_of(keys), source, at=at, of=of)


def named_values(entry: Mapping[str, Any], keys: Keys, at: str) -> Iterator[tuple[str, str, Any]]:
    """Where a name stands in an entry, what sort of thing it names, and the name."""
    for name, key in keys.items():
        if key.names and name in entry:
            for where, value in _flat(entry[name], f"{at}.{name}"):
                yield where, key.names, value


def _flat(value: Any, at: str) -> Iterator[tuple[str, Any]]:
    """Every single value of lists and mappings, and where it stands."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _flat(one, f"{at}.{key}")
    elif isinstance(value, list):
        for one in value:
            yield from _flat(one, at)
    else:
        yield at, value
