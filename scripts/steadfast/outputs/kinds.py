"""Kinds of tables, figures and claims: each is a function whose signature is what a study may say.

The first parameter is annotated with what the kind reads (`results.Curves`, …), all others are keys
of its entries in a study: annotated with a plain type, or with an argument of
`outputs.arguments`. The docstring is the documentation.
"""

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, text
from steadfast.outputs.arguments import Argument
from steadfast.outputs.results import Results
from steadfast.outputs.table import Table
from steadfast.outputs.verdict import SHARES

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]

#: Keys that all entries of a sort have.
_PRINTED: Keys = {
    "kind": text("What it shows.", required=True),
    "title": text("Printed above it.", required=True),
}
COMMON: dict[str, Keys] = {
    "table": _PRINTED,
    "figure": _PRINTED,
    "claim": {
        "kind": text("What it shows.", required=True),
        "text": text("The claim in words.", required=True),
        "verdict": SHARES,
    },
}

#: JSON types of plain annotations.
_TYPES = {int: "integer", float: "number", str: "string", bool: "boolean", dict: "object"}

#: A parameter of a numpydoc section, and its description.
_PARAMETER = re.compile(r"^(\w+)(?: :.*)?\n((?:    .*\n?)+)", re.MULTILINE)


@dataclass(frozen=True)
class Kind:
    """A kind of table, figure or claim.

    Attributes
    ----------
    sort
        `table`, `figure` or `claim`.
    function
        What makes it.
    published_cells
        Tables: whether rows and columns of the CSV are named as those of published tables are.
    mean_columns
        Tables: columns whose means over the rows can be compared with a paper's.
    timed
        Tables: whether it is about the cost of selections, so that their times are collected.
    refuse
        Called with study, entry and its place in the file: raises `UserError` for an entry that
        contradicts itself.
    modules
        Called with study and entry: files of the package that it runs by name.
    missing
        Called with study, entry and whether there are published numbers: why a run cannot have it,
        or an empty string.
    """

    sort: str
    function: Callable[..., Any]
    published_cells: bool = False
    mean_columns: tuple[str, ...] = ()
    timed: bool = False
    refuse: Callable[["Study", Entry, str], None] = lambda study, entry, where: None
    modules: Callable[["Study", Entry], list[str]] = lambda study, entry: []
    missing: Callable[["Study", Entry, bool], str] = lambda study, entry, has_published: ""

    @cached_property
    def source(self) -> type[Results]:
        """What it reads."""
        return next(iter(self._hints.values()))

    @cached_property
    def _hints(self) -> dict[str, Any]:
        hints = inspect.get_annotations(self.function)
        hints.pop("return", None)
        for name, hint in hints.items():
            if isinstance(hint, str):
                raise UserError(
                    f"{self.function.__module__}.{self.function.__name__}: {name}: its annotation "
                    "is text; take out the quotes, and `from __future__ import annotations`"
                )
        return hints

    @cached_property
    def arguments(self) -> dict[str, Argument]:
        """All keyword parameters, by name."""
        descriptions = _descriptions(self.function)
        signature = list(inspect.signature(self.function).parameters.values())[1:]
        return {
            one.name: _argument(self._hints[one.name], one.default, descriptions.get(one.name, ""))
            for one in signature
        }

    @cached_property
    def keys(self) -> Keys:
        """The keys that its entries have, besides those of its sort."""
        found: dict[str, Key] = {}
        for name, argument in self.arguments.items():
            found |= argument.keys(name)
        return found

    @property
    def common(self) -> Keys:
        return COMMON[self.sort]

    def complete(self, study: "Study", entry: dict[str, Any]) -> None:
        """Fill in what an entry leaves to the study."""
        self.source.complete(study, entry, self.keys)
        for name, argument in self.arguments.items():
            argument.complete(study, entry, name)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """Refuse what the study cannot give, with one line that begins with `where`."""
        self.source.check(study, entry, where)
        for name, argument in self.arguments.items():
            argument.check(study, entry, name, where)
        self.refuse(study, entry, where)

    def names(self, entry: Entry, at: str) -> Iterator[tuple[str, str, Any]]:
        """Names inside nested parts of an entry: where each stands, what sort it is, the name."""
        for name, argument in self.arguments.items():
            yield from argument.names(entry, name, at)

    def why_absent(self, study: "Study", entry: dict[str, Any], has_published: bool) -> str:
        """Why an entry is left out of a run whose data sets are not all there; else empty."""
        reasons = [self.missing(study, entry, has_published)]
        reasons += [each.prune(study, entry, name) for name, each in self.arguments.items()]
        return next(filter(None, reasons), "")

    def project_files(self, entry: Entry) -> list[str]:
        """Files of the project that it reads, from its folder on."""
        arguments = self.arguments.items()
        return [file for name, one in arguments for file in one.project_files(entry, name)]

    def context(self, study: "Study", entry: Entry) -> dict[str, Any]:
        """What it needs to know of the study besides what all kinds do."""
        found = self.source.context_of(study, entry)
        for name, argument in self.arguments.items():
            found |= argument.context(study, entry, name)
        return found

    def make(self, results: Results) -> Any:
        """The table, figure or claim of an entry."""
        source = self.source(results.context, results.paths.root, results.shown)
        source.pairs, entry = results.pairs, results.entry
        given = {
            name: argument.value(source, entry, name) for name, argument in self.arguments.items()
        }
        made = self.function(source, **given)
        if isinstance(made, Table) and self.notes:
            named = {next(iter(self._hints)): source, **given, **made.say}
            notes = (note.format_map(named).strip() for note in self.notes)
            made.notes = [note for note in (*notes, *made.notes) if note]
        return made

    @cached_property
    def notes(self) -> list[str]:
        """Paragraphs of the section Notes of its docstring, each in one line."""
        section = (inspect.getdoc(self.function) or "").partition("Notes\n-----\n")[2]
        return [" ".join(part.split()) for part in section.split("\n\n") if part.strip()]


