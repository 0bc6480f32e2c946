"""Tables of the selectors' ranks over the subset sizes, and of published ranks beside them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.keys import text
from steadfast.data.table import read_table
from steadfast.experiments.seed_file import OTHER_RULE, read_seeds
from steadfast.measuring.constant_features import constant_credit
from steadfast.outputs.arguments import (
    Argument,
    Dataset,
    MeasureUsed,
    NamedSelectors,
    Published,
    Quantity,
    Ratio,
    Ratios,
    require_rates,
)
from steadfast.outputs.captions import caption
from steadfast.outputs.curves import Curves, Selections
from steadfast.outputs.kinds import table
from steadfast.outputs.published import read_pairs
from steadfast.outputs.results import Results
from steadfast.outputs.sources.ranks import RANK, mean_ranks, rank_cells, why_unpublished
from steadfast.outputs.table import Table, each, shown
from steadfast.statistics.curve import Curve
from steadfast.statistics.percentiles import percentile, row_percentile

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]
_NAN = float("nan")


# Ranks by ratio or by data set


def _refuse_other_rows(study: "Study", entry: Entry, where: str) -> None:
    """Rows are ratios of one data set, or data sets at one ratio."""
    needed = {"dataset", "ratios"} if {"dataset", "ratios"} & set(entry) else {"ratio"}
    for key in sorted(needed - set(entry)):
        raise UserError(f"{where}.{key}: this key is missing")


@table(published_cells=True, refuse=_refuse_other_rows)
def ranks(
    curves: Curves,
    *,
    of: Quantity,
    dataset: Dataset = None,
    ratio: Ratio = None,
    ratios: Ratios = None,
    selectors: NamedSelectors,
    published: Published,
) -> Table:
    """Mean and standard deviation over all sizes of each selector's rank.

    Parameters
    ----------
    dataset
        Data set whose ratios are the rows; all data sets are rows if left out.
    ratio
        Ratio, where the rows are data sets.
    ratios
        Ratios, where they are the rows.

    Notes
    -----
    Rank 1 is best, ties share the smaller rank. Mean ∓ standard deviation over all subset sizes; at
    each size {of.noun} is the mean over the resamples.
    """
    here, printed = [], []
    column, heading = ("ratio", "Ratio r") if dataset else ("dataset", "Dataset")
    for row in ratios if dataset else curves.datasets:
        at, key = ((dataset, row), f"{row:g}") if dataset else ((row, ratio), row)
        label = curves.labels["dataset"].get(key, key)
        read = {name: curves.read(of, *at, name) for name in selectors}
        here.append({column: row, **mean_ranks(read, of.direction)})
        printed.append({"_row": label, **here[-1]})
        if key in published:
            theirs = rank_cells(published[key], selectors)
            printed.append({"_row": f"{label}, published", **theirs})
    return Table(
        pd.DataFrame(here),
        {heading: "{_row}"} | each(curves.labels_of(selectors), RANK),
        printed=pd.DataFrame(printed),
    )


# Both rules for constant features


class BinnedSelections(Selections):
    """Selections, and the data sets in bins."""

    reads = (*Selections.reads, "bins")

    def constant(self, dataset: str) -> np.ndarray:
        """Which features have one value in all rows."""
        bins = read_table(Path(self.paths("bins", dataset=dataset))).X
        return (bins == bins[0]).all(axis=0)


def _refuse_other_measures(study: "Study", entry: Entry, where: str) -> None:
    """The rule for constant features is one of SU matching."""
    if (entry["measure"], entry["compare"]) != ("su_matching", "reference"):
        raise UserError(f"{where}: the rule is one of su_matching with a reference; measure that")


@table(refuse=_refuse_other_measures)
def constant_features(
    selections: BinnedSelections,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    selectors: NamedSelectors,
    published: Published,
) -> Table:
    """Ranks by SU matching where a constant feature's SU with itself is 0, and where it is 1.

    Notes
    -----
    Rank 1 is best, ties share the smaller rank. Mean ∓ standard deviation over all subset sizes; at
    each size stability is the mean over the resamples.

    Constant: features of one value in all rows. SU with itself: what such a feature counts when
    both selections have it; 0 is the study's rule. Difference: mean absolute difference to the
    published mean ranks.
    """
    rows = []
    for dataset in selections.datasets:
        constant = selections.constant(dataset)
        theirs = rank_cells(published.get(dataset, {}), selectors)
        curves = {name: selections.read(measure, dataset, ratio, name) for name in selectors}
        by_rule = {"0" if constant.any() else "either": mean_ranks(curves)}
        if constant.any():
            for name, curve in curves.items():
                credit = _credit(selections, dataset, ratio, name, constant)[curve.sizes - 1]
                curves[name] = Curve(curve.sizes, curve.values + credit)
            by_rule["1"] = mean_ranks(curves)
        for rule, cells in by_rule.items():
            apart = float(np.mean([abs(cells[name] - theirs[name]) for name in selectors]))
            printed = {"_count": str(constant.sum()), "_difference": shown(apart, ".2f")}
            about = {"dataset": dataset, "rule": rule, "constant_features": constant.sum()}
            rows.append({**about, **cells, "difference": apart, **printed})
        if dataset in published:
            blank = {"difference": _NAN, "_count": "", "_difference": ""}
            rows.append({**rows[-1], "rule": "published", **theirs, **blank})
    return Table(
        pd.DataFrame(rows),
        {"Dataset": "{dataset}", "Constant": "{_count}", "SU with itself": "{rule}"}
        | each(selections.labels_of(selectors), RANK)
        | {"Difference": "{_difference}"},
    )


def _credit(
    selections: Selections, dataset: str, ratio: float, selector: str, constant: np.ndarray
) -> np.ndarray:
    """What SU 1 of constant features with themselves adds to the same matching, by size."""
    chosen = selections.selections(dataset, selector)
    credits = [
        constant_credit(chosen[fold.reference].sequence, chosen[fold.name].sequence, constant)
        for fold in selections.folds(dataset)
        if fold.ratio == ratio
    ]
    return np.mean(credits, axis=0)


# Published ranks among those under many seeds


class PublishedRanks(Results):
    """The numbers that a paper prints beside those of the run, and the study's tables of ranks."""

    reads = ("published",)

    @classmethod
    def context_of(cls, study: "Study", entry: Entry) -> dict[str, Any]:
        every = study.tables.items()
        return {"tables": {name: about for name, about in every if about["kind"] == "ranks"}}


