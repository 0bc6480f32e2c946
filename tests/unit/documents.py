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
    """Every document of the project: Markdown files at the top, in docs/ and in config/."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "config").glob("*.md")]
    return sorted(found)


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


def slugs(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.+)$", BLOCK.sub("", path.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
