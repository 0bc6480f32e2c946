"""Advice on a table of your own: which selector, how many features, and which features to trust."""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import yaml

from steadfast.core import cli
from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.core.files import write_atomically
from steadfast.core.paths import Paths
from steadfast.data.loader import load
from steadfast.data.own_tables import OWN_KEYS
from steadfast.resampling.grouped import draw
from steadfast.study.run import Run, load_run

ROOT = Path(__file__).resolve().parents[1]

#: `make advise` passes its variables under these names, so that no shell reads them.
FROM_MAKE = {key: f"ADVISE_{key.upper()}" for key in (*OWN_KEYS, "seed")}

#: What Snakemake says of how far it is.
PROGRESS = re.compile(r"\d+ of \d+ steps")

#: Answers of more data sets than this are left to the page.
SHOWN = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    helps = {
        "target": "the class column; the last one if left out",
        "groups": "a column whose rows of one value stay together in every split",
        "drop": "columns that are no features, commas between them",
        "missing": "median (in the fold; the default), refuse or drop_rows",
        "categories": "columns that are categories, even if they hold numbers",
        "keep": "columns that are features, even if they look like an id",
    }
    own = os.environ.get(FROM_MAKE["data"]) or None
    parser.add_argument(
        "data", nargs="?", default=own, help="a file, a folder, openml:ID or a name"
    )
    for key, text in helps.items():
        default = os.environ.get(FROM_MAKE[key]) or None
        parser.add_argument(f"--{key}", default=default, help=text)
    seed = os.environ.get(FROM_MAKE["seed"]) or None
    parser.add_argument("--seed", default=seed, help="that of the config if left out")
    parser.add_argument("--cores", default="all")
    parser.add_argument("--check", action="store_true", help="only say how the table is understood")
    given = parser.parse_args()
    if given.data is None:
        raise UserError("data: name your table: make advise data=my.csv target=diagnosis")
    options = {
        key: value for key in (*OWN_KEYS, "seed") if (value := getattr(given, key)) is not None
    }
    if given.seed is not None:
        if not str(given.seed).isdigit():
            raise UserError(f"seed: {given.seed!r} is not a whole number of at least 0")
        options["seed"] = int(given.seed)
    run = load_run(read_yaml(ROOT / "config/config.yaml") | options, ROOT)
    check(run)
    if not given.check:
        advise(run, options, given.cores)


def check(run: Run) -> None:
    """Read every table and draw its folds, so that a mistake is reported before anything is run."""
    for study in run.studies.values():
        for name in study.datasets:
            table, about = load(
                name,
                run.catalogue[name],
                root=ROOT,
                cache=Path(run.config["cache"]),
                local_file=run.local_files[name],
                catalogue=run.catalogue,
                progress=lambda line: print(line, flush=True),
            )
            if len(table.features) < 2:
                gone = "".join(
                    f"; {one['column']!r} was left out: {one['reason']}"
                    for one in about.get("left_out", [])[:3]
                )
                raise UserError(
                    f"{about['title']}: one feature only, {table.features[0]!r}, is left to select "
                    f"from, two are needed at least{gone}"
                )
            list(draw(study.scheme, table, run.config["seed"], (study.name, name)))
            tell(about)


def tell(about: dict[str, Any]) -> None:
    """What was understood of a table."""
    classes = ", ".join(f"{name} {count}" for name, count in list(about["classes"].items())[:6])
    more = ", …" if len(about["classes"]) > 6 else ""
    print(f"{about['title']}: {about['rows']} rows, {about['features']} features; {classes}{more}")
    if about.get("groups"):
        print(f"  rows of {about['groups']} groups stay together")
    if about.get("categories"):
        print(f"  categories: {', '.join(list(about['categories'])[:10])}")
    if about.get("missing"):
        print(f"  missing: {about['missing']['values']} values: {about['missing']['how']}")
    for one in about.get("left_out", [])[:10]:
        print(f"  left out: {one['column']}: {one['reason']}")
    sys.stdout.flush()


def advise(run: Run, options: dict[str, Any], cores: str) -> None:
    """Run the workflow, and print the answer and where the page is."""
    (study,) = run.studies.values()
    paths = Paths(run.config["results"]).within(study=study.name)
    page = Path(paths("page"))
    folder = page.parent
    settings = folder / "asked.yaml"
    write_atomically(settings, yaml.safe_dump(options, allow_unicode=True).encode())
    call = ["snakemake", str(page), "--cores", str(cores), "--configfile", str(settings)]
    print(f"\n{shlex.join(call)}\n", flush=True)
    if not run_quietly([sys.executable, "-m", *call, "--snakefile", str(ROOT / "Snakefile")]):
        raise UserError(f"the run ended early, see above; what was computed stays in {folder}")
    for name in study.datasets[:SHOWN]:
        found = json.loads(Path(paths("evidence", dataset=name)).read_text())
        print(f"\n{found['dataset']['title']}")
        for sentence in (found["advice"] or {"answer": ["No selector could be judged."]})["answer"]:
            print(textwrap.fill(sentence, 100, initial_indent="  ", subsequent_indent="  "))
    print(f"\nThe page: {page}")


def run_quietly(call: list[str]) -> bool:
    """Run Snakemake and show how far it is; all that it says only where it fails."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    said = []
    with subprocess.Popen(call, errors="replace", **streams) as process:
        for line in process.stdout:
            said.append(line)
            if PROGRESS.match(line):
                print(f"  {line.strip()}", end="\r" if sys.stdout.isatty() else "\n", flush=True)
    if process.returncode:
        print("".join(said), file=sys.stderr)
    return process.returncode == 0


if __name__ == "__main__":
    cli.run(main)
