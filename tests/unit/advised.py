"""The chain from a table to advice inside one process, for tests: the stages without Snakemake."""

from pathlib import Path
from typing import Any

import numpy as np

from steadfast.accuracy.rows import HEADER, accuracy_rows
from steadfast.advice.dossier import dossier
from steadfast.advice.evidence import page_folds, witness
from steadfast.core.config import read_yaml
from steadfast.core.files import parse_table, table_to_bytes
from steadfast.data.loader import load
from steadfast.data.table import Table
from steadfast.experiments.probes import ahead_of_copies
from steadfast.resampling.grouped import draw
from steadfast.resampling.schemes import create
from steadfast.selectors.running.fold_file import Selection, shuffle_ties
from steadfast.selectors.running.select import select
from steadfast.study.context import evidence_context
from steadfast.study.run import load_run

ROOT = Path(__file__).parents[2]
CONFIG = read_yaml(ROOT / "config/config.yaml")
QUICK = ("mid", "info_gain", "fisher", "relieff", "random")


def study_of(path: Path, **options: Any):
    """The run that `make advise` would do, and its study."""
    run = load_run(CONFIG | {"data": str(path)} | options, ROOT)
    (study,) = run.studies.values()
    return run, study


def read(path: Path, **options: Any) -> tuple[Table, dict[str, Any]]:
    """A table of the user's own, as `make advise` reads it."""
    run, study = study_of(path, **options)
    (dataset,) = study.datasets
    local, cache = run.local_files[dataset], Path(run.config["cache"])
    return load(dataset, run.catalogue[dataset], root=ROOT, cache=cache, local_file=local)


def advise(
    path: Path, repeats: int = 10, selectors=QUICK, scored_sizes=None, **options: Any
) -> dict[str, Any]:
    """The evidence and the advice on a file, with fewer runs and selectors than the command's.

    With `scored_sizes`, accuracy by the first classifier alone, at these sizes.
    """
    _, study = study_of(path, **options)
    table, about = read(path, **options)
    study.resample["repeats"] = repeats
    (dataset,) = study.datasets
    if scored_sizes is not None:
        first, settings = next(iter(study.classifiers.items()))
        study.classifiers = {first: {**settings, "sizes": scored_sizes}}
    context = evidence_context(study, dataset, folds_per_job=50, seed=1)
    folds = page_folds(list(draw(create(study.resample), table, 1, (study.name, dataset))), 1.0)
    witnesses = []
    for selector in selectors:
        entry = study.selectors[selector].settings
        bins = study.bins.settings if study.selectors[selector].discrete else None
        more = {"discretise": bins, "levels": table.levels, "seed": 1}
        found, ahead = {}, np.zeros(len(table.features))
        for fold in folds:
            X, y, names = table.X[fold.train], table.y[fold.train], (dataset, fold.name)
            fitted = select(entry, X, y, names=names, **more)
            sequence = fitted.sequence_
            ranked = Selection(sequence, fitted.scores_[sequence])
            by_chance = context["ties"] == "random"
            found[fold.name] = shuffle_ties(ranked, 1, fold.name) if by_chance else ranked
            groups = None if table.groups is None else table.groups[fold.train]
            ahead[ahead_of_copies(entry, X, y, names=names, groups=groups, **more)] += 1
        rows = [
            row
            for classifier, settings in study.classifiers.items()
            for row in accuracy_rows(
                classifier,
                {key: value for key, value in settings.items() if key != "label"},
                *(folds, found, table.X, table.y, study.sizes),
                levels=table.levels,
            )
        ]
        scores = parse_table(table_to_bytes(HEADER, rows))
        about_selector = context["selectors"][selector]
        one = witness(selector, about_selector, found, scores, folds, len(table.features), 100)
        one.ahead = None if about_selector["baseline"] else ahead / len(folds)
        witnesses.append(one)
    return dossier(table, about, folds, witnesses, context["classifiers"], context["runs"])


def trusted_names(found: dict[str, Any]) -> set[str]:
    """Names of the features that the advice trusts."""
    rows = found["advice"]["consensus"]
    return {found["features"][row["feature"]]["name"] for row in rows if row["trusted"]}
