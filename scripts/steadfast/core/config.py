"""Reading and checking configuration: every mistake is one line that names file, key and fix."""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from steadfast.core.errors import UserError, suggest


class _UniqueKeyLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Refuses a key that stands twice; YAML would silently keep the last."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if key != "<<" and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping."""
    return parse_yaml(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a file that a person wrote."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text") from None


def parse_yaml(text: str, source: str) -> dict[str, Any]:
    """YAML that holds a mapping; `source` is the file that it comes from."""
    try:
        content = yaml.load(text, _UniqueKeyLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise UserError(f"{source}: {where}{getattr(error, 'problem', error)}") from None
    if not isinstance(content, dict):
        raise UserError(f"{source}: must be a mapping of keys to values")
    return content


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
    from jsonschema import Draft202012Validator

    _require_text_keys(content, source, ())
    errors = sorted(
        Draft202012Validator(schema).iter_errors(content), key=lambda e: [str(p) for p in e.path]
    )
    if errors:
        raise UserError(_one_line(errors[0], source, content, at, of))
    return _with_defaults(content, schema, schema)


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
        return f"{source}: {where}: {error.instance!r} is not known; {advice}"
    description = error.schema.get("description", "")
    hint = f" ({description.strip()})" if description else ""
    return f"{source}: {where}: {' '.join(error.message.split())}{hint}"


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
