"""Stability against the number of runs: are there enough of them?"""

from typing import Any

from steadfast.advice.evidence import chosen_stability, point_json
from steadfast.advice.recommendation import Best

#: Numbers of runs that are looked at, beside all of them.
STEP, FEWEST = 5, 5


def stability_by_runs(best: Best, n_features: int) -> list[dict[str, Any]]:
    """Stability of the first 5, 10, … and of all recommended subsets, with its interval.

    Runs are drawn alike, so that the first ones are what a shorter study would have had. Numbers
    of runs of which it is undefined are left out.
    """
    subsets = best.subsets()
    counts = sorted({*range(FEWEST, len(subsets), STEP), len(subsets)})
    found = []
    for count in counts:
        curve = chosen_stability(subsets[:count], n_features)
        if curve.sizes.size:
            found.append({"runs": count, **point_json(curve, 0)})
    return found


def half_width(by_runs: list[dict[str, Any]]) -> float | None:
    """Half of the interval of all runs, the larger half where it is cut off at 0 or 1."""
    last = by_runs[-1] if by_runs else {}
    if last.get("low") is None or last.get("high") is None:
        return None
    return max(last["high"] - last["value"], last["value"] - last["low"])
