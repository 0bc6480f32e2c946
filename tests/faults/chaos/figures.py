"""The figures of many trials, by kind."""

from collections.abc import Sequence

from shown import ROOT, as_markdown, show

from chaos.trial import DEAD_END, NOT_OURS, SILENT, TRACED, Trial
from steadfast.core.files import csv_to_bytes

KEPT = ROOT / "docs/reliability/chaos.csv"
HEADER = (
    *("trial", "trials", "kills", "damaged files", "after advice"),
    *(SILENT, "traces", "dead ends", "traces of Snakemake's", "seconds per trial"),
)


def rows(trials: Sequence[Trial]) -> list[list[str]]:
    """One row per kind, and one of all."""
    kinds = dict.fromkeys(trial.kind for trial in trials)
    found = [_row(kind, [one for one in trials if one.kind == kind]) for kind in sorted(kinds)]
    return [*found, _row("all", trials)]


def _row(name: str, trials: Sequence[Trial]) -> list[str]:
    sorts = (SILENT, TRACED, DEAD_END, NOT_OURS)
    faulty = [sum(_has(one, sort) for one in trials) for sort in sorts]
    counts = [len(trials), sum(one.kills for one in trials), sum(one.damages for one in trials)]
    counts.append(sum(one.advised > 0 for one in trials))
    mean = sum(one.seconds for one in trials) / max(len(trials), 1)
    return [name, *map(str, [*counts, *faulty]), f"{mean:.0f}"]


def _has(trial: Trial, sort: str) -> bool:
    return any(sort == seen for seen, _ in trial.noted)


def keep(rows: Sequence[Sequence[str]]) -> None:
    """Keep the figures beside the document that shows them, and in it."""
    KEPT.write_bytes(csv_to_bytes(HEADER, rows))
    show("chaos", as_markdown(HEADER, rows))
