"""Stability of runs of the user's own, under every measure that applies to them."""

import argparse
from pathlib import Path
from typing import Any

from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_atomically

#: Below this, an interval over runs says little.
FEW_RUNS = 5


def number_of_features(given: argparse.Namespace, known: int | None = None) -> int:
    """How many features there are to select from, as the data set or the option says."""
    if known is None and given.features is None:
        raise UserError("--features: say how many features there are to select from")
    if known is not None and given.features not in (None, known):
        raise UserError(f"--features: {given.data} has {known} features, not {given.features}")
    return known or given.features


def cut_runs(runs: Any, path: Path, k: int) -> Any:
    """The first k features of every run."""
    if not runs.ranked:
        raise UserError(f"{path}: --top: the runs have neither ranks nor weights to cut by")
    if k > runs.depth:
        raise UserError(f"{path}: --top: {k} is more than some run lists ({runs.depth})")
    return runs.top(k)


def run(given: argparse.Namespace) -> None:
    """Print every measure that applies to the runs, with interval and value by chance."""
    from steadfast.measures.catalogue import align_columns
    from steadfast.measuring.scoring import HEADER, cut_ties, read_runs, score

    table = similarities = None
    if given.target and not given.data:
        raise UserError("--target: names the class column of --data, which is not given")
    if given.data:
        table, similarities = _read_data(given.data, given.target)
    m = number_of_features(given, len(table.features) if table else None)
    runs = read_runs(given.runs, m, table.features if table else None)
    rows = []
    for k in given.top or [None]:
        cut = runs if k is None else cut_runs(runs, given.runs, k)
        sizes = cut.sizes
        size = f"{sizes.min()}" if sizes.min() == sizes.max() else f"{sizes.min()} to {sizes.max()}"
        print(f"{len(cut)} runs, {size} of {m} features{', cut' if k else ''}")
        tied = cut_ties(runs, k) if k else 0
        if tied:
            print(f"The cut goes through ties in {tied} runs; what comes first by name is kept.")
        print()
        found = list(score(cut, similarities, seed=given.seed))
        print(align_columns(HEADER, found) + "\n")
        rows += [("all" if k is None else k, *row) for row in found]
    print("low, high: 95% interval over the runs. chance: the value of random selection.")
    if len(runs) < FEW_RUNS:
        print(f"With fewer than {FEW_RUNS} runs the intervals are rough.")
    if not given.top and runs.ranked and runs.depth == m:
        print("Every run ranks every feature: --top 10 scores their first ten.")
    if given.out:
        try:
            write_atomically(given.out, table_to_bytes(("k", *HEADER), rows))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is no name of a file"
            raise UserError(f"--out: {given.out}: cannot be written: {reason}") from None


def _read_data(path: Path, target: str | None) -> tuple[Any, Any]:
    """The data set and the similarities of its features."""
    from steadfast.data.loader import load
    from steadfast.measuring.data_similarity import similarities_of

    if not path.is_file():
        raise UserError(f"--data: {path} is not a file")
    entry = {"target": target} if target else {}
    table, _ = load(path.stem, entry, root=Path(), cache=Path(), local_file=path)
    return table, similarities_of(table.X)