def _declare(sort: str) -> Callable[..., Any]:
    def declare(function: Any = None, /, **settings: Any) -> Any:
        if function is None:
            return lambda decorated: declare(decorated, **settings)
        function.kind = Kind(sort, function, **settings)
        return function

    declare.__name__ = sort
    declare.__doc__ = f"Declare a function as a kind of {sort}; see `Kind` for what may be added."
    return declare


table, figure, claim = map(_declare, COMMON)


def _descriptions(function: Callable[..., Any]) -> dict[str, str]:
    """Parameters that the docstring of a function describes."""
    section = (inspect.getdoc(function) or "").partition("Parameters\n----------\n")[2]
    section = section.partition("Notes\n-----\n")[0]
    return {
        name: " ".join(line.strip() for line in lines.splitlines() if line.strip())
        for name, lines in _PARAMETER.findall(section)
    }


def _argument(hint: Any, default: Any, description: str) -> Argument:
    """The argument that an annotation, a default and a description declare."""
    metadata = getattr(hint, "__metadata__", ())
    argument = next((one for one in metadata if isinstance(one, Argument)), None)
    if argument is None:
        argument = Argument(
            Key(description, _schema(hint), required=default is inspect.Parameter.empty)
        )
    return argument.with_default(default, description)


def _schema(hint: Any) -> dict[str, Any]:
    """The JSON schema of a plain annotation; `Annotated[int, AtLeast(1)]` adds to it."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return {**_schema(parts[0]), "minimum": parts[1].minimum}
    if origin in (typing.Union, types.UnionType):
        return _schema(next(part for part in parts if part is not type(None)))
    if origin is typing.Literal:
        return {"enum": list(parts)}
    if origin is list:
        return {"type": "array", "minItems": 1, "items": _schema(parts[0])}
    if hint in _TYPES or origin in _TYPES:
        return {"type": _TYPES[origin or hint]}
    raise UserError(f"{hint}: is no type of a key; use a plain type or one of outputs.arguments")
