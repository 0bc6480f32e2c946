"""Write the verdicts of the kept runs into the papers' pages."""

import argparse
from pathlib import Path

from steadfast.core import cli
from steadfast.reports.replications.kept import kept_runs
from steadfast.reports.replications.verdict_tables import in_short, put_verdicts

DOCS = Path(__file__).resolve().parents[1] / "docs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kept", type=Path, default=DOCS / "replications")
    parser.add_argument("--into", type=Path, default=DOCS / "reproduce", help="folder of the pages")
    given = parser.parse_args()

    for kept in kept_runs(given.kept):
        put_verdicts(given.into / f"{kept.folder.name}.md", kept)
        print(f"{kept.folder.name}: {in_short(kept)} (README.md says so too)")


if __name__ == "__main__":
    cli.run(main)
