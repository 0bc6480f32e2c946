"""How a run was made smaller to keep within its budget, in words."""

from collections.abc import Mapping
from typing import Any

#: What each stage does on fewer rows.
_DONE = {
    "select": "selected on at most {rows} training rows",
    "probes": "beside shuffled copies: on at most {rows} training rows",
    "accuracy": "trained on at most {rows} rows, tested on a quarter as many",
}

WARNING = (
    "To end within {minutes:g} minutes, less was run than usual (The data says what): "
    "stability and accuracy on fewer rows are rather lower than on all of them."
)


def fewer_in_words(fewer: Mapping[str, Any]) -> list[str]:
    """One sentence for each number of rows, and one on subsamples.

    `fewer` is what `steadfast.study.plan.budget.fewer` gives: `rows` by stage and name, `labels` of
    the names, `training` and `all` rows, `runs` that there are and that there would be.
    """
    said = []
    for stage, told in _DONE.items():
        by_rows: dict[int, list[str]] = {}
        for name, rows in fewer["rows"].get(stage, {}).items():
            by_rows.setdefault(rows, []).append(fewer["labels"].get(name, name))
        for rows, labels in sorted(by_rows.items()):
            of = f"{rows:,} of {fewer['training']:,}"
            said.append(f"{', '.join(labels)}: {told.format(rows=of)}")
    trust = fewer["rows"].get("trust", {}).get("")
    if trust is not None:
        said.append(f"q-values: from {trust:,} of {fewer['all']:,} rows")
    if "runs" in fewer:
        said.append("{} subsamples instead of {}".format(*fewer["runs"]))
    return said
