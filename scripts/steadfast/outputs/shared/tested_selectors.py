"""Selectors that are tested against each other."""

from typing import TYPE_CHECKING

from steadfast.core.errors import UserError
from steadfast.outputs.kind import Entry

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


def tested_selectors(study: "Study", entry: Entry) -> list[str]:
    """Those that an entry names, or all of the study but random selection."""
    if "pairs" in entry:
        return list(dict.fromkeys(name for pair in entry["pairs"] for name in pair))
    every = [name for name, selector in study.selectors.items() if not selector.at_random]
    reference = [entry["reference"]] if "reference" in entry else []
    return list(dict.fromkeys([*reference, *entry.get("selectors", every)]))


def require_two(study: "Study", entry: Entry, where: str) -> None:
    """A test needs two selectors."""
    names = tested_selectors(study, entry)
    if len(names) < 2:
        raise UserError(f"{where}.selectors: {names[0] if names else 'none'}; a test needs two")
