"""Claims that one rule for the subset size comes nearer to the truth than another."""

from typing import ClassVar

from steadfast.core.keys import Keys, one_of
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome, no_case
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.alpha import (
    NESTED,
    OfAlpha,
    against_truth,
    datasets_by_truth,
    in_words,
    is_chosen,
    judge_beyond,
    margin_of,
    rule_beyond,
)
from steadfast.outputs.verdict import (
    EXPECT,
    Case,
    Words,
    capital,
    claims_absence,
    state,
)
from steadfast.outputs.view import View

_WORDS = Words("nearer to the truth", "farther from the truth", "equally near to the truth")


@claim("alpha_size_truth")
class AlphaSizeTruth(OfAlpha, ClaimKind):
    """Whether one rule for the size comes nearer to the relevant features than another."""

    keys: ClassVar[Keys] = {
        "rule": one_of("Rule said to come nearer.", *NESTED, required=True),
        "than": one_of("Rule it is compared with.", *NESTED, required=True),
        "margin": margin_of(0.02),
        "expect": EXPECT,
    }

    def build(self, view: View, published: ByTable) -> Outcome:
        entry, cases, rows = view.entry, [], []
        pair = [entry["rule"], entry["than"]]
        for rule in pair:
            if not is_chosen(view, rule):
                return no_case(f"the study has no selector for {in_words('size', rule)}")
        for dataset in datasets_by_truth(view, "known"):
            own = [against_truth(view, dataset, rule) for rule in pair]
            apart = own[0].f1 - own[1].f1
            cases.append(Case(view.title(dataset), judge_beyond(entry, apart), apart))
            cells = [
                f"{one.f1:.2f} ({one.precision:.2f}, {one.recall:.2f}; {one.k:.1f})" for one in own
            ]
            rows.append([view.title(dataset), *cells, f"{apart:+.2f}"])
        labels = [NESTED[rule][2] for rule in pair]
        words = [in_words("size", rule) for rule in pair]
        number = "F1 (of precision, and recall of blocks) less that of the other rule"
        header = ["Dataset", *(f"F1 (precision, recall; k): {label}" for label in labels)]
        return Outcome(
            cases=cases,
            statement=capital(state(entry["expect"], *words, _WORDS)),
            unit="a data set of known truth",
            rule=rule_beyond("a data set of known truth", number, entry),
            reason="no data set of the run has known truth",
            absence=claims_absence(entry["expect"]),
            details=markdown_rows([*header, "Difference"], rows),
        )
