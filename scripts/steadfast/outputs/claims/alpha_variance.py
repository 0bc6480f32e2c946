"""Claims that the α whose criterion varies less is the more stable."""

from typing import ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.result import markdown_rows, plus_minus
from steadfast.outputs.shared.alpha import (
    TERM,
    TERMS,
    OfAlpha,
    judge_beyond,
    margin_of,
    rule_beyond,
    term_correlation,
)
from steadfast.outputs.verdict import EXPECT, Case, claims_absence
from steadfast.outputs.view import View


@claim("alpha_variance")
class AlphaVarianceClaim(OfAlpha, ClaimKind):
    """Whether stability falls, over the α, with how far the criterion varies."""

    keys: ClassVar[Keys] = {
        "term": TERM,
        "margin": margin_of(0.3),
        "expect": EXPECT.but(
            description="What is claimed of Spearman's correlation with stability over the α: "
            "`above: x`, `below: x` or `within: m`, from −m to +m.",
            default={"below": 0},
        ),
    }

    def build(self, view: View, published: ByTable) -> Outcome:
        term, expect = view.entry["term"], view.entry["expect"]
        found = {dataset: term_correlation(view, dataset, term) for dataset in view.datasets}
        cases = [
            Case(view.title(dataset), judge_beyond(view.entry, value), value)
            for dataset, value in found.items()
        ]
        ((condition, limit),) = expect.items()
        by = f"{condition} {limit:g} by over {view.entry['margin']:g}"
        number = f"Spearman's correlation of {TERMS[term]} and stability over the α"
        return Outcome(
            cases=cases,
            statement=f"The correlation of {TERMS[term]} and stability is {by}",
            unit="a data set",
            rule=f"{rule_beyond('a data set', number, view.entry)} Differences are correlations.",
            absence=claims_absence(expect),
            details=markdown_rows(
                ["Dataset", f"Correlation of {TERMS[term]} and stability over the α"],
                [[view.title(dataset), plus_minus(value)] for dataset, value in found.items()],
            ),
        )
