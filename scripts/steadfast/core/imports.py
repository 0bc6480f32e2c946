"""Which files of this project a command runs, so that an edit reruns exactly what it touches."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def import_closure(files: Iterable[Path], root: Path, package: str = "") -> list[Path]:
    """The files, and every module below `root` that they import, directly or not.

    Read from the source text, imports inside functions included and those for type checkers left
    out. Modules that are imported by a name computed at run time (selectors, measures, kinds of
    tables) must be given as `files`. A file is read and parsed once per process. Where other
    packages lie below `root`, too, `package` is the one whose modules count.
    """
    found: set[Path] = set()
    waiting = [Path(file) for file in files]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_neighbours(path, root, package))
    return sorted(found)


@cache
def _neighbours(path: Path, root: Path, package: str) -> list[Path]:
    """The files that importing a file imports next."""
    found = _package_files(path, root)
    for name in imported_names(path, root):
        if package in ("", name.partition(".")[0]):
            found.extend(_module_files(name, root))
    return found


def imported_names(path: Path, root: Path) -> set[str]:
    """The full names that a file imports when it runs, other packages' included."""
    names = set()
    for node in _runtime_statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = path.relative_to(root).parts[: -node.level] if node.level else ()
            module = ".".join([*parts, *filter(None, [node.module])])
            names.add(module)
            names.update(f"{module}.{alias.name}" for alias in node.names)
    return names


def _runtime_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement below a node, except blocks that only type checkers read.

    Imports are statements: expressions, most of a file, are not looked at.
    """
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, block, ()):
            if not (isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING"):
                yield child
                yield from _runtime_statements(child)


@cache
def _module_files(name: str, root: Path) -> list[Path]:
    """The file of a module and the `__init__` files of the packages above it."""
    *above, last = name.split(".")
    package = root.joinpath(*above)
    own = [package / f"{last}.py", package / last / "__init__.py"]
    inits = [root.joinpath(*above[:depth], "__init__.py") for depth in range(1, len(above) + 1)]
    found = [path for path in [*own, *inits] if path.is_file()]
    if not any(path.is_file() for path in own) and _exports_lazily(package / "__init__.py"):
        # The name may be defined in any file of the package, so all of them belong to it.
        found.extend(sorted(package.glob("*.py")))
    return found


def _exports_lazily(init: Path) -> bool:
    return init.is_file() and "def __getattr__(" in init.read_text(encoding="utf-8")


def _package_files(path: Path, root: Path) -> list[Path]:
    """The `__init__` files of the packages that a file lies in."""
    folders = path.relative_to(root).parents
    return [file for folder in folders if (file := root / folder / "__init__.py").is_file()]


def content_hash(files: Iterable[Path]) -> str:
    """One digest of the names and contents of the files."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
