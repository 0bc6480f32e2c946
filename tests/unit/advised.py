"""The chain from a table to advice inside one process, for tests: the stages without Snakemake."""

from pathlib import Path
from typing import Any

from steadfast.accuracy.classifiers import without_labels
from steadfast.advice.deciding_score import deciding_score
from steadfast.advice.dossier import dossier
from steadfast.advice.evidence import page_folds
from steadfast.advice.testimony import Terms, find_in_fold, testify
from steadfast.core.config import read_yaml
from steadfast.data.loader import load
from steadfast.data.table import Table
from steadfast.experiments.q_values import find_q_values
from steadfast.resampling.grouped import draw
from steadfast.resampling.schemes import create
from steadfast.study.context import evidence_context
from steadfast.study.run import load_run

ROOT = Path(__file__).parents[2]
CONFIG = read_yaml(ROOT / "config/config.yaml")
QUICK = ("mrmr", "info_gain", "fisher", "relieff", "random")


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
    classifiers = without_labels(study.classifiers)
    terms = Terms(dataset, 1, classifiers, study.sizes, study.bins.settings, study.scoring)
    deciding = deciding_score(study.scoring, table.y, folds)
    witnesses = []
    for name in selectors:
        one, told = study.selectors[name], context["selectors"][name]
        how = {"discrete": one.discrete, "probes": told["probes"]}
        found = {fold.name: find_in_fold(one.settings, table, fold, terms, **how) for fold in folds}
        n_features = len(table.features)
        witnesses.append(testify(name, told, found, folds, n_features, terms, deciding.score))
    return dossier(
        *(table, about, folds, witnesses, context["classifiers"], context["runs"]),
        deciding=deciding,
        q_values=find_q_values(table, seed=1, dataset=dataset) if study.trust else None,
    )


def trusted_names(found: dict[str, Any]) -> set[str]:
    """Names of the features that the advice trusts."""
    rows = found["advice"]["consensus"]
    return {found["features"][row["feature"]]["name"] for row in rows if row["trusted"]}
