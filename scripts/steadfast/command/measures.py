"""The table of all stability measures, and what is to be known of one."""

import argparse
from pathlib import Path

from steadfast.measures.catalogue import explain, markdown, put_into, text_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("measure", nargs="?", metavar="MEASURE", help="all of them if left out")
    parser.add_argument("--markdown", action="store_true", help="as a Markdown table")
    parser.add_argument(
        "--into",
        type=Path,
        metavar="FILE",
        help="write the Markdown table into this file, between its marks",
    )


def run(given: argparse.Namespace) -> None:
    """Print the table, or one measure."""
    if given.measure:
        print(explain(given.measure))
    elif given.into:
        put_into(given.into)
    else:
        print(markdown() if given.markdown else text_table())
