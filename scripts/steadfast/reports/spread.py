"""Agreement with the published numbers under several seeds."""

from collections.abc import Mapping, Sequence

import pandas as pd

from steadfast.outputs.captions import caption
from steadfast.outputs.published import Pair
from steadfast.outputs.table import markdown_rows


def spread_page(studies: Mapping[str, Mapping[str, Sequence[Pair]]]) -> bytes:
    """Markdown: for each study, table and row the mean absolute difference under each seed."""
    lines = ["# Spread over seeds", ""]
    for study, by_seed in studies.items():
        pairs = pd.concat([pd.DataFrame(own).assign(seed=seed) for seed, own in by_seed.items()])
        apart = (pairs["ours"] - pairs["published"]).abs()
        means = apart.groupby([pairs["table"], pairs["row"], pairs["seed"]], sort=False).mean()
        rows = []
        for (table, row), values in means.unstack("seed", sort=False).iterrows():
            extremes = f"{values.mean():.2f}", f"{values.min():.2f} to {values.max():.2f}"
            numbers = (f"{value:.2f}" for value in values)
            rows.append([f"{caption(table)}, {row}", *numbers, *extremes])
        header = ["Table, row", *(f"seed {seed}" for seed in by_seed), "mean", "range"]
        about = "Mean absolute difference to the published mean ranks, by row of each table."
        lines += [f"## {study}", "", about, "", *markdown_rows(header, rows), ""]
    return "\n".join(lines).encode()
