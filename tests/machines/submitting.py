"""How fast Snakemake hands jobs to Slurm, and how long Slurm takes to say how they are."""

import subprocess
import sys
import time
from argparse import Namespace

from machines.trial import batches, print_table, project, scratch, slurm_of, study_of

#: Slurm jobs that are sent; no node takes them.
JOBS = 300


def main(given: Namespace) -> None:
    """Print jobs per second, and seconds of a question for all of them."""
    study = study_of(["iris"], {f"s{at}": {"use": "costly"} for at in range(JOBS)})
    with scratch() as folder, slurm_of(1) as cluster:
        copy = project(folder / "project", study)
        cluster.ask("scontrol", "update", "nodename=n1", "state=drain", "reason=measure")
        options = ("--profile", "profiles/slurm", "--jobs", str(JOBS))
        run = subprocess.Popen(
            [sys.executable, "-m", "snakemake", *options, "--", *batches(study)],
            cwd=copy,
            env=cluster.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        seen: list[tuple[float, int]] = []
        while run.poll() is None and (not seen or seen[-1][1] < JOBS):
            waiting = len(cluster.ask("squeue", "--noheader").splitlines())
            if waiting:
                seen.append((time.monotonic(), waiting))
            time.sleep(0.2)
        started = time.monotonic()
        cluster.ask("squeue", "--noheader", "--states=all", "--format=%i|%T")
        asked = time.monotonic() - started
        run.kill()
        run.wait()
    (first, few), (last, all_of_them) = seen[0], seen[-1]
    rate = (all_of_them - few) / (last - first)
    print_table(
        ("Slurm jobs sent", "per second", "seconds of one squeue for all"),
        [(all_of_them, f"{rate:.0f}", f"{asked:.2f}")],
    )
