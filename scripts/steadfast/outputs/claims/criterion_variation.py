"""Claims that the criterion of one mRMR selector varies more than that of another."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import single_value
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.variation import OfVariation, read_variation
from steadfast.outputs.verdict import Case, judge, rule_of_cases
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_LARGER = {"above": 0}
_TERMS = {"relevance": "V", "redundancy": "W", "score": "score"}


@claim("criterion_variation")
class CriterionVariation(OfVariation, ClaimKind):
    """How far the score of one mRMR selector varies over bootstraps, beside that of another."""

    keys: ClassVar[Keys] = {
        "dataset": keys.THE_DATASET,
        "more": keys.SELECTOR.but(description="Selector whose score is said to vary more."),
        "than": keys.THAN,
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["more"], entry["than"]]

    def build(self, view: View, published: ByTable) -> Outcome:
        entry = view.entry
        names = [entry["more"], entry["than"]]
        tables = {name: read_variation(view, name) for name in names}
        more, than = (tables[name]["score_sd"] for name in names)
        first, second = (view.selectors[name] for name in names)
        relative = [_relative(tables[name]) for name in names]
        unit = f"a step of the sequence on {view.title(entry['dataset'])}"
        number = "the difference of the scores' standard deviations over bootstraps"
        return Outcome(
            cases=_steps(more - than),
            statement=f"The score of {first} varies more than that of {second}",
            unit=unit,
            rule=rule_of_cases(unit, number, _LARGER, by_value=True),
            more=(
                "The two scores have different scales: relative to the score itself (median over "
                f"the steps) the standard deviation is {relative[0]:.0%} and {relative[1]:.0%}."
            ),
            details=markdown_rows(
                ["Mean standard deviation of", *_TERMS.values(), "score, relative"],
                [
                    [
                        view.selectors[name],
                        *(f"{np.nanmean(table[f'{term}_sd']):.3f}" for term in _TERMS),
                        f"{share:.0%}",
                    ]
                    for (name, table), share in zip(tables.items(), relative, strict=True)
                ],
            ),
        )


def _steps(apart: np.ndarray) -> list[Case]:
    """Steps at which both scores vary."""
    return [
        Case(f"step {step}", judge(_LARGER, single_value(value)), float(value))
        for step, value in enumerate(apart, start=1)
        if np.isfinite(value)
    ]


def _relative(table: dict[str, np.ndarray]) -> float:
    """Median over the steps of the score's standard deviation, relative to its mean."""
    mean, sd = table["score"], table["score_sd"]
    shown = np.isfinite(mean) & np.isfinite(sd) & (mean != 0)
    return float(np.median(sd[shown] / np.abs(mean[shown])))
