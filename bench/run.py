"""Speed: this project beside other packages, and beside its last release.

`python bench/run.py [WORD …] [--of FOLDER] [--keep]` measures everything, or what has one of the
words in its name. The tables go to standard output and, where no word narrows them, to
`results/bench.md`. `--of` measures another checkout, an older version say, without the peers;
`--keep` writes the figures to `bench/releases/VERSION.json`, which later runs are compared with.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import against_peers
import environment
import releases
import whole_runs
from printing import number, table
from releases import Figure, Release

TABLE = environment.ROOT / "results" / "bench.md"


def main() -> None:
    """Measure, print, keep."""
    start = time.monotonic()
    given = _arguments()
    words = [word.lower() for word in given.words]
    of = given.of.resolve()
    version = version_of(of)
    release = releases.last_release(version)

    def wanted(title: str) -> bool:
        return not words or any(word in title.lower() for word in words)

    peers, own, broken = against_peers.measure(of, wanted, release)
    runs, rows, failed = _whole_runs(of, wanted, release)
    figures = [*own, *runs]
    parts = [peers, _runs_table(rows, release), _ending(figures, release)]
    text = "\n\n".join(part for part in parts if part)
    print(text)
    if not words and of == environment.ROOT:
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(text + "\n", encoding="utf-8")
    if given.keep:
        kept = Release(
            version,
            commit_of(of),
            releases.processor(),
            sys.version.split()[0],
            releases.best(figures),
        )
        print(f"bench: kept in bench/releases/{releases.keep(kept).name}", file=sys.stderr)
    print(f"bench: {time.monotonic() - start:.0f} s", file=sys.stderr)
    sys.exit("bench: this project's side failed" if broken or failed else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Speed beside other packages and the last release")
    parser.add_argument("words", nargs="*", metavar="WORD", help="only what has one in its name")
    parser.add_argument("--of", type=Path, default=environment.ROOT, help="another checkout")
    parser.add_argument("--keep", action="store_true", help="write bench/releases/VERSION.json")
    return parser.parse_args()


def version_of(folder: Path) -> str:
    """The version that a checkout states."""
    text = (folder / "scripts" / "steadfast" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]


def commit_of(folder: Path) -> str:
    """The commit of a checkout; empty where it is none."""
    call = ["git", "-C", str(folder), "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(call, capture_output=True, text=True).stdout.strip()


def _whole_runs(
    of: Path, wanted: Callable[[str], bool], release: Release | None
) -> tuple[list[Figure], list[tuple[str, ...]], bool]:
    """Figures of whole runs, their rows, and whether one failed."""
    found: list[Figure] = []
    rows: list[tuple[str, ...]] = []
    failed = False
    for figures, note in whole_runs.measure(of, wanted):
        found += figures
        failed |= bool(note) and not note.startswith("results/")
        rows += [_row(figure, note, release) for figure in figures]
    return found, rows, failed


def _row(figure: Figure, note: str, release: Release | None) -> tuple[str, ...]:
    before, ratio, mark = releases.beside(figure, release.figures if release else {})
    notes = "; ".join(filter(None, (mark, note)))
    return figure.task, figure.what, number(figure.value), before, ratio, notes


def _runs_table(rows: Sequence[tuple[str, ...]], release: Release | None) -> str:
    """Whole runs, each figure beside that of the last release."""
    if not rows:
        return ""
    last = release.version if release else "last release"
    header = ("run", "figure", "now", last, f"now / {last}", "note")
    about = (
        f"Whole runs by the real command on {whole_runs.CORES} cores, once each; kernels are "
        "compiled before. CPU seconds are those of all processes; the share of computation is what "
        "jobs spent after their imports."
    )
    return "\n".join(("# Whole runs", "", about, "", table(header, rows)))


def _ending(figures: Sequence[Figure], release: Release | None) -> str:
    """What is worse than in the last release."""
    if release is None:
        return ""
    return "\n\n".join(
        filter(None, (releases.foreign(release), releases.verdict(figures, release)))
    )


if __name__ == "__main__":
    main()
