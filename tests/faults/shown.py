"""Figures as tables of documents: docs/reliability.md, unless another one is named."""

from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs/reliability.md"


def as_markdown(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Figures as a table of a document: names, then numbers."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def shown(name: str, document: Path = DOCUMENT) -> str:
    """The table that a document has between the marks of a name."""
    text = document.read_text()
    return text.partition(f"<!-- {name} -->\n")[2].partition(f"\n<!-- /{name} -->")[0]


def show(name: str, table: str, document: Path = DOCUMENT) -> None:
    """Put a table between the marks of a name."""
    before, start, rest = document.read_text().partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    document.write_text(f"{before}{start}{table}\n{end}{after}")
