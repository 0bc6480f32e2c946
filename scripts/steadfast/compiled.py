"""numba's compiler as the kernels use it.

What numba would load at the first call is loaded here, at import, and without scipy's linear
algebra, which numba looks for on behalf of matrix products in kernels: there are none here, and
it takes a third of a second in every job.
"""

import sys
from functools import partial

import numba
from numba.core.registry import cpu_target

if "scipy.linalg" in sys.modules:
    cpu_target.target_context.refresh()
else:
    sys.modules["scipy.linalg"] = None  # an import of it fails while this stands
    try:
        cpu_target.target_context.refresh()
    finally:
        del sys.modules["scipy.linalg"]

njit = partial(numba.njit, cache=True)
