"""Advice on a table of your own: which selector, how many features, and which features to trust."""

import argparse
import json
import shlex
import textwrap
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steadfast.advice.by_runs import half_width
from steadfast.advice.words.chosen import chosen_in_words
from steadfast.advice.words.next_command import groups_command
from steadfast.command.advising.estimate import budgets, tell_costs
from steadfast.command.advising.more_runs import (
    Asked,
    announcement,
    asked,
    first_runs,
    next_step,
    outcome,
    points,
    with_changes,
    with_runs,
)
from steadfast.command.running import (
    load_asked,
    number_of_cores,
    read_settings,
    run_snakemake,
    snakemake_call,
    write_settings,
)
from steadfast.core.cli import show
from steadfast.core.config import read_yaml
from steadfast.core.environment import peak_memory
from steadfast.core.errors import UserError, cut, shorten
from steadfast.core.files import read_verified
from steadfast.core.home import project_folder
from steadfast.core.paths import Paths
from steadfast.data.loader import load
from steadfast.data.own_tables import OWN_KEYS, typed_options
from steadfast.page.data import with_advice
from steadfast.page.sections import verdict_text
from steadfast.resampling.grouped import draw
from steadfast.study.declaration import Study
from steadfast.study.run import Run

ROOT = project_folder()

#: What may be typed that the next command repeats, in this order.
TYPED = (*OWN_KEYS, "seed", "within", "budget", "margin", "config")

#: Answers of more data sets than this are left to the page.
SHOWN = 3


def run(given: argparse.Namespace) -> None:
    """Say how the table is understood, run the workflow on it, and print the answer."""
    if given.data is None:
        raise UserError("data: name your table: steadfast advise my.csv --target diagnosis")
    number_of_cores(given.cores)
    told = asked(given.within, given.budget)
    settings = read_settings(given.config) | _options(given)
    if given.budget is not None:
        settings = with_changes(settings, {"budget": told.budget / 60})
    if given.margin is not None:
        settings = with_changes(settings, {"margin": points(given.margin)})
    settings["typed"] = typed_options(vars(given), TYPED)
    checked = load_asked(settings)
    abouts = check(checked, vars(given))
    (study,) = checked.studies.values()
    costs, usual = budgets(study, abouts), study.resample.get("repeats")
    for line in tell_costs(costs, usual, number_of_cores(given.cores)):
        print(f"  {line}", flush=True)
    if not given.check:
        runs = costs[0].runs
        advise(checked, settings, given.cores, told, given.quiet, runs if runs != usual else None)
        for name, about in abouts.items():
            _print_next(about, _typed_of(checked, name, vars(given)), several=len(abouts) > 1)


def _print_next(about: Mapping[str, Any], typed: Mapping[str, Any], several: bool) -> None:
    """The command to run next on a table, where one of its columns looks like an id of groups."""
    for one in about.get("proposed_groups", [])[:1]:
        table = f" in {about['title']}" if several else ""
        command = _command_with_groups(one, typed)
        show(f"\nIf rows of one {cut(one['column'])}{table} belong together, run:\n  {command}")


