"""The plan of the run, and how rules ask it.

Inputs    config (the project's config/config.yaml, under that of the working folder and the command
          line, or under what a module is given), config/studies/*.yaml, config/datasets.yaml
Outputs   none: PLAN (which files, which jobs read what), PATHS, wildcard constraints
"""

import inspect
import os
import sys
import time
from pathlib import Path

from steadfast.core import environment
from steadfast.core.errors import UserError
from steadfast.core.imports import content_hash
from steadfast.core.paths import RECOVERY_LOG, SELECT_LOG
from steadfast.study.plan import Plan
from steadfast.study.run import SOURCE, load_run, over_default

STARTED = time.time()


def make_plan():
    """The plan of the run; a mistake in the configuration ends it with one line."""
    inside = not workflow.modifier.is_main_snakefile()
    try:
        run = load_run(over_default(config, ROOT), ROOT, inside=inside)
    except UserError as error:
        here = f"config of the module {workflow.modifier.namespace}" if inside else SOURCE
        sys.exit(str(error).replace(SOURCE, here))
    run.config["results"] = place_results(run.config["results"])
    return Plan(run, os.path.relpath(IMPORTS), os.path.relpath(ROOT / "scripts", IMPORTS))


def place_results(folder):
    """The folder of results where a module's `prefix:` or `replace_prefix:` wants it.

    Snakemake would put the prefix before every path of these rules, the user's own table and the
    code of jobs included, and the plan would not know. So it is taken here, once for all results.
    """
    modifier = workflow.modifier
    placed = modifier.path_modifier.replace_prefix(f"{folder}/")
    modifier.path_modifier = type(modifier.path_modifier)(None, None, workflow)
    return os.path.normpath(placed)


PLAN = make_plan()

environment.prepare(os.environ, Path(PLAN.config["cache"]).resolve())

PATHS = PLAN.paths
# What the rules need, by kind of need; a path is relative to the file of its rule.
COMPUTE_ENVIRONMENT = "../../envs/rules/compute.yaml"
DATA_ENVIRONMENT = "../../envs/rules/data.yaml"
OUTPUTS_ENVIRONMENT = "../../envs/rules/outputs.yaml"

# A selector after all of its transforms is measured as one.
MEASURED = environment.one_of(name for study in PLAN.studies.values() for name in study.families)


wildcard_constraints:
    results=environment.one_of([PATHS.root]),
    fold=r"[^/]+",
    batch=r"\d+",
    study=environment.one_of(PLAN.studies),
    dataset=environment.one_of(PLAN.run.local_files),
    selector=environment.one_of(name for one in PLAN.studies.values() for name in one.selectors),
    table=environment.one_of(name for one in PLAN.studies.values() for name in one.tables),
    figure=environment.one_of(name for one in PLAN.studies.values() for name in one.figures),
    scenario=environment.one_of(name for one in PLAN.studies.values() for name in one.scenarios),
    transform=environment.one_of(name for one in PLAN.studies.values() for name in one.transforms),


def ask(method):
    """A function of wildcards: a method of the plan, called with those that it names."""
    wanted = inspect.signature(method).parameters

    def answer(wildcards):
        names = {key: value for key, value in wildcards.items() if key in wanted}
        try:
            return method(**names)
        except (KeyError, IndexError):
            named = ", ".join(f"{key} {value}" for key, value in wildcards.items())
            sys.exit(f"{named}: there is no such thing in this run; look at the study's file")

    return answer


def output(method, sort):
    """A function of wildcards for a table or figure, whose name is the wildcard of its sort."""
    return lambda wildcards: method(sort, wildcards.study, wildcards[sort])


def code(script, modules=None):
    """The files that a command runs; `modules` says which of them it loads by name."""
    if modules is None:
        return PLAN.code(script)
    return lambda wildcards: PLAN.code(script, *modules(wildcards))


def digest(script, modules=None):
    """A digest of these files."""
    if modules is None:
        return PLAN.digest(script)
    return lambda wildcards: PLAN.digest(script, *modules(wildcards))


def results_folder(wildcards):
    """Outputs are found below it by the names of their study, data sets and selectors."""
    return PATHS.root


def final_outputs(wildcards):
    """Everything that a run makes. Jobs of which a fold's file was deleted run again."""
    workflow.dag.forcefiles.update(PLAN.lost_batches())
    return PLAN.targets()


def require_ranking_rules():
    """End the run with one line where nothing makes the rankings that a study asks for."""
    try:
        PLAN.require_ranking_rules(lambda path: any(r.is_producer(path) for r in workflow.rules))
    except UserError as error:
        sys.exit(str(error))


def print_cpu_share():
    """Of a local run only: what jobs on other machines took is not counted here."""
    line = workflow.local_exec and environment.cpu_share(Path(PATHS.root, "logs"), STARTED)
    if line:
        print(line, file=sys.stderr)
