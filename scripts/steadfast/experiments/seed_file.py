"""The file of the selectors' ranks under many seeds."""

import csv
import io
from pathlib import Path

#: SU of a constant feature with itself: the rule of all other tables, and the other.
OWN_RULE, OTHER_RULE = "0", "1"

#: Its columns, before mean and standard deviation of each selector's rank.
KEYS = ("dataset", "of", "rule", "ratio", "seed")


def read_seeds(path: Path) -> list[dict[str, str]]:
    """One row per data set, ratio, rule and seed."""
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
