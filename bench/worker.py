"""Measure one case against one of its peers: `worker.py CASE PEER`, both numbers into the lists.

`worker.py CASE PEER FOLDER` measures this project's side alone, with the package of that checkout.

Runs in the benchmark's environment and prints one JSON object per line: `{"ours": seconds,
"cpu": CPU seconds}` and `{"peer": seconds}` for every repetition, in turns, so that a busy machine
slows both sides; then `{"agreement": words}`. What goes wrong is `{"error": words, "side": …}`. A
repetition over the time limit ends the process by the alarm signal.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

REPETITIONS = 3

#: Seconds that a repetition takes at least: calls that take less are made several times.
SHORTEST = 0.1

#: Seconds after which a side is not measured again.
ENOUGH = 20.0

#: Seconds that a repetition may take.
LIMIT = 90.0

#: Features wanted in the warm-up.
WARM_UP_FIRST = 3


@contextmanager
def _side(name: str, out: TextIO) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())
        print(json.dumps({"error": words, "side": name}), file=out, flush=True)
        sys.exit(0)


def _time_call(call: Callable[[], Any]) -> tuple[float, float, Any]:
    """One repetition: the call, again while that takes less than `SHORTEST`.

    Seconds and CPU seconds of one call, and what it gave.
    """
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    start, busy, calls, seconds = time.perf_counter(), time.process_time(), 0, 0.0
    while seconds < SHORTEST:
        result = call()
        calls += 1
        seconds = time.perf_counter() - start
    busy = time.process_time() - busy
    signal.setitimer(signal.ITIMER_REAL, 0)
    return seconds / calls, busy / calls, result


def measure(case: Any, peer: Any, out: TextIO, alone: bool) -> None:
    """Warm up both sides, or ours alone, on a few rows and columns, then time them in turns."""
    first = peer.first or case.first
    calls = {}
    for name, build in ({"ours": case.build} | ({} if alone else {"peer": peer.build})).items():
        with _side(name, out):
            build(case.inputs(True), WARM_UP_FIRST)()
            calls[name] = build(case.inputs(False), first)
    spent, results = dict.fromkeys(calls, 0.0), {}
    for _ in range(REPETITIONS):
        for name, call in calls.items():
            if spent[name] < ENOUGH:
                with _side(name, out):
                    seconds, busy, results[name] = _time_call(call)
                spent[name] += seconds
                found = {name: seconds} | ({"cpu": busy} if name == "ours" else {})
                print(json.dumps(found), file=out, flush=True)
    if alone:
        return
    with _side("peer", out):
        words = case.agree(results["ours"], results["peer"])
        print(json.dumps({"agreement": words}), file=out, flush=True)


def main() -> None:
    """Keep standard output for the measurements: packages print on it, C++ included."""
    out = os.fdopen(os.dup(1), "w")
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    at, number, *of = sys.argv[1:]
    root = Path(of[0]) if of else Path(__file__).resolve().parent.parent
    sys.path.insert(0, str(root / "scripts"))
    from cases import CASES

    case = CASES[int(at)]
    measure(case, case.peers[int(number)], out, alone=bool(of))


if __name__ == "__main__":
    main()
