"""Show what a configuration may name: kinds of outputs, schemes, classifiers, sources."""

import argparse
from pathlib import Path

from steadfast.core import cli, registry
from steadfast.core.errors import look_up
from steadfast.study.documentation import SORTS, explain, put_into, summary


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sort", nargs="?", choices=list(SORTS), help="all sorts if left out")
    parser.add_argument("name", nargs="?", help="one of them, with its keys")
    parser.add_argument("--into", type=Path, help="write the tables into this document")
    given = parser.parse_args()

    if given.into:
        put_into(given.into)
    elif given.name:
        look_up(given.sort, given.name, registry.declared(given.sort))
        print(explain(given.sort, given.name))
    else:
        for sort in [given.sort] if given.sort else SORTS:
            print(f"{sort}: {SORTS[sort]}")
            for name in registry.declared(sort):
                print(f"  {name}: {summary(sort, name)}")


if __name__ == "__main__":
    cli.run(main)
