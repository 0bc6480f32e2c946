"""Links of a page at the root of a folder of results to the files below it."""

from typing import Any
from urllib.parse import quote

from steadfast.core.paths import Paths
from steadfast.page.text import Markup, tag

_HERE = Paths(".")


def place(of: str, ending: str = "", /, **names: Any) -> str:
    """The relative address of a file, by its place in `core.paths.PLACES`."""
    return quote(_HERE(of, ending, **names).removeprefix("./"))


def link(words: object, of: str, ending: str = "", /, **names: Any) -> Markup:
    """Words that lead to it."""
    return tag("a", words, href=place(of, ending, **names))
