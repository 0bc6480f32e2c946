"""Stability of the runs in a user's own file: rows of run, feature, optional rank and weight."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from steadfast.errors import UserError, nearest
from steadfast.measures import declarations
from steadfast.measures.expected import expected_subsets
from steadfast.measures.kinds import interval, load
from steadfast.measures.policy import why_undefined
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities

HEADER = ("measure", "value", "low", "high", "chance", "note")

_COLUMNS = ("run", "feature", "rank", "weight")


def read_runs(path: Path, n_features: int, features: Sequence[str] | None = None) -> Runs:
    """The runs of a tab-separated file (or comma-separated, if it ends in .csv) with a header.

    Parameters
    ----------
    n_features
        How many features there are to select from.
    features
        Their names, where a data set says them; else they are numbered as they come.

    A row with an empty feature is a run that selects nothing. Rank 1 is best, a large weight is
    better; where both are given the ranks decide and equal ranks are ties, else equal weights are.
    """
    rows = _read_rows(path)
    number_of = {name: number for number, name in enumerate(features or ())}
    runs: dict[str, list[tuple[int, dict[str, str], int]]] = {}
    for line, row in rows:
        own = runs.setdefault(row["run"], [])
        name = row["feature"]
        if not name:
            continue
        if features is not None and name not in number_of:
            raise UserError(
                f"{path}: line {line}: feature: {name!r} is no feature of the data set; "
                f"{nearest(name, features)}"
            )
        own.append((number_of.setdefault(name, len(number_of)), row, line))
    if len(number_of) > n_features:
        raise UserError(
            f"{path}: names {len(number_of)} different features, but --features says {n_features}"
        )
    return _make_runs(path, runs, n_features, rows[0][1].keys())


def _read_rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Line number and cells of each row."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UserError(f"{path}: cannot be read: {reason}") from None
    lines = list(csv.reader(text.splitlines(), delimiter="," if path.suffix == ".csv" else "\t"))
    header = [name.strip() for name in lines[0]] if lines else []
    for name in ("run", "feature"):
        if name not in header:
            raise UserError(
                f"{path}: header: has no column {name!r}; the first line names the columns run, "
                "feature and, if known, rank and weight, separated by tabs"
            )
    rows = []
    for number, cells in enumerate(lines[1:], start=2):
        if not cells:
            continue
        if len(cells) != len(header):
            raise UserError(
                f"{path}: line {number}: has {len(cells)} cells, the header has {len(header)}"
            )
        row = dict(zip(header, (cell.strip() for cell in cells), strict=True))
        rows.append((number, {name: row[name] for name in _COLUMNS if name in row}))
    if not rows:
        raise UserError(f"{path}: holds no rows after its header")
    return rows


def _make_runs(path: Path, runs: dict, n_features: int, columns: Sequence[str]) -> Runs:
    ranked_by = next((name for name in ("rank", "weight") if name in columns), None)
    numbers = {
        name: np.full((len(runs), n_features), np.nan)
        for name in ("rank", "weight")
        if name in columns
    }
    sequences = []
    for at, (name, rows) in enumerate(runs.items()):
        seen: dict[int, int] = {}
        for feature, row, line in rows:
            if feature in seen:
                raise UserError(
                    f"{path}: line {line}: run {name!r} names feature {row['feature']!r} a second "
                    f"time (first in line {seen[feature]})"
                )
            seen[feature] = line
            for column, table in numbers.items():
                table[at, feature] = _number(row[column], f"{path}: line {line}: {column}")
        sequences.append(np.array(sorted(seen), dtype=np.int64))
    if ranked_by is None:
        return Runs(n_features, sequences, ranked=False, names=list(runs))
    keys = -numbers["rank"] if ranked_by == "rank" else numbers["weight"]
    ordered = [
        sequence[np.argsort(-keys[at][sequence], kind="stable")]
        for at, sequence in enumerate(sequences)
    ]
    return Runs(n_features, ordered, True, keys, numbers.get("weight"), list(runs))


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise UserError(f"{where}: must be a number, got {text!r}")
    return value


def score(
    runs: Runs, similarities: Similarities | None, *, seed: int
) -> Iterator[tuple[str, float, float, float, float, str]]:
    """Every measure that applies to these runs: value, interval, value by chance, note.

    A measure that the runs cannot have (ranks or weights they do not state, similar features of
    data that are not given) is left out; one that is undefined for them has the reason as note.
    """
    for name, about in declarations().items():
        if about.same_as or (about.kind == "similar" and similarities is None):
            continue
        if (about.takes == "rankings" and not runs.ranked) or (
            about.takes == "weights" and runs.weights is None
        ):
            continue
        reason = why_undefined(about.needs, runs)
        if reason:
            yield name, *[float("nan")] * 4, reason
            continue
        measure = load(name, similarities, seed)
        estimate = measure.subsets(runs)
        low, high = (float(end[0]) for end in interval(estimate))
        chance = expected_subsets(measure, runs, seed=seed)
        notes = ["smaller is more stable"] if about.distance else []
        if about.chance == "simulated":
            notes.append("chance is simulated")
        yield name, float(estimate.values[0]), low, high, chance, "; ".join(notes)
