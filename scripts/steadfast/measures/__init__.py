"""Stability measures, one file per family; a study names them under `stability: {measures: […]}`.

A measure is a function or class under a `@measure("name", …)` decorator in some file of this
folder; `steadfast measures` prints them all. The decorators are read from the source
text and modules are imported when a measure is used, so that editing one family reruns only the
studies that use it.
"""

import ast
from dataclasses import replace
from functools import cache
from pathlib import Path

from steadfast.core.errors import UserError, look_up
from steadfast.core.registry import find_decorated
from steadfast.measures.declare import KINDS, Declaration

FOLDER = Path(__file__).parent


@cache
def declarations(folder: Path = FOLDER) -> dict[str, Declaration]:
    """Every measure declared in the files of a folder, by name and by its other names."""
    found: dict[str, Declaration] = {}
    for path in sorted(folder.glob("*.py")):
        for node, name, settings in find_decorated(path, "measure"):
            declaration = _declaration(path, node, name, settings)
            for entry in (declaration, *_others(declaration)):
                if entry.name in found:
                    raise UserError(f"{path}: measure {entry.name!r} is declared twice")
                found[entry.name] = entry
    families = [family for family, _, _ in KINDS.values()]
    return dict(sorted(found.items(), key=lambda item: families.index(item[1].family)))


def find(name: str) -> Declaration:
    """The declaration of a measure; an unknown name is a `UserError` with a suggestion."""
    return look_up("measure", name, declarations())


def _declaration(path: Path, node: ast.AST, name: str, settings: dict) -> Declaration:
    documentation = ast.get_docstring(node) or ""
    kind = settings.get("kind")
    if kind not in KINDS:
        raise UserError(f"{path}: measure {name!r}: kind: must be one of {', '.join(KINDS)}")
    try:
        return Declaration(
            name=name,
            module=f"steadfast.{path.parent.name}.{path.stem}",
            function=node.name,
            formula=documentation.partition("\n\n")[0].replace("\n", " ").rstrip("."),
            **settings,
        )
    except TypeError as error:
        raise UserError(f"{path}: measure {name!r}: {error}") from None


def _others(declaration: Declaration) -> list[Declaration]:
    """Declarations of a measure under its other names."""
    return [
        replace(declaration, name=name, label=label, aliases={}, same_as=declaration.name)
        for name, label in declaration.aliases.items()
    ]
