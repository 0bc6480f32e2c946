"""How a page came about, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.advice.interchangeable import SIMILAR
from steadfast.advice.recommendation import NEGLIGIBLE
from steadfast.selectors.running.probes import AHEAD, FEWEST_VOTES


def method(context: Mapping[str, Any]) -> list[str]:
    """One paragraph per idea; `context` is what `steadfast.study.context.page_context` gives."""
    paragraphs = [_selection(context), _STABILITY]
    if context["dependent"]:
        paragraphs.append(_dependent(context["dependent"]))
    if context["mere_readings"]:
        paragraphs.append(_mere_readings(context["mere_readings"]))
    if context["classifier"]:
        paragraphs.append(_accuracy(context["classifier"]))
    paragraphs.append(_size())
    if context["probes"]:
        paragraphs.append(_trust(context["has_rules"]))
    return [*paragraphs, _interchangeable()]


_STABILITY = (
    "Stability is Nogueira's measure of the subsets of all runs, with its 95% interval: 0 is "
    "what features drawn at random have, 1 the same subset in every run. The two-sample test "
    "of equal stability is that of Nogueira, Sechidis and Brown (2018)."
)


def _selection(context: Mapping[str, Any]) -> str:
    runs = context["runs"]
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


def _accuracy(classifier: str) -> str:
    return (
        "Accuracy is the share of test rows of the same runs that a classifier gets right, "
        "trained on the training rows with the selected features only. Its 95% intervals, and "
        "all comparisons of accuracies, allow for runs that share rows (Nadeau and Bengio "
        f"2003). Advice goes by {classifier}."
    )


def _size() -> str:
    return (
        "The recommended size of a selector, at most half of the features, is the smallest at "
        "which neither accuracy nor "
        "stability is significantly below its best (one-sided, 5%, run by run; a loss of stability "
        f"below {NEGLIGIBLE:g} does not count). The recommended "
        "selector is the most stable of those whose accuracy is not significantly below the best. "
        "A knot is the end of the plateau of stability."
    )


def _trust(has_rules: bool) -> str:
    return (
        f"Trust: every selector{' that is no rule' if has_rules else ''} was also run "
        "with a shuffled copy of each feature beside the "
        "features, drawn anew in each run. A selector vouches for a feature that ranks ahead "
        f"of every copy in at least {AHEAD:.0%} of the runs; features that at least half of "
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
