"""Tables of where published ranks lie among those of many seeds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of, text
from steadfast.core.registry import table
from steadfast.experiments.seed_file import OTHER_RULE, read_seeds
from steadfast.outputs.captions import caption
from steadfast.outputs.kind import Entry, Reads, TableKind, require_rates
from steadfast.outputs.published import Pair, group_by, mean_difference, read_pairs
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.statistics.percentiles import percentile, row_percentile

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_COLUMNS = ("table", "row", "rule", "seeds", "difference", "mean", "low", "high")
_OF_ROW = ("distance", "percentile", "published_sd", "here_sd", "seeds_sd", "sd_percentile")


@table("percentiles")
class Percentiles(TableKind):
    """Where each published row of tables of ranks lies among the ranks under many seeds.

    The ranks under the seeds were computed before, by `scripts/seed_ranks.py`.
    """

    keys: ClassVar[Keys] = {
        "tables": list_of("Tables of ranks.", {"type": "string"}, names="table", required=True),
        "seeds": text("File of the ranks, from the project's folder on.", required=True),
    }
    reads = Reads(published=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        named = [name for one in entry["tables"] for name in _table(study, one)["selectors"]]
        return list(dict.fromkeys(named))

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        require_rates(study, where)
        for name in entry["tables"]:
            if _table(study, name)["kind"] != "ranks":
                raise UserError(f"{where}.tables: {name} is no table of ranks; name one")

    def project_files(self, entry: Entry) -> list[str]:
        return [entry["seeds"]]

    def why_absent(self, study: "Study", entry: Entry, has_published: bool) -> str:
        return "" if has_published else "no published numbers"

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        keys = ("of", "dataset", "ratio")
        tables = {name: _table(study, name) for name in entry["tables"] if name in study.tables}
        return {"tables": {n: {k: t[k] for k in keys if k in t} for n, t in tables.items()}}

    def build(self, view: View) -> Result:
        seeds = read_seeds(view.project_file(view.entry["seeds"]))
        selectors = view.selectors
        header = [*_COLUMNS, *_OF_ROW]
        header += [column for name in selectors for column in (name, f"{name} sd")]
        names = ["Table, row", "Rule", "Seeds", "Difference here", "Over the seeds", "Distance"]
        names += ["Percentile", "Spread, published", "Here", "Over the seeds", "Percentile"]
        result = Result(header, [], [*names, *selectors.values()])
        pairs = read_pairs(Path(view.paths("published")))
        for (name, row), printed in group_by(pairs, "table", "row").items():
            if name not in view.context["tables"]:
                continue
            found = _repetitions(view.context["tables"][name], row, seeds)
            for rule, rows in found.items():
                cells = _compare(printed, rows, own_rule=rule != OTHER_RULE)
                result.rows.append([name, row, rule, len(rows), *cells])
                label = f"{caption(name)}, {_row_title(view, row)}"
                shown = rule if len(found) > 1 else "–"
                result.printed.append([label, shown, str(len(rows)), *_texts(cells)])
        result.notes.append(_NOTE)
        return result


_NOTE = (
    "Rule: SU of a constant feature with itself (0 in Tables 3 to 8), where there is one. "
    "Difference: mean absolute difference of the mean ranks to the published ones, here and, mean "
    "and 5% to 95%, over the seeds. Distance: mean absolute difference of the published row to the "
    "mean of the seeds; its percentile: the share of the seeds that lie nearer to the mean of all "
    "others, the published row among them. Above 95, a row is farther off than all but one seed in "
    "twenty. Spread: mean over the row of the standard deviations over the sizes. The last columns "
    "have the percentile of each published mean rank among the seeds. Ranks are rounded to one "
    "digit, as published; ties count half."
)


def _table(study: "Study", name: str) -> Entry:
    """A table of the study; an override may have taken it out."""
    return study.tables.get(name, {"kind": "ranks", "selectors": []})


def _row_title(view: View, row: str) -> str:
    return view.title(row) if row in view.datasets else f"r = {row}"


def _repetitions(
    shown: Mapping[str, Any], row: str, seeds: Sequence[Mapping[str, str]]
) -> dict[str, list[Mapping[str, str]]]:
    """The ranks under the seeds that belong to a row of a table, by rule for constant features."""
    dataset = shown.get("dataset", row)
    ratio = float(shown.get("ratio", row))
    found: dict[str, list[Mapping[str, str]]] = {}
    for one in seeds:
        if (one["dataset"], one["of"], float(one["ratio"])) == (dataset, shown["of"], ratio):
            found.setdefault(one["rule"], []).append(one)
    return found


def _compare(
    printed: Sequence[Pair], rows: Sequence[Mapping[str, str]], *, own_rule: bool
) -> list[float]:
    """The numbers of a row of the table; see its note."""
    columns = [pair.column for pair in printed]
    means, sds = (
        np.array([[float(row[f"{name}{ending}"]) for name in columns] for row in rows])
        for ending in ("", " sd")
    )
    published = np.array([pair.published for pair in printed])
    published_sd = np.array([pair.published_sd for pair in printed])
    here, here_sd = mean_difference(printed), np.mean([pair.ours_sd for pair in printed])
    if not own_rule:
        here = here_sd = float("nan")
    differences = np.abs(means - published).mean(axis=1)
    rounded, rounded_sd = np.round(means, 1), np.round(sds, 1)
    cells = [here, differences.mean(), *np.percentile(differences, [5, 95])]
    cells += [*row_percentile(published, rounded), published_sd.mean(), here_sd, sds.mean()]
    cells.append(percentile(published_sd.mean().round(9), rounded_sd.mean(axis=1).round(9)))
    for at in range(len(columns)):
        cells.append(percentile(published[at], rounded[:, at]))
        cells.append(percentile(published_sd[at], rounded_sd[:, at]))
    return [float(cell) for cell in cells]


def _texts(cells: Sequence[float]) -> list[str]:
    here, mean, low, high, distance, share, theirs, here_sd, ours, spread, *single = cells
    first = [
        _text(here),
        f"{mean:.2f} ({low:.2f} to {high:.2f})",
        f"{distance:.2f}",
        f"{share:.0f}",
    ]
    spreads = [f"{theirs:.2f}", _text(here_sd), f"{ours:.2f}", f"{spread:.0f}"]
    return [*first, *spreads, *(f"{value:.0f}" for value in single[::2])]


def _text(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"
