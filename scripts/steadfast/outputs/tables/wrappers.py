"""Tables of selectors that choose the size of their subsets, and of what selections cost."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from steadfast.accuracy import classifiers
from steadfast.core.errors import UserError
from steadfast.measures import find
from steadfast.outputs.arguments import (
    Dataset,
    Published,
    SeveralSelectors,
    require_measured,
    require_rates,
)
from steadfast.outputs.curves import Selections
from steadfast.outputs.kinds import table
from steadfast.outputs.sources.named_measures import CONSISTENCY
from steadfast.outputs.table import Table, each, plus_minus
from steadfast.selectors.running.fold_file import CHOSEN

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Measures with an interval and a value by chance; the others are the ends of a scale.
ESTIMATED = ["c", "cw", "cw_rel", "jaccard"]


class Searches(Selections):
    """Selections, and how the study runs and scores its selectors."""

    @classmethod
    def context_of(cls, study: "Study", entry: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "passes": {name: one.passes for name, one in study.selectors.items()},
            "readings": study.readings,
            "scored_by": own_classifiers(study),
        }


def own_classifiers(study: "Study") -> dict[str, str]:
    """Wrappers to the classifier of the study that is their own and scores their chosen subsets.

    Not where a wrapper selects on all rows: no row is left that it has not seen.
    """
    own: dict[str, str] = {}
    for selector, about in study.selectors.items():
        if about.sees_all_rows or not (about.declared and about.declared.wraps):
            continue
        for name, settings in study.classifiers.items():
            chosen = settings.get("sizes") == CHOSEN
            if chosen and classifiers.create(settings).is_inside(about.params):
                own.setdefault(selector, name)
    return own


def _refuse(study: "Study", entry: Mapping[str, Any], where: str) -> None:
    """The subsets must be of single runs that are all alike, and be compared by every measure."""
    require_rates(study, entry, where)
    if study.scheme.mixed:
        raise UserError(
            f"{where}: {study.resample['scheme']} has folds of several kinds; wrappers needs "
            "subsample, halves or cv"
        )
    for measure in CONSISTENCY:
        require_measured(study, {"measure": measure, "compare": CHOSEN}, where)


def _measure_files(study: "Study", entry: Mapping[str, Any]) -> list[str]:
    """The measures whose values by chance are computed."""
    return sorted({find(name).file for name in ESTIMATED})


@table(published_cells=True, timed=True, refuse=_refuse, modules=_measure_files)
def wrappers(
    searches: Searches,
    *,
    dataset: Dataset,
    selectors: SeveralSelectors,
    published_as: Published,
    notes: list[str] | None = None,
) -> Table:
    """Rate, size and consistency of the subsets that selectors of a size of their own chose.

    Parameters
    ----------
    notes
        Paragraphs that are printed below it.

    Notes
    -----
    {title}, {features} features. Rate: the criterion of the chosen subset, mean accuracy over the
    splits inside a run, which the search has looked at; held-out rate: accuracy of the same
    classifier on the rows that the run did not see. Mean ∓ standard deviation over the runs. GK:
    mean pairwise Tanimoto coefficient. ± half of the 95% interval, jackknife over the runs. CWmin
    and CWmax: the least and the most that CW can be with so many features selected in all; values
    by chance are in the .csv.

    How long it took is not the same twice and stands apart, in `benchmarks/STUDY/times.md` of the
    results.
    """
    readings = searches.context["readings"].items()
    paper_row = {name: row for row, names in readings for name in names}
    groups: dict[str, list[dict[str, Any]]] = {}
    for name in selectors:
        row = _describe_subsets(searches, dataset, name)
        groups.setdefault(paper_row.get(name, name), []).append(row)
    printed = []
    for name, rows in groups.items():
        printed += [{**row, "stopped": row["stopped"] or None, "by": "here"} for row in rows]
        if name in published_as:
            printed.append({"selector": "", "by": "published", **published_as[name]})
    return Table(
        pd.DataFrame([row for rows in groups.values() for row in rows]),
        {"Wrapper": "{selector}", "": "{by}", "Runs": "{runs:g}| ({stopped:g} stopped)"}
        | {"Rate": _rate, "Size": "{size:.2f}| ∓ {size sd:.2f}"}
        | each({name: CONSISTENCY[name] for name in ESTIMATED}, "{*:.3f}| ± {* half interval:.3f}")
        | {"CWmin": "{cw_min:.3f}", "CWmax": "{cw_max:.3f}"}
        | {"Held-out rate": "{held_out:.3f}| ∓ {held_out sd:.3f}"},
        printed=pd.DataFrame(printed),
        notes=notes or [],
        say={"title": searches.title(dataset), "features": searches.about(dataset)["features"]},
    )


def _rate(row: Mapping[str, Any]) -> str:
    """The rate and its standard deviation, which a paper may print as 4e-04."""
    if 0 < row["rate sd"] < 0.0005:
        return f"{row['rate']:.3f} ∓ {row['rate sd']:.0e}"
    return plus_minus(row["rate"], row["rate sd"], 3, "∓")


def _describe_subsets(searches: Searches, dataset: str, selector: str) -> dict[str, Any]:
    """Rate, size, held-out rate and consistency of a selector's subsets, by their columns."""
    every = searches.selections(dataset, selector).values()
    finished = [one for one in every if not one.note]
    place = dataset, searches.ratios[0], selector
    scored_by = searches.context["scored_by"].get(selector)
    scored = searches.find(searches.scored(scored_by), *place) if scored_by else None
    means = {
        "rate": pd.Series([one.criterion for one in finished], dtype=float),
        "size": pd.Series([one.chosen.size for one in finished], dtype=float),
        "held_out": pd.Series(scored.units[:, 0] if scored else [], dtype=float),
    }
    row = {"selector": selector, "runs": len(finished), "stopped": len(every) - len(finished)}
    for name, values in means.items():
        row |= {name: values.mean(), f"{name} sd": values.std()}
    measures = [searches.measure({"measure": m, "compare": CHOSEN}) for m in CONSISTENCY]
    found = {one.measure: searches.interval(one, *place, None) for one in measures}
    row |= {name: interval.mean for name, interval in found.items()}
    row |= {f"{name} half interval": found[name].half for name in ESTIMATED}
    return row | _by_chance(searches, dataset, [one.chosen for one in finished])


