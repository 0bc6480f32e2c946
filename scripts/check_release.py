"""Check that a tag names the version of the package, the citation, the image and the changelog."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import steadfast
from steadfast.core import cli
from steadfast.core.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
#: Where else the version stands.
STATED = {
    "CITATION.cff": r"^version: (\S+)$",
    "Containerfile": r'image\.version="([^"]+)"',
    "CHANGELOG.md": r"^## \[(\d[^\]]*)\]",
}


def differences(tag: str, root: Path = ROOT) -> Iterator[str]:
    """One line for each place that has another version than the package."""
    version = steadfast.__version__
    if tag != f"v{version}":
        yield f"the tag is {tag}, the package's version {version}"
    for name, pattern in STATED.items():
        found = re.search(pattern, (root / name).read_text(), re.MULTILINE)
        stated = found[1] if found else "none"
        if stated != version:
            yield f"{name}: version {stated}, the package's is {version}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tag", help="such as v1.0.0")
    found = list(differences(parser.parse_args().tag))
    if found:
        raise UserError("; ".join(found))


if __name__ == "__main__":
    cli.run(main)
