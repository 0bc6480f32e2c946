"""What a user should know of names: some look alike, and some mostly stand for nothing."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from steadfast.core.errors import shorten
from steadfast.data.understand import MISSING


def notice_names(
    features: Sequence[str], labels: Iterable[str | None], levels: Sequence[Sequence[str]]
) -> Iterator[str]:
    """A sentence for each thing to know of the names of a table.

    Parameters
    ----------
    features : names of the columns
    labels : the class of each row
    levels : names of the categories of each column; may be none at all
    """
    counts = Counter(label for label in labels if label is not None)
    yield from _tell("columns", features)
    yield from _tell("classes", counts, any_case=True)
    for name, categories in zip(features, levels):
        yield from _tell(f"categories of {shorten(name)}:", categories, any_case=True)
    for label in sorted(counts):
        if label.lower() in MISSING:
            yield (
                f"class {label!r} ({counts[label]} rows) is taken for a class; where a row has "
                "none, leave its cell empty"
            )


def _tell(what: str, names: Iterable[str], any_case: bool = False) -> Iterator[str]:
    """A sentence for each group of names that look alike; all signs are spelt out."""
    groups: dict[str, list[str]] = {}
    for name in names:
        seen = as_seen(name)
        groups.setdefault(seen.casefold() if any_case else seen, []).append(name)
    for group in groups.values():
        if len(group) > 1:
            alike = " and ".join(ascii(name[:40]) for name in group[:3])
            yield f"{what} {alike} look alike; if they are one, write them the same way"


def as_seen(name: str) -> str:
    """A name as the eye sees it: normalised, and without signs that have no width."""
    text = unicodedata.normalize("NFKC", name)
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return re.sub(r"\s+", " ", text).strip()
