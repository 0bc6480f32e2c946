"""Agreement with the published numbers under several seeds."""

from collections.abc import Mapping, Sequence

import numpy as np

from steadfast.outputs.captions import caption
from steadfast.outputs.published import Pair, group_by, mean_difference
from steadfast.outputs.result import markdown_rows


def spread_page(studies: Mapping[str, Mapping[str, Sequence[Pair]]]) -> bytes:
    """Markdown: for each study, table and row the mean absolute difference under each seed."""
    lines = ["# Spread over seeds", ""]
    for study, by_seed in studies.items():
        seeds = list(by_seed)
        lines += [
            f"## {study}",
            "",
            "Mean absolute difference to the published mean ranks, by row of each table.",
            "",
        ]
        rows = []
        for (table, row), values in row_differences(by_seed).items():
            numbers = [f"{value:.2f}" for value in values]
            extremes = [f"{np.mean(values):.2f}", f"{min(values):.2f} to {max(values):.2f}"]
            rows.append([f"{caption(table)}, {row}", *numbers, *extremes])
        header = ["Table, row", *(f"seed {seed}" for seed in seeds), "mean", "range"]
        lines += [*markdown_rows(header, rows), ""]
    return "\n".join(lines).encode()


def row_differences(
    by_seed: Mapping[str, Sequence[Pair]],
) -> dict[tuple[str, str], list[float]]:
    """Mean absolute difference of each table's rows, one value per seed."""
    result: dict[tuple[str, str], list[float]] = {}
    for pairs in by_seed.values():
        for key, row in group_by(pairs, "table", "row").items():
            result.setdefault(key, []).append(mean_difference(row))
    return result
