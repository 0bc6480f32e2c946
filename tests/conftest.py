"""Compiled kernels are kept between runs, so that only the first test run compiles."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba"))
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
