"""The blocks of the project's documents, for tests that run what is printed."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
#: Language and text of a block, and the file that it is where it has a title.
BLOCK = re.compile(r"^```(\w*)(?: title=(\S+)| [^\n]*)?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """One fenced block: its document, where it stands, its language, its text, its file if any."""

    document: str
    line: int
    language: str
    text: str
    file: str | None

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def documents() -> list[Path]:
    """Every document of the project: Markdown files at the top, in docs/ and in config/.

    Of kept runs, the results are no documents.
    """
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "config").glob("*.md")]
    kept = {run.parent for run in (ROOT / "docs" / "replications").glob("*/run.json")}
    return sorted(path for path in found if kept.isdisjoint(path.parents))


def blocks(path: Path, *languages: str) -> list[Block]:
    """The blocks of a document in these languages (all if none is named), in their order."""
    text = path.read_text()
    name = path.relative_to(ROOT).as_posix()
    found = []
    for match in BLOCK.finditer(text):
        if not languages or match[1] in languages:
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(name, line, match[1], match[3], match[2]))
    return found


def commands(path: Path) -> list[str]:
    """The lines of a document's shell blocks without their comments."""
    lines = [line for block in blocks(path, "sh") for line in block.text.splitlines()]
    return [line for line in (re.sub(r"(^|\s)#.*", "", line).strip() for line in lines) if line]


def headings(path: Path) -> list[str]:
    """The headings of a document."""
    return re.findall(r"^#+ +(.+)$", BLOCK.sub("", path.read_text()), re.MULTILINE)


def slugs(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings(path)
    }


def section(path: Path, heading: str) -> str:
    """What stands under a heading of the second level."""
    parts = re.split(r"^## +(.+)$", path.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[heading]


def table_rows(text: str) -> list[list[str]]:
    """The cells of the first table in a text, its header first."""
    lines = [line for line in text.partition("\n|")[2].partition("\n\n")[0].splitlines() if line]
    rows = [line.strip().strip("|").split(" | ") for line in lines]
    return [[cell.strip() for cell in row] for row in (rows[0], *rows[2:])]
