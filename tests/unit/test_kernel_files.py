"""Compiled kernels that were damaged are compiled again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"

#: Prints a sum, and how many kernels were found compiled.
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
sys.path.insert(0, sys.argv[2])
from kernel import total
print(total(10), sum(total.stats.cache_hits.values()))
"""
KERNEL = """
from steadfast.core.compiled import njit

@njit()
def total(n):
    result = 0
    for i in range(n):
        result += i
    return result
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL)
    variables = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    call = [sys.executable, "-c", PROGRAM, str(SCRIPTS), str(tmp_path)]

    def answer() -> str:
        done = subprocess.run(call, env=variables, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.stdout.strip()

    assert answer() == "45 0"
    assert answer() == "45 1"
    return answer


def turn_over(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 4]) + content[middle + 1 :]


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_counts_as_none_and_is_written_anew(run, tmp_path, ending):
    for damage in (lambda content: b"", lambda content: content[:-9], turn_over):
        (path,) = (tmp_path / "cache").rglob(f"*.{ending}")
        path.write_bytes(damage(path.read_bytes()))
        assert run() == "45 0"
        assert run() == "45 1"


def test_a_folder_in_the_place_of_a_file_costs_time_alone(run, tmp_path):
    (path,) = (tmp_path / "cache").rglob("*.nbc")
    path.unlink()
    path.mkdir()
    assert run() == "45 0"