def _typed_of(run: Run, name: str, typed: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was typed, with the file of one table of a folder as the data."""
    (study,) = run.studies.values()
    # The groups of one table of a folder need not be those of the others.
    return {**typed, "data": str(run.local_files[name])} if len(study.datasets) > 1 else typed


def _options(given: argparse.Namespace) -> dict[str, Any]:
    """What the command line says, as keys of a config."""
    options = {
        key: value for key in (*OWN_KEYS, "seed") if (value := getattr(given, key)) is not None
    }
    if given.seed is not None:
        if not str(given.seed).isdigit():
            raise UserError(f"seed: {given.seed!r} is not a whole number of at least 0")
        options["seed"] = int(given.seed)
    return options


def check(run: Run, typed: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Read every table and draw its folds, so that a mistake is reported before anything is run.

    What was understood of each, by name. `typed` holds the arguments of the command line.
    """
    found = {}
    for study in run.studies.values():
        for name in study.datasets:
            table, about = load(
                name,
                run.catalogue[name],
                root=ROOT,
                cache=Path(run.config["cache"]),
                local_file=run.local_files[name],
                catalogue=run.catalogue,
                progress=show,
            )
            if len(table.features) < 2:
                gone = "".join(
                    f"; {shorten(one['column'])} was left out: {one['reason']}"
                    for one in about.get("left_out", [])[:3]
                )
                raise UserError(
                    f"{about['title']}: one feature only, {shorten(table.features[0])}, is left to "
                    f"select from, two are needed at least{gone}"
                )
            for _ in draw(study.scheme, table, run.config["seed"], (study.name, name)):
                pass
            tell(about, _typed_of(run, name, typed))
            found[name] = about
    return found


def tell(about: dict[str, Any], typed: Mapping[str, Any] | None = None) -> None:
    """What was understood of a table, and the commands that keep groups of its rows together."""
    classes = ", ".join(
        f"{cut(name)} {count}" for name, count in list(about["classes"].items())[:6]
    )
    more = ", …" if len(about["classes"]) > 6 else ""
    show(f"{about['title']}: {about['rows']} rows, {about['features']} features; {classes}{more}")
    if about.get("groups"):
        show(f"  rows of {about['groups']} groups stay together")
    if about.get("feature_groups"):
        groups = about["feature_groups"]
        grouped = sum(map(len, groups.values()))
        show(f"  feature groups: {len(groups)}, of {grouped} features")
    if about.get("categories"):
        show(f"  categories: {', '.join(map(cut, list(about['categories'])[:10]))}")
    if about.get("missing"):
        show(f"  missing: {about['missing']['values']} values: {about['missing']['how']}")
    _tell_some(
        [f"left out: {cut(one['column'])}: {one['reason']}" for one in about.get("left_out", [])]
    )
    _tell_some([f"! {sentence}" for sentence in about.get("noticed", [])])
    _tell_some(
        [_propose(one, about["rows"], typed or {}) for one in about.get("proposed_groups", [])]
    )


def _propose(one: Mapping[str, Any], rows: int, typed: Mapping[str, Any]) -> str:
    """That rows may belong together, and the command that keeps them together."""
    return (
        f"! {cut(one['column'])} looks like an id with several rows each ({one['values']} in "
        f"{rows} rows). If these rows belong together: {_command_with_groups(one, typed)}"
    )


def _command_with_groups(one: Mapping[str, Any], typed: Mapping[str, Any]) -> str:
    """The command that was typed, with the groups that a column proposes."""
    return groups_command({key: typed.get(key) for key in TYPED}, one["column"])


def _tell_some(lines: list[str], most: int = 10) -> None:
    """The first lines, and how many more there are."""
    for line in lines[:most]:
        show(f"  {line}")
    if len(lines) > most:
        show(f"  … and {len(lines) - most} more like this; data/NAME.json names all")


def advise(
    run: Run,
    settings: dict[str, Any],
    cores: str,
    told: Asked,
    quiet: bool,
    most: int | None,
) -> None:
    """Run the workflow until stability is known closely enough, and print the answer.

    `most` is the number of subsamples to begin with where there is no time for all.
    """
    (study,) = run.studies.values()
    paths = Paths(run.config["results"]).within(study=study.name)
    started = time.time()
    ended = _run_rounds(study, paths, settings, cores, told, quiet, most)
    for name in study.datasets[:SHOWN]:
        _print_answer(json.loads(read_verified(Path(paths("evidence", dataset=name)))))
    if ended:
        print(f"\n{ended}")
    peak = peak_memory(Path(run.config["results"], "logs"), started)
    if peak:
        print(f"\nPeak memory of a job: {peak[0]} MB ({peak[1]})")
    print(f"\nThe page: {paths('page')}")


def _run_rounds(
    study: Study,
    paths: Paths,
    settings: dict[str, Any],
    cores: str,
    told: Asked,
    quiet: bool,
    most: int | None,
) -> str:
    """Run the workflow until stability is known closely enough; what ended it, in a sentence.

    Once, and nothing to say, where runs are not drawn one by one.
    """
    if not study.scheme.independent_draws or "repeats" not in study.resample:
        _run_workflow(paths, settings, cores, quiet)
        return ""
    usual, started = study.resample["repeats"], time.monotonic()
    runs = first_runs(settings, study, _asked_before(paths))
    if most is not None:
        runs = min(runs, most)
    while True:
        begun = time.monotonic()
        own = settings if runs == usual else with_runs(settings, study, runs)
        _run_workflow(paths, own, cores, quiet)
        half, clear = _precision(study, paths)
        now = time.monotonic()
        step = next_step(runs, half, told, now - started, now - begun, clear)
        if step.why_not:
            ended = outcome(runs, half, told, step.why_not)
            return ended if clear else f"{ended} The page says how closely accuracy is known."
        if not quiet:
            print(f"\n{announcement(runs, half, step.runs, clear)}", flush=True)
        runs = step.runs


def _asked_before(paths: Paths) -> Any:
    """What an earlier call was asked for in the end; None where there was none."""
    try:
        return read_yaml(_asked_file(paths))
    except (OSError, UserError):
        return None


def _asked_file(paths: Paths) -> Path:
    return Path(paths("page")).parent / "asked.yaml"


def _run_workflow(paths: Paths, settings: dict[str, Any], cores: str, quiet: bool) -> None:
    asked_for = write_settings(_asked_file(paths), settings)
    call = snakemake_call([paths("page")], cores, asked_for)
    if not quiet:
        print(f"\n{shlex.join(call)}\n", flush=True)
    run_snakemake(call, number_of_cores(cores), quiet)


def _precision(study: Study, paths: Paths) -> tuple[float | None, bool]:
    """Half of the interval of the recommended stability, the widest of all data sets.

    And whether the runs were enough to tell which selection to recommend, on all of them.
    """
    halves, clear = [], True
    for name in study.datasets:
        advice = json.loads(read_verified(Path(paths("evidence", dataset=name))))["advice"] or {}
        half = half_width(advice.get("by_runs") or [])
        halves += [] if half is None else [half]
        clear = clear and advice.get("enough_runs", True)
    return max(halves, default=None), clear


def _print_answer(found: dict[str, Any]) -> None:
    """The verdict, the answer and the warnings: what the page begins with."""
    found = with_advice(found)
    advice, why = found["advice"], (found.get("scoring") or {}).get("why")
    show(f"\n{found['dataset']['title']}")
    show(f"  {' '.join(verdict_text(found))}")
    for sentence in [*advice["answer"], *([why] if why else [])]:
        show(textwrap.fill(sentence, 100, initial_indent="  ", subsequent_indent="  "))
    for one in found["selectors"]:
        told = f"{one['label']}: {chosen_in_words(one.get('chosen') or {})}."
        if one.get("chosen") and told not in advice["answer"]:
            show(f"  {told}")
    for warning in advice["warnings"]:
        text = f"! {warning['text']}"
        show(textwrap.fill(text, 100, initial_indent="  ", subsequent_indent="    "))
