"""How a run of a study differs from the kept one, cell by cell."""

import csv
import io
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from steadfast.page.text import count
from steadfast.reports.replications.kept import StudyFiles


class Cell(NamedTuple):
    """A cell that differs, with what it is in the kept run and in the new one."""

    row: tuple[str, ...]
    column: str
    kept: str
    new: str

    @property
    def difference(self) -> float:
        """New minus kept; infinite where a number became text, or text other text."""
        kept, new = _number(self.kept), _number(self.new)
        if kept is None or new is None or math.isnan(kept) or math.isnan(new):
            return math.inf
        return new - kept

    def __str__(self) -> str:
        where = f"{', '.join(self.row)}: {self.column}"
        if math.isinf(self.difference):
            return f"{where}: {self.kept or 'nothing'} → {self.new or 'nothing'}"
        kept, new = float(self.kept), float(self.new)
        share = f", {abs(self.difference / kept):.2g} of the kept number" if kept else ""
        return f"{where}: {kept:.6g} → {new:.6g} ({self.difference:+.2g}{share})"


@dataclass
class TableDifference:
    """A table of both runs."""

    name: str
    compared: int
    cells: list[Cell] = field(default_factory=list)
    only_kept: list[str] = field(default_factory=list)
    only_new: list[str] = field(default_factory=list)

    @property
    def is_equal(self) -> bool:
        return not (self.cells or self.only_kept or self.only_new)

    @property
    def largest(self) -> Cell:
        """The largest difference of two numbers; where there is none, the first of texts."""
        numbers = [cell for cell in self.cells if not math.isinf(cell.difference)]
        return max(numbers or self.cells[:1], key=lambda cell: abs(cell.difference))

    def __str__(self) -> str:
        parts = []
        if self.cells:
            parts.append(f"{len(self.cells)} of {self.compared} cells differ, most {self.largest}")
        parts += [
            f"{_counted(names)} only in {where}"
            for names, where in ((self.only_kept, "the kept run"), (self.only_new, "this run"))
            if names
        ]
        return f"{self.name}: {'; '.join(parts)}"


@dataclass
class StudyDifference:
    """A study of both runs; lists of lines in print, but for tables."""

    study: str
    claims: int
    sizes: list[str]
    data: list[str]
    verdicts: list[str]
    sentences: int
    tables: list[TableDifference]
    only_kept: list[str]
    only_new: list[str]

    @property
    def unequal_tables(self) -> list[TableDifference]:
        return [table for table in self.tables if not table.is_equal]

    @property
    def is_equal(self) -> bool:
        """Whether tables and claims are equal to the last digit."""
        changed = self.verdicts or self.sentences or self.unequal_tables
        return not (changed or self.only_kept or self.only_new)

    def lines(self) -> Iterator[str]:
        """The block of the study in print."""
        yield f"{self.study}: {self._in_short()}"
        yield from (f"  size: {line}" for line in self.sizes)
        yield from (f"  data: {line}" for line in self.data)
        yield from (f"  verdict: {line}" for line in self.verdicts)
        yield from (f"  {table}" for table in self.unequal_tables)
        for names, where in ((self.only_kept, "the kept run"), (self.only_new, "this run")):
            if names:
                yield f"  tables only in {where}: {', '.join(names)}"

    def _in_short(self) -> str:
        if self.is_equal:
            both = f"{count(len(self.tables), 'table')}, {count(self.claims, 'claim')}"
            return f"equal to the last digit ({both})"
        verdicts = f"{len(self.verdicts)} of {self.claims} verdicts changed"
        if self.sentences:
            verdicts += f", {self.sentences} with other numbers"
        return f"{verdicts}; {len(self.unequal_tables)} of {len(self.tables)} tables differ"


def compare_study(study: str, kept: StudyFiles, new: StudyFiles) -> StudyDifference:
    """All that differs between two runs of a study."""
    shared = [name for name in kept.tables if name in new.tables]
    kept_claims, new_claims = (_by_text(files.claims) for files in (kept, new))
    return StudyDifference(
        study,
        claims=len({*kept_claims, *new_claims}),
        sizes=[*_sizes(kept, new)],
        data=[
            f"{dataset} has another checksum than in the kept run"
            for dataset, digest in new.checksums.items()
            if kept.checksums.get(dataset, digest) != digest
        ],
        verdicts=[*_verdicts(kept_claims, new_claims)],
        sentences=_other_numbers(kept_claims, new_claims),
        tables=[compare_tables(name, kept.tables[name], new.tables[name]) for name in shared],
        only_kept=[name for name in kept.tables if name not in shared],
        only_new=[name for name in new.tables if name not in (*shared, *kept.not_kept)],
    )


#: Claims by their text, and by how many of the same text stand before them.
_Claims = Mapping[tuple[str, int], Mapping[str, Any]]


def _by_text(claims: Mapping[str, Any]) -> _Claims:
    seen: Counter[str] = Counter()
    found = {}
    for claim in claims["claims"]:
        found[claim["text"], seen[claim["text"]]] = claim
        seen[claim["text"]] += 1
    return found


def _verdicts(kept: _Claims, new: _Claims) -> Iterator[str]:
    """Verdicts that changed, and claims that only one of the runs has."""
    for key, claim in new.items():
        place = f"claim {claim['number']}"
        if key not in kept:
            yield f"{place} is only in this run: {claim['verdict']}: {claim['text']}"
        elif kept[key]["verdict"] != claim["verdict"]:
            change = f"{kept[key]['verdict']} → {claim['verdict']}"
            yield f"{place}: {change}: {claim['sentence']}"
    for key, claim in kept.items():
        if key not in new:
            place = f"claim {claim['number']}"
            yield f"{place} is only in the kept run: {claim['verdict']}: {claim['text']}"


