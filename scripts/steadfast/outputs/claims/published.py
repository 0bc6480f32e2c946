"""Claims that stand beside published numbers: the best of a table, and pairs of selectors."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.outputs.arguments import (
    Measures,
    PairsOfSelectors,
    PrintedTable,
    Ratios,
    Selector,
    TwoNames,
)
from steadfast.outputs.cases import NOT_PUBLISHED, Claim, by_condition, untestable
from steadfast.outputs.curves import Curves
from steadfast.outputs.intervals import mark
from steadfast.outputs.kinds import claim
from steadfast.outputs.published import group_by
from steadfast.outputs.results import Measure, Results
from steadfast.outputs.sources.named_measures import CONSISTENCY
from steadfast.outputs.table import SIGNED_INTERVAL, Table
from steadfast.outputs.verdict import STABLE, Case, judge, listed, rule_of_cases, state
from steadfast.selectors.running.fold_file import CHOSEN

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_MORE_STABLE = {"above": 0}
_DIFFERENCE = SIGNED_INTERVAL.replace("*", "difference") + "| (published: {published:+.3f})"


def _refuse_table(study: "Study", entry: Mapping[str, Any], where: str) -> None:
    """The table must have data sets as rows, and the pivot as a column."""
    name, pivot = entry["table"], entry["pivot"]
    table = study.tables.get(name, {"selectors": [pivot]})
    if "ratios" in table or pivot not in table.get("selectors", []):
        raise UserError(
            f"{where}.table: {name} must have data sets as rows and {pivot} among its selectors"
        )


@claim(refuse=_refuse_table)
def best(
    results: Results,
    *,
    table: PrintedTable,
    pivot: Selector,
    expect: Literal["side", "differs"] = "side",
) -> Claim:
    """The best selector of each row of a table of ranks, published and reproduced.

    Parameters
    ----------
    pivot
        Selector that parts the table's columns into two sides.
    expect
        What is claimed: that the best lies on the published side, or that it differs between data
        sets.
    """
    pairs = results.pairs.get(table, [])
    if not pairs:
        return untestable(NOT_PUBLISHED)
    columns, label = list(group_by(pairs, "column")), results.selectors[pivot]
    rows = []
    for name, cells in group_by(pairs, "row").items():
        both = [min(cells, key=attrgetter(place)).column for place in ("published", "ours")]
        sides = {np.sign(columns.index(column) - columns.index(pivot)) for column in both}
        rows.append((name, *both, "yes" if len(sides) == 1 else "no"))
    frame = pd.DataFrame(rows, columns=["dataset", "published", "ours", "same"])
    more = {
        "more": f"The one that is printed as the best is so on "
        f"{(frame['published'] == frame['ours']).sum()} of {len(rows)}.",
        "table": Table(
            frame,
            {"Dataset": "{dataset}", "Best, published": "{published}", "Best, here": "{ours}"}
            | {f"Same side of {label}": "{same}"},
            labels={"published": results.selectors, "ours": results.selectors},
        ),
    }
    if expect == "side":
        return by_condition(
            [(results.title(name), same == "yes") for name, *_, same in rows],
            shows=f"The best lies on the published side of {label}",
            unit="a data set",
            condition="the best mean rank lies on the side on which it is published",
            **more,
        )
    best_on = {results.title(name): ours for name, _, ours, _ in rows}
    return by_condition(
        [(f"{a} and {b}", best_on[a] != best_on[b]) for a, b in combinations(best_on, 2)],
        shows="The best differs",
        unit="a pair of data sets",
        condition="the best mean rank is another selector's on the one than on the other",
        **more,
    )


class PublishedCurves(Curves):
    """Curves, and which data set each table of the study is about."""

    @classmethod
    def context_of(cls, study: "Study", entry: Mapping[str, Any]) -> dict[str, Any]:
        about = {name: table.get("dataset") for name, table in study.tables.items()}
        return {"table_datasets": about}

    def published_difference(self, measure: Measure, dataset: str, pair: Sequence[str]) -> float:
        """The published difference of two selectors; NaN where it is not printed."""
        printed = {
            one.row: one.published
            for table, of in self.context["table_datasets"].items()
            for one in self.pairs.get(table, [])
            if of == dataset and one.column == measure.measure
        }
        first, second = (printed.get(name, np.nan) for name in pair)
        return first - second


def _refuse_runs(study: "Study", entry: Mapping[str, Any], where: str) -> None:
    """Both selectors of a pair must have the same runs."""
    for (first, second), dataset in product(entry["pairs"], study.datasets):
        runs = [len(study.folds(dataset, name)) for name in (first, second)]
        if all(runs) and runs[0] != runs[1]:
            raise UserError(
                f"{where}.pairs: {first} has {runs[0]} runs on {dataset}, {second} {runs[1]}; give "
                "both the same under `runs`"
            )


@claim(refuse=_refuse_runs)
def pairs(
    curves: PublishedCurves,
    *,
    pairs: PairsOfSelectors,
    names: TwoNames = None,
    measures: Measures,
    ratios: Ratios = None,
) -> Claim:
    """Whether the first of each pair is more stable than the second under every measure.

    Parameters
    ----------
    pairs
        Pairs of selectors, the one said to be more stable first.
    names
        What the first of the pairs, and the second, are called in a sentence; the labels of a
        single pair if left out.
    ratios
        Ratios; all of the study if left out.
    """
    ratios, labels = ratios or curves.ratios, [curves.selectors[name] for name in pairs[0]]
    rows, cases = [], []
    for measure, dataset, pair, ratio in product(measures, curves.datasets, pairs, ratios):
        if all(curves.is_run(dataset, name) for name in pair):
            apart = curves.difference(measure, dataset, ratio, *pair)
            theirs = curves.published_difference(measure, dataset, pair)
            key = _name(measure), dataset, ratio, *pair
            rows.append((*key, *apart, mark(apart, measure.direction), theirs))
            if not np.isnan(apart.mean):
                case = f"{_name(measure)}, {curves.title(dataset)}"
                cases.append(Case(case, judge(_MORE_STABLE, apart.turned(measure.direction))))
    columns = ["measure", "dataset", "ratio", "first", "second"]
    frame = pd.DataFrame(rows, columns=[*columns, "difference", "low", "high", "mark", "published"])
    by_measure = frame.groupby("measure", sort=False)
    several = {"a pair of selectors": len(pairs) > 1, "a share of rows": len(ratios) > 1}
    units = ["a measure", "a pair of selectors", "a data set", "a share of rows"]
    unit = listed([one for one in units if several.get(one, True)])
    number = "the mean difference of stability over the subset sizes"
    if all(one.compare == CHOSEN for one in measures):
        number = "the difference of stability over the runs"
    names = names or (labels if len(pairs) == 1 else ["The first of a pair", "the second"])
    return Claim(
        cases,
        shows=state(_MORE_STABLE, *names, STABLE),
        unit=unit,
        rule=rule_of_cases(unit, number, _MORE_STABLE),
        lines=[_count(*group) for group in by_measure],
        table=Table(
            frame,
            {"Dataset": "{dataset}", "First": "{first}", "Second": "{second}"}
            | ({"r": "{ratio:g}"} if len(ratios) > 1 else {}),
            wide=("measure", _DIFFERENCE),
            labels={"first": curves.selectors, "second": curves.selectors},
            notes=[
                "Stability of the first minus that of the second, with the 95% interval over the "
                "runs, which both saw alike; ▲ where the interval lies on the side of the first, ▼ "
                "where on the side of the second."
            ],
        ),
    )


def _name(measure: Measure) -> str:
    """The measure in print; of chosen subsets, as papers name it."""
    chosen = measure.compare == CHOSEN
    return CONSISTENCY.get(measure.measure, measure.label) if chosen else measure.name


def _count(name: str, own: pd.DataFrame) -> str:
    """How often either of the pair is the more stable one under a measure, and by how much."""
    first, second = ((own["mark"] == sign).sum() for sign in (" ▲", " ▼"))
    theirs = own["published"].dropna()
    line = (
        f"- {name}: the interval lies on the side of the first in {first} of {len(own)} cells, on "
        f"that of the second in {second}, mean difference {own['difference'].mean():+.3f}"
    )
    if theirs.size:
        higher, lower = (theirs > 0).sum(), (theirs < 0).sum()
        line += f"; published: higher in {higher} of {theirs.size}, lower in {lower}"
    return f"{line}."
