"""Write the replication report of a paper, from its kept run at full size."""

import argparse
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.reports.kept import KeptRun
from steadfast.reports.prose import read_prose, read_settled
from steadfast.reports.replication import replication_page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kept", type=Path, required=True, help="folder of the kept run")
    parser.add_argument("--prose", type=Path, required=True, help="what a person wrote (.md)")
    parser.add_argument("--settled", type=Path, required=True, help="the paper's document (.md)")
    parser.add_argument("--out", type=Path, required=True, help="the .html file to write")
    given = parser.parse_args()

    page = replication_page(
        KeptRun(given.kept), read_prose(given.prose), read_settled(given.settled)
    )
    write_with_manifest({given.out: page})


if __name__ == "__main__":
    cli.run(main)
