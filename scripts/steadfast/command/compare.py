"""Is one selector more stable than another? Nogueira's test on runs of the user's own."""

import argparse

from steadfast.command.score import cut_runs, number_of_features
from steadfast.core.errors import UserError


def run(given: argparse.Namespace) -> None:
    """Print both stabilities with their intervals, and the test of their difference."""
    from steadfast.api.scores import value_of
    from steadfast.measures import find
    from steadfast.measures.catalogue import align_columns
    from steadfast.measures.declare import PAGE_MEASURE
    from steadfast.measures.frequency import nogueira_test, why_untested
    from steadfast.measures.policy import why_undefined
    from steadfast.measuring.scoring import read_runs

    m, needs = number_of_features(given), find(PAGE_MEASURE).needs
    both = [(path, read_runs(path, m)) for path in (given.first, given.second)]
    for k in given.top or [None]:
        rows, cut = [], []
        for path, runs in both:
            cut.append(runs if k is None else cut_runs(runs, path, k))
            reason = why_undefined(needs, cut[-1])
            if reason:
                raise UserError(f"{path}: stability is undefined: {reason}")
            found = value_of(cut[-1])
            rows.append((str(path), found.runs, found.value, found.low, found.high))
        print(align_columns(("runs of", "runs", "Nogueira", "low", "high"), rows))
        statistic, p = nogueira_test(*cut)
        outcome = f"T = {statistic:.3f}, two-sided p = {p:.3g}"
        if statistic != statistic:
            outcome = why_untested(*cut)
        print(f"{f'first {k}: ' if k else ''}{outcome}\n")
    print("T: difference of the two over its standard error; 95% intervals (Nogueira et al. 2018).")
