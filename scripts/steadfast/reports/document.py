"""The skeleton of reports: one HTML file that asks for nothing but pictures beside it.

Style is that of a study's page (`page/parts/`) and of `reports/parts/`, allowed by its digest.
Nothing runs. Names are data: build the body by `page.text.tag`, which escapes them, and
`reports.markdown.render`.
"""

from collections.abc import Sequence
from pathlib import Path

from steadfast.page import skeleton
from steadfast.page.text import Markup

PARTS = Path(__file__).parent / "parts"

#: In the order in which they count.
STYLES = (
    skeleton.PARTS / "page.css",
    skeleton.PARTS / "tables.css",
    PARTS / "report.css",
    skeleton.PARTS / "print.css",
    PARTS / "print.css",
)

#: What replication reports add.
REPLICATION_STYLE = PARTS / "replication.css"


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
    return skeleton.html_file(
        title, body, style=style, images=images, embedded_images=embedded_images
    )


def part_files() -> list[Path]:
    """The files that reports are put together from: a change of them changes every report."""
    return [*STYLES, skeleton.TEMPLATE]
