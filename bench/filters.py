"""Which selectors are filters, how they are called on a large table, and what one call takes.

`python bench/filters.py NAME ROWS FEATURES` measures one of `CALLS` in this process and prints
seconds and megabytes as JSON.
"""

import json
import sys
import time
from typing import Any, NamedTuple

import inputs

#: Selectors that are no filters, and why. All others of the registry are, but those that run
#: another selector, have a classifier inside, draw samples, or select at random.
NO_FILTERS = {
    "boruta": "trains forests",
    "knockoffs": "trains the lasso, on 2,000 features at most",
    "l1_svm": "trains machines",
    "svm_one": "trains machines",
    "svm_rfe": "trains machines",
    "trusted": "tests against shuffles, with ReliefF on copies",
}

#: Features that are ranked, as in advice: a whole ranking by mRMR counts every pair of features.
FIRST = 100

BINS = {"method": "equal_width", "bins": 10}

#: ReliefF with so many rows as probes; with every row, distances of all pairs are computed.
PROBES = 1000
EVERY_ROW = "relieff, every row a probe"

#: Parameters beside the number of features. How often mRSmR goes over the rows depends on the data.
PARAMETERS: dict[str, dict[str, Any]] = {
    "relieff": {"n_probes": PROBES},
    "mrsmr": {"most_iterations": 5, "least_iterations": 5},
}

#: Rows and features of the warm-up.
SMALL = 60, 30

#: A call that takes less is repeated, and the best counts.
SHORT, REPETITIONS = 20.0, 3


class Call(NamedTuple):
    """How a filter is called: the entry of a study, and whether it wants bins."""

    settings: dict[str, Any]
    discretise: dict[str, Any] | None


def filter_names() -> list[str]:
    """All filters of the registry."""
    from steadfast.core import registry

    return [
        name
        for name, one in registry.declared("selector").items()
        if name not in NO_FILTERS and not (one.runs or one.wraps or one.samples or one.at_random)
    ]


def calls() -> dict[str, Call]:
    """Every filter, and ReliefF once more."""
    from steadfast.core import registry

    known = registry.declared("selector")
    found = {}
    for name in filter_names():
        params = {"n_features_to_select": FIRST, **PARAMETERS.get(name, {})}
        found[name] = Call({"use": name, "params": params}, BINS if known[name].discrete else None)
    params = {"n_features_to_select": FIRST}
    return found | {EVERY_ROW: Call({"use": "relieff", "params": params}, None)}


def run(call: Call, data: dict[str, Any]) -> Any:
    """One selection as a job makes it, on a copy of the training rows."""
    import numpy as np

    from steadfast.selectors.running.select import select

    rows, names = np.arange(len(data["y"])), ("made up", "all")
    X, y = data["X"][rows], data["y"][rows]
    return select(call.settings, X, y, seed=0, names=names, discretise=call.discretise)


def measure(name: str, rows: int, features: int) -> dict[str, float]:
    """Seconds of a call, the peak of this process, and what it had before there was a table."""
    from steadfast.core.cli import own_peak_mb

    call = calls()[name]
    run(call, inputs.wide_table(*SMALL, False))
    start = own_peak_mb()
    data = inputs.wide_table(rows, features, False)
    taken = [_seconds(call, data)]
    peak = own_peak_mb()
    while taken[0] < SHORT and len(taken) < REPETITIONS:
        taken.append(_seconds(call, data))
    return {"seconds": min(taken), "peak": peak, "start": start}


def _seconds(call: Call, data: dict[str, Any]) -> float:
    began = time.process_time()
    run(call, data)
    return time.process_time() - began


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
