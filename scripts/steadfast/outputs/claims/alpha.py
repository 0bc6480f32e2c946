"""Claims about α: that the best one depends on the data, why, and which rules find it."""

from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd

from steadfast.outputs.arguments import AtLeast, Expected
from steadfast.outputs.cases import Claim, by_interval, untestable
from steadfast.outputs.intervals import Interval, mean_interval
from steadfast.outputs.kinds import claim
from steadfast.outputs.sources.alpha import MID, MIQ, Aim, Alpha, Question, Rule, Truth
from steadfast.outputs.table import Table, each
from steadfast.outputs.verdict import AGAINST, FOR, OPEN, Case, Expect, Words, capital, state
from steadfast.statistics.p_values import mcnemar

#: What of the criterion is looked at, in print.
_TERMS = {"variance": "variance", "noise": "share of noise"}

#: Values that are closer than this are equal.
_EQUAL = 1e-9

Term = Literal["variance", "noise"]
Margin = Annotated[float, AtLeast(0)]


@claim
def alpha_differs(alpha: Alpha, *, aim: Aim = "both") -> Claim:
    """Whether the best α of a data set is another than the best on the mean over all.

    Parameters
    ----------
    aim
        What is aimed at: `stability`, `accuracy`, or `both`, their mean.
    """
    common, values, best = alpha.best_on_mean(aim), alpha.by_alpha(aim), alpha.best(aim)
    is_best = values[common] >= values.max(axis=1) - _EQUAL
    cases = []
    for dataset, own, low, high in best.itertuples():
        side = AGAINST if is_best[dataset] else OPEN if low <= common <= high else FOR
        cases.append(Case(alpha.title(dataset), side, own - common))
    return Claim(
        cases,
        shows=f"The best α for {aim} is not {common:g}, the best on the mean,",
        unit="a data set",
        rule="A case is a data set. It speaks for the claim where the 95% interval of its best α "
        "(over bootstraps of its folds, which share rows: it is rather too narrow) does not hold "
        "the α that is best on the mean over all data sets, and against it where no α is better "
        "there than that one; else it is open. Differences are those of the two α.",
        more=f"The best α lie from {best['alpha'].min():g} to {best['alpha'].max():g}.",
        table=Table(
            best.reset_index(),
            {"Dataset": "{dataset}", f"Best α for {aim}": "{alpha:g}"}
            | {"95% interval": "{low:g} to {high:g}"},
        ),
    )


@claim
def alpha_quotient(alpha: Alpha, *, term: Term = "variance") -> Claim:
    """Whether MIQ varies more than MID, and is less stable.

    Parameters
    ----------
    term
        `variance` of the chosen feature's score, or `noise`: its share in how candidates differ.
    """
    spread, stability = alpha.by_criterion(term), alpha.by_criterion("stability")
    varies_more, cases = spread[MIQ] > spread[MID], []
    for dataset, ahead in (stability[MID] - stability[MIQ]).items():
        supports = varies_more[dataset] and ahead > 0
        side = FOR if supports else AGAINST if ahead < 0 else OPEN
        cases.append(Case(alpha.title(dataset), side, ahead))
    name, title = _TERMS[term], _TERMS[term].capitalize()
    return Claim(
        cases,
        shows=f"MIQ has the larger {name} and is less stable than MID",
        unit="a data set",
        rule=f"A case is a data set. It speaks for the claim where the {name} of MIQ is above that "
        "of MID and its stability below (single values), against it where MIQ is the more stable; "
        "else it is open. Differences are stability of MID less that of MIQ.",
        table=Table(
            spread.join(stability.add_suffix("_stability")).reset_index(),
            {"Dataset": "{dataset}"}
            | each({MID: f"{title}, MID", MIQ: f"{title}, MIQ"}, "{*:.3g}")
            | each({MID: "Stability, MID", MIQ: "Stability, MIQ"}, "{*_stability:.3f}"),
        ),
    )


