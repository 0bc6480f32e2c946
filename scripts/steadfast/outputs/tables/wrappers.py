"""Tables of selectors that choose the size of their subsets."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import table
from steadfast.measures import find
from steadfast.outputs.keys import PUBLISHED_AS, SEVERAL_SELECTORS, THE_DATASET
from steadfast.outputs.kind import Entry, Reads, TableKind, require_measured, require_rates
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.named_measures import CONSISTENCY
from steadfast.outputs.view import View
from steadfast.selectors.running.fold_file import CHOSEN, Selection

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Measures with an interval and a value by chance; the others are the ends of a scale.
_ESTIMATED = ("c", "cw", "cw_rel", "jaccard")

_NAN = float("nan")

_HEADER = (
    *("selector", "runs", "stopped", "rate", "rate sd", "size", "size sd"),
    *("held_out", "held_out sd", *CONSISTENCY),
    *(f"{name} half interval" for name in _ESTIMATED),
    *(f"{name} by chance" for name in _ESTIMATED),
)


@table("wrappers")
class Wrappers(TableKind):
    """Rate, size and consistency of the subsets that selectors of a size of their own chose."""

    keys: ClassVar[Keys] = {
        "dataset": THE_DATASET,
        "selectors": SEVERAL_SELECTORS,
        "published_as": PUBLISHED_AS,
        "notes": list_of("What else is to be said below it.", {"type": "string"}),
    }
    reads = Reads(stability=True, accuracy=True, selections=True)
    has_published_cells = True
    is_timed = True

    def scored_selectors(
        self, study: "Study", entry: Entry, selectors: Sequence[str]
    ) -> Sequence[str]:
        """Not those that have seen the test rows."""
        return [name for name in selectors if name in own_classifiers(study)]

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        named = self.selectors(study, entry)
        readings = {
            row: [name for name in names if name in named] for row, names in study.readings.items()
        }
        return {
            "scored_by": own_classifiers(study),
            "published": published,
            "readings": {row: names for row, names in readings.items() if names},
        }

    def code(self, study: "Study", entry: Entry) -> list[str]:
        """The measures whose values by chance it computes."""
        return sorted({find(name).file for name in _ESTIMATED})

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        require_rates(study, where)
        if study.scheme.mixed:
            raise UserError(
                f"{where}: {study.resample['scheme']} has folds of several kinds; wrappers needs "
                "subsample, halves or cv"
            )
        for measure in CONSISTENCY:
            require_measured(study, {"measure": measure, "compare": CHOSEN}, where)

    def build(self, view: View) -> Result:
        dataset = view.entry["dataset"]
        printed = ["Wrapper", "", "Runs", "Rate", "Size", *CONSISTENCY.values(), "Held-out rate"]
        result = Result(list(_HEADER), [], printed)
        for printed_row, selectors in _groups(view).items():
            for selector in selectors:
                row = _row(view, selector)
                result.rows.append([selector, *(row[name] for name in _HEADER[1:])])
                result.printed.append([view.selectors[selector], "here", *_cells(row)])
            published = view.context["published"].get(printed_row)
            if published:
                result.printed.append(["", "published", *_cells(published)])
        result.notes += _notes(view.title(dataset), len(view.features(dataset)))
        result.notes += view.entry.get("notes", [])
        return result


def _groups(view: View) -> dict[str, list[str]]:
    """Selectors by the row of the paper's table that they read; others by themselves."""
    readings = view.context["readings"]
    row_of = {name: row for row, names in readings.items() for name in names}
    rows = dict.fromkeys(row_of.get(name, name) for name in view.selectors)
    return {row: readings.get(row, [row]) for row in rows}


def own_classifiers(study: "Study") -> dict[str, str]:
    """Wrappers to the classifier of the study that is their own and scores their chosen subsets.

    Not where a wrapper selects on all rows: no row is left that it has not seen.
    """
    from steadfast.accuracy import classifiers

    own: dict[str, str] = {}
    for selector, about in study.selectors.items():
        if about.sees_all_rows or not (about.declared and about.declared.wraps):
            continue
        for name, settings in study.classifiers.items():
            chosen = settings.get("sizes") == CHOSEN
            if chosen and classifiers.create(settings).is_inside(about.params):
                own.setdefault(selector, name)
    return own


