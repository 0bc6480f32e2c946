"""What transforms gain as published, and how much of it remains inside the training fold."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.intervals import t_half_width
from steadfast.tables import markdown_rows
from steadfast.treatment_tables import treated_values


def gain_claim(
    claim: Mapping[str, Any], context: Mapping[str, Any], by_table: Any, folder: Path, data: Path
) -> list[str]:
    """Gains over the baseline, mean over selectors and data sets, both ways of learning."""
    cells = treated_values(context, claim, folder, data)
    base = np.array([values[claim["baseline"]] for values in cells.values()])
    rows, told = [], []
    for published, inside in claim["gains"]:
        both = [
            np.array([values[name] for values in cells.values()]) for name in (published, inside)
        ]
        gains = [values - base for values in both]
        as_published, kept = (float(gain.mean()) for gain in gains)
        share = f"{max(kept, 0) / as_published:.0%}" if as_published > 0 else "–"
        labels = [context["transforms"][name]["label"] for name in (published, inside)]
        up = [int(np.count_nonzero(gain > 0)) for gain in gains]
        rows.append(
            [
                labels[1],
                f"{as_published:+.3f} ± {_half(gains[0]):.3f} ({up[0]} of {len(base)} up)",
                f"{kept:+.3f} ± {_half(gains[1]):.3f} ({up[1]} of {len(base)} up)",
                share,
            ]
        )
        told.append(f"{share} with {labels[1]}" if share != "–" else f"no gain with {labels[1]}")
    header = ["Transform", "Gain as published", "Gain with test rows kept out", "What remains"]
    return [
        f"As measured: mean {claim['of']} over {len(base)} pairs of selector and data set is "
        f"{base.mean():.3f} on the rows as they are. Of the gain as published there remains, when "
        f"the test rows are kept out: {'; '.join(told)}.",
        "",
        *markdown_rows(header, rows),
        "",
        "Gain: difference to the rows as they are, mean ± half of the 95% interval over the pairs.",
        "",
    ]


def _half(values: np.ndarray) -> float:
    return float(t_half_width(values, 0.95))
