"""Claims about curves: whether one lies above another, and where it has peaks."""

import pandas as pd

from steadfast.outputs.arguments import (
    Count,
    DatasetList,
    Expected,
    MeasureUsed,
    Quantity,
    Ratio,
    Ratios,
    Selector,
    Selectors,
)
from steadfast.outputs.cases import Claim, by_condition, by_interval
from steadfast.outputs.curves import Curves
from steadfast.outputs.intervals import Interval, single_value
from steadfast.outputs.kinds import claim
from steadfast.outputs.results import Measure, Score
from steadfast.outputs.table import Table
from steadfast.outputs.verdict import advantage, judge, listed, state
from steadfast.statistics.curve import common_sizes
from steadfast.statistics.knots import PEAK
from steadfast.statistics.knots import peaks as find_peaks
from steadfast.statistics.ranks import share_better

_SIDES = {1: "yes", 0: "open", -1: "no"}


@claim
def compare(
    curves: Curves,
    *,
    of: Quantity,
    better: Selector,
    than: Selector,
    datasets: DatasetList,
    ratios: Ratios,
    largest: Count | None = None,
    each_size: bool = False,
    relative: bool = False,
    expect: Expected,
) -> Claim:
    """Whether one selector beats another, on average over the sizes, or at each.

    Parameters
    ----------
    better
        Selector said to be better.
    than
        Selector it is compared with.
    largest
        Largest subset size; all if left out.
    each_size
        Whether every size is a case of its own, but that of all features.
    relative
        Whether the difference is also stated as a share of the other's mean.
    """
    cases, rows = [], []
    for dataset in datasets:
        for ratio in ratios:
            name = curves.title(dataset) + (f", r = {ratio:g}" if len(ratios) > 1 else "")
            row, mean, by_size = _compared(curves, of, dataset, ratio, [better, than], largest)
            if each_size:
                mean = single_value(mean.mean)
                cases += [(f"{name}, k = {k}", single_value(apart)) for k, apart in by_size]
            else:
                cases.append((name, mean))
            rows.append({**row, **mean._asdict(), "claimed": _SIDES[judge(expect, mean)]})
    labels = curves.selectors[better], curves.selectors[than]
    unit, number = ["a data set"], f"the mean difference of {of.noun} over the subset sizes"
    unit += ["a share of rows"] if len(ratios) > 1 else []
    if each_size:
        unit, number = [*unit, "a subset size"], "the difference"
    return by_interval(
        cases,
        expect,
        shows=state(expect, *labels, advantage(of.of, curves.score)),
        unit=listed(unit),
        number=number,
        values_only=all(pd.isna(row["low"]) for row in rows),
        table=_table(pd.DataFrame(rows), labels[0], relative),
    )


def _compared(
    curves: Curves,
    what: Measure | Score,
    dataset: str,
    ratio: float,
    selectors: list[str],
    largest: int | None,
) -> tuple[dict[str, object], Interval, list[tuple[int, float]]]:
    """How two selectors compare over the sizes: a row, the mean difference, that at each size.

    The mean has an interval where it is over all sizes.
    """
    pair = [curves.read(what, dataset, ratio, name) for name in selectors]
    first, second = (curve.up_to(largest) for curve in common_sizes(pair))
    values = [what.direction * curve.values for curve in (first, second)]
    apart = values[0] - values[1]
    mean = single_value(float(apart.mean()))
    if first.sizes.size == pair[0].sizes.size:
        interval = curves.difference(what, dataset, ratio, *selectors).turned(what.direction)
        mean = interval._replace(mean=mean.mean)
    row = {"dataset": dataset, "ratio": ratio, "sizes": first.sizes.size}
    row |= zip(("better", "equal"), share_better(*values), strict=True)
    row |= {"least": apart.min(), "most": apart.max(), "other": values[1].mean()}
    features = curves.about(dataset)["features"]
    return row, mean, [(k, float(one)) for k, one in zip(first.sizes, apart) if k < features]


def _table(frame: pd.DataFrame, better: str, relative: bool) -> Table:
    """The rows of `_compared` in print."""
    cells = {"Dataset": "{dataset}", "r": "{ratio:g}", "Sizes": "{sizes}"}
    cells |= {f"{better} better": "{better:.0%}", "Equal": "{equal:.0%}"}
    cells |= {"Mean difference": "{mean:+.3f}", "At single sizes": "{least:+.3f} to {most:+.3f}"}
    cells["95% interval of the mean"] = "{low:+.3f} to {high:+.3f}"
    if relative:
        for end in Interval._fields:
            frame[f"relative {end}"] = frame[end] / frame["other"]
        ends = "({relative low:+.1%} to {relative high:+.1%})"
        cells["Relative, with its interval"] = f"{{relative mean:+.1%}}| {ends}"
    return Table(frame, {**cells, "As claimed": "{claimed}"})


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
