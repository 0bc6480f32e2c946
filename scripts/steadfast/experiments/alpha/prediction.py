"""α and size of a data set as predicted from others, and what each rule loses against the best."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from steadfast.core import cli
from steadfast.experiments.alpha.choices import ALPHA, BOTH, HALF, SIZE
from steadfast.experiments.alpha.curves import MIQ

HEADER = (
    *("question", "aim", "dataset", "rule", "alpha", "k"),
    *("stability", "accuracy", "both", "lost_stability", "lost_accuracy", "lost_both"),
)

#: What a choice aims at; `both` is the mean of stability and accuracy.
AIMS = ("stability", "accuracy", "both")

#: The size of whoever knows nothing of the data, beside α = 0.5.
TEN = 10

#: Facts that predict, and whether by their logarithm.
PREDICTORS = {
    "rows": True,
    "features": True,
    "rows_per_feature": True,
    "classes": True,
    "class_entropy": False,
    "relevance_mean": True,
    "relevance_sd": True,
    "redundancy": True,
    "effective_features": True,
    "label_noise": False,
}

#: Data sets that are asked, where the nearest are.
NEAREST = 5

#: No regression on fewer data sets.
FEWEST = 5

#: Below this, a fact is taken as this much before its logarithm is taken.
_LEAST = 1e-4

#: Penalties of the regression, of which the best is taken by leaving out one data set at a time.
_PENALTIES = np.logspace(-2, 4, 13)


class Known(NamedTuple):
    """What the folds of a data set have shown.

    Attributes
    ----------
    alphas : values of α
    stability, accuracy : by α (rows) and size (columns)
    variances : of the score, by α
    facts : see `steadfast.experiments.alpha.facts`
    choices : rows of rules that chose inside the training parts; see `choices.CHOICES`
    kin : data sets that are not independent of this one, itself among them
    """

    alphas: np.ndarray
    stability: np.ndarray
    accuracy: np.ndarray
    variances: np.ndarray
    facts: Mapping[str, float]
    choices: Sequence[Mapping[str, str]]
    kin: Sequence[str]

    @property
    def depth(self) -> int:
        return self.stability.shape[1]

    @property
    def half(self) -> int:
        """The place of α = 0.5."""
        return int(np.argmin(np.abs(self.alphas - HALF)))

    def values(self, question: str, aim: str) -> np.ndarray:
        """What there is to choose from: α (mean over sizes), size at α = 0.5, or α by size."""
        table = {"stability": self.stability, "accuracy": self.accuracy}
        table["both"] = (self.stability + self.accuracy) / 2
        found = table[aim]
        if question == ALPHA:
            return found.mean(axis=1)
        return found[self.half] if question == SIZE else found


Choice = tuple[float, float]


def known_from(
    curves: Mapping[str, Sequence[str]],
    variance: Mapping[str, Sequence[str]],
    facts: Mapping[str, float],
    choices: Sequence[Mapping[str, str]],
    kin: Sequence[str],
) -> Known:
    """From the files of a data set."""
    names = [name for name in dict.fromkeys(curves["alpha"]) if name != MIQ]
    mask = np.array([name != MIQ for name in curves["alpha"]])
    parts = [
        np.array(curves[of], dtype=float)[mask].reshape(len(names), -1)
        for of in ("stability", "accuracy")
    ]
    by_name = dict(zip(variance["alpha"], map(float, variance["variance"]), strict=True))
    variances = np.array([by_name[name] for name in names])
    return Known(np.array(names, dtype=float), *parts, variances, facts, choices, kin)


def rule_rows(known: Mapping[str, Known]) -> Iterator[tuple]:
    """For each question, aim and data set what each rule takes, and loses; see `HEADER`.

    Rules that look at other data sets do not look at kin.
    """
    for question in (ALPHA, SIZE, BOTH):
        for aim in AIMS:
            for name, one in known.items():
                others = {key: o for key, o in known.items() if key not in one.kin}
                yield from _rows(question, aim, name, one, others)


def _rows(
    question: str, aim: str, name: str, own: Known, others: Mapping[str, Known]
) -> Iterator[tuple]:
    chosen = {"best": _best(own, question, aim), "half": (HALF, float(min(TEN, own.depth)))}
    if others:
        chosen["average"] = _best_on_average(own, others.values(), question, aim)
        near = _nearest(own, others.values())
        chosen["nearest"] = _best_on_average(own, near, question, aim)
    if len(others) >= FEWEST:
        chosen["regression"] = _regression(own, list(others.values()), question, aim)
    if question == ALPHA:
        chosen["least_variance"] = (float(own.alphas[np.argmin(own.variances)]), np.nan)
    for rule, choice in chosen.items():
        yield _row(question, aim, name, rule, own, choice, _worth(own, question, choice))
    yield _row(question, aim, name, "blind", own, (np.nan, np.nan), _blind(own, question))
    for row in own.choices:
        if row["question"] == question:
            choice = float(row["alpha"]), float(row["k"])
            worth = float(row["stability"]), float(row["accuracy"])
            yield _row(question, aim, name, row["rule"], own, choice, worth)


def _row(
    question: str,
    aim: str,
    name: str,
    rule: str,
    own: Known,
    choice: Choice,
    worth: tuple[float, float],
) -> tuple:
    values = np.array([*worth, sum(worth) / 2])
    most = np.array([own.values(question, each).max() for each in AIMS])
    shown = (HALF if question == SIZE else choice[0], np.nan if question == ALPHA else choice[1])
    return (question, aim, name, rule, *shown, *values, *(most - values))


def _best(own: Known, question: str, aim: str) -> Choice:
    """The first of the largest: by α, then by size."""
    return _choice(own, question, own.values(question, aim))


def _choice(own: Known, question: str, values: np.ndarray) -> Choice:
    if question == ALPHA:
        return float(own.alphas[np.argmax(values)]), np.nan
    if question == SIZE:
        return HALF, float(np.argmax(values) + 1)
    at, size = np.unravel_index(np.argmax(values), values.shape)
    return float(own.alphas[at]), float(size + 1)


def _worth(own: Known, question: str, choice: Choice) -> tuple[float, float]:
    """Stability and accuracy of an α, a size, or both."""
    at = int(np.argmin(np.abs(own.alphas - choice[0])))
    if question == ALPHA:
        return float(own.stability[at].mean()), float(own.accuracy[at].mean())
    at = own.half if question == SIZE else at
    size = int(min(max(round(choice[1]), 1), own.depth)) - 1
    return float(own.stability[at, size]), float(own.accuracy[at, size])


def _blind(own: Known, question: str) -> tuple[float, float]:
    """The mean over all that there is to choose from."""
    return tuple(float(own.values(question, aim).mean()) for aim in AIMS[:2])


def _best_on_average(own: Known, others: Sequence[Known], question: str, aim: str) -> Choice:
    """What loses least on other data sets, on the mean; at sizes that this one has."""
    lost = []
    for other in others:
        values = other.values(question, aim)
        if question != ALPHA:  # beyond the largest size it goes on as it ends
            short = max(0, own.depth - values.shape[-1])
            beyond = np.repeat(values[..., -1:], short, axis=-1)
            values = np.concatenate([values[..., : own.depth], beyond], axis=-1)
        lost.append(other.values(question, aim).max() - values)
    return _choice(own, question, -np.mean(lost, axis=0))


def _predictors(one: Known) -> np.ndarray:
    return np.array(
        [
            np.log(max(one.facts[name], _LEAST)) if by_logarithm else one.facts[name]
            for name, by_logarithm in PREDICTORS.items()
        ]
    )


def _standardise(own: Known, others: Sequence[Known]) -> tuple[np.ndarray, np.ndarray]:
    """Predictors of this data set and of others, in standard deviations of the others."""
    table = np.array([_predictors(other) for other in others])
    mean, spread = table.mean(axis=0), table.std(axis=0)
    spread[spread == 0] = 1.0
    return (_predictors(own) - mean) / spread, (table - mean) / spread


def _nearest(own: Known, others: Sequence[Known]) -> list[Known]:
    """The data sets whose facts are most alike."""
    others = list(others)
    here, there = _standardise(own, others)
    order = np.argsort(((there - here) ** 2).sum(axis=1), kind="stable")
    return [others[at] for at in order[:NEAREST]]


def _regression(own: Known, others: Sequence[Known], question: str, aim: str) -> Choice:
    """Ridge regression of the best α, and of the logarithm of the best size, on the facts."""
    with cli.count_start_up():
        from sklearn.linear_model import RidgeCV

    here, there = _standardise(own, others)
    best = np.array([_best(other, question, aim) for other in others])

    def predict(wanted: np.ndarray) -> float:
        return float(RidgeCV(_PENALTIES).fit(there, wanted).predict(here[None])[0])

    alpha = HALF
    if question != SIZE:
        alpha = float(own.alphas[np.argmin(np.abs(own.alphas - predict(best[:, 0])))])
    if question == ALPHA:
        return alpha, np.nan
    size = np.exp(predict(np.log(best[:, 1])))
    return alpha, float(min(max(round(size), 1), own.depth))
