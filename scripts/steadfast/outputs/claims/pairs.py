"""Parts of a summary about subsets that selectors chose."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.outputs.differences import SIGNS, difference, marked_interval, verdict
from steadfast.outputs.profiles import CONSISTENCY
from steadfast.outputs.published import Pair, grouped
from steadfast.outputs.tables.base import dataset_title, markdown_rows
from steadfast.selectors.running.fold_file import CHOSEN

_NAMES = {"runs": "Runs", "rate": "Rate", "size": "Size", **CONSISTENCY}


def of_cells(pairs: Sequence[Pair], context: Mapping[str, Any]) -> bool:
    """Whether a table has selectors as rows and different things in its columns."""
    return all(pair.row in context["selectors"] for pair in pairs)


def side_by_side(pairs: Sequence[Pair], context: Mapping[str, Any]) -> list[str]:
    """Every number beside the published one, one row a selector."""
    columns = list(dict.fromkeys(pair.column for pair in pairs))
    rows = []
    for selector, row in grouped(pairs, "row").items():
        cells = {pair.column: _beside(pair) for pair in row}
        rows.append([context["selectors"][selector], *(cells.get(name, "–") for name in columns)])
    lines = ["Here, and in brackets as published.", ""]
    return [*lines, *markdown_rows(["Selector", *(_NAMES.get(c, c) for c in columns)], rows)]


def _beside(pair: Pair) -> str:
    form = ".0f" if pair.column == "runs" else ".2f" if pair.column == "size" else ".3f"
    return f"{pair.ours:{form}} ({pair.published:{form}})"


def pairs_claim(claim, context, by_table, folder: Path, data: Path) -> list[str]:
    """In how many cells the first of a pair chooses more stable subsets, here and published."""
    asked_for = claim.get("measures")
    infos = [
        info
        for info in context["measures"]
        if info["compare"] == CHOSEN and (asked_for is None or info["measure"] in asked_for)
    ]
    cells = [(dataset, *pair) for dataset in context["datasets"] for pair in claim["pairs"]]
    labels = context["selectors"]
    rows = [[dataset_title(data, d), labels[better], labels[than]] for d, better, than in cells]
    header, lines = ["Dataset", "First", "Second"], []
    for info in infos:
        name = CONSISTENCY.get(info["measure"], info["label"])
        header += [f"{name}: difference", "published"]
        found, theirs = [], []
        for row, (dataset, better, than) in zip(rows, cells, strict=True):
            asked = {**info, "dataset": dataset, "ratio": context["ratios"][0]}
            found.append(difference(folder, asked, better, than))
            theirs.append(_published(by_table, context, dataset, info["measure"], better, than))
            printed = "–" if np.isnan(theirs[-1]) else f"{theirs[-1]:+.3f}"
            row += [marked_interval(found[-1], info["distance"]), printed]
        lines.append(_verdict(name, found, theirs, info["distance"]))
    note = (
        "Stability of the first minus that of the second, with the 95% interval over the runs, "
        f"which both saw alike; {SIGNS}."
    )
    return ["As measured:", "", *lines, "", *markdown_rows(header, rows), "", note, ""]


def _verdict(
    name: str, found: Sequence[tuple[float, float, float]], theirs: Sequence[float], distance: bool
) -> str:
    signs = [verdict(each, distance) for each in found]
    known = [each[0] for each in found if not np.isnan(each[0])]
    mean = f", mean difference {np.mean(known):+.3f}" if known else ""
    line = (
        f"- {name}: the interval lies on the side of the first in {signs.count(1)} of {len(signs)} "
        f"cells, on that of the second in {signs.count(-1)}{mean}"
    )
    printed = [each for each in theirs if not np.isnan(each)]
    if printed:
        higher, lower = sum(each > 0 for each in printed), sum(each < 0 for each in printed)
        line += f"; published: higher in {higher} of {len(printed)}, lower in {lower}"
    return line + "."


def _published(
    by_table: Mapping[str, Sequence[Pair]],
    context: Mapping[str, Any],
    dataset: str,
    measure: str,
    better: str,
    than: str,
) -> float:
    """The published difference, NaN where it is not printed."""
    tables = [name for name, of in context["table_datasets"].items() if of == dataset]
    cells = {
        pair.row: pair.published
        for table in tables
        for pair in by_table.get(table, [])
        if pair.column == measure
    }
    return cells[better] - cells[than] if {better, than} <= set(cells) else float("nan")
