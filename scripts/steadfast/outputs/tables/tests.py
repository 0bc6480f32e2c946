"""Tables of tests: do selectors differ over data sets, or in their stability on each?"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.measures.runs import Runs
from steadfast.measuring.overlaps import size_of
from steadfast.outputs.arguments import (
    AnySelector,
    PairsOfSelectors,
    Quantity,
    Ratio,
    SelectorsToTest,
    Size,
)
from steadfast.outputs.curves import Curves, Selections
from steadfast.outputs.intervals import UNDEFINED, Interval
from steadfast.outputs.kinds import table
from steadfast.outputs.sources import ranks
from steadfast.outputs.table import Table, each, shown
from steadfast.outputs.verdict import capital
from steadfast.selectors.running.fold_file import CHOSEN
from steadfast.statistics.friedman import FEWEST_DATASETS, FEWEST_FOR_PAIRS, LEVEL, Friedman
from steadfast.statistics.p_values import holm

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]


# Over data sets


@table(refuse=ranks.refuse_size_of_chosen, missing=ranks.why_too_few)
def friedman(
    curves: Curves, *, of: Quantity, ratio: Ratio, size: Size = None, selectors: SelectorsToTest
) -> Table:
    """Friedman's test of the selectors' ranks over the data sets, with Nemenyi's difference.

    Parameters
    ----------
    size
        Number of features; below 1, a share of them; sqrt, the square root of their number. Left
        out, ranks are means over all sizes.

    Notes
    -----
    {subject}; in brackets the selector's rank by it on the data set. Rank 1 is best, ties share
    the mean of their ranks.

    {unranked}

    {outcome}

    {of_pairs}
    """
    values, test = ranks.rank_datasets(curves, of, ratio, size, selectors)
    placed = pd.DataFrame(index=curves.datasets, columns=selectors, dtype=float)
    if test:
        placed.loc[test.datasets] = test.ranks
    by, digits = ranks.printed_quantity(of), ".3f"
    subject = f"{capital(by)} of the first k features"
    if size is None:
        subject = f"A selector's rank by {by}, mean over the subset sizes as in tables of ranks"
        digits = ".2f"
    facts, printed = [], []
    for dataset, k in values["sizes"].items():
        cells = [(name, values.at[dataset, name], placed.at[dataset, name]) for name in selectors]
        facts += [("value", dataset, k, name, "", value) for name, value, _ in cells]
        facts += [("rank", dataset, k, name, "", rank) for name, _, rank in cells]
        texts = [f"{shown(value, digits)} ({rank:g})" for _, value, rank in cells]
        printed.append((dataset, k, *(text.removesuffix(" (nan)") for text in texts)))
    if test:
        facts += _facts_of_test(test)
        printed += _foot(test)
    left_out = ", ".join(map(curves.title, values.index[values.isna().any(axis=1)]))
    unranked = f"Not ranked, for some selector has no value there: {left_out}." if left_out else ""
    names = ["what", "dataset", "sizes", "selector", "against", "value"]
    return Table(
        pd.DataFrame(facts, columns=names),
        {"Dataset": "{dataset}", "Sizes" if size is None else "k": "{sizes}"}
        | each(curves.labels_of(selectors), "{*}"),
        printed=pd.DataFrame(printed, columns=["dataset", "sizes", *selectors], dtype=object),
        say={"subject": subject, "unranked": unranked, **_in_words(test)},
    )


def _facts_of_test(test: Friedman) -> list[tuple[Any, ...]]:
    """All that the test says, a row per fact."""
    facts = [("mean_rank", "", "", name, "", mean) for name, mean in test.mean_ranks.items()]
    for i, j in combinations(range(len(test.selectors)), 2):
        pair = test.selectors[i], test.selectors[j]
        facts.append(("nemenyi_p", "", "", *pair, test.pairwise_p[i, j]))
    numbers = {
        "chi_square": test.statistic,
        "p": test.p,
        "iman_davenport_f": test.f_statistic,
        "iman_davenport_p": test.f_p,
        "critical_difference": test.critical_difference,
    }
    return facts + [(what, "", "", "", "", number) for what, number in numbers.items()]


def _foot(test: Friedman) -> list[tuple[str, ...]]:
    """Mean ranks, and groups of selectors that do not differ, where it is known that some do."""
    rows = [("**Mean rank**", "", *(f"**{mean:.2f}**" for mean in test.mean_ranks.values()))]
    if test.rejected and test.compares_pairs:
        numbers = [
            ", ".join(str(at) for at, group in enumerate(test.groups, start=1) if name in group)
            for name in test.selectors
        ]
        rows.append(("Group", "", *numbers))
    return rows


def _in_words(test: Friedman | None) -> dict[str, str]:
    """What the test says, and what that means for pairs of selectors."""
    if test is None:
        outcome = f"No test: fewer than {FEWEST_DATASETS} data sets are ranked."
        return {"outcome": outcome, "of_pairs": ""}
    n, k = test.ranks.shape
    p, f_p, sign_p = map(ranks.equals_p, (test.p, test.f_p, 2 * 0.5**n))
    outcome = (
        f"Friedman's test, {n} data sets: χ² = {test.statistic:.2f} ({k - 1} degrees of freedom), "
        f"p {p}{'' if test.rejected else '; it does not reject'}. Iman and Davenport's F = "
        f"{test.f_statistic:.2f} ({k - 1} and {(k - 1) * (n - 1)} degrees of freedom), p {f_p}."
    )
    if test.compares_pairs:
        width = test.critical_difference
        outcome += f" Nemenyi's critical difference at {LEVEL:g}: {width:.2f} ranks."
    if not test.compares_pairs:
        of_pairs = (
            f"Which selectors differ is not asked of {n} data sets: even one that is ahead of "
            f"another on all of them has p {sign_p} (sign test). Nemenyi's critical difference is "
            f"stated from {FEWEST_FOR_PAIRS} data sets on."
        )
    elif not test.rejected:
        of_pairs = (
            "So no two selectors are to be read as different. With few data sets only large "
            "differences would be found."
        )
    else:
        of_pairs = "Selectors of one group do not differ by more than that"
        if len(test.groups) == 1:
            of_pairs = "No two selectors differ by more than that: Nemenyi's test has less power"
        of_pairs += "; p-values of all pairs are in the .csv."
    return {"outcome": outcome, "of_pairs": of_pairs}


# On each data set

_OF_SAMPLE = ("runs", "stability", "low", "high")
_SIDES = [f"{side}_{name}" for side in ("first", "second") for name in _OF_SAMPLE]
_COLUMNS = ["dataset", "k", "first", "second", *_SIDES, "statistic", "p", "note"]

#: How the stability of each of the two is printed.
_STABILITY = "{*_stability:.3f}| [{*_low:.3f}, {*_high:.3f}]"


def _refuse(study: "Study", entry: Entry, where: str) -> None:
    """Pairs name all selectors themselves; the runs of each must be one sample."""
    for key in ("reference", "selectors"):
        if "pairs" in entry and key in entry:
            raise UserError(f"{where}.{key}: does not go with the other keys beside it")
    if not study.scheme.one_sample:
        scheme = study.resample["scheme"]
        raise UserError(
            f"{where}: the folds of {scheme} come in several groups, and the test wants one sample "
            "of runs; use cv, subsample, halves, pairs, shrinking_bootstrap or perturbed"
        )


@table(refuse=_refuse)
def stability_test(
    selections: Selections,
    *,
    compare: Literal["all_pairs", "chosen"] | None = None,
    ratio: Ratio,
    size: Size = 10,
    pairs: PairsOfSelectors = None,
    reference: AnySelector = None,
    selectors: SelectorsToTest,
) -> Table:
    """Nogueira's two-sample test of pairs of selectors on each data set.

    Parameters
    ----------
    compare
        `all_pairs`: the first features of the runs; `chosen`: the subsets that selectors chose. If
        left out, as the study's measures are.
    pairs
        Pairs of selectors; every two, or each with the reference, if left out.
    reference
        Selector that the others are tested against.

    Notes
    -----
    Nogueira's stability of {subsets} over the runs, with its 95% interval. T: difference of the two
    over its standard error, standard normal if both are equally stable; p two-sided, and corrected
    by Holm over the tests of this table ({count}). ▲: the first is more stable at 0.05 after
    correction, ▼: the second.

    The test takes runs as independent, and those of the two selectors too. Here runs are resamples
    of one data set that share rows, and both selectors saw the same ones; with about ten runs the
    variance is also too small. So read p as a guide: it is about resamples of these rows, not about
    new data.

    {absent}
    """
    of_study = {measure.compare for measure in selections.measures}
    chosen = compare == CHOSEN or (compare is None and of_study == {CHOSEN})
    pairs = pairs or pairs_to_test(selectors, reference)
    rows = _test_pairs(selections, pairs, ratio, None if chosen else size)
    frame = pd.DataFrame(rows, columns=_COLUMNS)
    frame.insert(len(_COLUMNS) - 1, "p_holm", holm(frame["p"]))
    better = np.where(frame["statistic"] > 0, " ▲", " ▼")
    frame["_mark"] = np.where(frame["p_holm"] < LEVEL, better, "")
    absent = frame[frame["p"].isna()]
    reasons = ". ".join((absent["dataset"].map(selections.title) + ", " + absent["note"]).unique())
    return Table(
        frame,
        {"Dataset": "{dataset}", "k": "{k}"}
        | {"First": "{first}", "Stability of the first": _STABILITY.replace("*", "first")}
        | {"Second": "{second}", "Stability of the second": _STABILITY.replace("*", "second")}
        | {"T": "{statistic:.2f}{_mark}", "p": "{p:p}", "p (Holm)": "{p_holm:p}"},
        labels={"first": selections.selectors, "second": selections.selectors},
        say={
            "subsets": "the subsets that the selectors chose" if chosen else "the first k features",
            "count": frame["p"].count(),
            "absent": f"– : no test. {reasons}." if reasons else "",
        },
    )


def _test_pairs(
    selections: Selections, pairs: Iterable[Sequence[str]], ratio: float, size: Any
) -> list[tuple[Any, ...]]:
    """A row for each pair on each data set that both are run on; `size` is None for own subsets."""
    rows = []
    for dataset in selections.datasets:
        k = None if size is None else size_of(size, len(selections.features(dataset)))
        for names in pairs:
            if all(selections.is_run(dataset, name) for name in names):
                both = [sample(selections, dataset, ratio, name, k) for name in names]
                labels = [selections.selectors[name] for name in names]
                rows.append((dataset, k or CHOSEN, *names, *_compare(*both, labels)))
    return rows


def pairs_to_test(selectors: list[str], reference: str | None) -> list[tuple[str, str]]:
    """A reference with each other selector, or every two."""
    if reference is None:
        return list(combinations(selectors, 2))
    return [(reference, name) for name in selectors if name != reference]


class Sample(NamedTuple):
    """Runs of a selector, their stability, and what was left out or why it is undefined."""

    runs: Runs
    stability: Interval
    note: str


@cache
def sample(
    selections: Selections, dataset: str, ratio: float, selector: str, k: int | None
) -> Sample:
    """The first k features of every run that has a selection, or (None) the subsets it chose."""
    from steadfast.measuring.scoring import score_one

    every = selections.selections(dataset, selector, ties=selections.ties)
    folds = [fold.name for fold in selections.compared_folds(dataset, ratio) if fold.name in every]
    kept = {fold: every[fold] for fold in folds if not every[fold].note}
    subsets = [run.chosen if k is None else run.sequence[:k] for run in kept.values()]
    runs = Runs(len(selections.features(dataset)), subsets, ranked=False, names=list(kept))
    *numbers, _, note = score_one("nogueira", runs, seed=selections.seed)
    if not note and k is not None and runs.depth < k:
        numbers = UNDEFINED
        note = f"run {runs.name(int(np.argmin(runs.sizes)))} lists fewer than {k} features"
    if len(kept) < len(folds):
        missing = f"{len(folds) - len(kept)} of {len(folds)} runs have no selection"
        note = "; ".join(filter(None, [missing, note]))
    return Sample(runs, Interval(*numbers), note)


def _compare(first: Sample, second: Sample, labels: Sequence[str]) -> tuple[Any, ...]:
    """Numbers of both samples, statistic, p, and why there is no test or what was left out."""
    from steadfast.measures.frequency import nogueira_test

    statistic, p, both = float("nan"), float("nan"), (first, second)
    notes = [f"{label}: {side.note}" for label, side in zip(labels, both) if side.note]
    if not np.isnan([side.stability.mean for side in both]).any():
        statistic, p = nogueira_test(first.runs, second.runs)
        notes += ["neither has a variance"] if np.isnan(p) else []
    numbers = len(first.runs), *first.stability, len(second.runs), *second.stability
    return *numbers, statistic, p, "; ".join(notes)