def _other_numbers(kept: _Claims, new: _Claims) -> int:
    """How many claims have the same verdict and another sentence or other numbers."""
    return sum(
        claim["verdict"] == kept[key]["verdict"] and _numbers(claim) != _numbers(kept[key])
        for key, claim in new.items()
        if key in kept
    )


def _numbers(claim: Mapping[str, Any]) -> dict[str, Any]:
    """What a run says of a claim, without its place and the words of its rule."""
    return {key: value for key, value in claim.items() if key not in ("number", "rule")}


def _sizes(kept: StudyFiles, new: StudyFiles) -> Iterator[str]:
    """Data sets that only one run has, and selectors with another number of runs."""
    for one, other, where in ((kept, new, "the kept run"), (new, kept, "this run")):
        only = [dataset for dataset in one.runs if dataset not in other.runs]
        if only:
            yield f"data sets only in {where}: {', '.join(only)}"
    changes: dict[tuple[int, int], dict[str, list[str]]] = {}
    for dataset in new.runs:
        if dataset not in kept.runs:
            continue
        for selector, runs in new.runs[dataset].items():
            if runs != kept.runs[dataset][selector]:
                place = changes.setdefault((runs, kept.runs[dataset][selector]), {})
                place.setdefault(dataset, []).append(selector)
    for (here, there), places in changes.items():
        named = "; ".join(f"{dataset}: {_counted(names)}" for dataset, names in places.items())
        yield f"this run: {count(here, 'run')}, kept: {there} ({named})"


def other_causes(kept: Mapping[str, Any], seed: int, versions: Mapping[str, str]) -> list[str]:
    """What else differs between two runs, as `run.json` has it of the kept one."""
    found = [] if kept["seed"] == seed else [f"seed {seed}, kept: {kept['seed']}"]
    found += [
        f"{package} {versions.get(package, 'missing')}, kept: {version}"
        for package, version in kept["versions"].items()
        if versions.get(package) != version
    ]
    if not found:
        return ["seed and versions are those of the kept run"]
    return [f"likely causes of differences: {'; '.join(found)}"]


def total(found: Sequence[StudyDifference]) -> str:
    """One line about all studies that were compared."""
    equal = sum(one.is_equal for one in found)
    verdicts = sum(len(one.verdicts) for one in found)
    tables = sum(len(one.unequal_tables) for one in found)
    every = sum(len(one.tables) for one in found)
    return (
        f"In all: {count(len(found), 'study', 'studies')} compared, {equal} equal to the last "
        f"digit; {count(verdicts, 'verdict')} changed, {tables} of {every} tables differ"
    )


def compare_tables(name: str, kept: bytes, new: bytes) -> TableDifference:
    """Cells that differ, by row and column.

    A row is known by the first columns, as many as tell all rows of both tables apart.
    """
    (kept_header, kept_rows), (new_header, new_rows) = _parse(kept), _parse(new)
    keys = _key_columns(kept_header, kept_rows, new_header, new_rows)
    kept_by, new_by = _by_key(kept_rows, keys), _by_key(new_rows, keys)
    rows = [key for key in kept_by if key in new_by]
    columns = [name for name in kept_header[keys:] if name in new_header[keys:]]
    only_kept = [*_names(kept_by, new_by), *(c for c in kept_header if c not in new_header)]
    only_new = [*_names(new_by, kept_by), *(c for c in new_header if c not in kept_header)]
    found = TableDifference(name, len(rows) * len(columns), [], only_kept, only_new)
    at_kept = {column: kept_header.index(column) for column in columns}
    at_new = {column: new_header.index(column) for column in columns}
    for key in rows:
        for column in columns:
            before, after = kept_by[key][at_kept[column]], new_by[key][at_new[column]]
            if not _equal(before, after):
                found.cells.append(Cell(key, column, before, after))
    return found


def _parse(content: bytes) -> tuple[list[str], list[list[str]]]:
    header, *rows = csv.reader(io.StringIO(content.decode()))
    return header, rows


def _key_columns(
    header: Sequence[str], rows: list[list[str]], other: Sequence[str], others: list[list[str]]
) -> int:
    """How many first columns, which both tables share, tell the rows of each apart."""
    shared = len([*takewhile(lambda pair: pair[0] == pair[1], zip(header, other))])
    for keys in range(1, min(shared, len(header) - 1) + 1):
        if all(len({tuple(row[:keys]) for row in some}) == len(some) for some in (rows, others)):
            return keys
    return min(1, shared)


def _by_key(rows: list[list[str]], keys: int) -> dict[tuple[str, ...], list[str]]:
    """Rows by their first columns; rows that these do not tell apart are numbered."""
    found: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        key, again = tuple(row[:keys]), 1
        while key in found:
            again += 1
            key = (*row[:keys], f"no. {again}")
        found[key] = row
    return found


def _names(
    rows: Mapping[tuple[str, ...], list[str]], others: Mapping[tuple[str, ...], list[str]]
) -> list[str]:
    return [", ".join(key) for key in rows if key not in others]


def _equal(kept: str, new: str) -> bool:
    if kept == new:
        return True
    before, after = _number(kept), _number(new)
    return before is not None and before == after


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _counted(names: Sequence[str], most: int = 4) -> str:
    """The first names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
