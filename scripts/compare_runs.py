"""Say how a run differs from the kept runs at full size, study by study."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.core.paths import Paths
from steadfast.page.document import versions
from steadfast.reports.replications.differences import (
    StudyDifference,
    compare_study,
    other_causes,
    total,
)
from steadfast.reports.replications.kept import KeptRun, ended_studies, kept_runs, read_study
from steadfast.study.run import read_config

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="the results folder of the new run")
    parser.add_argument("--kept", type=Path, default=ROOT / "docs" / "replications")
    parser.add_argument(
        "--configfile",
        type=Path,
        nargs="+",
        default=[],
        help="those of the new run, as Snakemake's",
    )
    parser.add_argument("--seed", type=int, help="where it is not that of the config")
    parser.add_argument("--strict", action="store_true", help="exit code 1 where they differ")
    given = parser.parse_args()

    studies = ended_studies(given.results)
    if not studies:
        raise UserError(f"{given.results}: holds no study that has ended; run snakemake first")
    seed = read_config(ROOT, given.configfile)["seed"] if given.seed is None else given.seed

    kept = kept_runs(given.kept)
    found: list[StudyDifference] = []
    for run in kept:
        found += print_paper(run, given.results, studies, seed)
    known = {study for run in kept for study in run.about["studies"]}
    without = [study for study in studies if study not in known]
    if without:
        print(f"no kept run in {given.kept} (make keep): {', '.join(without)}")
    print(total(found))
    differ = without or not all(one.is_equal for one in found)
    sys.exit(1 if given.strict and differ else 0)


def print_paper(
    kept: KeptRun, results: Path, studies: Sequence[str], seed: int
) -> list[StudyDifference]:
    """Compare the studies of a paper that are in both runs."""
    about: Mapping = kept.about
    shared = [study for study in about["studies"] if study in studies]
    if not shared:
        return []
    print(f"{about['paper']}, kept on {about['date']} at {about['commit'][:12]}")
    print(*other_causes(about, seed, versions([*about["versions"]])), sep="\n")
    found = []
    for study in shared:
        new = read_study(Paths(str(results)), study)
        found.append(compare_study(study, kept.study(study), new))
        print(*found[-1].lines(), sep="\n")
    absent = [study for study in about["studies"] if study not in shared]
    if absent:
        print(f"not in this run: {', '.join(absent)}")
    print()
    return found


if __name__ == "__main__":
    cli.run(main)
