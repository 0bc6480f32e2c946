"""Words that an entry gives its legend, in the place of the short labels that tables have."""

from collections.abc import Iterator
from typing import Any, ClassVar

from steadfast.core.keys import Key, Keys
from steadfast.outputs.kind import Entry, FigureKind


class InWords(FigureKind):
    """A kind of figure whose legend may have words of its own."""

    #: What the words are of.
    named: ClassVar[str] = "transform"

    def names(self, entry: Entry, at: str) -> Iterator[tuple[str, str, Any]]:
        """Those of its keys, and those that it has words for."""
        yield from super().names(entry, at)
        for name in entry.get("labels", {}):
            yield f"{at}.labels.{name}", self.named, name


def labels_of(named: str) -> Keys:
    """The key `labels` of a kind, with words for transforms or classifiers."""
    description = f"Words of the legend, by the name of a {named}; its label if left out."
    words = {"type": "object", "additionalProperties": {"type": "string"}}
    return {"labels": Key(description, words, default={})}
