"""Kernels of this project beside other packages: one table of ratios.

Both sides of a row run in one process in the benchmark's own environment. Of another checkout, an
older version say, this project's side alone is measured, in the environment of this checkout.
"""

import json
import platform
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import environment
from cases import CASES, Case, Peer
from printing import number, table
from releases import CPU, Figure, Release, beside
from worker import ENOUGH, LIMIT, REPETITIONS

EXPLANATION = (
    f"Python {platform.python_version()}, one core on both sides, in turns in one process; the best"
    f" of {REPETITIONS} repetitions, fewer once a side has taken {ENOUGH:.0f} s. A warm-up on a few"
    " rows and columns comes first, so that imports and compilation do not count; nor does the"
    " conversion of the data into the form that a package wants. CPU seconds are compared with the"
    " last release, because they depend less on what else a machine does."
)


def measure(
    of: Path, wanted: Callable[[str], bool], release: Release | None
) -> tuple[str, list[Figure], bool]:
    """The table, this project's figures, and whether this project's side failed."""
    chosen = [one for one in _pairs(of) if wanted(_title(CASES[one[0]], _peer(*one)))]
    if not chosen:
        return "", [], False
    packages = {peer.package for case in CASES for peer in case.peers}
    failures = environment.prepare(packages) if of == environment.ROOT else {}
    pins = environment.read_pins()
    rows, figures, broken = [], [], False
    for at, number_of_peer in chosen:
        case, peer = CASES[at], _peer(at, number_of_peer)
        found = _measure(at, number_of_peer, failures, of)
        broken |= found.get("side") == "ours"
        figure = Figure(f"{case.name}, {_size(case, peer)}", CPU, found.get("cpu"))
        figures.append(figure)
        rows.append(_row(case, peer, pins.get(peer.package, ""), found, figure, release))
    last = release.version if release else "last release"
    header = ("task", "size", "ours, s", "peer", "peer, s", "peer / ours", "agreement")
    header += ("ours, CPU s", f"{last}, CPU s", f"now / {last}", "note")
    lines = ["# Speed against other packages", "", EXPLANATION, "", table(header, rows)]
    return "\n".join(lines), figures, broken


def _pairs(of: Path) -> Iterator[tuple[int, int]]:
    """Cases and their peers by number; of another checkout, each number of features once."""
    for at, case in enumerate(CASES):
        seen = set()
        for number_of_peer, peer in enumerate(case.peers):
            if of == environment.ROOT or peer.first not in seen:
                yield at, number_of_peer
            seen.add(peer.first)


def _peer(at: int, number_of_peer: int) -> Peer:
    return CASES[at].peers[number_of_peer]


def _title(case: Case, peer: Peer) -> str:
    return f"{case.name}, {case.size}, {peer.package}"


def _size(case: Case, peer: Peer) -> str:
    return f"{case.size}, first {peer.first or case.first}"


def _measure(at: int, number_of_peer: int, failures: dict[str, str], of: Path) -> dict[str, Any]:
    """Seconds of `ours` and `peer`, `agreement`, or `error` with the reason."""
    peer, alone = _peer(at, number_of_peer), of != environment.ROOT
    if not alone and peer.build is None:
        return {"error": ""}
    if not alone and peer.package in failures:
        return {"error": f"cannot be installed: {failures[peer.package]}"}
    print(f"bench: {_title(CASES[at], peer)}", file=sys.stderr)
    worker = str(Path(__file__).with_name("worker.py"))
    python = sys.executable if alone else str(environment.PYTHON)
    command = [python, worker, str(at), str(number_of_peer), *([str(of)] if alone else [])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment.variables())
    found: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        for key, value in json.loads(line).items():
            again = isinstance(value, float) and key in found
            found[key] = min(found[key], value) if again else value
    if done.returncode == -signal.SIGALRM:
        found["over"] = LIMIT
    elif done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"ended with code {done.returncode}"]
        found["error"] = last[0]
    return found


def _row(
    case: Case,
    peer: Peer,
    version: str,
    found: dict[str, Any],
    figure: Figure,
    release: Release | None,
) -> tuple[str, ...]:
    ours, theirs = found.get("ours"), found.get("peer")
    seconds = ratio = "–"
    if theirs:
        seconds, ratio = number(theirs), number(theirs / ours)
    elif ours and "over" in found:
        seconds, ratio = f"> {number(found['over'])}", f"> {number(found['over'] / ours)}"
    before, change, mark = beside(figure, release.figures if release else {})
    return (
        case.name,
        _size(case, peer),
        number(ours),
        f"{peer.package} {version}".strip(),
        seconds,
        ratio,
        found.get("agreement", "–"),
        number(figure.value),
        before,
        change,
        "; ".join(note for note in (mark, peer.note, found.get("error", "")) if note),
    )
