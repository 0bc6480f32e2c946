"""What all selectors of a study show on a data set, and the advice that follows, as JSON."""

import argparse
import json
from pathlib import Path

import numpy as np

from steadfast.advice.dossier import dossier
from steadfast.advice.evidence import Witness, witness
from steadfast.advice.evidence_folds import page_folds
from steadfast.core import cli
from steadfast.core.files import parse_table, read_verified, write_with_manifest
from steadfast.data.table import Table, read_table
from steadfast.resampling.folds import Fold, read_plan
from steadfast.selectors.running.fold_file import read_cell


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="results of the study")
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what to look at")
    parser.add_argument("--out", type=Path, required=True, help="the .json file to write")
    given = parser.parse_args()

    table = read_table(given.data / f"{given.dataset}.npz")
    about = json.loads(read_verified(given.data / f"{given.dataset}.json"))
    plan = read_plan(given.folder / "resamples" / f"{given.dataset}.npz")
    folds = page_folds(plan, given.context["ratio"])
    witnesses = [
        found
        for name in given.context["selectors"]
        if (found := _witness(given, name, table, folds)) is not None
    ]
    made = dossier(
        table, about, folds, witnesses, given.context["classifiers"], given.context["told"]
    )
    text = json.dumps(made, ensure_ascii=False, indent=1, allow_nan=False)
    write_with_manifest({given.out: (text + "\n").encode()})


def _witness(
    given: argparse.Namespace, name: str, table: Table, folds: list[Fold]
) -> Witness | None:
    context = given.context
    about = context["selectors"][name]
    cell = {"batches": about["batches"]}
    ties = {"ties": context["ties"], "seed": context["seed"]}
    selections = read_cell(given.folder, given.dataset, name, cell, table.features, **ties)
    own = [fold for fold in folds if fold.name in selections]
    accuracy = None
    if context["classifiers"]:
        path = given.folder / "accuracy" / given.dataset / f"{name}.tsv"
        accuracy = parse_table(read_verified(path))
    found = witness(name, about, selections, accuracy, own, len(table.features), context["largest"])
    if found is not None and about["probes"]:
        found.ahead = _ahead(given, name, table, own)
    return found


def _ahead(given: argparse.Namespace, name: str, table: Table, folds: list[Fold]) -> np.ndarray:
    """Share of the folds in which each column is ahead of all shuffled copies."""
    path = given.folder / "probes" / given.dataset / f"{name}.tsv"
    columns = {feature: column for column, feature in enumerate(table.features)}
    counts = np.zeros(len(columns))
    for feature in parse_table(read_verified(path))["feature"]:
        counts[columns[feature]] += 1
    return counts / len(folds)


if __name__ == "__main__":
    cli.run(main)