def _by_chance(searches: Searches, dataset: str, chosen: list[np.ndarray]) -> dict[str, float]:
    """The expected stability of random subsets of the same sizes."""
    from steadfast.measures.kinds import load
    from steadfast.measures.runs import Runs
    from steadfast.measuring.expected import expected_subsets

    if not chosen:
        return {}
    runs = Runs(len(searches.features(dataset)), chosen, ranked=False)
    values = [expected_subsets(load(name), runs, seed=searches.seed) for name in ESTIMATED]
    return {f"{name} by chance": value for name, value in zip(ESTIMATED, values)}


@table(timed=True)
def cost(searches: Searches, *, dataset: Dataset, selectors: SeveralSelectors) -> Table:
    """How many rankings a selection computes, and on how many rows in all.

    Notes
    -----
    {title}. Training sets read: rankings times the share of the training rows that each sees. Times
    are in `benchmarks/STUDY/times.md` of the results.
    """
    rows = []
    for name in selectors:
        passes = searches.context["passes"][name]
        finished = [one for one in searches.selections(dataset, name).values() if not one.note]
        counts = pd.Series([one.iterations or passes["rankings"] for one in finished], dtype=float)
        if finished:
            mean = counts.mean()
            rows.append((name, mean, counts.min(), counts.max(), mean * passes["share"]))
    names = ["selector", "rankings", "fewest", "most", "training_sets_read"]
    return Table(
        pd.DataFrame(rows, columns=names),
        {"Selector": "{selector}", "Rankings a selection": "{rankings:.3g}"}
        | {"Fewest": "{fewest:.3g}", "Most": "{most:.3g}"}
        | {"Training sets read": "{training_sets_read:.3g}"},
        say={"title": searches.title(dataset)},
    )
