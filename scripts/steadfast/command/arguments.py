"""The arguments of every subcommand: read without importing what runs it."""

import argparse
import os
from pathlib import Path

from steadfast.core import cli

#: What `advise` is told of a table; `make advise` passes it under these names, past any shell.
ABOUT_A_TABLE = {
    "target": ("COLUMN", "the class column; the last one if left out"),
    "groups": ("COLUMN", "rows of one value of this column stay together"),
    "drop": ("COLUMN", "columns that are no features, commas between them"),
    "missing": ("HOW", "median (in the fold; the default), refuse, drop_rows"),
    "categories": ("COLUMN", "columns that are categories, even if numbers"),
    "keep": ("COLUMN", "columns that are features, even if like an id"),
    "feature_groups": ("FILE", "columns feature and group: features that count as one"),
    "seed": ("S", "another seed than that of the config"),
}

#: When `advise` has drawn enough subsamples, and what it trades.
HOW_CLOSELY = {
    "within": ("W", "subsamples until stability is known to ±W (0.1),"),
    "budget": ("MINUTES", "or until so much time is spent (10)"),
    "margin": ("POINTS", "accuracy to give up for stability, at most (2)"),
}


def advise(parser: argparse.ArgumentParser) -> None:
    """A table, what is to be known of it, and how to run."""
    parser.add_argument(
        "data",
        nargs="?",
        metavar="DATA",
        default=_from_make("data"),
        help="a file, a folder, openml:ID or a name",
    )
    for key, (metavar, text) in ABOUT_A_TABLE.items():
        option = f"--{key.replace('_', '-')}"
        parser.add_argument(option, default=_from_make(key), metavar=metavar, help=text)
    for key, (metavar, text) in HOW_CLOSELY.items():
        parser.add_argument(f"--{key}", default=_from_make(key), metavar=metavar, help=text)
    _run_options(parser)
    parser.add_argument("--check", action="store_true", help="only say how the table is understood")


def _from_make(key: str) -> str | None:
    return os.environ.get(f"ADVISE_{key.upper()}") or None


def reproduce(parser: argparse.ArgumentParser) -> None:
    """Studies, and how to run."""
    parser.add_argument("studies", nargs="*", metavar="STUDY", help="those of the config if none")
    parser.add_argument(
        "--local-data", metavar="FOLDER", help="files of data sets that go before the bundled ones"
    )
    _run_options(parser)


def _run_options(parser: argparse.ArgumentParser) -> None:
    """Options that every command has that runs Snakemake."""
    parser.add_argument("--cores", default="all", metavar="N", help="all of them if left out")
    parser.add_argument(
        "--config",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="settings that differ from the project's config.yaml",
    )
    parser.add_argument("--quiet", action="store_true", help="only the outcome, not how far it is")


def score(parser: argparse.ArgumentParser) -> None:
    """Runs, and the data that they were made on."""
    parser.add_argument(
        "runs",
        type=Path,
        metavar="RUNS",
        help="rows of run, feature, optional rank and weight (.tsv, .csv)",
    )
    _runs_options(parser)
    parser.add_argument("--data", type=Path, metavar="FILE", help="the data, for similar features")
    parser.add_argument("--target", metavar="COLUMN", help="its class column; the last if left out")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write it to this .tsv file")


def compare(parser: argparse.ArgumentParser) -> None:
    """Runs of two selectors."""
    parser.add_argument("first", type=Path, metavar="FIRST", help="runs of a selector (.tsv, .csv)")
    parser.add_argument("second", type=Path, metavar="SECOND", help="runs of the other")
    _runs_options(parser)


def _runs_options(parser: argparse.ArgumentParser) -> None:
    """Options that every command has that reads runs."""
    parser.add_argument(
        "--features", type=cli.size, metavar="N", help="how many there were to select from"
    )
    parser.add_argument(
        "--top",
        type=cli.size,
        nargs="+",
        default=[],
        metavar="K",
        help="cut ranked runs after so many",
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="for ties and simulated values"
    )


def measures(parser: argparse.ArgumentParser) -> None:
    """One measure or all."""
    parser.add_argument("measure", nargs="?", metavar="MEASURE", help="all of them if left out")
    parser.add_argument("--markdown", action="store_true", help="as a Markdown table")
    parser.add_argument(
        "--into",
        type=Path,
        metavar="FILE",
        help="write the Markdown table into this file, between its marks",
    )


def check_selector(parser: argparse.ArgumentParser) -> None:
    """A selector, and data sets to compare it on."""
    parser.add_argument(
        "name",
        metavar="NAME",
        help="a selector, package.module.Class or function, or, with --study, its name there",
    )
    parser.add_argument("--params", default="{}", metavar="JSON", help="parameters of the selector")
    parser.add_argument("--study", help="the study that declares it: its name or its file")
    parser.add_argument(
        "--rules", metavar="FILES", help="files of rules, [a.smk, b.smk]; the config's if left out"
    )
    parser.add_argument(
        "--sets",
        nargs="*",
        default=["sonar", "wdbc"],
        metavar="SET",
        help="data sets to compare on; sonar and wdbc if left out",
    )


def verify(parser: argparse.ArgumentParser) -> None:
    """A folder of results."""
    parser.add_argument(
        "results",
        type=Path,
        nargs="?",
        default=Path("results"),
        metavar="FOLDER",
        help="of results; ./results if left out",
    )
