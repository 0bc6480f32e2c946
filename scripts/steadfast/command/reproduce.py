"""The studies of the papers: every table and figure."""

import argparse
import time
from pathlib import Path

from steadfast.command.running import (
    load_asked,
    number_of_cores,
    read_settings,
    run_snakemake,
    snakemake_call,
    write_settings,
)
from steadfast.core.paths import Paths


def run(given: argparse.Namespace) -> None:
    """Run the workflow, and print where to look first."""
    cores = number_of_cores(given.cores)
    settings = read_settings(given.config)
    if given.studies:
        settings["studies"] = given.studies
    if given.local_data:
        settings["local_data"] = given.local_data
    checked = load_asked(settings)
    results = checked.config["results"]
    # Never empty: Snakemake takes it in the place of a config that lies in the working folder.
    asked = {**settings, "studies": checked.config["studies"]}
    file = write_settings(Path(results, "asked.yaml"), asked)
    if not given.quiet:
        print(f"{', '.join(checked.studies)}: into {results}/", flush=True)
    began = time.monotonic()
    said = run_snakemake(snakemake_call([], given.cores, file), cores, given.quiet)
    minutes = (time.monotonic() - began) / 60
    for line in said:
        if line.startswith("CPU time:"):
            print(f"{minutes:.1f} minutes. {line.strip()}")
    print(f"Every table and figure is there; start with {Paths(results)('index')}")
