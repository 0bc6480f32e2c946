"""Running a selector that is a rule on tables of our own, without a study's data and folds."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from steadfast.core import environment
from steadfast.core.errors import UserError
from steadfast.selectors.running.contract import NotRun, Outcome, Ranking, cases
from steadfast.selectors.running.rankings import fold_to_csv, read_ranking

#: Cases that no rule is given, and why.
_NOT_RUN = {
    "named classes": "a rule sees c1, c2, … whatever the classes are called",
    "missing values": "no rule is given any",
    "one class": "folds of a single class are refused before a rule reads them",
    "no rows": "folds without rows are refused before a rule reads them",
}

#: Results folders of a check: the second has the case that is run twice.
_FIRST, _SECOND = "results", "again"


class RuleFailedError(UserError):
    """A rule ended with an error; `said` is what Snakemake printed."""

    def __init__(self, said: str):
        super().__init__("the rule failed on it")
        self.said = said


class Rule(NamedTuple):
    """A selector that is a rule: its name, its study's, the files of rules, and the config."""

    selector: str
    study: str
    files: Sequence[Path]
    config: Mapping[str, Any]


class Fold(NamedTuple):
    """Training rows for a rule; `results`, `dataset` and `name` become its wildcards."""

    dataset: str
    name: str
    X: np.ndarray
    y: np.ndarray
    features: Sequence[str]
    results: str = _FIRST


def contract_folds() -> dict[str, Fold]:
    """The cases of the contract that a rule can be given, except the one of another seed."""
    folds = {}
    for name, case in cases().items():
        if name not in _NOT_RUN and name != "another seed":
            features = case.features or [f"x{i + 1}" for i in range(case.X.shape[1])]
            dataset = "plain" if name == "again" else name.replace(" ", "_")
            results = _SECOND if name == "again" else _FIRST
            folds[name] = Fold(dataset, "f01", case.X, case.y, features, results)
    return folds


def outcomes_by_rule(
    rule: Rule, more: Mapping[str, Fold], root: Path
) -> tuple[dict[str, Outcome], dict[str, Outcome]]:
    """What a rule makes of every case of the contract, and of further folds by their keys.

    Parameters
    ----------
    more
        Folds that are ranked in the same call of Snakemake.
    root
        The project's folder.
    """
    folds = contract_folds()
    ranked = rank(rule, {**folds, **more}, root)
    outcomes = {name: ranked[name] for name in folds}
    seed = cases()["another seed"].seed
    other = rule._replace(config={**rule.config, "seed": seed})
    outcomes["another seed"] = rank(other, {"plain": folds["plain"]}, root)["plain"]
    outcomes |= {name: NotRun(reason) for name, reason in _NOT_RUN.items()}
    return outcomes, {key: ranked[key] for key in more}


def rank(rule: Rule, folds: Mapping[str, Fold], root: Path) -> dict[str, Outcome]:
    """The rankings of folds by one call of Snakemake, in a temporary folder.

    Everything of the working folder is linked there, so that rules find their programs by the same
    relative paths.
    """
    with TemporaryDirectory(prefix="check-selector-") as name:
        place = Path(name)
        for entry in Path.cwd().iterdir():
            if entry.name not in (".snakemake", ".git", _FIRST, _SECOND):
                (place / entry.name).symlink_to(entry)
        rankings = {}
        for key, fold in folds.items():
            study = place / fold.results / rule.study
            path = study / "folds" / fold.dataset / f"{fold.name}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(fold_to_csv(fold.X, fold.y, fold.features))
            rankings[key] = study / "rankings" / fold.dataset / rule.selector / f"{fold.name}.tsv"
        said = _snakemake(
            rule, [path.relative_to(place) for path in rankings.values()], place, root
        )
        return {key: _outcome(path, folds[key], place, said) for key, path in rankings.items()}


def _snakemake(rule: Rule, rankings: Sequence[Path], place: Path, root: Path) -> str:
    """Run the rule; what Snakemake printed."""
    request = {
        "selector": rule.selector,
        "study": rule.study,
        "rules": [str(path.resolve()) for path in rule.files],
        "rankings": [str(path) for path in rankings],
    }
    settings = place / ".check_selector.json"
    settings.write_text(json.dumps({**rule.config, "check_selector": request}))
    variables = dict(os.environ)
    environment.prepare(variables, (root / ".cache").resolve())
    command = [sys.executable, "-m", "snakemake", "--snakefile"]
    command += [str(root / "workflow" / "check_selector.smk"), "--configfile", str(settings)]
    command += ["--cores", "all", "--keep-going", "--rerun-incomplete"]
    done = subprocess.run(
        command, cwd=place, env=variables, text=True, capture_output=True, check=False
    )
    if done.returncode and "Error in rule" not in done.stderr:  # it did not come to running any
        lines = [line for line in done.stderr.splitlines() if not line.startswith("Using ")]
        raise UserError(" ".join(" ".join(lines).split()))
    return done.stderr


def _outcome(path: Path, fold: Fold, place: Path, said: str) -> Outcome:
    if not path.exists():
        return RuleFailedError(said)
    try:
        found = read_ranking(path, fold.features)
    except UserError as error:
        return UserError(str(error).replace(f"{place}/", ""))
    return Ranking(found.sequence_, found.scores_[found.sequence_])
