"""How much faster a study is on more nodes, and what a Slurm job costs beside its work."""

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from machines.trial import (
    batches,
    print_table,
    project,
    scratch,
    slurm_of,
    snakemake,
    study_of,
)

#: Selections, one in each Slurm job.
JOBS = 8
#: What a selection does, on which data set and how many folds: searches, or 6 seconds of waiting.
COMPUTE = ({"use": "sffs", "classifier": "knn"}, "wdbc", 4)
WAIT = ({"use": "costly", "seconds": 3}, "iris", 2)


def main(given: Namespace) -> None:
    """Print time and efficiency by number of nodes, and the cost of starting."""
    rows = []
    for what, (settings, dataset, folds), numbers in (
        ("computes", COMPUTE, (1, 2)),
        ("waits", WAIT, (1, 4, 8)),
    ):
        study = study_of([dataset], {f"s{at}": settings for at in range(JOBS)}, folds)
        alone = None
        for number in numbers:
            seconds = _phase(study, number)
            alone = alone or seconds
            share = alone / (number * seconds)
            rows.append((what, number, f"{seconds:.0f}", f"{share:.0%}"))
            print(*rows[-1], file=sys.stderr, flush=True)
    print_table(("each job", "nodes", "seconds", "efficiency"), rows)
    one, ten = (_portion(number) for number in (1, 10))
    each = (ten - one) / 9
    print_table(
        ("selections in a Slurm job", "seconds", "so"),
        [
            (1, f"{one:.1f}", f"{one - each:.1f} to start a Slurm job"),
            (10, f"{ten:.1f}", f"{each:.1f} to start each selection"),
        ],
    )


def _phase(study: Mapping[str, Any], nodes: int) -> float:
    """Seconds from the first submission to the last end of a study's selections."""
    jobs = _run(study, nodes, portion=1)
    begun = min(_time(job["SubmitTime"]) for job in jobs)
    return (max(_time(job["EndTime"]) for job in jobs) - begun).total_seconds()


def _portion(size: int) -> float:
    """Seconds of a Slurm job with so many selections that take next to nothing."""
    study = study_of(["iris"], {f"s{at}": {"use": "costly"} for at in range(size)})
    (job,) = _run(study, 1, portion=size)
    return (_time(job["EndTime"]) - _time(job["StartTime"])).total_seconds()


def _run(study: Mapping[str, Any], nodes: int, portion: int) -> Sequence[Mapping[str, str]]:
    """What Slurm noted of the jobs of a study's selections."""
    with scratch() as folder, slurm_of(nodes) as cluster:
        copy = project(folder / "project", study, portion)
        if study["datasets"] == [COMPUTE[1]]:
            # Compiled kernels first: they would count in the first job only.
            snakemake(copy, "--cores", "1", batches(study)[0])
        profile = ("--profile", "profiles/slurm")
        snakemake(
            copy, *profile, "--forcerun", "select", "--", *batches(study),
            environment=cluster.environment,
        )  # fmt: skip
        return cluster.completed()


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
