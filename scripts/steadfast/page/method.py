"""How a page came about, in words."""

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
    "Stability is Nogueira's measure of the subsets of all runs, with its 95% interval: 0 is "
    "what features drawn at random have, 1 the same subset in every run. The two-sample test "
    "of equal stability is that of Nogueira, Sechidis and Brown (2018)."
)


def _selection(context: Mapping[str, Any]) -> str:
    runs = context["runs"].removeprefix("the ")
    if context["bins_inside_folds"]:
        return (
            f"Every selector was run on the same {runs}; what it learns (bins, medians in "
            "the place of missing numbers, scales) it learns from the training rows alone."
        )
    return (
        f"Every selector was run on the same {runs}. Bins of selectors that want "
        "them are those of all rows, as published."
    )


def _dependent(labels: Sequence[str]) -> str:
    return (
        "Left out here, because their runs know each other's results or see all rows, so that "
        f"their stability is no evidence: {'; '.join(labels)}."
    )


def _mere_readings(labels: Sequence[str]) -> str:
    return (
        f"Left out here, as no selector to choose but a reading of the paper: {'; '.join(labels)}."
    )


def _accuracy(classifier: str, scoring: Sequence[str]) -> list[str]:
    """What accuracy is; and, where there are other scores, which of them decides."""
    first = (
        "Accuracy is the share of test rows of the same runs that a classifier gets right, "
        "trained on the training rows with the selected features only. Its 95% intervals, and "
        "all comparisons of accuracies, allow for runs that share rows (Nadeau and Bengio "
        f"2003). Advice goes by {classifier}."
    )
    if tuple(scoring) == USUAL:
        return [first]
    told = [_SCORES[name] for name in scoring if name in _SCORES]
    other = next((SCORES[name].noun for name in FOR_UNEQUAL if name in scoring), None)
    if scoring[0] in USUAL and other:
        told.append(
            f"Where the largest class has more than {UNEQUAL:g} times its fair share of the rows, "
            f"one over the number of classes, what is said of accuracy goes by {other}, and the "
            "page says so: always predicting that class would look too good."
        )
    else:
        told.append(f"What is said of accuracy goes by {SCORES[scoring[0]].noun}.")
    return [first, " ".join(told)]


_SCORES = {
    "auc": "AUC, the area under the ROC curve, is the share of pairs of a test row of a class and "
    "one of another that the classifier's decision values rank rightly, 0.5 by guessing; with "
    "several classes the mean over them, each against the rest.",
    "balanced_accuracy": "Balanced accuracy is the mean over the classes of the share of their "
    "test rows that a classifier gets right.",
    "log_loss": "Log-loss is the mean of −log p, p being the probability of the true class of a "
    "test row: the lower the better.",
    "brier": "Brier's score is the mean over the test rows of the squared errors of all classes' "
    "probabilities, 0 to 2: the lower the better.",
}


def _choice(context: Mapping[str, Any]) -> str:
    """How selector and size are chosen, where accuracy is measured."""
    points = round(100 * context["margin"], 1)
    points = "1 point" if points == 1 else f"{points:g} points"
    return (
        "Of all selections (selectors and sizes up to half of the features) that lose at most "
        f"{points} of the score that decides against the most accurate one of any size, the one "
        f"with the largest score + {WEIGHT:g} · stability is recommended, of equals the smallest. "
        "Where none loses so little, the most accurate of them is recommended. Accuracy is "
        "compared with "
        "that of predicting from the shares of the classes alone, in all rows, and with that of as "
        "many random features; it counts only if it is significantly above both. A knot is the "
        "end of the plateau of stability."
    )


_Q_VALUES = (
    "Trust: for each feature it is asked how many noise features are expected to show as much, by "
    "itself (is it higher, spread wider or binned otherwise in some class, by ranks, against "
    "shuffled classes?) or together with others (ReliefF, against shuffled copies of the features "
    "beside them), and both ways are paid for. Its q-value is the share of noise that is expected "
    f"up to it (Benjamini and Hochberg 1995); trusted are features of at most {LEVEL:g}. This "
    "holds if rows are exchangeable, or groups of rows where they are named: shuffling keeps "
    "groups together. Whether a trusted feature tells something of its own is asked of a "
    "regression of the classes on the ranks of all trusted features. Stability alone would not "
    "do: noise that all runs share is selected steadily."
)


def _votes(has_rules: bool, beside: bool) -> str:
    copies = (
        f"every selector{' that is no rule' if has_rules else ''} was also run "
        "with a shuffled copy of each feature beside the "
        "features, drawn anew in each run. A selector vouches for a feature that ranks ahead "
        f"of every copy in at least {AHEAD:.0%} of the runs"
    )
    if beside:
        return f"Beside it stands what selectors say: {copies}."
    return (
        f"Trust: {copies}; features that at least half of "
        f"the selectors vouch for, and {FEWEST_VOTES} of them where there are as many, are "
        "trusted. (Stability alone would not do: noise that all runs share is selected "
        "steadily. Of tables of pure noise, about one in fifty still has a feature that "
        "passes.)"
    )


def _interchangeable() -> str:
    return (
        "Interchangeable are features so similar that the matching of Gulgezen, Cataltepe and Yu "
        f"(2009) takes one for another: their symmetrical uncertainty is {SIMILAR:g} or more in "
        "every pair of a group, about a correlation of 0.9."
    )
