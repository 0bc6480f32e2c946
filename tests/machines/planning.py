"""How long Snakemake plans runs of many jobs, and starts one job of them."""

import re
from argparse import Namespace

from machines.trial import Cost, catalogue_with, print_table, project, scratch, snakemake, study_of

#: Data sets and selectors of a study: two jobs for each pair, and some for each data set.
SIZES = ((10, 50), (50, 100), (100, 500))


def main(given: Namespace) -> None:
    """Print seconds and memory by number of jobs, up to about `most`."""
    rows = []
    for n_datasets, n_selectors in SIZES:
        if 2 * n_datasets * n_selectors <= given.most:
            jobs, whole, one = _plan(n_datasets, n_selectors)
            rows.append(
                (
                    f"{jobs:,}",
                    f"{n_datasets} × {n_selectors}",
                    f"{whole.seconds:.0f}",
                    f"{1000 * whole.seconds / jobs:.1f}",
                    f"{whole.megabytes:,}",
                    f"{one.seconds:.1f}",
                )
            )
    print_table(
        (
            *("jobs", "data sets × selectors", "seconds to plan", "ms per job", "MB"),
            "seconds to plan one of them",
        ),
        rows,
    )


def _plan(n_datasets: int, n_selectors: int) -> tuple[int, Cost, Cost]:
    """Jobs of a study, and what a dry run of all of it and of one selection takes."""
    names = [f"made{at}" for at in range(n_datasets)]
    study = study_of(names, {f"s{at}": {"use": "fisher"} for at in range(n_selectors)})
    with scratch() as folder:
        copy = project(folder / "project", study, portion=10)
        catalogue_with(copy, names)
        whole = snakemake(copy, "--profile", "profiles/slurm", "--dry-run", "--quiet", "rules")
        one = snakemake(
            copy, "--cores", "1", "--dry-run", "results/timed/selections/made0/s0/batch0.sha256"
        )
    return int(re.search(r"^total\s+(\d+)", whole.said, re.MULTILINE)[1]), whole, one
