"""Names of tables and figures in print."""

import re


def caption(name: str) -> str:
    """`table3` → Table 3, `figure4_2` → Figure 4.2; other ids stay as they are."""
    match = re.fullmatch(r"(table|figure)(\d+)(?:_(\d+))?", name)
    if not match:
        return name
    number = ".".join(filter(None, match.groups()[1:]))
    return f"{match[1].capitalize()} {number}"


def heading(name: str, title: str) -> str:
    """The title, after the paper's number where there is one."""
    return title if caption(name) == name else f"{caption(name)}. {title}"
