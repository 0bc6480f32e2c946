"""Which features pass a threshold with a bound of the false ones, for the page of a study."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.advice.evidence import Witness, to_json_number
from steadfast.data.table import Table
from steadfast.measuring.error_bounds import BOUNDS_OF, Bounded, bounded
from steadfast.statistics.stability_selection import BOUND_NAMES

#: False features among those that pass, on average, at most.
PFER = 1.0


def error_bounds(witnesses: Sequence[Witness], table: Table, halves: str) -> dict[str, Any]:
    """What passes for every selector of a study on halves; see `measuring.error_bounds.bounded`."""
    m = table.X.shape[1]
    return {
        "halves": halves,
        "pfer": PFER,
        "bound": BOUNDS_OF[halves][0],
        "selectors": [
            {"id": one.id, "label": one.label, **_to_json(found, table.features)}
            for one in witnesses
            if one.selections
            for found in [bounded(one.selections, m, halves, pfer=PFER)]
        ],
    }


def _to_json(found: Bounded, names: Sequence[str]) -> dict[str, Any]:
    columns = found.passed.features
    return {
        "per_run": to_json_number(found.per_run, 2),
        "threshold": found.passed.threshold,
        "features": [names[column] for column in columns],
        "frequencies": [to_json_number(found.counts[column] / found.n_runs) for column in columns],
        "bounds": {name: to_json_number(value) for name, value in found.bounds.items()},
        "words": _words(len(columns), found.bounds, found.passed.reason),
    }


def _words(n_passed: int, bounds: Mapping[str, float], reason: str) -> str:
    if reason:
        return f"None: {reason}."
    name, value = next(iter(bounds.items()))
    if n_passed == 1:
        return f"At most {value:.2g} false features are expected to pass ({BOUND_NAMES[name]})."
    verb = "is" if value == 1 else "are"
    return (
        f"At most {value:.2g} of these {n_passed} features {verb} expected to be false "
        f"({BOUND_NAMES[name]})."
    )
