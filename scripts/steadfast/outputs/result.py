"""A table as programs and people read it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steadfast.core.files import csv_to_bytes


@dataclass
class Result:
    """A table: a header, rows of values for programs, and rows of text for people."""

    header: list[str]
    rows: list[list[Any]]
    printed_header: list[str]
    printed: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_csv(self) -> bytes:
        """Comma-separated, all digits."""
        return csv_to_bytes(self.header, self.rows)

    def to_markdown(self, title: str) -> bytes:
        """The table as the paper prints it."""
        lines = [f"**{title}**", "", *markdown_rows(self.printed_header, self.printed)]
        for note in self.notes:
            lines += ["", note]
        return ("\n".join(lines) + "\n").encode()


def markdown_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table; the first column is text, the others are centred."""
    rule = ["---", *[":---:"] * (len(header) - 1)]
    cells = [header, rule, *rows]
    return ["| " + " | ".join(map(_cell, row)) + " |" for row in cells]


def _cell(content: object) -> str:
    """One cell on one line, which neither ends early nor begins a tag of HTML."""
    line = " ".join(str(content).splitlines()).replace("|", "\\|")
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", line)


def plus_minus(value: float, half: float = float("nan"), digits: int = 2, sign: str = "±") -> str:
    """A value and half of its interval (or another spread), in print; – where it is undefined."""
    if np.isnan(value):
        return "–"
    shown = round(value, digits) + 0.0  # no −0.00
    return f"{shown:.{digits}f}" + ("" if np.isnan(half) else f" {sign} {half:.{digits}f}")
