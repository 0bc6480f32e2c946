"""What transforms gain as published, and how much of it remains inside the training fold."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.outputs.tables.base import markdown_rows
from steadfast.outputs.tables.treatments import treated_values
from steadfast.statistics.intervals import t_half_width


def gain_claim(
    claim: Mapping[str, Any], context: Mapping[str, Any], by_table: Any, folder: Path, data: Path
) -> list[str]:
    """Gains over the baseline, mean over selectors and data sets, both ways of learning."""
    cells = treated_values(context, claim, folder, data)
    base = np.array([values[claim["baseline"]] for values in cells.values()])
    rows, told = [], []
    for published, inside in claim["gains"]:
        gains = [
            np.array([values[name] for values in cells.values()]) - base
            for name in (published, inside)
        ]
        label = context["transforms"][inside]["label"]
        remains = _remains(*gains)
        told.append(f"{label}: {remains}")
        rows.append([label, *(_shown(gain) for gain in gains), remains])
    header = ["Transform", "Gain as published", "Gain with test rows kept out", "What remains"]
    return [
        f"As measured: mean {claim['of']} over {len(base)} pairs of selector and data set is "
        f"{base.mean():.3f} on the rows as they are. What remains of the gain as published when "
        f"the test rows are kept out: {'; '.join(told)}.",
        "",
        *markdown_rows(header, rows),
        "",
        "Gain: difference to the rows as they are, mean ± half of the 95% interval over the pairs.",
        "",
    ]


def _remains(published: np.ndarray, inside: np.ndarray) -> str:
    """In words: there may be no gain to begin with, or a loss in its place."""
    if published.mean() - _half(published) <= 0:
        return "no gain as published that its interval tells from 0"
    if inside.mean() <= 0:
        return f"nothing, there is a loss of {-inside.mean():.3f}"
    return f"{inside.mean() / published.mean():.0%}"


def _shown(gain: np.ndarray) -> str:
    up = np.count_nonzero(gain > 0)
    return f"{gain.mean():+.3f} ± {_half(gain):.3f} ({up} of {gain.size} up)"


def _half(values: np.ndarray) -> float:
    return float(t_half_width(values))
