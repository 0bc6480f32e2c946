"""Packages that only some results need."""

import importlib
from types import ModuleType

from steadfast.core.errors import UserError


def need(module: str, what: str) -> ModuleType:
    """A module of the extra `report`; where it is missing, one line says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise UserError(
            f"{what} needs {package}, which is not installed: pip install 'steadfast[report]'"
        ) from None
