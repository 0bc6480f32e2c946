"""Stability of the runs in a user's own file: rows of run, feature, optional rank and weight."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from steadfast.core.errors import UserError, suggest
from steadfast.core.given_paths import read_text
from steadfast.measures import declarations, find
from steadfast.measures.declare import Declaration
from steadfast.measures.kinds import interval, load
from steadfast.measures.policy import why_undefined
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.measuring.expected import expected_subsets

HEADER = ("measure", "value", "low", "high", "chance", "note")

_COLUMNS = ("run", "feature", "rank", "weight")

#: A feature's name may hold anything but a tab.
_TABS = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}

#: Runs times features that are kept as one table of positions.
MOST_CELLS = 500_000_000


def read_runs(path: Path, n_features: int, features: Sequence[str] | None = None) -> Runs:
    """The runs of a tab-separated file (or comma-separated, if it ends in .csv) with a header.

    Parameters
    ----------
    n_features
        How many features there are to select from.
    features
        Their names, where a data set says them; else they are numbered by name.

    A row with an empty feature is a run that selects nothing. Rank 1 is best, a large weight is
    better; where both are given the ranks decide and equal ranks are ties, else equal weights are.
    """
    rows = [(f"line {line}", row) for line, row in _read_rows(path)]
    return runs_of_rows(rows, n_features, features, str(path), "--features")


def runs_of_rows(
    rows: Sequence[tuple[str, Mapping[str, str]]],
    n_features: int,
    features: Sequence[str] | None,
    where: str,
    option: str,
) -> Runs:
    """Runs from rows of run, feature, rank and weight, each with its place, such as "line 7".

    `where` is what messages call the source, `option` what says the number of features.
    """
    named = (
        list(features) if features is not None else sorted({r["feature"] for _, r in rows} - {""})
    )
    if len(named) > n_features:
        raise UserError(
            f"{where}: names {len(named)} different features, but {option} says {n_features}"
        )
    number_of = {name: number for number, name in enumerate(named)}
    runs: dict[str, list[tuple[int, Mapping[str, str], str]]] = {}
    for place, row in rows:
        if not row["run"]:
            raise UserError(f"{where}: {place}: run: is empty; every row names its run")
        own = runs.setdefault(row["run"], [])
        name = row["feature"]
        if not name:
            continue
        if name not in number_of:
            raise UserError(
                f"{where}: {place}: feature: {name!r} is no feature of the data set; "
                f"{suggest(name, named)}"
            )
        own.append((number_of[name], row, place))
    if len(runs) * n_features > MOST_CELLS:
        raise UserError(
            f"{option}: {len(runs)} runs of {n_features} features do not fit into memory; count "
            "only features that could have been selected"
        )
    return _make_runs(where, runs, n_features, rows[0][1].keys())


def _read_rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Line number and cells of each row."""
    text = read_text(path)
    commas = path.suffix.lower() == ".csv"
    form = {"delimiter": ",", "strict": True} if commas else _TABS
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), **form))
    except csv.Error as error:
        raise UserError(f"{path}: cannot be read as a table: {error}") from None
    header = [name.strip().lower() for name in lines[0]] if lines else []
    for name in _COLUMNS:
        if header.count(name) > 1 or (name in ("run", "feature") and name not in header):
            raise UserError(
                f"{path}: header: has {header.count(name) or 'no'} column{'s' * (name in header)} "
                f"{name!r}; the first line names the columns run, feature and, if known, rank and "
                f"weight, separated by {'commas' if commas else 'tabs (commas in a .csv file)'}"
            )
    rows = []
    for number, cells in enumerate(lines[1:], start=2):
        if not any(cells):
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


def _make_runs(where: str, runs: dict, n_features: int, columns: Sequence[str]) -> Runs:
    ranked_by = next((name for name in ("rank", "weight") if name in columns), None)
    numbers = {
        name: np.full((len(runs), n_features), np.nan)
        for name in ("rank", "weight")
        if name in columns
    }
    sequences = []
    for at, (name, rows) in enumerate(runs.items()):
        seen: dict[int, str] = {}
        for feature, row, place in rows:
            if feature in seen:
                raise UserError(
                    f"{where}: {place}: run {name!r} names feature {row['feature']!r} a second "
                    f"time (first in {seen[feature]})"
                )
            seen[feature] = place
            for column, table in numbers.items():
                table[at, feature] = _number(row[column], f"{where}: {place}: {column}")
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
        if about.same_as or (about.similarity and similarities is None):
            continue
        if (about.takes == "rankings" and not runs.ranked) or (
            about.takes == "weights" and runs.weights is None
        ):
            continue
        yield name, *score_one(name, runs, similarities, seed=seed)


def score_one(
    name: str,
    runs: Runs,
    similarities: Similarities | None = None,
    *,
    seed: int,
    level: float = 0.95,
) -> tuple[float, float, float, float, str]:
    """One measure of these runs: value, interval, value by chance, note; NaN where undefined."""
    about = find(name)
    reason = why_undefined(about.needs, runs)
    measure = None if reason else load(name, similarities, seed)
    reason = reason or measure.why_undefined(runs)
    if reason:
        return *[float("nan")] * 4, reason
    estimate = measure.subsets(runs)
    low, high = (float(end[0]) for end in interval(estimate, about.bounds, level))
    chance = expected_subsets(measure, runs, seed=seed)
    return float(estimate.values[0]), low, high, chance, notes_on(about)


def notes_on(about: Declaration) -> str:
    """What to know of the values of a measure."""
    notes = ["smaller is more stable"] if about.distance else []
    if about.chance == "simulated":
        notes.append("chance is simulated")
    return "; ".join(notes)


def cut_ties(runs: Runs, k: int) -> int:
    """In how many runs features of the same rank or weight stand on both sides of the cut."""
    if runs.keys is None:
        return 0
    return sum(
        sequence.size > k and runs.keys[run][sequence[k - 1]] == runs.keys[run][sequence[k]]
        for run, sequence in enumerate(runs.sequences)
    )
