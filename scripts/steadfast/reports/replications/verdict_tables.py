"""Verdicts of the kept runs in the documents: a table per paper, and counts in short."""

from pathlib import Path
from typing import Any

from steadfast.outputs.claim import count_verdicts, in_words
from steadfast.outputs.table import markdown_rows
from steadfast.outputs.verdict import HOLDS, IN_PART, UNTESTED
from steadfast.reports.replications.kept import KeptRun
from steadfast.study.documentation import mark, put_between


def _claims(kept: KeptRun) -> list[tuple[str, dict[str, Any]]]:
    """Every claim of a paper, with its study."""
    studies = kept.about["studies"]
    return [(study, claim) for study in studies for claim in kept.claims(study)["claims"]]


def in_short(kept: KeptRun) -> str:
    """The counts for a cell of a table: `5 of 9 hold, 2 in part`."""
    counts = count_verdicts([claim for _, claim in _claims(kept)])
    words = f"{counts[HOLDS]} of {sum(counts.values())} hold"
    words += f", {counts[IN_PART]} in part" if counts[IN_PART] else ""
    return words + (f", {counts[UNTESTED]} untested" if counts[UNTESTED] else "")


def verdict_table(kept: KeptRun) -> str:
    """Markdown: the counts, and every claim with its verdict behind a fold."""
    claims = _claims(kept)
    rows = [
        [f"`{study}` {claim['number']}", claim["text"], claim["verdict"]] for study, claim in claims
    ]
    counts = count_verdicts([claim for _, claim in claims])
    lines = [f"**{in_words(counts)}**", "", "<details><summary>All of them</summary>", ""]
    return "\n".join([*lines, *markdown_rows(["", "Claim", "Verdict"], rows), "", "</details>"])


def put_verdicts(document: Path, kept: KeptRun) -> None:
    """Write the table of a paper between the marks of its document."""
    put_between(document, *mark("verdicts"), verdict_table(kept))
