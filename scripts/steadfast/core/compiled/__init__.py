"""numba's compiler as the kernels use it.

What numba would load at the first call is loaded here, at import, and without scipy's linear
algebra, which numba looks for on behalf of matrix products in kernels: there are none here, and
it takes a third of a second in every job.

numba keeps what it compiled and compiles again when the file of a kernel changes, but it does not
see a change in a kernel that this one calls from another file. So what it keeps goes into a folder
named by the content of all files with kernels. There, numba would name files by the path of the
package; by their place in it, every copy with the same kernels finds them compiled.
"""

import hashlib
import os
import sys
from functools import partial
from pathlib import Path

import numba
from numba.core import caching
from numba.core.registry import cpu_target

import steadfast.core.compiled.kernel_files  # noqa: F401

_PACKAGE = Path(__file__).parents[2]


def _kernels() -> str:
    """A digest of this folder, and of all files of the package that import from it."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        content = path.read_bytes()
        if b"steadfast.core.compiled" in content or path.parent == Path(__file__).parent:
            digest.update(content)
    return digest.hexdigest()[:16]


def _name_by_place(locator: type) -> None:
    """Let numba name the files of kernels by the place of their module in the package."""
    usual = locator.get_suitable_cache_subpath

    def place(cls: type, file: str) -> str:
        folder = Path(file).parent
        if not folder.is_relative_to(_PACKAGE):
            return usual(file)
        return "-".join(("steadfast", *folder.relative_to(_PACKAGE).parts))

    locator.get_suitable_cache_subpath = classmethod(place)


# Its name has changed between the versions that are supported.
for _name in ("UserProvidedCacheLocator", "_UserProvidedCacheLocator"):
    if hasattr(caching, _name):
        _name_by_place(getattr(caching, _name))
        break

_kept = Path(numba.config.CACHE_DIR or _PACKAGE / "__pycache__")
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