class SeedFile(Argument):
    """A file of the project with ranks under many seeds, given as a frame of its text."""

    def project_files(self, entry: Entry, name: str) -> list[str]:
        return [entry[name]]

    def value(self, results: Results, entry: Entry, name: str) -> pd.DataFrame:
        return pd.DataFrame(read_seeds(Path(results.context["project"]) / entry[name]))


_SEEDS = text("File of the ranks, from the project's folder on.", required=True)


@table(refuse=require_rates, missing=why_unpublished)
def percentiles(
    numbers: PublishedRanks, *, seeds: Annotated[pd.DataFrame, SeedFile(_SEEDS)]
) -> Table:
    """Where each published row of the tables of ranks lies among the ranks under many seeds.

    The ranks under the seeds were computed before, by `scripts/seed_ranks.py`.

    Notes
    -----
    Rule: SU of a constant feature with itself (0 in Tables 3 to 8), where there is one. Difference:
    mean absolute difference of the mean ranks to the published ones, here and, mean and 5% to 95%,
    over the seeds. Distance: mean absolute difference of the published row to the mean of the
    seeds; its percentile: the share of the seeds that lie nearer to the mean of all others, the
    published row among them. Above 95, a row is farther off than all but one seed in twenty.
    Spread: mean over the row of the standard deviations over the sizes. The last columns have the
    percentile of each published mean rank among the seeds. Ranks are rounded to one digit, as
    published; ties count half.
    """
    tables, rows = numbers.context["tables"], []
    published = pd.DataFrame(read_pairs(Path(numbers.paths("published"))))
    published = published[published["table"].isin(tables)]
    for (name, row), printed in published.groupby(["table", "row"], sort=False):
        about = tables[name]
        dataset, ratio = about.get("dataset", row), float(about.get("ratio", row))
        kept = (seeds["dataset"] == dataset) & (seeds["of"] == about["of"])
        kept &= seeds["ratio"].astype(float) == ratio
        label = numbers.labels["dataset"].get(row, f"r = {row}")
        by_rule = dict(list(seeds[kept].groupby("rule", sort=False)))
        for rule, repetitions in by_rule.items():
            cells = _among_seeds(printed, repetitions)
            if rule == OTHER_RULE:
                cells |= {"difference": _NAN, "here_sd": _NAN}
            key = {"table": name, "row": row, "rule": rule, "seeds": len(repetitions)}
            shown_rule = rule if len(by_rule) > 1 else "–"
            rows.append({**key, **cells, "_row": f"{caption(name)}, {label}", "_rule": shown_rule})
    names = dict.fromkeys(name for about in tables.values() for name in about["selectors"])
    return Table(
        pd.DataFrame(rows),
        {"Table, row": "{_row}", "Rule": "{_rule}", "Seeds": "{seeds}"}
        | {"Difference here": "{difference:.2f}"}
        | {"Over the seeds": "{mean:.2f} ({low:.2f} to {high:.2f})"}
        | {"Distance": "{distance:.2f}", "Percentile": "{percentile:.0f}"}
        | {"Spread, published": "{published_sd:.2f}", "Spread here": "{here_sd:.2f}"}
        | {"Spread over the seeds": "{seeds_sd:.2f}"}
        | {"Percentile of the spread": "{sd_percentile:.0f}"}
        | each(numbers.labels_of(list(names)), "{*:.0f}"),
    )


def _among_seeds(printed: pd.DataFrame, seeds: pd.DataFrame) -> dict[str, float]:
    """Differences, spreads and percentiles of a published row; see the notes of the table."""
    names = list(printed["column"])
    means = np.ascontiguousarray(seeds[names], dtype=float)
    sds = np.ascontiguousarray(seeds[[f"{name} sd" for name in names]], dtype=float)
    theirs, their_sds = printed["published"].to_numpy(), printed["published_sd"].to_numpy()
    differences = np.abs(means - theirs).mean(axis=1)
    low, high = np.percentile(differences, [5, 95])
    ranks, spreads = means.round(1), sds.round(1)
    distance, share = row_percentile(theirs, ranks)
    cells = {
        "difference": np.abs(printed["ours"].to_numpy() - theirs).mean(),
        **{"mean": differences.mean(), "low": low, "high": high},
        **{"distance": distance, "percentile": share},
        "published_sd": their_sds.mean(),
        "here_sd": printed["ours_sd"].to_numpy().mean(),
        "seeds_sd": sds.mean(),
        "sd_percentile": percentile(their_sds.mean().round(9), spreads.mean(axis=1).round(9)),
    }
    for at, name in enumerate(names):
        cells[name] = percentile(theirs[at], ranks[:, at])
        cells[f"{name} sd"] = percentile(their_sds[at], spreads[:, at])
    return cells
