"""Claims about where stability is highest."""

import pandas as pd

from steadfast.outputs.arguments import Count, MeasureUsed, Ratio, Selectors
from steadfast.outputs.cases import Claim, by_condition
from steadfast.outputs.kinds import claim
from steadfast.outputs.results import Curves
from steadfast.outputs.table import Table
from steadfast.statistics.knots import PEAK
from steadfast.statistics.knots import peaks as find_peaks


@claim
def peaks(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    first: Count,
    largest: Count = 100,
    selectors: Selectors,
) -> Claim:
    """Whether stability has a peak among the first features.

    Parameters
    ----------
    first
        Largest size at which a peak counts.
    largest
        Largest size at which a peak is looked for.
    """
    cases, rows = [], []
    for dataset in curves.datasets:
        for name in selectors:
            curve = curves.find(measure, dataset, ratio, name)
            if curve is None:
                continue
            found = find_peaks(curve.up_to(largest))
            case = f"{curves.selectors[name]}, {curves.title(dataset)}"
            cases.append((case, any(peak.size <= first for peak in found)))
            shown = ", ".join(f"{peak.size} ({peak.stability:.2f})" for peak in found)
            rows.append((dataset, name, shown or "none"))
    return by_condition(
        cases,
        shows=f"Stability has a peak among the first {first} features",
        unit="a selector and a data set",
        condition=f"stability has a local maximum up to {first} features that stands out by at "
        f"least {PEAK:g} on both sides",
        table=Table(
            pd.DataFrame(rows, columns=["dataset", "selector", "peaks"]),
            {"Dataset": "{dataset}", "Selector": "{selector}"}
            | {"Peaks: size (stability)": "{peaks}"},
        ),
    )
