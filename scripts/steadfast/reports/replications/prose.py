"""What a person wrote about a replication, in `config/replications/PAPER.md`.

Fields in YAML between two lines `---`, then Markdown sections; docs/replications/README.md says
what belongs where.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from steadfast.core.config import check_schema, parse_yaml
from steadfast.core.errors import UserError, suggest
from steadfast.core.given_paths import read_text

#: The sections, in their order in the file and in the report.
SECTIONS = ("Scope", "Readings tried", "What was easy", "What was hard", "Errata")

#: How the heading of a document's section begins that says how gaps of the paper were filled.
SETTLED = "Settled where"

_TEXT = {"type": "string", "minLength": 1}
_FIELDS = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title", "citation", "studies"],
    "properties": {
        "title": _TEXT,
        "citation": _TEXT,
        "studies": {"type": "array", "items": _TEXT, "minItems": 1},
        "figures": {"type": "array", "items": _TEXT, "default": []},
        "references": {"type": "array", "items": _TEXT, "default": []},
        "communication": {**_TEXT, "default": "The authors of the paper were not asked."},
    },
}
_FRONT = re.compile(r"\A---\n(.*?\n)---\n(.*)\Z", re.DOTALL)
_HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)


@dataclass(frozen=True)
class Prose:
    """The text of a report that no file of results holds.

    Attributes
    ----------
    source
        The file.
    figures
        As (study, name of the figure).
    sections
        Markdown by the names of `SECTIONS`.
    """

    source: str
    title: str
    citation: str
    studies: list[str]
    figures: list[tuple[str, str]] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    communication: str = ""
    sections: dict[str, str] = field(default_factory=dict)


def read_prose(path: Path) -> Prose:
    """Read and check the file of a paper."""
    text = read_text(path)
    parts = _FRONT.match(text)
    if not parts:
        raise UserError(f"{path}: line 1: begin with fields in YAML between two lines `---`")
    fields = check_schema(parse_yaml(parts[1], str(path)), _FIELDS, str(path))
    return Prose(
        source=str(path),
        sections=_sections(parts[2], path),
        figures=_figures(fields.pop("figures"), fields["studies"], path),
        **fields,
    )


def _sections(text: str, path: Path) -> dict[str, str]:
    found = sections_of(text)
    for name in found:
        if name not in SECTIONS:
            raise UserError(f"{path}: ## {name}: no such section; {suggest(name, SECTIONS)}")
    for name in SECTIONS:
        if not found.get(name):
            raise UserError(
                f"{path}: ## {name}: this section is missing or empty; write it, if only to say "
                "that there is nothing to say"
            )
    return {name: found[name] for name in SECTIONS}


def sections_of(text: str) -> dict[str, str]:
    """What stands under each heading of the second level."""
    _, *parts = _HEADING.split(text)
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}


def _figures(given: list[str], studies: list[str], path: Path) -> list[tuple[str, str]]:
    figures = []
    for figure in given:
        study, place, name = [*figure.split("/"), "", ""][:3]
        if place != "figures" or not name or figure.count("/") != 2:
            raise UserError(
                f"{path}: figures: {figure}: must be STUDY/figures/NAME, without an ending"
            )
        if study not in studies:
            raise UserError(
                f"{path}: figures: {figure}: {study} is no study of this file; "
                f"{suggest(study, studies)}"
            )
        figures.append((study, name))
    return figures


def read_settled(path: Path) -> str:
    """The section of a document about a paper that says how its gaps were filled."""
    for name, text in sections_of(read_text(path)).items():
        if name.startswith(SETTLED):
            return without_links(text)
    raise UserError(
        f"{path}: ## {SETTLED} …: this section is missing; write what was settled where the paper "
        "is silent"
    )


def without_links(text: str) -> str:
    """Markdown in which links to files, and pictures, are text: a report lies elsewhere."""
    place = r"\((?!https?:)[^)\s]*(?:\s+\"[^\"]*\")?\)"
    without_pictures = re.sub(rf"!\[([^\]]*)\]{place}", r"\1", text)
    return re.sub(rf"(?<!!)\[([^\]]+)\]{place}", r"\1", without_pictures)


def require_studies(prose: Prose, known: Collection[str], where: str) -> None:
    """The studies of a file must be there."""
    for study in prose.studies:
        if study not in known:
            raise UserError(
                f"{prose.source}: studies: {study}: is not in {where}; {suggest(study, known)}"
            )
