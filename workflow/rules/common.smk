"""Configuration, names and helpers that all stages share.

Inputs    config (config/config.yaml and the command line), config/studies/*.yaml, config/datasets.yaml
Outputs   none: STUDIES (checked declarations), CATALOGUE, wildcard constraints, helper functions
"""

import json
import os
import shlex
import sys
import time
from functools import cache
from pathlib import Path

ROOT = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from steadfast.core import environment

from steadfast.core import registry
from steadfast.study.cells import alike, cell_batches, cell_folds
from steadfast.core.errors import UserError
from steadfast.core.imports import content_hash, import_closure
from steadfast.measures import declarations as measures_declared
from steadfast.data.own_tables import OWN_KEYS, shown_option
from steadfast.outputs.published import read_published, rows_of_table
from steadfast.study.run import load_run, published_file
from steadfast.resampling.folds import batches
from steadfast.resampling.schemes import create as resampling
from steadfast.study.context import context, measure_infos, measured_sizes, transform_infos
from steadfast.study.page import page_context, page_method, page_ratio, page_selectors
from steadfast.study.selectors import (
    base_files,
    by_rule,
    parameters,
    passes,
    scored_by,
    without_rule,
)
from steadfast.study.transforms import cell_name, families
from steadfast.outputs.summary import needed_selectors
from steadfast.transforms.running import told

STARTED = time.time()

try:
    CONFIG, CATALOGUE, STUDIES, LOCAL_FILES = load_run(config, ROOT)
    DECLARED = registry.declared("selector")
    PUBLISHED = {
        name: read_published(published_file(ROOT, name))
        for name in STUDIES
        if published_file(ROOT, name).is_file()
    }
except UserError as error:
    sys.exit(str(error))

environment.prepare(os.environ, Path(CONFIG["cache"]).resolve())

RESULTS = CONFIG["results"].rstrip("/")
ENVIRONMENT = "../../envs/environment.yaml"
SCRIPTS = os.path.relpath(ROOT / "scripts")


wildcard_constraints:
    results=environment.one_of([RESULTS]),
    fold=r"[^/]+",
    study=environment.one_of(STUDIES),
    dataset=environment.one_of(LOCAL_FILES),
    selector=environment.one_of(name for study in STUDIES.values() for name in study["selectors"]),
    table=environment.one_of(name for study in STUDIES.values() for name in study["tables"]),
    figure=environment.one_of(name for study in STUDIES.values() for name in study["figures"]),
    transform=environment.one_of(name for study in STUDIES.values() for name in study["transforms"]),


def as_json(value):
    """One sorted string: Snakemake compares parameters as a set, and would not see two swapped."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def in_order(value):
    """The same for what is printed, where the order of names matters."""
    return json.dumps(value, ensure_ascii=False)


@cache
def code(script, *modules):
    """The files that a command runs: it first, what it imports, and modules it loads by name."""
    files = [Path(SCRIPTS) / name for name in (script, *modules)]
    closure = import_closure(files, Path(SCRIPTS))
    return [str(files[0]), *(str(path) for path in closure if path != files[0])]


@cache
def code_hash(script, *modules):
    """A digest of `code`: it catches an edit that kept an old modification time."""
    return content_hash(Path(path) for path in code(script, *modules))


def study_of(wildcards):
    return STUDIES[wildcards.study]


def table_for(study, discrete):
    """The file of numbers or bins that a stage reads."""
    return (
        f"{RESULTS}/{study}/discrete/{{dataset}}.npz"
        if discrete
        else f"{RESULTS}/data/{{dataset}}.npz"
    )


def print_cpu_share():
    """Of a local run only: what jobs on other machines took is not counted here."""
    line = workflow.local_exec and environment.cpu_share(Path(RESULTS, "logs"), STARTED)
    if line:
        print(line, file=sys.stderr)
