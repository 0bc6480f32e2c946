"""No filter makes an array of all pairs of features or of rows: large tables would not fit.

The peak of the process is looked at: arrays of compiled kernels are counted nowhere else.
"""

import ctypes
import gc
import re
from collections.abc import Callable
from pathlib import Path

import filters
import inputs
import numpy as np
import pytest

PAIRS = 10_000
SHAPES = {"wide": (60, PAIRS), "long": (PAIRS, 60)}

#: MB that a filter may take. A table has 5, a byte for each pair of rows or features would be 100.
MOST = 60

RESET = Path("/proc/self/clear_refs")


def status(name: str) -> float:
    """A number of MB that Linux knows of this process."""
    text = Path("/proc/self/status").read_text()
    return int(re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)[1]) / 1000


def peak_of(call: Callable[[], object]) -> float:
    """MB that a call takes at its peak, above what there was."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    RESET.write_text("5")
    before = status("VmRSS")
    call()
    return status("VmHWM") - before


@pytest.fixture(scope="module", autouse=True)
def _peaks_can_be_told():
    try:
        RESET.write_text("5")
    except OSError:
        pytest.skip("the peak of a process is told anew by Linux alone")


@pytest.fixture(scope="module")
def tables() -> dict[str, dict]:
    return {name: inputs.wide_table(*shape, False) for name, shape in SHAPES.items()}


def test_an_array_of_all_pairs_would_be_noticed():
    assert peak_of(lambda: np.ones((PAIRS, PAIRS), dtype=np.uint8)) > MOST


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", filters.calls())
def test_a_filter_needs_a_few_tables_of_memory(name, shape, tables):
    call = filters.calls()[name]
    filters.run(call, inputs.wide_table(*filters.SMALL, False))
    assert peak_of(lambda: filters.run(call, tables[shape])) < MOST
