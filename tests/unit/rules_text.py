"""The rules of the workflow, as the text of its files has them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULE = re.compile(r"^rule (\w+):\n(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


def rules() -> dict[str, str]:
    """The text of every rule, by its name."""
    files = [ROOT / "Snakefile", ROOT / "workflow" / "Snakefile"]
    files += sorted((ROOT / "workflow" / "rules").glob("*.smk"))
    return {match[1]: match[2] for file in files for match in RULE.finditer(file.read_text())}
