"""What every command of `scripts/` shares: one-line errors and an account of CPU time."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from steadfast.core.errors import UserError

#: Set by the workflow: commands then end with a line that says where their CPU time went.
TIMING_VARIABLE = "STEADFAST_TIMING"
TIMING_PREFIX = "cpu seconds:"

_late_imports = 0.0


@contextmanager
def count_start_up() -> Iterator[None]:
    """Count the CPU time of an import inside a function as start-up, not as computation."""
    global _late_imports
    before = time.process_time()
    try:
        yield
    finally:
        _late_imports += time.process_time() - before


def computation_seconds() -> float:
    """CPU time of this process so far, imports inside functions taken off."""
    return time.process_time() - _late_imports


def size(text: str) -> int:
    """A subset size on the command line: a whole number of at least 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def run(main: Callable[[], None]) -> None:
    """Run a command; a `UserError` becomes one line on standard error and exit code 1."""
    start_up = time.process_time()
    try:
        main()
    except UserError as error:
        sys.exit(f"steadfast: {error}")
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if os.environ.get(TIMING_VARIABLE):
        start_up += _late_imports
        computing = time.process_time() - start_up
        print(
            f"{TIMING_PREFIX} start-up {start_up:.3f} computation {computing:.3f}", file=sys.stderr
        )
