"""Tables: one frame that is written as CSV (all digits) and printed as Markdown by its formats."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from steadfast.core.files import csv_to_bytes
from steadfast.statistics.p_values import printed_p

#: What stands for an undefined number.
UNDEFINED = "–"

#: Formats that several kinds use; `*` stands for the column, see `each`.
MEAN_HALF = "{*:.2f}| ± {* half:.2f}"
SIGNED_INTERVAL = "{*:+.3f}| [{low:+.3f}, {high:+.3f}]{mark}"

#: A field of a format: a column of the frame, and how its value is shown.
_FIELD = re.compile(r"\{([^{}:]+)(?::([^{}]*))?\}")

#: Zeros that rounding made of a small negative number.
_NEGATIVE_ZERO = re.compile(r"-(0(?:\.0*)?%?)")

Format = str | Callable[[Mapping[str, Any]], str]
Labels = Mapping[str, Mapping[str, str]]


@dataclass
class Table:
    """A table as data, and how it is printed.

    Attributes
    ----------
    frame
        Its rows with all digits. Columns whose names begin with `_` are for print only.
    cells
        Heading of each printed column to its format, a text with fields: `{size}`,
        `{stability:.3f}`, `{p:p}` (a p-value). A part behind a `|` is left out if one of its fields
        is undefined; the cell is – if one of the first part is. A function of the row may stand for
        the text. Names of data sets and selectors are shown by their labels.
    say
        Values for fields of the section Notes in the docstring of its kind, which is printed below
        the table; arguments of the kind are known there by their names.
    wide
        A column and a format: each value of the column becomes a printed column with cells of that
        format, and rows with equal other cells are printed as one.
    printed
        The rows to print, if they are not those of the frame.
    """

    frame: pd.DataFrame
    cells: Mapping[str, Format]
    say: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()
    wide: tuple[str, Format] | None = None
    printed: pd.DataFrame | None = None
    labels: Labels = field(default_factory=dict)

    def to_csv(self) -> bytes:
        """Comma-separated, all digits."""
        frame = self.frame[[name for name in self.frame if not str(name).startswith("_")]]
        rows = (
            ["" if cell is None or cell is pd.NA else cell for cell in row.values()]
            for row in frame.to_dict("records")
        )
        return csv_to_bytes(list(frame), rows)

    def texts(self, labels: Labels) -> tuple[list[str], list[list[str]]]:
        """Header and cells as printed; `labels` are names in print by column."""
        labels = {
            **labels,
            **{key: {**labels.get(key, {}), **own} for key, own in self.labels.items()},
        }
        printed = self.frame if self.printed is None else self.printed
        rows = [_labelled(row, labels) for row in printed.to_dict("records")]
        if self.wide:
            return self._widened(rows)
        cells = [[_cell(form, row) for form in self.cells.values()] for row in rows]
        return list(self.cells), cells

    def _widened(self, rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
        """Header and cells with one column for each value of the column `wide`."""
        column, form = self.wide
        names = list(dict.fromkeys(str(row[column]) for row in rows))
        by_key: dict[tuple[str, ...], dict[str, str]] = {}
        for row in rows:
            key = tuple(_cell(one, row) for one in self.cells.values())
            by_key.setdefault(key, {})[str(row[column])] = _cell(form, row)
        cells = [
            [*key, *(own.get(name, UNDEFINED) for name in names)] for key, own in by_key.items()
        ]
        return [*self.cells, *names], cells

    def lines(self, labels: Labels) -> list[str]:
        """The lines of Markdown, notes included."""
        lines = markdown_rows(*self.texts(labels))
        for note in self.notes:
            lines += ["", note]
        return lines

    def to_markdown(self, title: str, labels: Labels) -> bytes:
        """The table as the paper prints it, under its title."""
        return ("\n".join([f"**{title}**", "", *self.lines(labels)]) + "\n").encode()


def frame_of(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None
) -> pd.DataFrame:
    """A frame of rows that keeps each value as it is: whole numbers stay whole beside gaps."""
    rows = list(rows)
    names = columns or list(dict.fromkeys(name for row in rows for name in row))
    return pd.DataFrame(
        {name: pd.Series([row.get(name, "") for row in rows], dtype=object) for name in names}
    )


def widen(frame: pd.DataFrame, values: Mapping[str, str], by: str = "selector") -> pd.DataFrame:
    """One row per key, and for each value of a column the columns `NAME` and its endings.

    Parameters
    ----------
    values
        Ending of the columns to the column whose values they hold, `{"": "mean", " sd": "sd"}`.
    by
        The column whose values name the columns.
    """
    keys = [name for name in frame if name not in {by, *values.values()}]
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in frame.to_dict("records"):
        key = tuple(row[name] for name in keys)
        own = rows.setdefault(key, dict(zip(keys, key, strict=True)))
        own |= {f"{row[by]}{ending}": row[name] for ending, name in values.items()}
    return frame_of(rows.values())


def each(labels: Mapping[str, str], form: str) -> dict[str, str]:
    """One printed column per name, under its label: `*` in the format stands for the name."""
    return {label: form.replace("*", name) for name, label in labels.items()}


def _labelled(row: Mapping[str, Any], labels: Labels) -> dict[str, Any]:
    """The row with names as they are printed."""
    return {
        name: labels[name].get(value, value) if name in labels and isinstance(value, str) else value
        for name, value in row.items()
    }


def _cell(form: Format, row: Mapping[str, Any]) -> str:
    """A cell by its format."""
    if callable(form):
        return form(row)
    first, *more = (_filled(part, row) for part in _parts(form))
    return UNDEFINED if first is None else first + "".join(part for part in more if part)


@cache
def _parts(form: str) -> list[str]:
    return form.split("|")


def _filled(part: str, row: Mapping[str, Any]) -> str | None:
    """A part of a format with its fields filled in; None where one is undefined."""
    fields = {name: row[name] for name, _ in _FIELD.findall(part)}
    needed = (fields[name] for name, form in _FIELD.findall(part) if not form.endswith("?"))
    if any(map(is_undefined, needed)):
        return None
    return _FIELD.sub(lambda match: shown(fields[match[1]], match[2] or ""), part)


def is_undefined(value: Any) -> bool:
    """Whether a value is None or not a number."""
    return (
        value is None
        or value is pd.NA
        or (isinstance(value, float | np.floating) and np.isnan(value))
    )


def shown(value: Any, form: str = "") -> str:
    """A value in print: a p-value by the form `p`, numbers without the sign of a rounded zero."""
    if is_undefined(value):
        return UNDEFINED
    form = form.removesuffix("?")
    if form == "p":
        return printed_p(value)
    text = format(value, form)
    rounded = not isinstance(value, str) and "+" not in form and _NEGATIVE_ZERO.fullmatch(text)
    return text.removeprefix("-") if rounded else text


def plus_minus(value: float, half: float = float("nan"), digits: int = 2, sign: str = "±") -> str:
    """A value and half of its interval (or another spread), in print; – where it is undefined."""
    if is_undefined(value):
        return UNDEFINED
    spread = "" if is_undefined(half) else f" {sign} {half:.{digits}f}"
    return shown(value, f".{digits}f") + spread


def markdown_rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table; the first column is text, the others are centred."""
    rule = ["---", *[":---:"] * (len(header) - 1)]
    return ["| " + " | ".join(map(_markdown_cell, row)) + " |" for row in [header, rule, *rows]]


def _markdown_cell(content: object) -> str:
    """One cell on one line, which neither ends early nor begins a tag of HTML."""
    line = " ".join(str(content).splitlines()).replace("|", "\\|")
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", line)
