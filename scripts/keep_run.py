"""Keep a run at full size: its tables, claims and figures, small enough to commit."""

import argparse
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from steadfast.core import cli
from steadfast.core.errors import UserError, suggest
from steadfast.core.paths import Paths
from steadfast.page.document import versions
from steadfast.reports.replications.keeping import PACKAGES, Origin, keep_paper
from steadfast.reports.replications.kept import CHANGED
from steadfast.reports.replications.prose import read_prose, require_studies
from steadfast.study.run import Run, load_run, read_config

ROOT = Path(__file__).resolve().parents[1]
PROSE = ROOT / "config" / "replications"

#: Files that keeping a run changes itself.
_KEPT = (":!docs/replications", ":!docs/reproduce")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="the results folder of the run")
    parser.add_argument("--paper", nargs="+", help="all of config/replications if left out")
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "replications")
    parser.add_argument(
        "--configfile", type=Path, nargs="+", default=[], help="those of the run, as Snakemake's"
    )
    parser.add_argument("--local-data", type=Path, help="folder of your own files")
    parser.add_argument("--seed", type=int, help="where it is not that of the config")
    parser.add_argument("--date", help="of the run; that of its newest summary if left out")
    parser.add_argument("--commit", help="of the run; that of this folder if left out")
    given = parser.parse_args()

    written = sorted(path.stem for path in PROSE.glob("*.md"))
    # Once: what is kept of the first paper changes files that git knows.
    made_by = given.commit or commit(ROOT)
    for paper in given.paper or written:
        if paper not in written:
            raise UserError(
                f"--paper: {paper}: nothing in {PROSE} is about it; {suggest(paper, written)}"
            )
        prose = read_prose(PROSE / f"{paper}.md")
        known = [path.stem for path in (ROOT / "config" / "studies").glob("*.yaml")]
        require_studies(prose, known, "config/studies")
        run = _load_run(given, prose.studies)
        origin = Origin(
            made_by,
            given.date or _newest(given.results, prose.studies),
            " ".join(map(_shown, given.configfile or [ROOT / "config" / "config.yaml"])),
            versions(PACKAGES),
        )
        size = keep_paper(paper, prose, run, origin, given.into)
        print(
            f"{paper}: {len(prose.studies)} studies, {size / 1000:.0f} kB in {given.into / paper}"
        )


def _load_run(given: argparse.Namespace, studies: list[str]) -> Run:
    config = read_config(ROOT, given.configfile)
    config |= {"studies": studies, "results": str(given.results)}
    config |= {"local_data": str(given.local_data)} if given.local_data else {}
    config |= {"seed": given.seed} if given.seed is not None else {}
    return load_run(config, ROOT)


def commit(folder: Path) -> str:
    """The commit that a folder is at, with `CHANGED` if files differ from it."""
    try:
        head = _git(folder, "rev-parse", "HEAD")
        changes = _git(folder, "status", "--porcelain", "--", ".", *_KEPT)
        return f"{head}{CHANGED if changes else ''}"
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _newest(results: Path, studies: list[str]) -> str:
    """The day on which the last of the studies ended."""
    ended = [Path(Paths(str(results))("summary", study=study)) for study in studies]
    missing = [path for path in ended if not path.is_file()]
    if missing:
        raise UserError(
            f"{missing[0]}: is not there; run the study at full size first (make paper)"
        )
    newest = max(path.stat().st_mtime for path in ended)
    return datetime.fromtimestamp(newest, UTC).date().isoformat()


def _shown(path: Path) -> str:
    """A file of the project by its place in it."""
    path = path.resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


if __name__ == "__main__":
    cli.run(main)
