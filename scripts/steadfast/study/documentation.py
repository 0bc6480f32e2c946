"""What can be named in a configuration, as tables for people: from the classes themselves."""

import inspect
from collections.abc import Iterator
from pathlib import Path

from steadfast.accuracy import classifiers
from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys
from steadfast.data import catalogue
from steadfast.data.sources.scenario import SCENARIO
from steadfast.resampling import schemes

#: Sorts of things with keys of their own, and where a configuration names them.
SORTS = {
    "source": "`source` of a data set in the catalogue",
    "scheme": "`resample.scheme` of a study",
    "classifier": "`accuracy.classifiers` of a study",
    "table": "`tables` of a study",
    "figure": "`figures` of a study",
    "claim": "`claims` of a study",
}

#: Keys that are not listed with every kind: all of a sort have them.
_COMMON = {"kind", "title", "text", "verdict", "use", "scheme", "source"}


def keys_of(sort: str, name: str) -> Keys:
    """The keys that an entry may have."""
    if sort == "source":
        return catalogue.keys_of(name)
    if sort == "scheme":
        return schemes.keys_of(name)
    if sort == "classifier":
        return classifiers.keys_of(name)
    kind = registry.load(sort, name).kind
    return {**kind.common, **kind.keys}


def summary(sort: str, name: str) -> str:
    """The first line of the docstring of what is declared under a name."""
    return (inspect.getdoc(registry.load(sort, name)) or "").partition("\n\n")[0].replace("\n", " ")


def markdown(sort: str) -> str:
    """All of a sort: name, what it is, and its keys; required ones in bold."""
    rows = [["name", "what it is", "keys (**required**)"], ["---"] * 3]
    for name in sorted(registry.declared(sort)):
        keys = {key: one for key, one in keys_of(sort, name).items() if key not in _COMMON}
        shown = [f"**`{key}`**" if one.required else f"`{key}`" for key, one in keys.items()]
        rows.append([f"`{name}`", summary(sort, name), ", ".join(shown)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def explain(sort: str, name: str) -> str:
    """One kind with all its keys: type, default and description."""
    lines = [f"{sort} {name}: {summary(sort, name)}", ""]
    for key, one in keys_of(sort, name).items():
        lines.append(f"  {key} ({', '.join(_facts(one))}): {one.description}")
        if key == "scenario":
            for own, nested in SCENARIO.items():
                lines.append(f"    {own} ({', '.join(_facts(nested))}): {nested.description}")
    return "\n".join(lines)


def scenario_keys() -> str:
    """The keys of a scenario as a table."""
    rows = [["key", "default", "meaning"], ["---"] * 3]
    for key, one in SCENARIO.items():
        default = f"`{one.default}`" if one.has_default else "required"
        rows.append([f"`{key}`", default, one.description])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _facts(key: Key) -> Iterator[str]:
    if key.required:
        yield "required"
    options = key.schema.get("enum")
    yield " | ".join(map(str, options)) if options else str(key.schema.get("type", "any"))
    if key.has_default:
        yield f"default {key.default}"


def mark(sort: str) -> tuple[str, str]:
    """The lines of a document between which the table of a sort stands."""
    return f"<!-- {sort}: start -->", f"<!-- {sort}: end -->"


def put_between(path: Path, start: str, end: str, content: str) -> None:
    """Write text between two lines of a document, in place of what stands there."""
    text = path.read_text(encoding="utf-8")
    if start not in text or end not in text:
        raise UserError(f"{path}: has no lines {start} and {end} to write between")
    before, rest = text.split(start, 1)
    after = rest.split(end, 1)[1]
    path.write_text(f"{before}{start}\n{content}\n{end}{after}", encoding="utf-8")


def put_into(path: Path) -> None:
    """Write the tables of all sorts between the marks of a file."""
    for sort in SORTS:
        put_between(path, *mark(sort), markdown(sort))
    put_between(path, *mark("scenario"), scenario_keys())
