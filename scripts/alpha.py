"""Stability and accuracy of mRMR for every α and size on a data set, and what rules choose."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import parse_table, read_manifest, read_verified, write_with_manifest
from steadfast.core.files import table_to_bytes as to_bytes
from steadfast.core.packs import unpack
from steadfast.data.table import read_table
from steadfast.experiments.alpha import choices, curves, facts, variance
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.fold_file import by_selector


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument(
        "--settings",
        type=json.loads,
        required=True,
        help="JSON: alphas, discretise, classifier, largest, bootstraps, samples, selectors",
    )
    parser.add_argument(
        "--manifests", type=Path, nargs="+", required=True, help="checksums of the selections"
    )
    parser.add_argument("--study", required=True, help="its name, for draws")
    parser.add_argument("--seed", type=int, required=True, help="for draws")
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    table, settings = read_table(given.table), given.settings
    folds = [fold for fold in read_plan(given.plan) if fold.comparison]
    name, alphas, bins = given.table.stem, settings["alphas"], settings["discretise"]
    rankings = curves.Rankings(table, folds, alphas, settings)
    measured = curves.measure_all(rankings)
    chosen = _chosen(given, [fold.name for fold in folds])
    names = (given.study, name)
    binned = curves.binned(table, bins)
    spreads = variance.variance_rows(
        binned, table.y, alphas, settings["bootstraps"], given.seed, names
    )
    known = facts.facts(table, bins, given.seed, name)
    write_with_manifest(
        {
            given.out: to_bytes(curves.CURVES, curves.curve_rows(measured)),
            given.out.with_suffix(".units.tsv"): to_bytes(
                curves.UNITS, curves.unit_rows(measured, folds)
            ),
            given.out.with_suffix(".choices.tsv"): to_bytes(
                choices.CHOICES, choices.choice_rows(rankings, measured, *chosen)
            ),
            given.out.with_suffix(".facts.tsv"): to_bytes(facts.HEADER, known.items()),
            given.out.with_suffix(".variance.tsv"): to_bytes(variance.HEADER, spreads),
        }
    )


def _chosen(given: argparse.Namespace, folds: list[str]) -> tuple:
    """What the selectors say on each fold, and what the samples show of sizes at α = 0.5."""
    manifests = by_selector(given.manifests)
    tables = {
        selector: dict(_fold_tables(manifests[selector]))
        for by_rule in given.settings["selectors"].values()
        for selector in by_rule.values()
    }
    by_question = {
        question: {
            rule: [_choice(tables[selector][fold]) for fold in folds]
            for rule, selector in by_rule.items()
        }
        for question, by_rule in given.settings["selectors"].items()
    }
    sizes = tables[given.settings["selectors"][choices.SIZE]["auto"]]
    curves = [choices.size_curve(sizes[fold], given.settings["samples"]) for fold in folds]
    return by_question, curves


def _fold_tables(manifests: list[Path]) -> Iterator[tuple[str, dict]]:
    for manifest in manifests:
        unpack(manifest)
        for file in read_manifest(manifest):
            path = manifest.parent / file
            yield path.stem, parse_table(read_verified(path, manifest))


def _choice(table: dict) -> tuple[str, int]:
    """The α and the size of the row that was chosen."""
    row = table["choice"].index("chosen")
    alpha = float(table["alpha"][row]) if "alpha" in table else choices.HALF
    return f"{alpha:g}", int(table["size"][row]) if "size" in table else 0


if __name__ == "__main__":
    cli.run(main)
