"""Finding selectors and transforms by name without importing them.

A selector is a class under a `@selector("name", …)` decorator in some file of `selectors/`, a
transform one under `@transform("name", …)` in `transforms/`. The decorators are read from the
source text: importing every file to learn the names would make every job depend on every selector,
and an edit of one would rerun them all.
"""

import ast
import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from steadfast.core import cli
from steadfast.core.errors import UserError, look_up

FOLDER = Path(__file__).parents[1] / "selectors"
TRANSFORMS = Path(__file__).parents[1] / "transforms"


@dataclass(frozen=True)
class Declaration:
    """What a decorator and the signature under it say.

    Attributes
    ----------
    name, module, class_name
        Under which name, in which module, which class: of a selector, or of a transform.
    discrete
        Whether it wants bins instead of numbers.
    reference
        The paper that introduced it.
    fixed
        Parameters that the name settles (`miq` is `MRMR` with `criterion="miq"`).
    parameters
        Parameters that a study may set, with their defaults.
    """

    name: str
    module: str
    class_name: str
    discrete: bool = False
    reference: str = ""
    fixed: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The module's file, relative to the import root."""
        return self.module.replace(".", "/") + ".py"

    def create(self, params: dict[str, Any]) -> Any:
        """The selector with these parameters, its module imported now."""
        return load_class(f"{self.module}.{self.class_name}")(**self.fixed, **params)


def selector(
    name: str, *, discrete: bool = False, reference: str = "", fixed: dict[str, Any] | None = None
) -> Callable[[type], type]:
    """Declare a class as the selector `name`; see `Declaration`. All arguments are literals."""
    return lambda declared: declared


def transform(name: str, *, reference: str = "") -> Callable[[type], type]:
    """Declare a class as the transform `name`. All arguments are literals."""
    return lambda declared: declared


@cache
def declarations(folder: Path = FOLDER, decorator: str = "selector") -> dict[str, Declaration]:
    """Every selector declared in the files of a folder, by name; read once a process."""
    found: dict[str, Declaration] = {}
    for path in sorted(folder.glob("*.py")):
        for node, (name,), settings in decorated(path, decorator):
            declaration = _declaration(path, node, name, settings, _classes(path))
            if declaration.name in found:
                raise UserError(f"{path}: {decorator} {declaration.name!r} is declared twice")
            found[declaration.name] = declaration
    return found


def transforms() -> dict[str, Declaration]:
    """Every transform, by name."""
    return declarations(TRANSFORMS, "transform")


def decorated(
    path: Path, decorator_name: str
) -> Iterator[tuple[ast.ClassDef | ast.FunctionDef, list[Any], dict[str, Any]]]:
    """Classes and functions of a file under a decorator, with its arguments, without importing."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            for decorator in getattr(node, "decorator_list", []):
                if isinstance(decorator, ast.Call) and _called(decorator) == decorator_name:
                    settings = {
                        word.arg: ast.literal_eval(word.value) for word in decorator.keywords
                    }
                    yield node, [ast.literal_eval(value) for value in decorator.args], settings
    except SyntaxError as error:
        raise UserError(f"{path}: line {error.lineno}: {error.msg}") from None
    except ValueError:
        raise UserError(
            f"{path}: the arguments of @{decorator_name}(…) must be literal values"
        ) from None


def _called(call: ast.Call) -> str | None:
    return call.func.id if isinstance(call.func, ast.Name) else None


@cache
def _classes(path: Path) -> dict[str, ast.ClassDef]:
    """The classes of a file by name."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return {node.name: node for node in body if isinstance(node, ast.ClassDef)}


def _declaration(
    path: Path,
    node: ast.ClassDef,
    name: str,
    settings: dict[str, Any],
    beside: Mapping[str, ast.ClassDef],
) -> Declaration:
    fixed = settings.get("fixed") or {}
    parameters = {k: v for k, v in _init_parameters(node, beside).items() if k not in fixed}
    return Declaration(
        name,
        f"steadfast.{path.parent.name}.{path.stem}",
        node.name,
        bool(settings.get("discrete", False)),
        settings.get("reference", ""),
        fixed,
        parameters,
    )


def _init_parameters(node: ast.ClassDef, beside: Mapping[str, ast.ClassDef]) -> dict[str, Any]:
    """Arguments of `__init__` with their defaults, None where there is no literal default.

    A class without one has that of the class of the same file that it is derived from.
    """
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            positional = [argument.arg for argument in item.args.args[1:]]
            defaults = [_literal(default) for default in item.args.defaults]
            parameters = dict.fromkeys(positional)
            parameters.update(zip(positional[len(positional) - len(defaults) :], defaults))
            for argument, default in zip(item.args.kwonlyargs, item.args.kw_defaults):
                parameters[argument.arg] = _literal(default)
            return parameters
    above = [beside[base.id] for base in node.bases if getattr(base, "id", None) in beside]
    return _init_parameters(above[0], beside) if above else {}


def _literal(node: ast.expr | None) -> Any:
    try:
        return None if node is None else ast.literal_eval(node)
    except ValueError:
        return None


def create(
    kind: str,
    settings: Mapping[str, Any],
    known: Mapping[str, Declaration],
    random_state: int,
    adapt: Callable[[Any], Callable[..., Any]] = lambda loaded: loaded,
) -> Any:
    """What settings name, by its own name or as `package.module.Class`, not fitted.

    One that wants a seed and has none gets `random_state`. `adapt` makes something that can be
    called with parameters of what another package has under that name.
    """
    use, params = settings["use"], dict(settings.get("params", {}))
    try:
        if "." in use:
            made = adapt(load_class(use))(**params)
        else:
            made = look_up(kind, use, known).create(params)
    except TypeError as error:
        raise UserError(f"{kind} {use}: {error}; look at its parameters") from None
    if getattr(made, "random_state", 0) is None:
        made.random_state = random_state
    return made


def parameters(entry: Mapping[str, Any], known: Mapping[str, Declaration]) -> dict[str, Any]:
    """All parameters of an entry, defaults included where what it names is the project's own."""
    own, given = known.get(entry["use"]), entry.get("params", {})
    return {**own.parameters, **own.fixed, **given} if own else dict(given)


def load_class(path: str) -> type:
    """The class at `package.module.Class`; the import counts as start-up."""
    module, _, name = path.rpartition(".")
    try:
        with cli.starting_up():
            return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"use: {path}: cannot be imported ({error}); is it installed?") from None
