"""Check that a selector keeps the contract, and compare it with MID and random selection."""

import argparse
import json
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from steadfast.core.config import check_schema, read_yaml
from steadfast.core.errors import UserError, look_up
from steadfast.core.home import project_folder
from steadfast.core.registry import declared
from steadfast.data.loader import entry_of, load
from steadfast.selectors.running.contract import PromiseCheck, check_promises, outcomes_in_process
from steadfast.selectors.running.fold_file import Selection
from steadfast.selectors.running.select import create
from steadfast.study.declaration import Selector
from steadfast.study.run import over_default, study_paths, study_schema
from steadfast.study.selectors import complete_selector

ROOT = project_folder()
CACHE = Path(".cache")
BINS = {"method": "equal_width", "bins": 10}


class CheckedSelector(NamedTuple):
    """The selector that is checked, its name in print, bins if it wants any, and its study."""

    selector: Selector
    label: str
    bins: Mapping[str, Any]
    study: str = ""


def run(given: argparse.Namespace) -> None:
    """Print each promise of the contract, and how the selector compares."""
    warnings.simplefilter("ignore")  # of other packages, about tables made to be difficult
    checked = _from_study(given) if given.study else _by_name(given)
    sets = {name: _load(name) for name in given.sets}
    kept = (_check_rule if checked.selector.is_rule else _check_here)(checked, sets, given)
    if not kept:
        sys.exit(1)


def _by_name(given: argparse.Namespace) -> CheckedSelector:
    """A selector by its own name or path, with parameters."""
    if not given.name:
        raise UserError("name: say which selector: steadfast check-selector mid")
    try:
        params = json.loads(given.params)
    except json.JSONDecodeError as error:
        raise UserError(f"params: {given.params}: is no JSON ({error.msg})") from None
    if not isinstance(params, dict):
        raise UserError(f"params: {given.params}: write them as '{{\"alpha\": 0.5}}'")
    selector = complete_selector(given.name, {"params": params}, f"name={given.name}")
    if selector.is_rule:
        raise UserError("name: a rule is a study's; add --study path/to/study.yaml")
    return CheckedSelector(selector, given.name.rpartition(".")[2], BINS)


def _from_study(given: argparse.Namespace) -> CheckedSelector:
    """A selector as a study declares it, before any transforms."""
    schema = study_schema(ROOT / "workflow" / "schemas")
    [(study, path)] = study_paths([given.study], ROOT).items()
    if given.params != "{}":
        raise UserError(f"params: {path} has the parameters; leave them out")
    content = check_schema(read_yaml(path), schema, str(path))
    entry = look_up("selector", given.name, content["selectors"])
    selector = complete_selector(given.name, entry, f"{path}: selectors.{given.name}")
    return CheckedSelector(selector, selector.label, content["discretise"], study)


def _load(name: str) -> tuple[Any, str]:
    """A data set of the catalogue and its title."""
    catalogue = read_yaml(ROOT / "config" / "datasets.yaml")
    entry = entry_of(name, catalogue, "--sets")
    table, about = load(name, entry, root=ROOT, cache=CACHE, catalogue=catalogue)
    return table, about["title"]


def _check_here(checked: CheckedSelector, sets: Mapping[str, Any], given: Any) -> bool:
    """Run the contract on a selector that runs in this process, and compare it."""
    from steadfast.advice.selector_comparison import draw_folds, select_all

    settings = checked.selector.settings
    create(settings, 0)
    bins = checked.bins if checked.selector.discrete else None
    kept = _print_promises(check_promises(*outcomes_in_process(settings, bins)))
    selections = {}
    for name, (table, _) in sets.items():
        try:
            selections[name] = select_all(settings, bins, table, draw_folds(table, name), name)
        except UserError as error:
            selections[name] = error
    _print_comparison(checked, selections, sets)
    return kept


def _check_rule(checked: CheckedSelector, sets: Mapping[str, Any], given: Any) -> bool:
    """Run it on one that is a rule, the data sets in the same call of Snakemake."""
    from steadfast.advice.selector_comparison import draw_folds
    from steadfast.selectors.running.rule_contract import (
        Fold,
        Rule,
        RuleFailedError,
        outcomes_by_rule,
    )

    own = Path("config/config.yaml")
    config = over_default(read_yaml(own) if own.is_file() else {}, ROOT)
    files = yaml.safe_load(given.rules) if given.rules else config.get("rules", [])
    files = [Path(path) for path in ([files] if isinstance(files, str) else files)]
    for path in files:
        if not path.is_file():
            raise UserError(f"rules: {path}: no such file; name a file of Snakemake rules")
    more = {
        f"{name}/{fold.name}": Fold(
            name, fold.name, table.X[fold.train], table.y[fold.train], table.features
        )
        for name, (table, _) in sets.items()
        for fold in draw_folds(table, name)
    }
    outcomes, ranked = outcomes_by_rule(Rule(given.name, checked.study, files, config), more, ROOT)
    kept = _print_promises(check_promises(outcomes))
    selections: dict[str, Any] = {name: {} for name in sets}
    for key, outcome in ranked.items():
        name, fold = key.split("/")
        if isinstance(outcome, Exception):
            selections[name] = outcome
        elif isinstance(selections[name], dict):
            selections[name][fold] = Selection(*outcome)
    _print_comparison(checked, selections, sets)
    every = [*outcomes.values(), *ranked.values()]
    failed = [outcome for outcome in every if isinstance(outcome, RuleFailedError)]
    if failed:
        print("The end of what Snakemake printed:", file=sys.stderr)
        print("\n".join(failed[0].said.splitlines()[-30:]), file=sys.stderr)
    return kept and not failed


def _print_promises(checks: list[PromiseCheck]) -> bool:
    """One line per promise; whether all are kept."""
    for check in checks:
        print(check)
    broken = sum(check.status == "fail" for check in checks)
    print(f"{broken} of {len(checks)} promises are broken." if broken else "The contract is kept.")
    return not broken


def _print_comparison(
    checked: CheckedSelector,
    selections: Mapping[str, Mapping[str, Selection] | Exception],
    sets: Mapping[str, Any],
) -> None:
    """A table per data set: the selector, and what it is compared with."""
    from steadfast.advice.selector_comparison import (
        ABOUT,
        BASELINES,
        comparison_table,
        draw_folds,
        select_all,
    )

    for name, (table, title) in sets.items():
        if isinstance(selections[name], Exception):
            print(f"\n{title}: nothing to compare: {selections[name]}")
            continue
        folds = draw_folds(table, name)
        beside = {checked.label: selections[name]}
        for baseline, use in BASELINES.items():
            if (checked.selector.use, checked.selector.params) != (use, {}):
                bins = BINS if declared("selector")[use].discrete else None
                beside[baseline] = select_all({"use": use}, bins, table, folds, name)
        print(f"\n{comparison_table(beside, table, folds, title)}")
    if any(isinstance(found, Mapping) for found in selections.values()):
        print(f"\n{ABOUT}")
