"""The blocks of the project's documents, for tests that run what is printed."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """One fenced block: the document, the line on which it opens, its language and its text."""

    document: str
    line: int
    language: str
    text: str


def documents() -> list[Path]:
    """Every document of the project: Markdown files at the top, in docs/ and in config/."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "config").glob("*.md")]
    return sorted(found)


def blocks(path: Path, *languages: str) -> list[Block]:
    """The blocks of a document in these languages, in their order."""
    text = path.read_text()
    name = path.relative_to(ROOT).as_posix()
    return [
        Block(name, text.count("\n", 0, match.start()) + 1, match[1], match[2])
        for match in BLOCK.finditer(text)
        if match[1] in languages
    ]


def commands(path: Path) -> list[str]:
    """The lines of a document's shell blocks without their comments."""
    lines = [line for block in blocks(path, "sh") for line in block.text.splitlines()]
    return [line for line in (re.sub(r"(^|\s)#.*", "", line).strip() for line in lines) if line]
