"""The selectors' ranks of a study of MID_alpha under many seeds, one row per seed and table row.

Seeds that the file has already are kept, so that a call goes on where the last one was stopped.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from steadfast.core import cli
from steadfast.core.errors import UserError, suggest
from steadfast.core.files import csv_to_bytes, write_atomically
from steadfast.data.discretise import create
from steadfast.data.encoding import complete_numbers
from steadfast.data.loader import load
from steadfast.data.table import Table
from steadfast.experiments.seed_file import KEYS, read_seeds
from steadfast.experiments.seed_ranks import RankedData, seed_ranks
from steadfast.resampling.grouped import draw
from steadfast.study.declaration import Study
from steadfast.study.run import Run, load_run, read_config

ROOT = Path(__file__).resolve().parents[1]
OF = ("stability", "accuracy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True)
    parser.add_argument("--datasets", nargs="+", help="all of the study's if left out")
    parser.add_argument("--seeds", type=cli.size, default=100, help="1 to this number")
    parser.add_argument("--of", nargs="+", choices=OF, default=OF, help="both if left out")
    parser.add_argument("--configfile", type=Path, nargs="+", default=[], help="as Snakemake's")
    parser.add_argument("--local-data", type=Path, help="folder of your own files")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args()

    run = _load_run(given)
    study = run.studies[given.study]
    alphas, wanted = _alphas(study), _ratios_by_dataset(study)
    columns = [column for name in alphas for column in (name, f"{name} sd")]
    rows = read_seeds(given.out) if given.out.exists() else []
    for dataset in given.datasets or study.datasets:
        if dataset not in wanted:
            known = suggest(dataset, study.datasets)
            raise UserError(f"--datasets: {dataset} is no data set of {study.source}; {known}")
        data, table = _load_data(run, study, dataset)
        done = {(row["of"], int(row["seed"])) for row in rows if row["dataset"] == dataset}
        for seed in range(1, given.seeds + 1):
            left = [of for of in given.of if (of, seed) not in done]
            if not left:
                continue
            ratios = {of: wanted[dataset][of] if of in left else set() for of in OF}
            folds = draw(study.scheme, table, seed, (study.name, dataset))
            found = seed_ranks(data, folds, list(alphas.values()), ratios)
            rows += [row.cells(dataset, seed, list(alphas)) for row in found]
            rows.sort(key=_place)
            content = [[row[name] for name in (*KEYS, *columns)] for row in rows]
            write_atomically(given.out, csv_to_bytes((*KEYS, *columns), content))


def _load_run(given: argparse.Namespace) -> Run:
    config = read_config(ROOT, given.configfile)
    config |= {"studies": [given.study]}
    config |= {"local_data": str(given.local_data)} if given.local_data else {}
    return load_run(config, ROOT)


def _place(row: Mapping[str, object]) -> tuple[object, ...]:
    """Where a row stands in the file, whatever the order in which it was computed."""
    return (row["dataset"], row["of"], row["rule"], float(row["ratio"]), int(row["seed"]))


def _alphas(study: Study) -> dict[str, float]:
    """The selectors of the tables of ranks."""
    tables = [entry for entry in study.tables.values() if entry["kind"] == "ranks"]
    names = dict.fromkeys(name for entry in tables for name in entry["selectors"])
    for name in names:
        if study.selectors[name].use != "mid_alpha":
            raise UserError(f"{study.source}: {name}: is no mid_alpha; others are not run here")
    return {name: float(study.selectors[name].parameters["alpha"]) for name in names}


def _ratios_by_dataset(study: Study) -> dict[str, Mapping[str, set]]:
    """What the tables of ranks show of each data set: stability and accuracy to ratios."""
    wanted = {name: {of: set() for of in OF} for name in study.datasets}
    for entry in study.tables.values():
        if entry["kind"] == "ranks":
            for dataset in [entry["dataset"]] if "dataset" in entry else study.datasets:
                ratios = entry["ratios"] if "ratios" in entry else [entry["ratio"]]
                wanted[dataset][entry["of"]] |= set(ratios)
    return wanted


def _load_data(run: Run, study: Study, dataset: str) -> tuple[RankedData, Table]:
    entry = run.catalogue.get(dataset, {})
    table, _ = load(
        dataset,
        entry,
        root=run.root,
        cache=Path(run.config["cache"]),
        local_file=run.local_files[dataset],
        catalogue=run.catalogue,
    )
    X = complete_numbers(table, "ranks under many seeds")
    bins = create(study.bins.settings).fit(X, table.y).transform(X)
    neighbours = next(iter(study.classifiers.values()))["k"]
    return RankedData(X, table.y, np.ascontiguousarray(bins.T), neighbours), table


if __name__ == "__main__":
    cli.run(main)