def _row(view: View, selector: str) -> dict[str, float]:
    """The numbers of a selector, by their columns."""
    every = view.selections(view.entry["dataset"], selector)
    finished = [selection for selection in every.values() if not selection.note]
    rates = np.array([selection.criterion for selection in finished])
    sizes = np.array([selection.chosen.size for selection in finished])
    row = {"runs": len(finished), "stopped": len(every) - len(finished)}
    row |= _mean_and_sd("rate", rates) | _mean_and_sd("size", sizes)
    return row | _held_out(view, selector) | _consistency(view, selector, finished)


def _mean_and_sd(name: str, values: np.ndarray) -> dict[str, float]:
    sd = float(values.std(ddof=1)) if values.size > 1 else _NAN
    return {name: float(values.mean()) if values.size else _NAN, f"{name} sd": sd}


def _held_out(view: View, selector: str) -> dict[str, float]:
    """Accuracy of the wrapper's own classifier on rows that the run did not see."""
    classifier = view.context["scored_by"].get(selector)
    query = {"of": "accuracy", "classifier": classifier, **_place(view)}
    curve = view.curves.find(query, selector) if classifier else None
    if curve is None:
        return {"held_out": _NAN, "held_out sd": _NAN}
    return {"held_out": curve.values[0], "held_out sd": curve.sd[0]}


def _consistency(view: View, selector: str, finished: list[Selection]) -> dict[str, float]:
    """Stability of the chosen subsets by every measure, with intervals and values by chance."""
    from steadfast.measures.kinds import load
    from steadfast.measures.runs import Runs
    from steadfast.measuring.expected import expected_subsets

    seed, n_features = view.context["seed"], len(view.features(view.entry["dataset"]))
    runs = Runs(n_features, [selection.chosen for selection in finished], ranked=False)
    row = {}
    for name in CONSISTENCY:
        query = {"of": "stability", "measure": name, "compare": CHOSEN, **_place(view)}
        curve = view.curves.find(query, selector)
        row[name] = curve.values[0] if curve else _NAN
        if name in _ESTIMATED:
            chance = expected_subsets(load(name), runs, seed=seed) if finished else _NAN
            row[f"{name} half interval"] = curve.half[0] if curve else _NAN
            row[f"{name} by chance"] = chance
    return row


def _place(view: View) -> dict[str, Any]:
    return {"dataset": view.entry["dataset"], "ratio": view.ratios[0]}


def _cells(row: Mapping[str, float]) -> list[str]:
    """As the paper prints it, with half of the interval where there is one."""
    cells = ["" if "runs" not in row else f"{row['runs']:g}"]
    if row.get("stopped"):
        cells[0] += f" ({row['stopped']:g} stopped)"
    for name, digits in (("rate", 3), ("size", 2)):
        value, spread = row.get(name, _NAN), row.get(f"{name} sd", _NAN)
        cell = plus_minus(value, spread, digits, "∓")
        # A paper may print a spread as 4e-4.
        tiny = 0 < spread < 0.0005
        cells.append(f"{plus_minus(value, digits=digits)} ∓ {spread:.0e}" if tiny else cell)
    for name in CONSISTENCY:
        cells.append(plus_minus(row.get(name, _NAN), row.get(f"{name} half interval", _NAN), 3))
    held_out = row.get("held_out", _NAN), row.get("held_out sd", _NAN)
    return [*cells, plus_minus(*held_out, 3, "∓")]


def _notes(title: str, n_features: int) -> list[str]:
    return [
        f"{title}, {n_features} features. Rate: the criterion of the chosen subset, mean accuracy "
        "over the splits inside a run, which the search has looked at; held-out rate: accuracy of "
        "the same classifier on the rows that the run did not see. Mean ∓ standard deviation over "
        "the runs. GK: mean pairwise Tanimoto coefficient. ± half of the 95% interval, jackknife "
        "over the runs. CWmin and CWmax: the least and the most that CW can be with so many "
        "features selected in all; values by chance are in the .csv.",
        "How long it took is not the same twice and stands apart, in "
        "`benchmarks/STUDY/times.md` of the results.",
    ]
