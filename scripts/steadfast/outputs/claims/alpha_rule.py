"""Claims that one rule for α or the subset size loses less than another."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, one_of
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome, no_case
from steadfast.outputs.differences import mean_interval
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.alpha import (
    AIM,
    AIMS,
    ONLY,
    QUESTION,
    RULES,
    TRUTH,
    OfAlpha,
    datasets_by_truth,
    in_words,
    judge_beyond,
    losses,
    margin_of,
    rule_beyond,
    rule_label,
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
from steadfast.statistics.p_values import mcnemar

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_WORDS = Words("nearer to the best", "farther from the best", "equally near to the best")

#: Losses that are closer than this are equal.
_EQUAL = 1e-12

#: Rules that answer one question only.


@claim("alpha_rule")
class AlphaRule(OfAlpha, ClaimKind):
    """Whether one rule for α, the size, or both loses less than another."""

    keys: ClassVar[Keys] = {
        "question": QUESTION,
        "aim": AIM.but(default="both"),
        "rule": one_of("Rule said to lose less.", *RULES, required=True),
        "than": one_of("Rule it is compared with.", *RULES, required=True),
        "truth": TRUTH,
        "margin": margin_of(0.005),
        "expect": EXPECT,
    }

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        for key in ("rule", "than"):
            only = ONLY.get(entry[key])
            if only and only != entry["question"]:
                raise UserError(f"{where}.{key}: {entry[key]} answers the question {only} only")

    def build(self, view: View, published: ByTable) -> Outcome:
        entry = view.entry
        question, aim = entry["question"], entry["aim"]
        datasets = datasets_by_truth(view, entry["truth"])
        pair = [entry["rule"], entry["than"]]
        lost = [losses(view, question, aim, rule, datasets) for rule in pair]
        if any(values is None for values in lost):
            return no_case("the run has too few data sets for the rules, or none of the kind")
        labels = [rule_label(question, rule) for rule in pair]
        words = [in_words(question, rule) for rule in pair]
        apart = lost[1] - lost[0]
        rows = [
            [
                view.title(name),
                *(f"{value:.3f}" for value in values),
                f"{values[1] - values[0]:+.3f}",
            ]
            for name, values in zip(datasets, np.transpose(lost), strict=True)
        ]
        number = f"what the other rule loses in {AIMS[aim]}, less what the rule loses,"
        return Outcome(
            cases=[
                Case(view.title(name), judge_beyond(entry, value), float(value))
                for name, value in zip(datasets, apart, strict=True)
            ],
            statement=f"{capital(state(entry['expect'], *words, _WORDS))}, for {AIMS[aim]},",
            unit="a data set",
            rule=rule_beyond("a data set", number, entry),
            more=_test(apart),
            absence=claims_absence(entry["expect"]),
            details=markdown_rows(
                ["Dataset", *(f"Loss: {label}" for label in labels), "Difference"], rows
            ),
        )


def _test(apart: np.ndarray) -> str:
    """The interval of the mean over data sets, and a sign test."""
    _, low, high = mean_interval(apart)
    less, more = int((apart > _EQUAL).sum()), int((apart < -_EQUAL).sum())
    ends = "" if np.isnan(low) else f"95% interval of the mean: {low:+.3f} to {high:+.3f}. "
    p = mcnemar(less, more)
    return (
        f"{ends}It loses less on {less} and more on {more} (sign test, p = {p:.2g}; data sets that "
        "are made in one way count as independent there)."
    )
