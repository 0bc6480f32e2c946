"""Tables of selectors that choose the size of their subsets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.data.table import read_table
from steadfast.measures.kinds import load
from steadfast.measures.runs import Runs
from steadfast.outputs.curves import find_curve
from steadfast.outputs.profiles import CONSISTENCY
from steadfast.outputs.tables.base import Result, dataset_title, plus_minus
from steadfast.selectors.running.fold_file import CHOSEN, Selection, read_cell
from steadfast.stability.expected import expected_subsets

#: Measures with an interval and a value by chance; the others are the ends of a scale.
_ESTIMATED = ("c", "cw", "cw_rel", "jaccard")

_NAN = float("nan")


def wrappers(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Rate, size and consistency of each selector's subsets on one data set."""
    entry = context["entry"]
    header = ["selector", "runs", "stopped", "rate", "rate sd", "size", "size sd", "held_out"]
    header += ["held_out sd", *CONSISTENCY]
    header += [f"{name} half interval" for name in _ESTIMATED]
    header += [f"{name} by chance" for name in _ESTIMATED]
    printed = ["Wrapper", "", "Runs", "Rate", "Size", *CONSISTENCY.values(), "Held-out rate"]
    result = Result(header, [], printed)
    features = read_table(data / f"{entry['dataset']}.npz").features
    for selector, label in context["selectors"].items():
        cell = context["cells"][selector]
        every = read_cell(folder, entry["dataset"], selector, cell, features)
        row = _row(context, folder, selector, every, len(features))
        result.rows.append([selector, *(row[name] for name in header[1:])])
        result.printed.append([label, "here", *_printed(row)])
        published = context["published"].get(selector)
        if published:
            result.printed.append(["", "published", *_printed(published)])
    result.notes += _notes(dataset_title(data, entry["dataset"]), len(features))
    return result


def _row(
    context: Mapping[str, Any],
    folder: Path,
    selector: str,
    every: Mapping[str, Selection],
    n_features: int,
) -> dict[str, float]:
    finished = [selection for selection in every.values() if not selection.note]
    rates = np.array([selection.criterion for selection in finished])
    sizes = np.array([selection.chosen.size for selection in finished])
    row = {"runs": len(finished), "stopped": len(every) - len(finished)}
    row |= _mean_and_sd("rate", rates) | _mean_and_sd("size", sizes)
    asked = {"dataset": context["entry"]["dataset"], "ratio": context["ratios"][0]}
    row |= {"held_out": _NAN, "held_out sd": _NAN}
    classifier = context["scored_by"].get(selector)
    scored = classifier and find_curve(
        folder, {**asked, "of": "accuracy", "classifier": classifier}, selector
    )
    if scored:
        row |= {"held_out": scored.values[0], "held_out sd": scored.sd[0]}
    runs = Runs(n_features, [selection.chosen for selection in finished], ranked=False)
    for name in CONSISTENCY:
        found = find_curve(
            folder, {**asked, "of": "stability", "measure": name, "compare": CHOSEN}, selector
        )
        row[name] = found.values[0] if found else _NAN
        if name in _ESTIMATED:
            row[f"{name} half interval"] = found.half[0] if found else _NAN
            row[f"{name} by chance"] = (
                expected_subsets(load(name), runs, seed=context["seed"]) if finished else _NAN
            )
    return row


def _mean_and_sd(name: str, values: np.ndarray) -> dict[str, float]:
    sd = float(values.std(ddof=1)) if values.size > 1 else _NAN
    return {name: float(values.mean()) if values.size else _NAN, f"{name} sd": sd}


def _printed(row: Mapping[str, float]) -> list[str]:
    """As the paper prints it, with half of the interval where there is one."""
    cells = ["" if "runs" not in row else f"{row['runs']:g}"]
    if row.get("stopped"):
        cells[0] += f" ({row['stopped']:g} stopped)"
    for name, digits in (("rate", 3), ("size", 2)):
        value, spread = row.get(name, _NAN), row.get(f"{name} sd", _NAN)
        cell = plus_minus(value, spread, digits, "∓")
        # A paper may print a spread as 4e-4.
        tiny = 0 < spread < 0.0005
        cells.append(f"{plus_minus(value, digits=digits)} ∓ {spread:.0e}" if tiny else cell)
    for name in CONSISTENCY:
        cells.append(plus_minus(row.get(name, _NAN), row.get(f"{name} half interval", _NAN), 3))
    held_out = row.get("held_out", _NAN), row.get("held_out sd", _NAN)
    return [*cells, plus_minus(*held_out, 3, "∓")]


def _notes(title: str, n_features: int) -> list[str]:
    return [
        f"{title}, {n_features} features. Rate: the criterion of the chosen subset, mean accuracy "
        "over the splits inside a run, which the search has looked at; held-out rate: accuracy of "
        "the same classifier on the rows that the run did not see. Mean ∓ standard deviation over "
        "the runs. GK: mean pairwise Tanimoto coefficient. ± half of the 95% interval, jackknife "
        "over the runs. CWmin and CWmax: the least and the most that CW can be with so many "
        "features selected in all; values by chance are in the .csv.",
        "How long it took is not the same twice and stands apart, in "
        "`benchmarks/STUDY/times.md` of the results.",
    ]


KINDS = {"wrappers": wrappers}
