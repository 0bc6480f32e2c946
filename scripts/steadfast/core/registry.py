"""Finding what can be added (selectors, kinds of tables, schemes, …) by name, without importing it.

Each is a class under a decorator, `@selector("name", …)` say, in some file of the folder of its
sort. The decorators are read from the source text: importing every file to learn the names would
make every job depend on all of them, and an edit of one would rerun everything.
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

PACKAGE = Path(__file__).parents[1]

#: What can be added by one file, and the folder of such files. Measures have a registry of their
#: own, `steadfast.measures`, because they are functions too.
FOLDERS = {
    "source": "data/sources",
    "scheme": "resampling/schemes",
    "transform": "transforms",
    "selector": "selectors",
    "classifier": "accuracy/classifiers",
    "table": "outputs/tables",
    "figure": "outputs/figures",
    "claim": "outputs/claims",
}


#: Those that are functions, under a bare decorator and their own name.
KINDS = ("table", "figure", "claim")


@dataclass(frozen=True)
class Declaration:
    """What a decorator and the signature under it say.

    Attributes
    ----------
    name, module, class_name
        Under which name, in which module, which class.
    discrete
        Selectors: whether it wants bins instead of numbers.
    reference
        The paper that introduced it.
    fixed
        Parameters that the name settles (`miq` is `MRMR` with `criterion="miq"`).
    parameters
        Parameters that a study may set, with their defaults.
    runs
        Selectors: the parameter that names the selector which it runs, whose own parameters are
        those under the same name with `_params`; empty for one that runs none.
    wraps
        Selectors: the parameter that names the classifier inside, where it is a wrapper: it splits
        the training rows itself.
    splits_rows
        Selectors: whether it splits the training rows itself though it is no wrapper, and knows of
        no groups.
    at_random
        Selectors: whether it selects at random, the baseline of the others.
    balances
        Selectors: whether it weighs relevance against redundancy, as mRMR does.
    samples, share
        Selectors: the parameters that say how many rankings a selection computes, and on which
        share of the rows each.
    grid
        Selectors: the parameter that holds the values to try, where a selection tries several.
    carries
        Selectors: the parameter that lets a run go on from the run before; at its default each run
        knows nothing of the others.
    """

    name: str
    module: str
    class_name: str
    discrete: bool = False
    reference: str = ""
    fixed: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    runs: str = ""
    wraps: str = ""
    splits_rows: bool = False
    at_random: bool = False
    balances: bool = False
    samples: str = ""
    share: str = ""
    grid: str = ""
    carries: str = ""

    @property
    def tears_groups(self) -> bool:
        """Whether groups of rows would be torn apart inside it."""
        return bool(self.wraps) or self.splits_rows

    @property
    def file(self) -> str:
        """The module's file, relative to the import root."""
        return self.module.replace(".", "/") + ".py"

    def load(self) -> type:
        """The class, its module imported now."""
        return load_class(f"{self.module}.{self.class_name}")

    def create(self, params: Mapping[str, Any]) -> Any:
        """An object of the class with these parameters."""
        return self.load()(**self.fixed, **params)


def _decorator(sort: str) -> Callable[..., Callable[[type], type]]:
    def declare(name: str, **settings: Any) -> Callable[[type], type]:
        return lambda declared: declared

    declare.__name__ = sort
    declare.__doc__ = f"Declare a class as the {sort} `name`; see `Declaration`. Literals only."
    return declare


source, scheme, transform, selector, classifier = (
    _decorator(sort) for sort in FOLDERS if sort not in KINDS
)


@cache
def declared(sort: str, folder: Path | None = None) -> dict[str, Declaration]:
    """Everything of a sort, by name, as its folder's files declare it; read once per process."""
    found: dict[str, Declaration] = {}
    for path in sorted((folder or PACKAGE / FOLDERS[sort]).glob("*.py")):
        for node, name, settings in find_decorated(path, sort):
            if name in found:
                raise UserError(f"{path}: {sort} {name!r} is declared twice")
            found[name] = _declaration(path, node, name, settings)
    return found


@cache
def load(sort: str, name: str) -> type:
    """The class that is declared under a name."""
    return look_up(sort, name, declared(sort)).load()


