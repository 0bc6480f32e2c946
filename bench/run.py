"""Compare this project's speed with that of other packages: one table of ratios.

`python3 bench/run.py [WORD …]` measures every case, or those whose name, size or peers contain one
of the words. Both sides of a row run in one process in the benchmark's own environment. The table
goes to standard output and, where no word narrows it, to `results/bench.md`.
"""

import json
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import environment
from cases import CASES, Case, Peer
from worker import ENOUGH, LIMIT, REPETITIONS

TABLE = environment.ROOT / "results" / "bench.md"
HEADER = ("task", "size", "ours, s", "peer", "peer, s", "peer / ours", "agreement", "note")
EXPLANATION = (
    f"Python {platform.python_version()}, one core on both sides, in turns in one process; the best"
    f" of {REPETITIONS} repetitions, fewer once a side has taken {ENOUGH:.0f} s. A warm-up on a few"
    " rows and columns comes first, so that imports and compilation do not count; nor does the"
    " conversion of the data into the form that a package wants."
)


def main() -> None:
    """Prepare the environment, measure, print."""
    start = time.monotonic()
    words = [word.lower() for word in sys.argv[1:]]
    failures = environment.prepare({peer.package for case in CASES for peer in case.peers})
    pins = environment.read_pins()
    rows, broken = [], False
    for at, case in enumerate(CASES):
        for number, peer in enumerate(case.peers):
            if words and not any(word in _title(case, peer).lower() for word in words):
                continue
            found = _measure(at, number, peer, failures)
            broken |= found.get("side") == "ours"
            rows.append(_row(case, peer, pins.get(peer.package, ""), found))
    text = _table(rows)
    print(text)
    if not words:
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(text + "\n", encoding="utf-8")
    print(f"bench: {time.monotonic() - start:.0f} s", file=sys.stderr)
    sys.exit("bench: this project's side failed" if broken else 0)


def _title(case: Case, peer: Peer) -> str:
    return f"{case.name}, {case.size}, {peer.package}"


def _measure(at: int, number: int, peer: Peer, failures: dict[str, str]) -> dict[str, Any]:
    """Seconds of `ours` and `peer`, `agreement`, or `error` with the reason."""
    if peer.build is None:
        return {"error": ""}
    if peer.package in failures:
        return {"error": f"cannot be installed: {failures[peer.package]}"}
    print(f"bench: {_title(CASES[at], peer)}", file=sys.stderr)
    worker = str(Path(__file__).with_name("worker.py"))
    command = [str(environment.PYTHON), worker, str(at), str(number)]
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


def _row(case: Case, peer: Peer, version: str, found: dict[str, Any]) -> tuple[str, ...]:
    ours, theirs = found.get("ours"), found.get("peer")
    seconds = ratio = "–"
    if theirs:
        seconds, ratio = _number(theirs), _number(theirs / ours)
    elif ours and "over" in found:
        seconds, ratio = f"> {_number(found['over'])}", f"> {_number(found['over'] / ours)}"
    return (
        case.name,
        f"{case.size}, first {peer.first or case.first}",
        _number(ours) if ours else "–",
        f"{peer.package} {version}".strip(),
        seconds,
        ratio,
        found.get("agreement", "–"),
        "; ".join(note for note in (peer.note, found.get("error", "")) if note),
    )


def _number(value: float) -> str:
    """Three digits, but whole above a hundred."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _table(rows: list[tuple[str, ...]]) -> str:
    lines = [HEADER, tuple("---" for _ in HEADER), *rows]
    cells = ["| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines]
    return "\n".join(["# Speed against other packages", "", EXPLANATION, "", *cells])


if __name__ == "__main__":
    main()
