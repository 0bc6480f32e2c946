"""numba's compiler as the kernels use it.

What numba would load at the first call is loaded here, at import, and without scipy's linear
algebra, which numba looks for on behalf of matrix products in kernels: there are none here, and
it takes a third of a second in every job.

numba keeps what it compiled and compiles again when the file of a kernel changes, but it does not
see a change in a kernel that this one calls from another file. So what it keeps goes into a folder
named by the content of all files with kernels.
"""

import hashlib
import os
import sys
from functools import partial
from pathlib import Path

import numba
from numba.core.registry import cpu_target


def _kernels() -> str:
    """A digest of all files of the package that import this one."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        content = path.read_bytes()
        if b"steadfast.core.compiled" in content:
            digest.update(content)
    return digest.hexdigest()[:16]


_kept = Path(numba.config.CACHE_DIR or Path(__file__).parents[1] / "__pycache__")
if os.access(_kept if _kept.exists() else _kept.parent, os.W_OK):
    numba.config.CACHE_DIR = str(_kept / f"kernels-{_kernels()}")

if "scipy.linalg" in sys.modules:
    cpu_target.target_context.refresh()
else:
    sys.modules["scipy.linalg"] = None  # an import of it fails while this stands
    try:
        cpu_target.target_context.refresh()
    finally:
        del sys.modules["scipy.linalg"]

njit = partial(numba.njit, cache=True)
