"""How the results of a page were computed, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.accuracy.scores import SCORES, USUAL
from steadfast.accuracy.unequal import UNEQUAL
from steadfast.advice.deciding_score import FOR_UNEQUAL
from steadfast.advice.interchangeable import SIMILAR
from steadfast.advice.recommendation import WEIGHT
from steadfast.selectors.running.probes import AHEAD, FEWEST_VOTES
from steadfast.selectors.trust import LEVEL


def method(context: Mapping[str, Any]) -> list[str]:
    """One paragraph per idea; `context` is what `steadfast.study.context.page_context` gives."""
    paragraphs = [_selection(context), _STABILITY]
    if context["dependent"]:
        paragraphs.append(_dependent(context["dependent"]))
    if context["mere_readings"]:
        paragraphs.append(_mere_readings(context["mere_readings"]))
    if context["classifier"]:
        paragraphs += _accuracy(context["classifier"], context.get("scoring") or USUAL)
    if "margin" in context:
        paragraphs.append(_choice(context))
    if context.get("trust"):
        paragraphs.append(_Q_VALUES)
    if context["probes"]:
        paragraphs.append(_votes(context["has_rules"], bool(context.get("trust"))))
    return [*paragraphs, _interchangeable()]


_STABILITY = (
    "Stability is Nogueira's measure of the subsets of all runs, with its 95% interval: features "
    "drawn at random have 0, the same subset in every run has 1. The two-sample test of equal "
    "stability is that of Nogueira, Sechidis and Brown (2018)."
)


def _selection(context: Mapping[str, Any]) -> str:
    runs = context["runs"].removeprefix("the ")
    if context["bins_inside_folds"]:
        return (
            f"Every selector was run on the same {runs}. Whatever it learns (bins, medians that "
            "replace missing numbers, scales) it learns from the training rows only."
        )
    return (
        f"Every selector was run on the same {runs}. Selectors that need bins use those of all "
        "rows, as published."
    )


def _dependent(labels: Sequence[str]) -> str:
    return (
        "These selectors are left out here because their runs use each other's results or all "
        f"rows, so that their stability is not evidence: {'; '.join(labels)}."
    )


def _mere_readings(labels: Sequence[str]) -> str:
    return (
        "These are left out here because they are readings of the paper, not selectors to choose: "
        f"{'; '.join(labels)}."
    )


def _accuracy(classifier: str, scoring: Sequence[str]) -> list[str]:
    """What accuracy is; and, where there are other scores, which of them decides."""
    first = (
        "Accuracy is the share of test rows of the same runs that a classifier classifies "
        "correctly, trained on the training rows with the selected features only. Its 95% "
        "intervals, and all comparisons of accuracies, account for runs that share rows (Nadeau "
        f"and Bengio 2003). The advice is based on {classifier}."
    )
    if tuple(scoring) == USUAL:
        return [first]
    explained = [_SCORES[name] for name in scoring if name in _SCORES]
    other = next((SCORES[name].noun for name in FOR_UNEQUAL if name in scoring), None)
    if scoring[0] in USUAL and other:
        explained.append(
            f"Where the largest class has more than {UNEQUAL:g} times its fair share of the rows "
            f"(one over the number of classes), {other} replaces accuracy, and the page states "
            "it: always predicting that class would look too good."
        )
    else:
        explained.append(f"On this page, {SCORES[scoring[0]].noun} replaces accuracy.")
    return [first, " ".join(explained)]


_SCORES = {
    "auc": "AUC, the area under the ROC curve, is the share of pairs of a test row of one class "
    "and a test row of another that the classifier's decision values rank correctly; guessing "
    "gives 0.5. With several classes it is the mean over them, each against the rest.",
    "balanced_accuracy": "Balanced accuracy is the mean over the classes of the share of their "
    "test rows that a classifier classifies correctly.",
    "log_loss": "Log-loss is the mean of −log p, where p is the probability of the true class of a "
    "test row; lower is better.",
    "brier": "The Brier score is the mean over the test rows of the squared errors of all classes' "
    "probabilities, from 0 to 2; lower is better.",
}


def _choice(context: Mapping[str, Any]) -> str:
    """How selector and size are chosen, where accuracy is measured."""
    points = round(100 * context["margin"], 1)
    points = "1 point" if points == 1 else f"{points:g} points"
    return (
        f"Of all selections (selectors and sizes) that lose at most {points} of the score that "
        "decides against the most accurate one of any size, the one with the largest score + "
        f"{WEIGHT:g} · stability is recommended; among equals, the smallest. Selections of more "
        "than half of the features are considered only where no smaller one loses so little; where "
        "none does, the most accurate one is recommended. "
        "Accuracy is compared with that of predicting from the shares of the classes in all rows, "
        "and with that of as many random features; it counts only if it is significantly above "
        "both. A knot is the end of the plateau of stability."
    )


_Q_VALUES = (
    "Trust: for each feature, the number of noise features that would show as much is estimated "
    "in two ways. By itself: are its values higher, more spread or binned differently in some "
    "class, by ranks, compared with shuffled classes? Together with others: does ReliefF rank it "
    "above shuffled copies of the features? The estimate accounts for testing in both ways. The "
    "q-value of a feature is the share of noise that is expected among the features with this "
    f"q-value or a smaller one (Benjamini and Hochberg 1995); features with q ≤ {LEVEL:g} are "
    "trusted. This holds if rows are exchangeable, or groups of rows where they are named: "
    "shuffling keeps groups together. Whether a trusted feature adds to the others is tested by a "
    "regression of the classes on the ranks of all trusted features. Stability alone would not be "
    "enough: noise that all runs share is selected steadily."
)


def _votes(has_rules: bool, in_addition: bool) -> str:
    copies = (
        f"every selector{' that is not a rule' if has_rules else ''} was also run on the features "
        "together with a shuffled copy of each, drawn anew in each run. A selector agrees on a "
        f"feature that it ranks above every copy in at least {AHEAD:.0%} of the runs"
    )
    if in_addition:
        return f"The page also shows how many selectors agree on a feature: {copies}."
    return (
        f"Trust: {copies}. Features on which at least half of the selectors agree, and at least "
        f"{FEWEST_VOTES} where there are as many, are trusted. (Stability alone would not be "
        "enough: noise that all runs share is selected steadily. Of tables of pure noise, about "
        "one in fifty still has a feature that passes.)"
    )


def _interchangeable() -> str:
    return (
        "Features are interchangeable if they are so similar that the matching of Gulgezen, "
        "Cataltepe and Yu (2009) takes one for another: their symmetrical uncertainty is "
        f"{SIMILAR:g} or more in every pair of a group, about a correlation of 0.9."
    )
