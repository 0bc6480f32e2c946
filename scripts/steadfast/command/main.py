"""The command line: which subcommands there are, and their help."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from steadfast import __version__
from steadfast.command import arguments
from steadfast.core import cli


class Subcommand(NamedTuple):
    """A subcommand: its module, one line on it, how it is called, and examples."""

    module: str
    about: str
    usage: str
    examples: Sequence[str]


SUBCOMMANDS = {
    "advise": Subcommand(
        "advise",
        "which features of your table can be trusted, by which selector, and how many",
        "DATA [options]",
        ["steadfast advise my.csv --target diagnosis"],
    ),
    "reproduce": Subcommand(
        "reproduce",
        "the tables and figures of the papers, into ./results",
        "[STUDY …] [options]",
        ["steadfast reproduce gulgezen2009 --cores 2"],
    ),
    "score": Subcommand(
        "score",
        "how stable are runs of your own, under every measure",
        "RUNS --features N [options]",
        ["steadfast score subsets.tsv --features 1000"],
    ),
    "compare": Subcommand(
        "compare",
        "is one selector more stable than another, by runs of your own",
        "FIRST SECOND --features N [options]",
        ["steadfast compare a.tsv b.tsv --features 1000"],
    ),
    "measures": Subcommand(
        "measures",
        "all stability measures, or formula, conditions and reference of one",
        "[MEASURE] [options]",
        ["steadfast measures", "steadfast measures nogueira"],
    ),
    "check-selector": Subcommand(
        "check_selector",
        "does a selector keep the contract, and how does it compare",
        "NAME [options]",
        ["steadfast check-selector mid", "steadfast check-selector sklearn.svm.LinearSVC"],
    ),
    "verify": Subcommand(
        "verify",
        "are all results as they were written",
        "[FOLDER]",
        ["steadfast verify", "steadfast verify results/paper"],
    ),
}

_WIDTH = 80


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=25, width=_WIDTH)


def parser() -> argparse.ArgumentParser:
    """The command without the arguments of its subcommands."""
    lines = [f"  {name:<16}{one.about}" for name, one in SUBCOMMANDS.items()]
    example = SUBCOMMANDS["advise"].examples[0]
    made = argparse.ArgumentParser(
        "steadfast",
        usage="steadfast COMMAND …",
        description="How far can a feature selection be trusted?\n\n" + "\n".join(lines),
        epilog=f"steadfast COMMAND --help says more.\n\nexample: {example}",
        formatter_class=_formatter,
    )
    made.add_argument("--version", action="version", version=f"steadfast {__version__}")
    made.add_argument("command", choices=SUBCOMMANDS, metavar="COMMAND", help=argparse.SUPPRESS)
    return made


def subcommand_parser(name: str) -> argparse.ArgumentParser:
    """A subcommand with its arguments."""
    one = SUBCOMMANDS[name]
    made = argparse.ArgumentParser(
        f"steadfast {name}",
        usage=f"steadfast {name} {one.usage}",
        description=f"{one.about[0].upper()}{one.about[1:]}.",
        epilog="\n".join(f"example: {line}" for line in one.examples),
        formatter_class=_formatter,
        add_help=False,
    )
    made.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    getattr(arguments, one.module)(made)
    return made


def main(words: Sequence[str] | None = None) -> None:
    """Run a subcommand; a mistake of the user's is one line and exit code 1."""
    words = list(sys.argv[1:] if words is None else words) or ["--help"]
    name = parser().parse_args(words[:1]).command
    given = subcommand_parser(name).parse_args(words[1:])

    cli.run(lambda: import_module(f"steadfast.command.{SUBCOMMANDS[name].module}").run(given))
