"""The benchmark's own environment, `.venv-bench`, made from `envs/bench.txt`."""

import hashlib
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "envs" / "bench.txt"
FOLDER = ROOT / ".venv-bench"
PYTHON = FOLDER / "bin" / "python"

#: One core for every library that would take more; the limit holds for code that asks for more.
ONE_CORE = {
    "OMP_NUM_THREADS": "1",
    "OMP_THREAD_LIMIT": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": "1",
}


def read_pins() -> dict[str, str]:
    """Package to version."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def variables() -> dict[str, str]:
    """What the measuring processes find in their environment."""
    return os.environ | ONE_CORE | {"NUMBA_CACHE_DIR": str(FOLDER / "numba")}


def prepare(peers: Iterable[str]) -> dict[str, str]:
    """Make the environment unless it is there and the pins are the same.

    Parameters
    ----------
    peers
        Packages that are installed one by one, after the others, because one that fails must not
        keep the rest from being measured. Those without a wheel are compiled with the environment's
        own numpy and Cython, which they need but do not declare.

    Returns
    -------
    failures
        Peer to the reason why it could not be installed. With a failure, the next run tries again.
    """
    stamp = FOLDER / "pins"
    wanted = hashlib.sha256(PINS.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return {}
    print("bench: installing envs/bench.txt into .venv-bench", file=sys.stderr)
    venv.create(FOLDER, clear=True, with_pip=True)
    pins = read_pins()
    alone = sorted(peer for peer in peers if peer in pins)
    reason = _install(f"{name}=={pins[name]}" for name in pins if name not in alone)
    if reason:
        sys.exit(f"bench: envs/bench.txt cannot be installed: {reason}")
    reasons = {peer: _install([f"{peer}=={pins[peer]}"]) for peer in alone}
    failures = {peer: reason for peer, reason in reasons.items() if reason}
    if not failures:
        stamp.write_text(wanted)
    return failures


def _install(requirements: Iterable[str]) -> str:
    """The reason why it failed, empty if it did not."""
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [str(PYTHON), "-m", "pip", "install", *options, *requirements]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    errors = re.findall(r"^\s*(?:\w*Error|ERROR|error): (.+)$", done.stderr, flags=re.MULTILINE)
    return errors[0] if errors else f"pip ended with code {done.returncode}"
