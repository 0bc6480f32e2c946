"""Reading and checking configuration: every mistake is one line that names file, key and fix."""

import re
import sys
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NoReturn

import yaml

from steadfast.core.errors import UserError, cut, shorten, suggest
from steadfast.core.given_paths import read_text

#: No file that a person writes nests deeper, or holds more values once its aliases are followed.
_DEEPEST, _MOST = 50, 200_000

#: What no computer computes with, and Python refuses to read.
_DIGITS = re.compile(r"[-+]?[0-9_]{400,}")

#: The largest number that computers compute with.
_LARGEST = sys.float_info.max

#: How much of a value, and of a key's description, is shown in a message.
_LONGEST, _LONGEST_HINT = 100, 180

#: Kinds of values that a configuration is made of; YAML has more, and programs add their own.
_KINDS = ("str", "int", "float", "bool", "null", "seq", "map")
_TAGS = (None, "!", *(f"tag:yaml.org,2002:{kind}" for kind in _KINDS))


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Refuses a key that stands twice; YAML would silently keep the last. Dates stay text."""

    yaml_implicit_resolvers: ClassVar = {
        first: [one for one in resolvers if one[0] != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if not isinstance(key, str):
                raise yaml.MarkedYAMLError(None, None, "a key must be text", key_node.start_mark)
            if key != "<<" and key in seen:
                raise yaml.MarkedYAMLError(
                    None, None, f"the key {key!r} stands twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


class _Sizes:
    """Counts the values of a document as it is parsed, before anything is made of it.

    A few lines of aliases can stand for more values than a machine holds, and a deeply nested
    document ends the process before Python sees it.
    """

    def __init__(self) -> None:
        self._open: list[tuple[str | None, int]] = []
        self._of_anchor: dict[str, int] = {}
        self._values = 0

    def add(self, event: yaml.Event) -> None:
        """Take the next part of the document into account; refuse it where it is too much."""
        if getattr(event, "tag", None) not in _TAGS:
            self._refuse(event, f"the tag {event.tag} is not known here; take it out")
        if isinstance(event, yaml.AliasEvent):
            if event.anchor in (anchor for anchor, _ in self._open):
                why = f"*{event.anchor} stands inside of what it stands for; take it out"
                self._refuse(event, why)
            self._values += self._of_anchor.get(event.anchor, 0)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open.append((event.anchor, self._values))
            self._values += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = self._open.pop()
            self._of_anchor[anchor] = self._values - before
        elif isinstance(event, yaml.ScalarEvent):
            if _DIGITS.fullmatch(event.value) and event.implicit[0]:
                why = f"{shorten(event.value)}: too many digits for a number; a text needs quotes"
                self._refuse(event, why)
            self._of_anchor[event.anchor] = 1
            self._values += 1
        if len(self._open) > _DEEPEST:
            self._refuse(event, f"it nests deeper than {_DEEPEST} levels")
        if self._values > _MOST:
            self._refuse(event, f"it stands for more than {_MOST:,} values")

    @staticmethod
    def _refuse(event: yaml.Event, why: str) -> NoReturn:
        raise yaml.MarkedYAMLError(None, None, why, event.start_mark)


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping."""
    return parse_yaml(read_text(path), str(path))


def parse_yaml(text: str, source: str) -> dict[str, Any]:
    """YAML that holds a mapping; `source` is the file that it comes from."""
    try:
        sizes = _Sizes()
        for event in yaml.parse(text, _Loader):
            sizes.add(event)
        content = yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise UserError(f"{source}: {where}{getattr(error, 'problem', None) or error}") from None
    except (ArithmeticError, LookupError, ValueError) as error:
        # Numbers of thousands of digits, and values that are not of the kind that their tag says.
        raise UserError(f"{source}: holds a value that cannot be read ({error})") from None
    if not isinstance(content, dict):
        raise UserError(f"{source}: must be a mapping of keys to values")
    return content


def refuse_endless(content: Any, source: str) -> None:
    """Refuse what holds itself, or stands for more than a machine can look at.

    `read_yaml` makes nothing of the kind; Snakemake, which reads config files by itself, does.
    """
    left, seen = [(content, 0)], 0
    while left:
        value, depth = left.pop()
        seen += 1
        if depth > _DEEPEST or seen > _MOST:
            raise UserError(
                f"{source}: nests deeper than {_DEEPEST} levels, or stands for more than {_MOST:,} "
                "values; look for an alias (*name) of something that holds it"
            )
        inner = value.values() if isinstance(value, Mapping) else value
        if isinstance(value, (Mapping, list)):
            left.extend((one, depth + 1) for one in inner)


