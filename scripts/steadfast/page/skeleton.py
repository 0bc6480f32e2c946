"""The HTML file that a page or report is: its head, and what it may run and load, by digest."""

import base64
import hashlib
from pathlib import Path
from string import Template

from steadfast import __version__
from steadfast.page.text import Markup, escape

PARTS = Path(__file__).parent / "parts"
TEMPLATE = PARTS / "page.html"


def html_file(
    title: str,
    body: Markup | str,
    *,
    style: str,
    script: str = "",
    images: bool = False,
    embedded_images: bool = False,
) -> bytes:
    """A whole file under a policy that allows this style, this script and these pictures alone.

    `title` is text; `body` is markup, and holds the script where there is one.
    """
    page = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        policy=escape(policy(style, script, images=images, embedded_images=embedded_images)),
        version=escape(__version__),
        title=escape(title),
        style=style,
        body=body,
    )
    # Half a surrogate pair, which a file of names may hold, has no bytes in UTF-8.
    return page.encode("utf-8", "replace")


def policy(
    style: str, script: str = "", *, images: bool = False, embedded_images: bool = False
) -> str:
    """A content security policy under which only this style and this script count.

    Parameters
    ----------
    script
        Where it is empty, nothing may run.
    images
        Whether pictures may be loaded that lie where the page lies, in a folder or on a server.
    embedded_images
        Whether pictures may be shown that the page itself holds.
    """
    sources = {
        "default-src": "'none'",
        "script-src": f"'sha256-{_digest(script)}'" if script else "",
        "style-src": f"'sha256-{_digest(style)}'",
        # A page that is opened as a file has no origin of its own in every browser.
        "img-src": " ".join(["'self' file:"] * images + ["data:"] * embedded_images),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{kind} {source}" for kind, source in sources.items() if source)


def _digest(content: str) -> str:
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
