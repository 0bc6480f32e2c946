"""Claims that selectors choose more stable subsets than others, run by run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import SIGNS, Interval, marked_interval, side, turn
from steadfast.outputs.kind import Entry, Reads, require_measured
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.named_measures import CONSISTENCY
from steadfast.outputs.verdict import Case, judge, rule_of_cases
from steadfast.outputs.view import View
from steadfast.selectors.running.fold_file import CHOSEN

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


_MORE_STABLE = {"above": 0}


@claim("pairs")
class Pairs(ClaimKind):
    """Whether the first of each pair chooses more stable subsets than the second, run by run."""

    keys: ClassVar[Keys] = {
        "pairs": keys.pairs_of(
            "selector", "Pairs of selectors, the one said to be better first.", required=True
        ),
        "names": list_of(
            "What the first of the pairs, and the second, are called in a sentence.",
            {"type": "string"},
            default=["the first of the pair", "the second"],
        ).but(schema={"minItems": 2, "maxItems": 2}),
        "measures": list_of(
            "Measures of the chosen subsets; all of the study's if left out.",
            {"type": "string"},
            names="measure",
        ),
    }
    reads = Reads(stability=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [name for pair in entry["pairs"] for name in pair]

    def measures(self, study: "Study", entry: Entry) -> list[Entry]:
        every = [given["measure"] for given in study.measures]
        return [{"measure": name, "compare": CHOSEN} for name in entry.get("measures", every)]

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        if study.scheme.mixed:
            raise UserError(
                f"{where}: {study.resample['scheme']} has folds of several kinds; pairs needs "
                "subsample, halves or cv"
            )
        if not any(given["compare"] == CHOSEN for given in study.measures):
            raise UserError(f"{where}: no measure is compared by chosen")
        for name in entry.get("measures", []):
            require_measured(study, {"measure": name, "compare": CHOSEN}, where)
        for first, second in entry["pairs"]:
            for dataset in study.datasets:
                runs = [len(study.folds(dataset, name)) for name in (first, second)]
                if all(runs) and runs[0] != runs[1]:
                    raise UserError(
                        f"{where}.pairs: {first} has {runs[0]} runs on {dataset}, {second} "
                        f"{runs[1]}; give both the same under `runs`"
                    )

    def build(self, view: View, published: ByTable) -> Outcome:
        """In how many cases the first chooses more stable subsets, here and published."""
        entry = view.entry
        wanted = entry.get("measures")
        infos = [
            info
            for info in view.context["measures"]
            if info["compare"] == CHOSEN and (wanted is None or info["measure"] in wanted)
        ]
        compared = [
            (dataset, *pair)
            for dataset in view.datasets
            for pair in entry["pairs"]
            if all(view.is_run(dataset, name) for name in pair)
        ]
        labels = view.selectors
        rows = [[view.title(d), labels[better], labels[than]] for d, better, than in compared]
        header, lines, cases = ["Dataset", "First", "Second"], [], []
        for info in infos:
            name = CONSISTENCY.get(info["measure"], info["label"])
            header += [f"{name}: difference", "published"]
            ours, theirs = [], []
            for row, (dataset, better, than) in zip(rows, compared, strict=True):
                query = {**info, "dataset": dataset, "ratio": view.ratios[0]}
                ours.append(view.difference(query, better, than))
                if not np.isnan(ours[-1].mean):
                    apart = turn(ours[-1], info["distance"])
                    named = f"{name}, {row[1]}, {row[0]}"
                    cases.append(Case(named, judge(_MORE_STABLE, apart)))
                theirs.append(
                    _published_difference(view, published, dataset, info["measure"], better, than)
                )
                printed = "–" if np.isnan(theirs[-1]) else f"{theirs[-1]:+.3f}"
                row += [marked_interval(ours[-1], info["distance"]), printed]
            lines.append(_count(name, ours, theirs, info["distance"]))
        note = (
            "Stability of the first minus that of the second, with the 95% interval over the runs, "
            f"which both saw alike; {SIGNS}."
        )
        first, second = entry["names"]
        unit = "a measure, a pair of selectors and a data set"
        number = "the difference of stability over the runs"
        return Outcome(
            cases=cases,
            statement=f"Subsets of {first} are more stable than those of {second}",
            unit=unit,
            rule=rule_of_cases(unit, number, _MORE_STABLE),
            details=[*lines, "", *markdown_rows(header, rows), "", note],
        )


def _count(name: str, ours: Sequence[Interval], theirs: Sequence[float], distance: bool) -> str:
    signs = [side(interval, distance) for interval in ours]
    known = [interval.mean for interval in ours if not np.isnan(interval.mean)]
    mean = f", mean difference {np.mean(known):+.3f}" if known else ""
    line = (
        f"- {name}: the interval lies on the side of the first in {signs.count(1)} of {len(signs)} "
        f"cells, on that of the second in {signs.count(-1)}{mean}"
    )
    printed = [each for each in theirs if not np.isnan(each)]
    if printed:
        higher, lower = sum(each > 0 for each in printed), sum(each < 0 for each in printed)
        line += f"; published: higher in {higher} of {len(printed)}, lower in {lower}"
    return line + "."


def _published_difference(
    view: View, published: ByTable, dataset: str, measure: str, better: str, than: str
) -> float:
    """The published difference, NaN where it is not printed."""
    tables = [name for name, of in view.context["table_datasets"].items() if of == dataset]
    printed = {
        pair.row: pair.published
        for table in tables
        for pair in published.get(table, [])
        if pair.column == measure
    }
    return printed[better] - printed[than] if {better, than} <= set(printed) else float("nan")
