"""steadfast: how far can a feature selection be trusted?

What is listed in `__all__` is the library's interface; docs/api.md shows each in use. A name is
imported when it is first asked for, so that `import steadfast` costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steadfast.api.listing import list_measures, list_selectors
    from steadfast.api.report import StabilityReport
    from steadfast.api.results import Comparison, StabilityCurve, StabilityValue
    from steadfast.api.scores import compare, stability, stability_curve
    from steadfast.api.stable_selector import StableSelector
    from steadfast.core.errors import UserError

__version__ = "1.0.0"

__all__ = [
    "Comparison",
    "StabilityCurve",
    "StabilityReport",
    "StabilityValue",
    "StableSelector",
    "UserError",
    "compare",
    "list_measures",
    "list_selectors",
    "stability",
    "stability_curve",
]

#: The module of each name.
_HOMES = {
    "Comparison": "api.results",
    "StabilityCurve": "api.results",
    "StabilityReport": "api.report",
    "StabilityValue": "api.results",
    "StableSelector": "api.stable_selector",
    "UserError": "core.errors",
    "compare": "api.scores",
    "list_measures": "api.listing",
    "list_selectors": "api.listing",
    "stability": "api.scores",
    "stability_curve": "api.scores",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'steadfast' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"steadfast.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
