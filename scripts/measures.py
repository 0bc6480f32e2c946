"""Stability measures: list them, explain one, score runs of your own, or compare two selectors."""

import argparse
from pathlib import Path
from typing import Any

from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_atomically
from steadfast.measures.catalogue import explain, markdown, put_into, text_table

#: Below this, an interval over runs says little.
FEW_RUNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    listed = commands.add_parser("list", help="print the table of all measures")
    listed.add_argument("--markdown", action="store_true", help="as a Markdown table")
    listed.add_argument(
        "--into", type=Path, help="write the Markdown table into this file, between its marks"
    )
    shown = commands.add_parser("show", help="print formula, conditions and reference of a measure")
    shown.add_argument("measure")
    scored = commands.add_parser("score", help="score the runs of a file under every measure")
    scored.add_argument(
        "runs", type=Path, help="rows of run, feature, optional rank and weight (.tsv or .csv)"
    )
    _add_shared_options(scored)
    scored.add_argument("--data", type=Path, help="the data set, for similar features")
    scored.add_argument("--target", help="its class column; the last one if left out")
    scored.add_argument("--out", type=Path, help="also write the table to this .tsv file")
    compared = commands.add_parser("compare", help="is one selector more stable than another?")
    compared.add_argument("first", type=Path)
    compared.add_argument("second", type=Path)
    _add_shared_options(compared)
    given = parser.parse_args()
    {"list": _list, "show": _show, "score": _score, "compare": _compare}[given.command](given)


def _add_shared_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--features", type=cli.size, help="how many there are to select from; the data set knows"
    )
    parser.add_argument(
        "--top", type=cli.size, nargs="+", default=[], help="cut ranked runs after so many"
    )
    parser.add_argument("--seed", type=int, default=1, help="for ties and simulated values")


def _list(given: argparse.Namespace) -> None:
    if given.into:
        put_into(given.into)
    else:
        print(markdown() if given.markdown else text_table())


def _show(given: argparse.Namespace) -> None:
    print(explain(given.measure))


def _n_features(given: argparse.Namespace, known: int | None = None) -> int:
    if known is None and given.features is None:
        raise UserError("--features: say how many features there are to select from")
    if known is not None and given.features not in (None, known):
        raise UserError(f"--features: {given.data} has {known} features, not {given.features}")
    return known or given.features


def _cut(runs: Any, path: Path, k: int) -> Any:
    if not runs.ranked:
        raise UserError(f"{path}: --top: the runs have neither ranks nor weights to cut by")
    if k > runs.depth:
        raise UserError(f"{path}: --top: {k} is more than some run lists ({runs.depth})")
    return runs.top(k)


def _score(given: argparse.Namespace) -> None:
    from steadfast.measures.catalogue import align_columns
    from steadfast.measuring.scoring import HEADER, cut_ties, read_runs, score

    table = similarities = None
    if given.target and not given.data:
        raise UserError("--target: names the class column of --data, which is not given")
    if given.data:
        table, similarities = _read_data(given.data, given.target)
    m = _n_features(given, len(table.features) if table else None)
    runs = read_runs(given.runs, m, table.features if table else None)
    rows = []
    for k in given.top or [None]:
        cut = runs if k is None else _cut(runs, given.runs, k)
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


def _compare(given: argparse.Namespace) -> None:
    from steadfast.measures.catalogue import align_columns
    from steadfast.measures.frequency import nogueira_test
    from steadfast.measures.kinds import interval, load
    from steadfast.measures.policy import why_undefined
    from steadfast.measuring.scoring import read_runs

    m, measure = _n_features(given), load("nogueira")
    both = [(path, read_runs(path, m)) for path in (given.first, given.second)]
    for k in given.top or [None]:
        rows, cut = [], []
        for path, runs in both:
            cut.append(runs if k is None else _cut(runs, path, k))
            reason = why_undefined(measure.about.needs, cut[-1])
            if reason:
                raise UserError(f"{path}: stability is undefined: {reason}")
            estimate = measure.subsets(cut[-1])
            low, high = interval(estimate, measure.about.bounds)
            rows.append((str(path), len(cut[-1]), estimate.values[0], low[0], high[0]))
        print(align_columns(("runs of", "runs", "Nogueira", "low", "high"), rows))
        statistic, p = nogueira_test(*cut)
        found = f"T = {statistic:.3f}, two-sided p = {p:.3g}"
        if statistic != statistic:
            found = "no test: the runs of neither file differ from each other"
        print(f"{f'first {k}: ' if k else ''}{found}\n")
    print("T: difference of the two over its standard error; 95% intervals (Nogueira et al. 2018).")


if __name__ == "__main__":
    cli.run(main)