@claim
def alpha_variance(
    alpha: Alpha, *, term: Term = "variance", margin: Margin = 0.3, expect: Expected
) -> Claim:
    """Whether stability falls, over the α, with how far the criterion varies.

    Parameters
    ----------
    term
        `variance` of the chosen feature's score, or `noise`: its share in how candidates differ.
    margin
        How far beyond the limit a number must be to speak for the claim, or against it.
    expect
        What is claimed of Spearman's correlation with stability over the α: `above: x`, `below: x`
        or `within: m`, from −m to +m.
    """
    values, pair = alpha.correlations(term), f"{_TERMS[term]} and stability"
    ((condition, limit),) = expect.items()
    made = _by_margin(
        alpha,
        values,
        expect,
        margin,
        number=f"Spearman's correlation of {pair} over the α",
        shows=f"The correlation of {pair} is {condition} {limit:g} by over {margin:g}",
        table=Table(
            values.rename("rho").reset_index(),
            {"Dataset": "{dataset}", f"Correlation of {pair} over the α": "{rho:.2f}"},
        ),
    )
    made.rule += " Differences are correlations."
    return made


@claim
def alpha_rule(
    alpha: Alpha,
    *,
    question: Question = "alpha",
    aim: Literal["stability", "accuracy", "both", "truth"] = "both",
    rule: Rule,
    than: Rule,
    truth: Truth = "any",
    margin: Margin = 0.005,
    expect: Expected,
) -> Claim:
    """Whether one rule for α, the size, or both loses less than another.

    Parameters
    ----------
    question
        What is asked: `alpha` (means over all sizes), `size` (at α = 0.5), or `both`.
    aim
        What is lost: `stability`, `accuracy`, or `both`, their mean; or `truth`, F1 of what rules
        for the size choose, where that is known.
    rule
        Rule said to lose less.
    than
        Rule it is compared with.
    truth
        Data sets that count, by whether their relevant features are `known` or `unknown`; or `any`.
    margin
        How far beyond the limit a number must be to speak for the claim, or against it.
    """
    lost = alpha.losses(question, aim, alpha.of_truth("known" if aim == "truth" else truth))
    if not {rule, than} <= set(lost):
        return untestable("the run has no data sets, or too few, for both rules")
    frame = pd.DataFrame({"rule": lost[rule], "than": lost[than]})
    frame["apart"] = frame["than"] - frame["rule"]
    names = alpha.rules(question)
    labels = {"rule": names[rule], "than": names[than]}
    goal = {"both": "the best of both", "truth": "the truth"}.get(aim, f"the best {aim}")
    words = Words(f"nearer to {goal}", f"farther from {goal}", f"equally near to {goal}")
    what = "F1 (of precision, and recall of blocks)" if aim == "truth" else aim
    return _by_margin(
        alpha,
        frame["apart"],
        expect,
        margin,
        number=f"what the other rule loses in {what}, less what the rule loses,",
        shows=capital(state(expect, labels["rule"], labels["than"], words)),
        more=_sign_test(frame["apart"].to_numpy()),
        table=Table(
            frame.reset_index(),
            {"Dataset": "{dataset}"}
            | each({name: f"Loss: {label}" for name, label in labels.items()}, "{*:.3f}")
            | {"Difference": "{apart:+.3f}"},
        ),
    )


def _sign_test(apart: np.ndarray) -> str:
    """The interval of the mean over data sets, and a sign test."""
    _, low, high = mean_interval(apart)
    less, more = int((apart > _EQUAL).sum()), int((apart < -_EQUAL).sum())
    ends = "" if np.isnan(low) else f"95% interval of the mean: {low:+.3f} to {high:+.3f}. "
    p = mcnemar(less, more)
    return (
        f"{ends}It loses less on {less} and more on {more} (sign test, p = {p:.2g}; data sets that "
        "are made in one way count as independent there)."
    )


def _by_margin(
    alpha: Alpha, values: pd.Series, expect: Expect, margin: float, *, number: str, **more: Any
) -> Claim:
    """A claim about a number of each data set, which is open up to a margin from the limit.

    Parameters
    ----------
    number
        What it is, in the middle of a sentence.
    more
        Other attributes of the claim.
    """
    cases = [
        (alpha.title(dataset), Interval(value, value - margin, value + margin))
        for dataset, value in values.items()
    ]
    made = by_interval(cases, expect, unit="a data set", number=number, **more)
    ((condition, limit),) = expect.items()
    made.rule = (
        f"A case is a data set. It speaks for the claim where {number} is {condition} {limit:g} by "
        f"more than {margin:g}, and against it where it is as far on the other side (single "
        "values); else it is open."
    )
    return made
