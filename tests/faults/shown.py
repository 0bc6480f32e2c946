"""Figures as tables of docs/reliability.md."""

from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs/reliability.md"


def as_markdown(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Figures as a table of a document: names, then numbers."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def shown(name: str) -> str:
    """The table that the document has between the marks of a name."""
    text = DOCUMENT.read_text()
    return text.partition(f"<!-- {name} -->\n")[2].partition(f"\n<!-- /{name} -->")[0]


def show(name: str, table: str) -> None:
    """Put a table between the marks of a name."""
    before, start, rest = DOCUMENT.read_text().partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    DOCUMENT.write_text(f"{before}{start}{table}\n{end}{after}")
