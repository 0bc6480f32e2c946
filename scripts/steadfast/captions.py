"""Names of tables and figures in print."""

import re


def caption(name: str) -> str:
    """`table3` → Table 3; other ids are capitalised: `svm` → Svm."""
    match = re.fullmatch(r"(table|figure)(\d+)", name)
    return f"{match[1].capitalize()} {match[2]}" if match else name.replace("_", " ").capitalize()
