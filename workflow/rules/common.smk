"""The plan of the run, and how rules ask it.

Inputs    config (the project's config/config.yaml, under that of the working folder and the command
          line, or under what a module is given), config/studies/*.yaml, config/datasets.yaml
Outputs   none: PLAN (which files, which jobs read what), PATHS, wildcard constraints
"""

import atexit
import errno
import inspect
import os
import sys
import time
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

import snakemake.persistence
from snakemake.path_modifier import PathModifier
from snakemake.shell import shell

from steadfast.command import locks, verify
from steadfast.command.records import mend_records
from steadfast.command.warm.starting import WarmProcesses
from steadfast.core import environment
from steadfast.core.cli import one_line
from steadfast.core.errors import UserError
from steadfast.core.imports import content_hash
from steadfast.core.paths import RECOVERY_LOG, SELECT_LOG
from steadfast.study.foreign import announcement
from steadfast.study.plan import Plan
from steadfast.study.run import SOURCE, load_run, over_default

STARTED = time.time()
# Snakemake leaves the folder of `--directory` before the process ends.
HERE = os.getcwd()
# Whether results go to a storage of Snakemake's, because machines share no folder.
STORED = workflow.storage_settings.default_storage_provider is not None


def make_plan():
    """The plan of the run; a mistake in the configuration ends it with one line."""
    inside = not workflow.modifier.is_main_snakefile()
    with one_line():
        try:
            whole = over_default(config, ROOT)
            say(announcement(whole, ROOT))
            run = load_run(whole, ROOT, inside=inside)
        except UserError as error:
            here = f"config of the module {workflow.modifier.namespace}" if inside else SOURCE
            raise UserError(str(error).replace(SOURCE, here)) from None
    run.config["results"] = place_results(run.config["results"])
    commands = os.path.relpath(ROOT / "scripts", IMPORTS)
    return Plan(run, os.path.relpath(IMPORTS), commands, STORED)


def say(line):
    """Print a line, if there is one, where a run is started, not in each of its jobs."""
    if line and workflow.is_main_process:
        print(line, file=sys.stderr)


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


class ResultsOnly(PathModifier):
    """Results go to the storage; code, configuration and tables of users are on every machine."""

    def apply_default_storage(self, path):
        is_result = str(path).startswith(f"{PATHS.root}/")
        is_code = str(path).startswith(PATHS.log("code", "").removesuffix(".log"))
        return super().apply_default_storage(path) if is_result and not is_code else path


if STORED:
    workflow.modifier.path_modifier = ResultsOnly(None, None, workflow)
    PLAN.folder = os.path.dirname(workflow.modifier.path_modifier.modify(PATHS("index")))


def understand_record(record):
    """As Snakemake does; before it had a class for it, any mapping would do."""
    make = getattr(snakemake.persistence, "MetadataRecord", None)
    return make.model_validate(record) if make else dict(record)


def enter_folder():
    """Note that this run is at work, for the next one; say so where an earlier one was killed."""
    if not workflow.is_main_process:
        return None
    with one_line():
        environment.require_room(Path.cwd())
    presence, line = locks.enter(PATHS.root)
    if line:
        print(line, file=sys.stderr, flush=True)
    if not line.startswith(locks.HELD):
        mend_records(understand_record)
    if presence:
        # Jobs hold the note, too: they may outlive this process.
        held = shell._process_args.get("pass_fds", ())
        shell._process_args["pass_fds"] = (*held, presence.descriptor)
    return presence


PRESENCE = enter_folder()

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
        if workflow.dag is not None:
            force_lost()
        with one_line():
            try:
                return method(**names)
            except (KeyError, IndexError):
                named = ", ".join(f"{key} {value}" for key, value in wildcards.items())
                raise UserError(
                    f"{named}: there is no such thing in this run; look at the study's file"
                ) from None

    return answer


def once_loaded(method):
    """As `ask`, of what follows from the table: left open until the job's inputs are there."""
    answer = ask(method)

    def later(wildcards, input):
        if PLAN.waits_for_table(wildcards.study, wildcards.dataset):
            raise FileNotFoundError(errno.ENOENT, "the table is not there yet", str(input[0]))
        return answer(wildcards)

    return later


def output(method, sort):
    """A function of wildcards for a table or figure, whose name is the wildcard of its sort."""
    return lambda wildcards: method(sort, wildcards.study, wildcards[sort])


def code(script, modules=None):
    """The files that a command runs; `modules` says which of them it loads by name."""

    def files(*loaded):
        with one_line():
            return PLAN.code(script, *loaded)

    return files() if modules is None else lambda wildcards: files(*modules(wildcards))


def digest(script, modules=None):
    """A digest of these files."""
    if modules is None:
        return PLAN.digest(script)
    return lambda wildcards: PLAN.digest(script, *modules(wildcards))


def memory(rule):
    """A function of wildcards: what a job of the rule needs, in MB; twice that when tried again.

    On a cluster Snakemake runs beside the command, and takes its part.
    """
    needed = ask(partial(PLAN.memory, rule))

    def stated(wildcards, attempt):
        beside = 0 if workflow.local_exec else environment.SNAKEMAKE_MB
        return attempt * needed(wildcards) + beside

    return stated


def results_folder(wildcards):
    """Outputs are found below it by the names of their study, data sets and selectors.

    What comes from a storage lies in a folder of Snakemake's while a job runs.
    """
    return PLAN.folder


def final_outputs(wildcards):
    """Everything that a run makes."""
    return PLAN.targets()


@cache
def force_lost():
    """Jobs of which a file is gone run again, where they have a part in what is asked for.

    Every rule asks the plan, so that whatever is asked for comes here, once, while Snakemake links
    jobs and before it looks which of them must run.
    """
    if workflow.is_main_process:
        workflow.dag.forcefiles.update(PLAN.lost_files())


def record_manifests():
    """List what there is when a run ends, and what should be, for `verify`.

    Whatever the end: one that failed, and one that found nothing to do. The page of the whole run
    is asked for with everything else; where it is not, what was listed before stays.
    """
    if getattr(workflow, "scheduler", None) is None or workflow.dryrun:
        return
    os.chdir(HERE)
    outputs = {str(file) for job in workflow.dag.jobs for file in job.output}
    made = {
        file for file in outputs if file.startswith(f"{PATHS.root}/") and file.endswith(".sha256")
    }
    known = [] if PATHS("index", "sha256") in made else PLAN.lost_files()
    try:
        if made:
            verify.record(Path(PATHS.root), made, known)
    except OSError as error:
        print(f"steadfast: {PATHS.root}: no list of results ({error.strerror})", file=sys.stderr)


if workflow.is_main_process:
    atexit.register(record_manifests)


def require_ranking_rules():
    """End the run with one line where nothing makes the rankings that a study asks for."""
    with one_line():
        PLAN.require_ranking_rules(lambda path: any(r.is_producer(path) for r in workflow.rules))


WARM = []


def start_warm_processes():
    """Jobs of a local run begin with packages that are loaded already."""
    if PLAN.config["warm"] and workflow.local_exec and sys.platform == "linux":
        atexit.register(end_warm_processes)
        with suppress(OSError):  # then jobs start by themselves
            WARM.append(WarmProcesses(os.environ, [PRESENCE.descriptor] if PRESENCE else []))


def end_warm_processes():
    """Once, however a run ends."""
    while WARM:
        WARM.pop().end()


def print_cpu_share():
    """Of a local run only: what jobs on other machines took is not counted here."""
    line = workflow.local_exec and environment.cpu_share(Path(PATHS.root, "logs"), STARTED)
    if line:
        print(line, file=sys.stderr)
