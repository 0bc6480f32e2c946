"""Load one data set, check it, and write it as NAME.npz with its description in NAME.json."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.config import read_yaml
from steadfast.data.loader import entry_of, load
from steadfast.data.table import save


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="the data set")
    parser.add_argument("--catalogue", type=Path, default=Path("config/datasets.yaml"))
    parser.add_argument("--entry", type=json.loads, help="JSON: its entry, if not in the catalogue")
    parser.add_argument("--root", type=Path, default=Path(), help="what paths are relative to")
    parser.add_argument("--local-file", type=Path, help="read this file, not the entry's source")
    parser.add_argument("--cache", type=Path, required=True, help="folder of downloads")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    given = parser.parse_args()

    catalogue = read_yaml(given.catalogue)
    if given.entry is not None:
        catalogue[given.name] = given.entry
    known = given.name in catalogue or given.local_file is None
    table, description = load(
        given.name,
        entry_of(given.name, catalogue, str(given.catalogue)) if known else {},
        root=given.root,
        cache=given.cache,
        local_file=given.local_file,
        catalogue=catalogue,
        progress=lambda line: print(line, flush=True),
    )
    save(table, description, given.out)
    rows, features = table.X.shape
    print(
        f"{given.name}: {rows} rows, {features} features, {len(table.classes)} classes "
        f"from {description['origin']}"
    )


if __name__ == "__main__":
    cli.run(main)
