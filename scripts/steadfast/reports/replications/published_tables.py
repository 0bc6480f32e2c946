"""Published numbers beside those of a kept run, in print."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.outputs.published import (
    MEAN_OF,
    OTHER_DATA,
    OWN_MEAN_OF,
    Pair,
    group_by,
    mean_difference,
)
from steadfast.outputs.sources.named_measures import SUBSET_COLUMNS
from steadfast.outputs.summary import agreement
from steadfast.page import text
from steadfast.page.text import Markup, tag

#: The last row of a table whose columns are different things.
_DIFFERENCES = "Mean absolute difference"


#: With more columns, the published number stands below ours.
_NARROW = 6


class Labels:
    """Names of a study's rows and columns, in print."""

    def __init__(self, study: Mapping[str, Any], datasets: Mapping[str, Any]):
        self.methods = {name: one["label"] for name, one in study["selectors"].items()}
        self.methods |= {name: one["label"] for name, one in study["transforms"].items()}
        self.datasets = {name: one.get("title", name) for name, one in datasets.items()}

    def row(self, name: str) -> str:
        if name.startswith((MEAN_OF, OWN_MEAN_OF)):
            return name
        return f"r = {name}" if _is_number(name) else self._words(name)

    def column(self, name: str) -> str:
        return SUBSET_COLUMNS.get(name) or self._words(name)

    def is_method(self, name: str) -> bool:
        return name.partition(" ")[0] in self.methods

    def _words(self, name: str) -> str:
        """`wine 10` → Wine, 10; `info_gain pearson` → IG, pearson."""
        known = self.datasets | self.methods
        return ", ".join(known.get(part, part.replace("_", " ")) for part in name.split(" "))


def published_table(pairs: Sequence[Pair], labels: Labels) -> Markup:
    """How near the numbers came, all of them beside the printed ones, and what is to be known."""
    columns, alike = list(group_by(pairs, "column")), _are_alike(pairs, labels)
    by_column = {column: [p for p in pairs if p.column == column] for column in columns}
    digits = {column: _digits(pairs if alike else by_column[column]) for column in columns}
    body = []
    for name, row in group_by(pairs, "row").items():
        cells = {pair.column: _beside(pair, digits[pair.column]) for pair in row}
        body.append([labels.row(name), *(cells.get(column, text.NONE) for column in columns)])
    if not alike:
        differences = (_column_difference(by_column[name], digits[name]) for name in columns)
        body.append([_DIFFERENCES, *differences])
    header = ["", *(labels.column(column) for column in columns)]
    notes = [*_notes(pairs, labels)]
    kind = "scroll numbers wide" if len(columns) > _NARROW else "scroll numbers"
    return text.join(
        [
            tag("p", "Here, and in brackets as published. ", _in_short(pairs, alike)),
            tag("div", text.table(header, body, range(1, len(header))), class_=kind),
            tag("ul", *(tag("li", note) for note in notes), class_="told") if notes else None,
        ]
    )


def _are_alike(pairs: Sequence[Pair], labels: Labels) -> bool:
    """Whether the columns are methods, and their numbers the same sort of thing."""
    columns = {pair.column for pair in pairs}
    things = {column.partition(" ")[2] for column in columns}
    return all(map(labels.is_method, columns)) and len(things) == 1


def _in_short(pairs: Sequence[Pair], alike: bool) -> str:
    if all(pair.is_of_other_data for pair in pairs):
        means = [pair for pair in pairs if not pair.row.startswith(OWN_MEAN_OF)]
        correlation = agreement(means)["correlation"]
        return (
            "The data sets are not the paper's, so that only the order of the methods can be "
            f"compared: rank correlation {_number(correlation)}, mean over the rows."
        )
    if not alike:
        return ""
    close = agreement(pairs)
    short = f"Mean absolute difference {_number(close['difference'])}"
    if np.isnan(close["correlation"]):
        return f"{short}."
    correlation = f"rank correlation of the methods {_number(close['correlation'])}"
    return f"{short}, {correlation}, mean over the rows."


def _beside(pair: Pair, digits: int) -> Markup:
    ours, published = f"{pair.ours:.{digits}f}", f"({pair.published:.{digits}f})"
    return text.join([ours, tag("span", published, class_="published")], " ")


def _column_difference(pairs: Sequence[Pair], digits: int) -> str:
    return f"{mean_difference(pairs):.{digits}f}" if digits else text.NONE


def _notes(pairs: Sequence[Pair], labels: Labels) -> Iterator[str]:
    """What is to be known of cells, each once; that the data are others is said above."""
    places: dict[str, dict[str, None]] = {}
    for pair in pairs:
        for part in pair.note.split("; "):
            if part and part != OTHER_DATA:
                places.setdefault(part, {}).update(dict.fromkeys(_places(part, pair, labels)))
    for note, where in places.items():
        yield f"{'; '.join(where)}: {note}" if where else note


def _places(note: str, pair: Pair, labels: Labels) -> list[str]:
    """What a note is about, unless it says so itself."""
    row = labels.row(pair.row)
    if pair.is_of_other_data:
        return [] if ": " in note else [row]
    return [] if " stands in for " in note else [f"{row}, {labels.column(pair.column)}"]


def _digits(pairs: Sequence[Pair]) -> int:
    """As many as the paper prints; two to four, unless it prints whole numbers."""
    most = max(len(f"{pair.published:.4g}".partition(".")[2]) for pair in pairs)
    return min(max(most, 2), 4) if most else 0


def _number(value: float) -> str:
    return text.NONE if np.isnan(value) else f"{value:.2f}"


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
