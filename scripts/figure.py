"""Draw one figure of a study as SVG and PNG."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.outputs.figures.base import build_figure, to_bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="folder of the study's results")
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what to draw")
    parser.add_argument("--out", type=Path, required=True, help="the .svg file to write")
    given = parser.parse_args()

    figure = build_figure(given.context, given.results, given.data)
    write_with_manifest(
        {given.out.with_suffix(f".{kind}"): to_bytes(figure, kind) for kind in ("svg", "png")}
    )


if __name__ == "__main__":
    cli.run(main)
