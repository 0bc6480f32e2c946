"""Numbers and tables as the benchmark prints them."""

from collections.abc import Sequence


def number(value: float | None) -> str:
    """Three digits, but whole above a hundred; a dash for what there is not."""
    if value is None:
        return "–"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table of a document."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines
    )
