"""Collect the curves of a study, and the part of each fold in them, in two Parquet files."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.core.paths import Paths
from steadfast.outputs.frames import CURVES, UNITS, study_frames, to_parquet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what is measured")
    parser.add_argument("--results", required=True, help="folder of all results")
    parser.add_argument("--out", type=Path, required=True, help="the file of curves to write")
    parser.add_argument("--units", type=Path, required=True, help="the file of folds to write")
    given = parser.parse_args()

    paths = Paths(given.results).within(study=given.context["study"])
    curves, units = study_frames(paths, given.context)
    write_with_manifest(
        {given.out: to_parquet(curves, CURVES), given.units: to_parquet(units, UNITS)}
    )


if __name__ == "__main__":
    cli.run(main)
