"""Figures of the last release, kept in `bench/releases/VERSION.json`, beside those of now.

Seconds and megabytes are those of one machine: the file names its processor, and a table that was
made on another one says so.
"""

import json
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from printing import number

FOLDER = Path(__file__).resolve().parent / "releases"

#: A figure that is so many times worse is marked.
LIMIT = 1.3

SECONDS, CPU, SHARE, MEMORY = "seconds", "CPU seconds", "share of computation", "peak MB of a job"

#: What a worse figure is called; others are slower.
WORSE = {SHARE: "less", MEMORY: "larger"}


@dataclass(frozen=True)
class Figure:
    """What was measured of a task; no value where it could not be."""

    task: str
    what: str
    value: float | None

    @property
    def key(self) -> str:
        """Its name in the file of a release."""
        return f"{self.task}: {self.what}"


@dataclass(frozen=True)
class Release:
    """What is kept of a version."""

    version: str
    commit: str
    processor: str
    python: str
    figures: dict[str, float] = field(default_factory=dict)


def processor() -> str:
    """The name of this machine's processor."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    named = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    return named[1].strip() if named else platform.machine()


def order_of(version: str) -> tuple[int, ...]:
    """What versions are sorted by."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def last_release(version: str, folder: Path = FOLDER) -> Release | None:
    """The newest kept release that is not above a version; None where there is none."""
    kept = [path for path in folder.glob("*.json") if order_of(path.stem) <= order_of(version)]
    if not kept:
        return None
    newest = max(kept, key=lambda path: order_of(path.stem))
    return Release(**json.loads(newest.read_text(encoding="utf-8")))


def keep(release: Release, folder: Path = FOLDER) -> Path:
    """Write the file of a release; where it is there, add the figures that it lacks.

    Figures of another commit do not go into it: after a release the version stays as it is for
    some time.
    """
    path = folder / f"{release.version}.json"
    if path.exists():
        kept = Release(**json.loads(path.read_text(encoding="utf-8")))
        if kept.commit != release.commit:
            raise SystemExit(
                f"bench: releases/{path.name} has the figures of {kept.commit}, and this is "
                f"{release.commit}: set the version of the next release first"
            )
        release = replace(kept, figures=release.figures | kept.figures)
    rounded = {key: float(f"{value:.4g}") for key, value in release.figures.items()}
    release = replace(release, figures=rounded)
    folder.mkdir(exist_ok=True)
    path.write_text(json.dumps(asdict(release), indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def best(figures: Iterable[Figure]) -> dict[str, float]:
    """Values by key, of several the smallest; of the share the largest."""
    found: dict[str, float] = {}
    for figure in figures:
        if figure.value is not None:
            choose = max if figure.what == SHARE else min
            found[figure.key] = choose(found.get(figure.key, figure.value), figure.value)
    return found


def beside(figure: Figure, before: Mapping[str, float]) -> tuple[str, str, str]:
    """What it was, how many times that it is now, and a mark where it is worse."""
    old = before.get(figure.key)
    if not old or figure.value is None:
        return number(old), "–", ""
    return number(old), number(figure.value / old), mark(figure, old)


def mark(figure: Figure, old: float) -> str:
    """The word for a figure that is more than `LIMIT` times worse; empty for others."""
    if not figure.value or not old:
        return ""
    ratio = old / figure.value if figure.what == SHARE else figure.value / old
    return WORSE.get(figure.what, "slower") if ratio > LIMIT else ""


def verdict(figures: Sequence[Figure], release: Release) -> str:
    """One line that names what is worse than in a release."""
    now = best(figures)
    lines = []
    for figure in {one.key: one for one in figures}.values():
        old, value = release.figures.get(figure.key), now.get(figure.key)
        word = mark(Figure(figure.task, figure.what, value), old) if old and value else ""
        if word:
            lines.append(f"{figure.key} {number(value)}, was {number(old)} ({word})")
    if lines:
        return f"slower than {release.version}: " + "; ".join(lines)
    compared = len(now.keys() & release.figures.keys())
    return f"nothing slower than {release.version}, of {compared} figures"


def foreign(release: Release) -> str:
    """A warning where a release was measured on another processor; else empty."""
    here = processor()
    if release.processor == here:
        return ""
    return (
        f"{release.version} was measured on {release.processor}, and this is {here}: delete its "
        f"file and measure it here, by make bench of=FOLDER keep=yes on a checkout of it"
    )
