"""Content security policies: what a page may run and load, by digest."""

import base64
import hashlib


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
