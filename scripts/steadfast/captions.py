"""Names of tables and figures in print."""

import re


def caption(name: str) -> str:
    """`table3` → Table 3; other ids stay as they are."""
    match = re.fullmatch(r"(table|figure)(\d+)", name)
    return f"{match[1].capitalize()} {match[2]}" if match else name


def heading(name: str, title: str) -> str:
    """The title, after the paper's number where there is one."""
    return title if caption(name) == name else f"{caption(name)}. {title}"