def check_schema(
    content: Any, schema: Mapping[str, Any], source: str, *, at: str = "", of: str = ""
) -> Any:
    """The content with the schema's defaults filled in; the first mistake is a `UserError`.

    Parameters
    ----------
    source, at
        The file, and where in it the content stands; nothing if it is the whole file.
    of
        What the content is, for a key that it does not have: "kind knots", say.
    """
    _require_text_keys(content, source, ())
    errors = sorted(
        _validator()(schema).iter_errors(content), key=lambda e: [str(p) for p in e.path]
    )
    if errors:
        raise UserError(_one_line(errors[0], source, content, at, of))
    return _with_defaults(content, schema, schema)


@cache
def _validator() -> type:
    """JSON Schema, where what is no double is no number: no limit would refuse NaN."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    usual = Draft202012Validator.TYPE_CHECKER

    def is_number(_: Any, value: Any) -> bool:
        return usual.is_type(value, "number") and -_LARGEST <= value <= _LARGEST

    return extend(Draft202012Validator, type_checker=usual.redefine("number", is_number))


def _require_text_keys(content: Any, source: str, path: tuple[object, ...]) -> None:
    if isinstance(content, dict):
        for key, value in content.items():
            if not isinstance(key, str):
                where = ".".join(map(str, (*path, key)))
                raise UserError(f"{source}: {where}: a key must be text; put it in quotes")
            _require_text_keys(value, source, (*path, key))
    elif isinstance(content, list):
        for i, value in enumerate(content):
            _require_text_keys(value, source, (*path, i))


def _one_line(error: Any, source: str, content: Any, at: str, of: str) -> str:
    """What a schema error means, in one line."""
    path = [*filter(None, [at]), *(str(part) for part in error.absolute_path)]
    if error.validator == "additionalProperties":
        known = set(error.schema.get("properties", {}))
        unknown = next(key for key in error.instance if key not in known)
        what = f"{of} has no such key" if of and not error.absolute_path else "unknown key"
        return f"{source}: {'.'.join([*path, unknown])}: {what}; {suggest(unknown, known)}"
    if error.schema is False:  # jsonschema tells the forbidden key's value, not the key
        place = content
        for part in error.absolute_path:
            place = place[part]
        key = next((key for key, value in place.items() if value is error.instance), "a key")
        return f"{source}: {'.'.join([*path, key])}: does not go with the other keys beside it"
    where = ".".join(path) or "the file"
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"{source}: {'.'.join([*path, missing])}: this key is missing"
    if error.validator in ("enum", "const"):
        options = [str(option) for option in error.schema.get("enum", [error.validator_value])]
        advice = suggest(error.instance, options)
        return f"{source}: {where}: {_cut(error.instance)} is not known; {advice}"
    description = error.schema.get("description", "")
    if error.validator == "pattern" and description:
        return f"{source}: {where}: {_cut(error.instance)} does not match: {description.strip()}"
    hint = f" ({cut(description.strip(), _LONGEST_HINT)})" if description else ""
    return f"{source}: {where}: {_short(error)}{hint}"


def _short(error: Any) -> str:
    """What jsonschema says of a value, in one line; of a long one, its beginning."""
    message = error.message.replace(repr(error.instance), _cut(error.instance))
    return " ".join(message.split())


def _cut(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


def _with_defaults(content: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if schema.get("type") == "integer" and isinstance(content, float):
        return int(content)  # JSON Schema counts 2.0 as an integer
    if isinstance(content, list) and "items" in schema:
        return [_with_defaults(value, schema["items"], root) for value in content]
    if not isinstance(content, dict):
        return content
    properties = schema.get("properties", {})
    extra = schema.get("additionalProperties")
    filled = {}
    for key, value in content.items():
        inner = properties.get(key, extra if isinstance(extra, dict) else {})
        filled[key] = _with_defaults(value, inner, root)
    for key, inner in properties.items():
        if key not in filled and "default" in inner:
            filled[key] = _with_defaults(deepcopy(inner["default"]), inner, root)
    return filled


def put_over(base: Any, changes: Any) -> Any:
    """Mappings joined key by key, as Snakemake joins config files; anything else replaced."""
    if not (isinstance(base, Mapping) and isinstance(changes, Mapping)):
        return deepcopy(changes)
    joined = {key: put_over(base[key], value) for key, value in changes.items() if key in base}
    return {**deepcopy(dict(base)), **deepcopy(dict(changes)), **joined}


def merge(base: Any, changes: Any, where: str = "overrides") -> Any:
    """Mappings merged key by key (null takes a key out); anything else replaced."""
    if not (isinstance(base, dict) and isinstance(changes, dict)):
        return deepcopy(changes)
    merged = dict(base)
    for key, value in changes.items():
        if value is None and key not in base:
            raise UserError(f"{where}.{key}: no such key to take out; {suggest(key, base)}")
        if value is None:
            del merged[key]
        elif key in base:
            merged[key] = merge(base[key], value, f"{where}.{key}")
        else:
            merged[key] = deepcopy(value)
    return merged
