"""Draw one figure of a study as SVG and PNG."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli, registry
from steadfast.core.files import write_with_manifest
from steadfast.outputs.captions import heading
from steadfast.outputs.figures import panels
from steadfast.outputs.results import Results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what to draw")
    parser.add_argument("--results", required=True, help="folder of all results")
    parser.add_argument("--out", type=Path, required=True, help="the .svg file to write")
    given = parser.parse_args()

    # The context is for a figure of this name, which says the paper's number of it.
    entry = given.context["entry"]
    title = entry["title"] = heading(given.out.stem, entry["title"])
    kind = registry.load("figure", entry["kind"]).kind
    with panels.style():
        figure = kind.make(Results(given.context, given.results, panels.as_text))
    write_with_manifest(
        {
            given.out.with_suffix(f".{ending}"): panels.to_bytes(figure, ending, title)
            for ending in ("svg", "png")
        }
    )


if __name__ == "__main__":
    cli.run(main)
