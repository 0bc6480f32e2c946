"""The collection as a table for people, in the terminal and in docs/measures.md."""

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path

from steadfast.core.errors import UserError
from steadfast.core.registry import load_class
from steadfast.measures import declarations, find
from steadfast.measures.declare import Declaration

HEADER = (
    "name",
    "measure",
    "family",
    "takes",
    "range",
    "symmetric",
    "corrected for chance",
    "unequal sizes",
    "source",
    "formula",
)
START, END = "<!-- measures: start -->", "<!-- measures: end -->"


def _end(value: float | None, sign: str) -> str:
    return f"{sign}…" if value is None else f"{value:g}".replace("-", "−")


def _cells(entry: Declaration) -> list[str]:
    if entry.same_as:
        return [entry.name, f"{entry.label}: = {entry.same_as}", entry.family, *[""] * 7]
    low, high = entry.bounds
    kind = ", distance" if entry.distance else ""
    flags = (entry.symmetric, entry.corrected, entry.unequal_sizes)
    return [
        entry.name,
        entry.label,
        entry.family,
        entry.takes,
        f"{_end(low, '−')} to {_end(high, '+')}{kind}",
        *("yes" if flag else "no" for flag in flags),
        entry.source,
        entry.formula,
    ]


def align_columns(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns of equal width; numbers with five digits, NaN as a dash."""
    cells = [list(header), *([_cell_text(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in cells]
    return "\n".join(line.rstrip() for line in lines)


def _cell_text(value: object) -> str:
    if isinstance(value, float):
        return "–" if value != value else f"{value:.5f}".replace("-", "−")
    return str(value)


def text_table() -> str:
    """All measures, for the terminal."""
    return align_columns(HEADER, (_cells(entry) for entry in declarations().values()))


def markdown() -> str:
    """All measures, for docs/measures.md; formulas are left to `show`."""
    rows = [_cells(entry)[:-1] for entry in declarations().values()]
    lines = [HEADER[:-1], ["---"] * len(HEADER[:-1]), *([f"`{r[0]}`", *r[1:]] for r in rows)]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines
    )


def put_into(path: Path) -> None:
    """Write the Markdown table between the marks of a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from None
    if START not in text or END not in text:
        raise UserError(f"{path}: has no lines {START} and {END} to write between")
    before, rest = text.split(START, 1)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{START}\n{markdown()}\n{END}{after}", encoding="utf-8")


def explain(name: str) -> str:
    """One measure: what it is, where it is defined, formula and reference."""
    entry = find(name)
    row = dict(zip(HEADER[2:-2], _cells(find(entry.same_as or name))[2:-2]))
    row["a system of runs has"] = (
        "the mean over its pairs" if entry.pairwise else "a value as a whole"
    )
    about = inspect.getdoc(load_class(f"{entry.module}.{entry.function}")) or ""
    needs = ", ".join(need.replace("_", " ") for need in ("two_runs", *entry.needs))
    lines = [f"{entry.name}: {entry.label}", "", *(f"{key}: {value}" for key, value in row.items())]
    intervals = {"jackknife": "jackknife over the runs", "normal": "its own variance"}
    lines += [f"defined for: {needs}", f"interval: {intervals.get(entry.interval, 'none')}"]
    return "\n".join([*lines, f"value by chance: {entry.chance}", "", about])
