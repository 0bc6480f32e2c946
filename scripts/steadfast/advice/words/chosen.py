"""Parameters that a selector chose from the data, run by run, in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.selectors.running.fold_file import Selection

#: Signs of parameters in print.
_SIGNS = {"alpha": "α"}

#: Of values that are equally frequent, no more than these are named.
_NAMED = 2

#: How values are chosen, for all selectors that do.
HOW = (
    "Where parameters were chosen from the data, each run chose by resampling its own training "
    "rows: by how stable the selection with each value is there, and how accurate naive Bayes is."
)

#: Values of each parameter, each with the number of the runs that chose it.
Counts = Mapping[str, Sequence[tuple[Any, int]]]


def shown_parameter(name: str) -> str:
    """A parameter in print."""
    return _SIGNS.get(name, name)


def shown_value(value: Any) -> str:
    """A value of a parameter in print."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def count_chosen(selections: Sequence[Selection]) -> dict[str, list[tuple[Any, int]]]:
    """How many runs chose each value of each parameter; smallest value first."""
    found: dict[str, Counter] = {}
    for one in selections:
        for name, value in one.parameters.items():
            found.setdefault(name, Counter())[value] += 1
    return {
        name: sorted(counts.items(), key=lambda pair: (isinstance(pair[0], str), pair[0]))
        for name, counts in found.items()
    }


def chosen_in_words(chosen: Counts) -> str:
    """What was chosen: `α chosen from the data: 0.4 to 0.7 in 30 runs, most often 0.6`."""
    return "; ".join(
        f"{shown_parameter(name)} chosen from the data: {_values(counts)}"
        for name, counts in chosen.items()
    )


def _values(counts: Sequence[tuple[Any, int]]) -> str:
    values = [shown_value(value) for value, _ in counts]
    runs = sum(count for _, count in counts)
    if len(values) == 1:
        return f"{values[0]} in all {runs} runs"
    numbers = not any(isinstance(value, str) for value, _ in counts)
    between = f"{values[0]} to {values[-1]}" if numbers else ", ".join(values)
    most = max(count for _, count in counts)
    often = [value for value, (_, count) in zip(values, counts, strict=True) if count == most]
    told = f", most often {' and '.join(often)}" if len(often) <= _NAMED else ""
    return f"{between} in {runs} runs{told}"