def find_decorated(
    path: Path, decorator_name: str
) -> Iterator[tuple[ast.ClassDef | ast.FunctionDef, str, dict[str, Any]]]:
    """Classes and functions of a file under a decorator, with its arguments, not imported."""
    try:
        for node in _tree(path).body:
            for decorator in getattr(node, "decorator_list", []):
                if isinstance(node, ast.FunctionDef) and decorator_name in KINDS:
                    if decorator_name in (_callee(decorator), getattr(decorator, "id", "")):
                        yield node, node.name, {}
                elif isinstance(decorator, ast.Call) and _callee(decorator) == decorator_name:
                    settings = {
                        word.arg: ast.literal_eval(word.value) for word in decorator.keywords
                    }
                    yield node, _only_argument(path, decorator), settings
    except SyntaxError as error:
        raise UserError(f"{path}: line {error.lineno}: {error.msg}") from None
    except UserError:
        raise
    except ValueError:
        raise UserError(
            f"{path}: the arguments of @{decorator_name}(…) must be literal values"
        ) from None


def _only_argument(path: Path, decorator: ast.Call) -> str:
    """The name that a decorator declares."""
    arguments = [ast.literal_eval(value) for value in decorator.args]
    if len(arguments) != 1 or not isinstance(arguments[0], str):
        raise UserError(
            f"{path}: line {decorator.lineno}: @{_callee(decorator)}(…) takes one name as its "
            'first argument, @table("knots") say'
        )
    return arguments[0]


def _callee(call: ast.expr) -> str | None:
    named = getattr(call, "func", None)
    return named.id if isinstance(named, ast.Name) else None


@cache
def _tree(path: Path) -> ast.Module:
    """The source text of a file, read and parsed once per process."""
    return ast.parse(path.read_text(encoding="utf-8"))


def _declaration(path: Path, node: ast.ClassDef, name: str, settings: dict) -> Declaration:
    fixed = settings.pop("fixed", {})
    beside = {other.name: other for other in _tree(path).body if isinstance(other, ast.ClassDef)}
    parameters = {k: v for k, v in _init_parameters(node, beside).items() if k not in fixed}
    try:
        return Declaration(
            name, _module(path), node.name, fixed=fixed, parameters=parameters, **settings
        )
    except TypeError as error:
        raise UserError(f"{path}: {name}: {str(error).partition('() ')[2] or error}") from None


def _module(path: Path) -> str:
    """The dotted name of a file of the package; of another file, its folder and stem."""
    if path.is_relative_to(PACKAGE):
        return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return f"steadfast.{path.parent.name}.{path.stem}"


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
    above = [
        beside[base.id]
        for base in getattr(node, "bases", [])
        if getattr(base, "id", None) in beside
    ]
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

    `use` may also be an estimator, of which a copy is made. One that wants a seed and has none gets
    `random_state`. `adapt` makes something that can be called with parameters of what another
    package has under that name.
    """
    use, params = settings["use"], dict(settings.get("params", {}))
    try:
        if not isinstance(use, str):
            made = _copy(use, params)
        elif "." in use:
            made = adapt(load_class(use))(**params)
        else:
            made = look_up(kind, use, known).create(params)
    except TypeError as error:
        raise UserError(f"{kind} {use}: {error}; look at its parameters") from None
    if getattr(made, "random_state", 0) is None:
        made.random_state = random_state
    return made


def _copy(estimator: Any, params: Mapping[str, Any]) -> Any:
    from sklearn.base import clone

    return clone(estimator).set_params(**params) if params else clone(estimator)


def shown_name(use: Any) -> str:
    """What messages call what settings use; of an estimator, its class."""
    return use if isinstance(use, str) else type(use).__name__


def parameters(entry: Mapping[str, Any], known: Mapping[str, Declaration]) -> dict[str, Any]:
    """All parameters of an entry, defaults included where what it names is the project's own."""
    own, given = known.get(entry["use"]), entry.get("params", {})
    return {**own.parameters, **own.fixed, **given} if own else dict(given)


def load_class(path: str) -> type:
    """The class at `package.module.Class`; the import counts as start-up."""
    module, _, name = path.rpartition(".")
    try:
        with cli.count_start_up():
            return getattr(importlib.import_module(module), name)
    except UserError:
        raise
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"use: {path}: cannot be imported ({error}); is it installed?") from None
