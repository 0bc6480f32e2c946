"""What all selectors of a study show on a data set, and the advice that follows, as JSON."""

import argparse
import json
from functools import partial
from itertools import compress
from pathlib import Path

import numpy as np

from steadfast.accuracy.rows import own_rows
from steadfast.accuracy.scores import USUAL, Score
from steadfast.advice.deciding_score import deciding_score
from steadfast.advice.dossier import dossier
from steadfast.advice.evidence import Witness, page_folds, witness
from steadfast.advice.measured_stability import measured_stability
from steadfast.core import cli
from steadfast.core.files import parse_table, read_verified, write_with_manifest
from steadfast.core.paths import Paths, split_name
from steadfast.data.table import Table, read_table
from steadfast.experiments.q_values import parse_q_values
from steadfast.resampling.folds import Fold, read_plan
from steadfast.selectors.running.fold_file import read_folds
from steadfast.selectors.running.probes import share_ahead


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what to look at")
    parser.add_argument("--results", required=True, help="folder of all results")
    parser.add_argument("--fewer", type=json.loads, help="JSON: what was run on fewer rows")
    parser.add_argument("--out", type=Path, required=True, help="the .json file to write")
    given = parser.parse_args()

    context = given.context
    names = {key: context[key] for key in ("study", "dataset")}
    paths = Paths(given.results).within(**names)
    table = read_table(Path(paths("data")))
    about = json.loads(read_verified(Path(paths("data", "json"))))
    plan = read_plan(Path(paths("folds")))
    folds = page_folds(plan, context["ratio"])
    scoring = context.get("scoring")
    deciding = deciding_score(scoring or USUAL, table.y, folds)
    witnesses = [
        one
        for name in context["selectors"]
        if (one := _witness(context, paths, name, table, folds, plan, deciding.score)) is not None
    ]
    q_values = None
    if context.get("trust"):
        q_values = parse_q_values(parse_table(read_verified(Path(paths("trust")))))
    made = dossier(
        *(table, about, folds, witnesses, context["classifiers"], context["runs"]),
        halves=context.get("halves", ""),
        independent=context.get("independent", False),
        deciding=deciding if scoring else None,
        q_values=q_values,
        fewer=given.fewer,
        margin=context["margin"],
        advise=context.get("advice", True),
    )
    text = json.dumps(made, ensure_ascii=False, indent=1, allow_nan=False)
    write_with_manifest({given.out: (text + "\n").encode()})


def _witness(
    context: dict,
    paths: Paths,
    name: str,
    table: Table,
    folds: list[Fold],
    plan: list[Fold],
    score: Score,
) -> Witness | None:
    about = context["selectors"][name]
    batches = range(about["batches"])
    manifests = [Path(paths("batch", selector=name, batch=number)) for number in batches]
    ties = {"ties": context["ties"], "seed": context["seed"]}
    selections = read_folds(manifests, table.features, **ties)
    own = [fold for fold in folds if fold.name in selections]
    found = witness(
        name,
        about,
        selections,
        _accuracy(paths, name, score) if context["classifiers"] else None,
        own,
        len(table.features),
        context["largest"],
        partial(measured_stability, context, paths, name, plan, selections),
        score,
    )
    if found is not None and about["probes"]:
        found.ahead = _share_ahead(paths, name, table, own)
    return found


def _accuracy(paths: Paths, selector: str, score: Score) -> dict[str, list[str]]:
    """The columns of a file of accuracies, the rows after the selector's transform."""
    family, transform = split_name(selector)
    columns = parse_table(read_verified(Path(paths("accuracy", selector=family))))
    own = own_rows(columns, transform, score.name)
    return {key: list(compress(values, own)) for key, values in columns.items()}


def _share_ahead(paths: Paths, selector: str, table: Table, folds: list[Fold]) -> np.ndarray:
    """Share of the folds in which each column is ahead of all shuffled copies."""
    columns = {feature: column for column, feature in enumerate(table.features)}
    named = parse_table(read_verified(Path(paths("probes", selector=selector))))["feature"]
    return share_ahead((columns[name] for name in named), len(columns), len(folds))


if __name__ == "__main__":
    cli.run(main)
