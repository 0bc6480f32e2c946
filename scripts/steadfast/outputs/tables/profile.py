"""Tables of stability profiles: preferences, errors beside stability, knots."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.outputs.curves import measure_info
from steadfast.outputs.profiles import (
    PROFILE,
    Knot,
    errors,
    expected_overlap,
    knot,
    value_at,
    zero_weights,
)
from steadfast.outputs.tables.base import Result, dataset_title, plus_minus


def _percent(value: float, half: float = float("nan")) -> str:
    return plus_minus(100 * value, 100 * half)


def profile(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Stability of weights, rankings and subsets of each selector on each data set."""
    entry, k = context["entry"], context["entry"]["size"]
    header = ["dataset", "selector", *PROFILE, "zero_weights", "expected_overlap"]
    header += [f"{measure} half interval" for measure in PROFILE]
    printed = ["Dataset", "Selector", *PROFILE.values(), "Zero weights", f"Overlap of {k}"]
    result = Result(header, [], printed)
    for dataset in context["datasets"]:
        for selector, label in context["selectors"].items():
            asked = {"dataset": dataset, "ratio": entry["ratio"], "compare": "all_pairs"}
            found = [
                value_at(folder, {**asked, "measure": m}, selector, k if m == "jaccard" else None)
                for m in PROFILE
            ]
            values, halves = zip(*found, strict=True)
            zero = zero_weights(folder, dataset, entry["ratio"], selector)
            overlap = expected_overlap(values[-1], k)
            result.rows.append([dataset, selector, *values, zero, overlap, *halves])
            cells = [*(_percent(*each) for each in found), _percent(zero), plus_minus(overlap)]
            result.printed.append([dataset_title(data, dataset), label, *cells])
    result.notes.append(
        f"In percent; S_S and the features in common for subsets of {k}. Mean over the pairs of "
        "inner folds, then over the outer folds, ± half of the 95% interval over the outer folds "
        "(any two share most of their rows: the spread, not a test). Zero weights: share of the "
        "features without a weight. – : undefined; the files of stability say why (a selector that "
        "states no weights, or weights that are not finite)."
    )
    return result


def tradeoff(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Error and stability by size; those as good as the best, and the most stable of them."""
    entry, selectors = context["entry"], context["selectors"]
    header = ["dataset", "k"]
    header += [f"{name}{end}" for name in selectors for end in (" error", " stability", " best")]
    result = Result([*header, "choice"], [], ["Dataset", "N", *selectors.values(), "Choice"])
    for dataset in context["datasets"]:
        asked = {**entry, "dataset": dataset}
        for k in entry["sizes"]:
            found, same = errors(folder, asked, list(selectors), k)
            if not found:
                continue
            stable = {name: value_at(folder, asked, name, k) for name in selectors}
            sign = -1 if measure_info(context, entry)["distance"] else 1
            known = [name for name in selectors if name in same and not np.isnan(stable[name][0])]
            choice = max(known, key=lambda name: sign * stable[name][0], default="")
            row, cells = [dataset, k], [dataset_title(data, dataset), str(k)]
            for name in selectors:
                error = found.get(name, float("nan"))
                row += [error, stable[name][0], name in same]
                cell = f"{_percent(error)} – {plus_minus(*stable[name])}"
                cells.append(f"*{cell}*" if name in same else cell)
            result.rows.append([*row, choice])
            result.printed.append([*cells, selectors.get(choice, "–")])
    by = context["classifiers"][entry["classifier"]]
    label = measure_info(context, entry)["label"]
    result.notes.append(
        f"Error in percent ({by} on the first N features, outer folds) – stability ({label}, inner "
        "folds) ± half of its interval over the outer folds. In italics: not different from the "
        "lowest error of the row (McNemar's test, exact, 0.05). Choice: the most stable of them."
    )
    return result


def knots(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """The size at which stability exceeds chance most, by data set and selector."""
    entry = context["entry"]
    header = ["dataset", "selector", *Knot._fields]
    printed = ["Dataset", "Selector", "Size", "Plateau from", "Stability", "(S − E)/(1 − E)"]
    result = Result(header, [], printed)
    for dataset in context["datasets"]:
        for selector, label in context["selectors"].items():
            found = knot(folder, {**entry, "dataset": dataset}, selector, entry["smallest"])
            result.rows.append([dataset, selector, *(found or [""] * len(Knot._fields))])
            cells = ["–"] * 4
            if found:
                cells = [str(found.size), str(found.begins)]
                cells += [f"{found.stability:.3f}", f"{found.excess:.3f}"]
            result.printed.append([dataset_title(data, dataset), label, *cells])
    result.notes.append(
        f"The knot of a curve, for N from {entry['smallest']} on and E below 0.9: the end of the "
        "plateau (within 0.01 of the largest value) of (S − E)/(1 − E), S being the stability and "
        "E its value for random selection; – where that falls from the first size on, or never. A "
        "long plateau says that no one size stands out."
    )
    return result


KINDS = {"profile": profile, "tradeoff": tradeoff, "knots": knots}
