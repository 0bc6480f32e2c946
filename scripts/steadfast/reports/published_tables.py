"""Published numbers beside those of a kept run, in print."""

from collections.abc import Mapping, Sequence
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
from steadfast.outputs.shared.named_measures import CONSISTENCY
from steadfast.outputs.summary import agreement
from steadfast.page import text
from steadfast.page.text import Markup, tag

#: Columns of numbers that belong to a run, in print.
_COLUMNS = {"runs": "Runs", "rate": "Rate", "size": "Size", **CONSISTENCY}

#: The last row of a table whose columns are different things.
_DIFFERENCES = "Mean absolute difference"


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
        return _COLUMNS.get(name) or self._words(name)

    def is_method(self, name: str) -> bool:
        return name.partition(" ")[0] in self.methods

    def _words(self, name: str) -> str:
        """`wine 10` → Wine, 10; `info_gain pearson` → IG, pearson."""
        known = self.datasets | self.methods
        return ", ".join(known.get(part, part.replace("_", " ")) for part in name.split(" "))


def published_table(pairs: Sequence[Pair], labels: Labels) -> Markup:
    """How near the numbers came, all of them beside the printed ones, and what is to be known."""
    rows, columns = group_by(pairs, "row"), list(group_by(pairs, "column"))
    digits = {column: _digits([p for p in pairs if p.column == column]) for column in columns}
    body = []
    for name, row in rows.items():
        cells = {pair.column: _beside(pair, digits[pair.column]) for pair in row}
        body.append([labels.row(name), *(cells.get(column, text.NONE) for column in columns)])
    comparable = all(labels.is_method(column) for column in columns)
    if not comparable:
        body.append([_DIFFERENCES, *(_column_difference(pairs, column) for column in columns)])
    header = ["", *(labels.column(column) for column in columns)]
    notes = dict.fromkeys(pair.note for pair in pairs if pair.note)
    return text.join(
        [
            tag("p", "Here, and in brackets as published. ", _in_short(pairs, comparable)),
            tag("div", text.table(header, body, range(1, len(header))), class_="scroll numbers"),
            tag("ul", *(tag("li", note) for note in notes), class_="told") if notes else None,
        ]
    )


def _in_short(pairs: Sequence[Pair], comparable: bool) -> str:
    if all(pair.note.startswith(OTHER_DATA) for pair in pairs):
        means = [pair for pair in pairs if not pair.row.startswith(OWN_MEAN_OF)]
        correlation = agreement(means)["correlation"]
        return (
            "The data sets are not the paper's, so that only the order of the methods can be "
            f"compared: rank correlation {_number(correlation)}, mean over the rows."
        )
    if not comparable:
        return ""
    close = agreement(pairs)
    return (
        f"Mean absolute difference {_number(close['difference'])}, rank correlation of the methods "
        f"{_number(close['correlation'])} (mean over the rows)."
    )


def _beside(pair: Pair, digits: int) -> str:
    return f"{pair.ours:.{digits}f} ({pair.published:.{digits}f})"


def _column_difference(pairs: Sequence[Pair], column: str) -> str:
    own = [pair for pair in pairs if pair.column == column]
    return f"{mean_difference(own):.{_digits(own)}f}"


def _digits(pairs: Sequence[Pair]) -> int:
    """As many as the paper prints; two at least, unless it prints whole numbers."""
    most = max(len(f"{pair.published:.4g}".partition(".")[2]) for pair in pairs)
    return max(most, 2) if most else 0


def _number(value: float) -> str:
    return text.NONE if np.isnan(value) else f"{value:.2f}"


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
