"""Compiled kernels are kept between runs; the files that take longest are tested first."""

import os
import signal
from pathlib import Path

ROOT = Path(__file__).parents[1]
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba"))
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# With a handful of subsamples, as tests have them, `advise` would go on to draw more.
os.environ.setdefault("ADVISE_WITHIN", "1")
# What a shell starts in the background ignores interrupts, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

#: Files of tests/workflow that take more than a minute: begun last, one core would wait for them.
LONGEST = (
    *("test_run", "test_docs", "test_rerun", "test_advise", "test_slurm", "test_mistakes"),
    *("test_anywhere", "test_wheel"),
)


def pytest_collection_modifyitems(items: list) -> None:
    """Runs of the workflow first, the longest ones before all others."""

    def place(item) -> tuple[bool, int]:
        name = item.path.stem
        return "workflow" not in item.path.parts, -(name in LONGEST)

    items.sort(key=place)
