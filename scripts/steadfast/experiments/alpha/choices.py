"""What rules choose inside each training part, and what that is worth on rows they never saw."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from steadfast.data.sources.scenario import Truth, truth
from steadfast.experiments.alpha.curves import Measured, Rankings
from steadfast.statistics.curve import Curve
from steadfast.statistics.knots import find_knot, peaks

CHOICES = (
    *("question", "rule", "alpha", "k", "stability", "accuracy"),
    *("precision", "recall", "found"),
)

#: What is asked: α (means over sizes), the size of MID's subset, or both.
ALPHA, SIZE, BOTH = "alpha", "size", "both"

#: The α of MID.
HALF = 0.5


class SizeCurve(NamedTuple):
    """What the samples of a training part show of each size, from the file of a fold."""

    sizes: np.ndarray
    stability: np.ndarray
    accuracy: np.ndarray
    accuracy_sd: np.ndarray
    samples: int


def size_curve(table: Mapping[str, Sequence[str]], samples: int) -> SizeCurve:
    """From the rows of a fold's file that have a size."""
    rows = [at for at, size in enumerate(table["size"]) if size]
    columns = ("size", "stability", "accuracy", "accuracy_sd")
    sizes, *values = (np.array([table[name][at] for at in rows], dtype=float) for name in columns)
    return SizeCurve(sizes.astype(int), *values, samples)


def knot(curve: SizeCurve) -> tuple[int, bool]:
    """The end of the plateau of stability; the most stable size where there is none."""
    kept = ~np.isnan(curve.stability)
    sizes, stability = curve.sizes[kept], curve.stability[kept]
    found = find_knot(sizes, stability, np.zeros(sizes.size))
    return (found.size, True) if found else (_most_stable(curve), False)


def peak(curve: SizeCurve) -> tuple[int, bool]:
    """The highest peak of stability; the most stable size where none stands out."""
    kept = ~np.isnan(curve.stability)
    found = peaks(Curve(curve.sizes[kept], curve.stability[kept]))
    if not found:
        return _most_stable(curve), False
    return max(found, key=lambda one: (one.stability, -one.size)).size, True


def one_standard_error(curve: SizeCurve) -> tuple[int, bool]:
    """The smallest size whose accuracy is within one standard error of the highest.

    References
    ----------
    Breiman, Friedman, Olshen, Stone, Classification and regression trees (1984), section 3.4.3.
    """
    best = int(np.argmax(curve.accuracy))
    least = curve.accuracy[best] - curve.accuracy_sd[best] / np.sqrt(curve.samples)
    return int(curve.sizes[np.flatnonzero(curve.accuracy >= least - 1e-12)[0]]), True


def _most_stable(curve: SizeCurve) -> int:
    return int(curve.sizes[np.argmax(np.nan_to_num(curve.stability))])


#: Rules for a size, beside that of the selector itself.
SIZE_RULES = {"knot": knot, "peak": peak, "one_se": one_standard_error}


class Chosen(NamedTuple):
    """What a rule takes on each fold: an α, a size, and whether it found what it looks for."""

    alphas: list[str]
    sizes: list[int]
    found: list[bool]


#: What a selector chose on each fold: an α (0.5 where it does not choose one) and a size (0 where
#: it does not).
Choices = Sequence[tuple[str, int]]


def choice_rows(
    rankings: Rankings,
    measured: Mapping[str, Measured],
    by_question: Mapping[str, Mapping[str, Choices]],
    curves: Sequence[SizeCurve],
) -> Iterator[tuple]:
    """A row for each question and rule; see `CHOICES`.

    An α that was chosen on one fold and kept on all of them is a rule of its own, `once`: what
    changes from fold to fold costs stability.

    Parameters
    ----------
    measured
        What each α is worth on all folds.
    by_question
        What selectors chose inside the training rows, by question and rule.
    curves
        What the samples of each training part show of sizes at α = 0.5, for other rules.
    """
    for question, by_rule in by_question.items():
        for rule, choices in by_rule.items():
            if question == ALPHA:
                alphas = [alpha for alpha, _ in choices]
                yield ALPHA, rule, *_worth_over_sizes(rankings, alphas)
                if rule == "auto":
                    yield ALPHA, "once", *_worth_of_one(measured, alphas)
            else:
                alphas, sizes = (list(part) for part in zip(*choices, strict=True))
                yield question, rule, *_worth(rankings, Chosen(alphas, sizes, [True] * len(sizes)))
    half = [f"{HALF:g}"] * len(curves)
    for name, rule in SIZE_RULES.items():
        found = [rule(curve) for curve in curves]
        chosen = Chosen(half, *(list(part) for part in zip(*found, strict=True)))
        yield SIZE, name, *_worth(rankings, chosen)


def _worth_over_sizes(rankings: Rankings, alphas: Sequence[str]) -> tuple:
    """Of an α on each fold: means over all sizes."""
    sequences = [rankings.sequences[alpha][at] for at, alpha in enumerate(alphas)]
    stability, _, accuracy = rankings.measure(sequences).curve().mean(axis=0)
    mean = float(np.mean([float(alpha) for alpha in alphas]))
    nan = float("nan")
    return mean, nan, stability, accuracy, nan, nan, 1.0


def _worth_of_one(measured: Mapping[str, Measured], alphas: Sequence[str]) -> tuple:
    """Of the α of one fold on all of them, in the mean over the folds that it was chosen on."""
    values = np.mean([measured[alpha].curve().mean(axis=0) for alpha in alphas], axis=0)
    mean = float(np.mean([float(alpha) for alpha in alphas]))
    nan = float("nan")
    return mean, nan, values[0], values[2], nan, nan, 1.0


def _worth(rankings: Rankings, chosen: Chosen) -> tuple:
    """Of an α and a size on each fold."""
    sizes = [min(size, rankings.depth) for size in chosen.sizes]
    subsets = [
        rankings.sequences[alpha][at][:size]
        for at, (alpha, size) in enumerate(zip(chosen.alphas, sizes, strict=True))
    ]
    known = truth(rankings.table.features)
    return (
        float(np.mean([float(alpha) for alpha in chosen.alphas])),
        float(np.mean(sizes)),
        *rankings.measure_subsets(subsets),
        *_against_truth(subsets, known),
        float(np.mean(chosen.found)),
    )


def _against_truth(subsets: Sequence[np.ndarray], known: Truth) -> tuple[float, float]:
    """Share of relevant features among the chosen, and of blocks of which one is; or NaN."""
    if not known.relevant.any():
        return float("nan"), float("nan")
    blocks = np.unique(known.block[known.relevant]).size
    precision = [known.relevant[subset].mean() for subset in subsets]
    found = [np.unique(known.block[s][known.relevant[s]]).size / blocks for s in subsets]
    return float(np.mean(precision)), float(np.mean(found))
