"""The skeleton of reports: one HTML file that asks for nothing but pictures beside it.

Style is that of a study's page (`page/parts/`) and of `reports/parts/`, allowed by its digest.
Nothing runs. Names are data: build the body by `page.text.tag`, which escapes them, and
`reports.markdown.render`.
"""

from collections.abc import Sequence
from pathlib import Path
from string import Template

from steadfast import __version__
from steadfast.page.policy import policy
from steadfast.page.text import Markup, escape

PARTS = Path(__file__).parent / "parts"
PAGE_PARTS = Path(__file__).parents[1] / "page" / "parts"

#: In the order in which they count.
STYLES = (
    PAGE_PARTS / "page.css",
    PAGE_PARTS / "tables.css",
    PARTS / "report.css",
    PAGE_PARTS / "print.css",
    PARTS / "print.css",
)
TEMPLATE = PARTS / "report.html"


def document(
    title: str,
    body: Markup,
    *,
    images: bool = False,
    embedded_images: bool = False,
    styles: Sequence[Path] = (),
) -> bytes:
    """A whole HTML file.

    Parameters
    ----------
    title
        Text, in the head of the file only: the body has its own heading.
    body
        All that is seen: a `header`, a `main`, ...
    images
        Whether the body shows pictures that lie beside the file.
    embedded_images
        Whether it holds pictures itself.
    styles
        What this sort of report adds to `STYLES`.
    """
    style = "\n".join(path.read_text(encoding="utf-8") for path in (*STYLES, *styles))
    page = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        policy=escape(policy(style, images=images, embedded_images=embedded_images)),
        version=escape(__version__),
        title=escape(title),
        style=style,
        body=body,
    )
    # Half a surrogate pair, which a file of names may hold, has no bytes in UTF-8.
    return page.encode("utf-8", "replace")


def part_files() -> list[Path]:
    """The files that reports are put together from: a change of them changes every report."""
    return [*STYLES, TEMPLATE]
