"""Claims that the criterion of one mRMR selector varies more than that of another."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.variation import OfVariation, read_variation
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

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

    def build(self, view: View, published: ByTable) -> list[str]:
        entry = view.entry
        names = [entry["more"], entry["than"]]
        tables = {name: read_variation(view, name) for name in names}
        more, than = (tables[name]["score_sd"] for name in names)
        shared = np.isfinite(more) & np.isfinite(than)
        larger = np.count_nonzero(more[shared] > than[shared])
        first, second = (view.selectors[name] for name in names)
        means = [np.mean(sd[np.isfinite(sd)]) for sd in (more, than)]
        relative = [_relative(tables[name]) for name in names]
        return [
            f"As measured: on {view.title(entry['dataset'])} the standard deviation of the score "
            f"over bootstraps, mean over the steps of the sequence, is {means[0]:.3f} for {first} "
            f"and {means[1]:.3f} for {second}; that of {first} is the larger one at {larger} of "
            f"{np.count_nonzero(shared)} steps. The two scores have different scales: relative to "
            f"the score itself (median over the steps) it is {relative[0]:.0%} and "
            f"{relative[1]:.0%}.",
            "",
            *markdown_rows(
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
            "",
        ]


def _relative(table: dict[str, np.ndarray]) -> float:
    """Median over the steps of the score's standard deviation, relative to its mean."""
    mean, sd = table["score"], table["score_sd"]
    shown = np.isfinite(mean) & np.isfinite(sd) & (mean != 0)
    return float(np.median(sd[shown] / np.abs(mean[shown])))
