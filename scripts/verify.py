"""Check every file of a results folder against the checksums written beside it."""

import argparse

from steadfast.command import arguments, verify
from steadfast.core import cli


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    arguments.verify(parser)
    verify.run(parser.parse_args())


if __name__ == "__main__":
    cli.run(main)
