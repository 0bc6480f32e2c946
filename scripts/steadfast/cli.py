"""What every command of `scripts/` shares: one-line errors and an account of CPU time."""

import os
import sys
import time
from collections.abc import Callable

from steadfast.errors import UserError

#: Set by the workflow: commands then end with a line that says where their CPU time went.
TIMING_VARIABLE = "STEADFAST_TIMING"
TIMING_PREFIX = "cpu seconds:"

_late_imports = 0.0


def add_start_up(seconds: float) -> None:
    """Count CPU time spent on importing a plug-in as start-up, not as computation."""
    global _late_imports
    _late_imports += seconds


def run(main: Callable[[], None]) -> None:
    """Run a command; a `UserError` becomes one line on standard error and exit code 1."""
    start_up = time.process_time()
    try:
        main()
    except UserError as error:
        sys.exit(f"steadfast: {error}")
    if os.environ.get(TIMING_VARIABLE):
        start_up += _late_imports
        computing = time.process_time() - start_up
        print(
            f"{TIMING_PREFIX} start-up {start_up:.3f} computation {computing:.3f}", file=sys.stderr
        )
