"""What the page of a study is about: which folds, which selectors, and how they were drawn."""

from collections.abc import Mapping
from typing import Any

from steadfast.advice.interchangeable import SIMILAR
from steadfast.advice.recommendation import FEWEST_VOTES, NEGLIGIBLE
from steadfast.core.errors import UserError
from steadfast.experiments.probes import AHEAD
from steadfast.resampling import schemes
from steadfast.study.context import classifier_labels, random_selector
from steadfast.study.selectors import by_rule
from steadfast.transforms.running import told


def page_ratio(study: Mapping[str, Any]) -> float:
    """The ratio of the folds that the page is about.

    With smaller draws from bootstraps it is the largest below 1: at 1 each is its own reference.
    """
    scheme = schemes.create(study["resample"])
    ratios = scheme.ratios()
    if isinstance(scheme, schemes.ShrinkingBootstrap):
        return max([ratio for ratio in ratios if ratio < 1], default=1.0)
    return max(ratios)


def page_told(study: Mapping[str, Any]) -> str:
    """How the runs were drawn, in print."""
    asked = study["resample"]
    scheme = schemes.create(asked)
    shares = ", each class in its share" if asked.get("stratified", True) else ""
    ratio = page_ratio(study)
    return {
        "shrinking_bootstrap": lambda: (
            f"{scheme.repeats} bootstraps of the rows, {ratio:.0%} of each"
            if ratio < 1
            else f"{scheme.repeats} bootstraps of the rows"
        ),
        "cv": lambda: f"{scheme.folds_} folds of a cross-validation{shares}",
        "repeated_cv": lambda: (
            f"{scheme.folds_} folds of each of {scheme.repeats} cross-validations{shares}"
        ),
        "nested_cv": lambda: (
            f"the {scheme.folds_} outer folds of a nested cross-validation{shares}"
        ),
        "subsample": lambda: (
            f"{scheme.repeats} subsamples of {scheme.share:.0%} of the rows{shares}"
        ),
        "halves": lambda: f"{scheme.repeats} random halves of the rows{shares}",
        "perturbed": lambda: (
            f"{scheme.repeats} samples of {scheme.share:.0%} of the rows{shares}, {ratio:.0%} of "
            "each drawn anew"
        ),
    }[asked["scheme"]]()


def page_selectors(study: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Selectors with their names in print, and what a reader must know of them."""
    random = random_selector(study)
    found = {}
    for name, entry in study["selectors"].items():
        transform = entry.get("transform")
        found[name] = {
            "label": entry["label"],
            "baseline": name == random,
            "note": told(transform) if transform else "",
            "probes": study["probes"] and name not in (random, *by_rule(study)),
        }
    return found


def page_context(study: Mapping[str, Any]) -> dict[str, Any]:
    """All that the evidence of a page needs to know of a study but its batches and seed."""
    sizes = study["sizes"]
    return {
        "selectors": page_selectors(study),
        "classifiers": classifier_labels(study),
        "ratio": page_ratio(study),
        "told": page_told(study),
        "ties": study["stability"]["ties"],
        "largest": 10**6 if sizes == "all" else max(sizes),
    }


def page_method(study: Mapping[str, Any]) -> list[str]:
    """How the page came about, a paragraph an idea."""
    paragraphs = [
        f"Every selector was run on the same {page_told(study)}; what it learns (bins, medians in "
        "the place of missing numbers, scales) it learns from the training rows alone."
        if study["discretise"]["fit_on"] == "train"
        else f"Every selector was run on the same {page_told(study)}. Bins of selectors that want "
        "them are those of all rows, as published.",
        "Stability is Nogueira's measure of the subsets of all runs, with its 95% interval: 0 is "
        "what features drawn at random have, 1 the same subset in every run. The two-sample test "
        "of equal stability is that of Nogueira, Sechidis and Brown (2018).",
    ]
    if study["accuracy"]["classifiers"]:
        first = next(iter(classifier_labels(study).values()))
        paragraphs.append(
            "Accuracy is the share of test rows of the same runs that a classifier gets right, "
            "trained on the training rows with the selected features only. Its 95% intervals, and "
            "all comparisons of accuracies, allow for runs that share rows (Nadeau and Bengio "
            f"2003). Advice goes by {first}."
        )
    paragraphs.append(
        "The recommended size of a selector, at most half of the features, is the smallest at "
        "which neither accuracy nor "
        "stability is significantly below its best (one-sided, 5%, run by run; a loss of stability "
        f"below {NEGLIGIBLE:g} does not count). The recommended "
        "selector is the most stable of those whose accuracy is not significantly below the best. "
        "A knot is the end of the plateau of stability."
    )
    if study["probes"]:
        paragraphs.append(
            f"Trust: every selector{' that is no rule' if by_rule(study) else ''} was also run "
            "with a shuffled copy of each feature beside the "
            "features, drawn anew in each run. A selector vouches for a feature that ranks ahead "
            f"of every copy in at least {AHEAD:.0%} of the runs; features that at least half of "
            f"the selectors vouch for, and {FEWEST_VOTES} of them where there are as many, are "
            "trusted. (Stability alone would not do: noise that all runs share is selected "
            "steadily. Of tables of pure noise, about one in fifty still has a feature that "
            "passes.)"
        )
    paragraphs.append(
        "Interchangeable are features so similar that the matching of Gulgezen, Cataltepe and Yu "
        f"(2009) takes one for another: their symmetrical uncertainty is {SIMILAR:g} or more in "
        "every pair of a group, about a correlation of 0.9."
    )
    return paragraphs


def check_probes(study: Mapping[str, Any], source: str) -> None:
    """Shuffled copies stand beside the columns of the table, which transforms would mix."""
    if study["probes"] and study["transforms"]:
        raise UserError(f"{source}: probes: they do not go with transforms; take one of them out")
