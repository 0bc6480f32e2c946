"""Verdicts of the kept runs in the documents: a table per paper, and counts in short."""

from collections import Counter
from pathlib import Path

from steadfast.core.files import put_between
from steadfast.outputs.claim import in_words
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.verdict import HOLDS, IN_PART, UNTESTED, VERDICTS
from steadfast.reports.replications.kept import KeptRun
from steadfast.study.documentation import mark


def counts_of(kept: KeptRun) -> dict[str, int]:
    """How many claims of a paper have each verdict."""
    found = Counter()
    for study in kept.about["studies"]:
        found.update(kept.claims(study)["counts"])
    return {verdict: found[verdict] for verdict in VERDICTS}


def in_short(kept: KeptRun) -> str:
    """The counts for a cell of a table: `5 of 9 hold, 2 in part`."""
    counts = counts_of(kept)
    words = f"{counts[HOLDS]} of {sum(counts.values())} hold"
    words += f", {counts[IN_PART]} in part" if counts[IN_PART] else ""
    return words + (f", {counts[UNTESTED]} untested" if counts[UNTESTED] else "")


def verdict_table(kept: KeptRun) -> str:
    """Markdown: the counts, and every claim with its verdict behind a fold."""
    rows = [
        [f"`{study}` {claim['number']}", claim["text"], claim["verdict"]]
        for study in kept.about["studies"]
        for claim in kept.claims(study)["claims"]
    ]
    lines = [f"**{in_words(counts_of(kept))}**", "", "<details><summary>All of them</summary>", ""]
    return "\n".join([*lines, *markdown_rows(["", "Claim", "Verdict"], rows), "", "</details>"])


def put_verdicts(document: Path, kept: KeptRun) -> None:
    """Write the table of a paper between the marks of its document."""
    put_between(document, *mark("verdicts"), verdict_table(kept))
