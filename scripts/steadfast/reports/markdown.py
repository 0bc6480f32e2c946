"""Markdown as HTML that is safe to put into a page: the one place that renders it.

Raw HTML is text. Links lead to relative places or to the web; those that would run something stay
text. A picture is shown only if it lies beside the page: all others are links. There are no style
attributes, because the policy of `reports.document` allows none, and a table scrolls in a box of
its own.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from steadfast.page import text
from steadfast.page.text import Markup, tag

_ALIGNMENTS = {"text-align:left": None, "text-align:center": "center", "text-align:right": "number"}


def render(text: str, *, top: int = 1) -> Markup:
    """Markdown with tables as HTML.

    Parameters
    ----------
    top
        The level that a heading of the first level gets: 3 below an `h2` of the page.
    """
    return Markup(_parser().render(text, {"top": top}))


def render_line(text: str) -> Markup:
    """A sentence or heading in Markdown as HTML, without a paragraph around it."""
    return Markup(_parser().renderInline(text))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


class _Renderer(RendererHTML):
    """The usual HTML, but for headings, tables and pictures."""

    def heading_open(
        self, tokens: Sequence[Token], at: int, options: Mapping, env: MutableMapping[str, Any]
    ) -> str:
        level = int(tokens[at].tag[1:]) + env.get("top", 1) - 1
        return f"<{'/' if tokens[at].nesting < 0 else ''}h{min(level, 6)}>"

    heading_close = heading_open

    def table_open(self, *_: object) -> str:
        return '<div class="scroll"><table>\n'

    def table_close(self, *_: object) -> str:
        return "</table></div>\n"

    def th_open(
        self, tokens: Sequence[Token], at: int, options: Mapping, env: MutableMapping[str, Any]
    ) -> str:
        kind = _ALIGNMENTS.get(str(tokens[at].attrGet("style") or ""))
        named = f' class="{kind}"' if kind else ""
        return f"<{tokens[at].tag}{named}>"

    td_open = th_open

    def image(
        self, tokens: Sequence[Token], at: int, options: Mapping, env: MutableMapping[str, Any]
    ) -> str:
        place = str(tokens[at].attrGet("src") or "")
        about = self.renderInlineAsText(tokens[at].children, options, env)
        if is_relative(place):
            return text.image(place, about, loading="lazy")
        return tag("a", about or place, href=place)


def is_relative(place: str) -> bool:
    """Whether a link leads to a file beside the page, whatever machine or folder that is on."""
    parts = urlsplit(place)
    return not (parts.scheme or parts.netloc or place.startswith("/"))
