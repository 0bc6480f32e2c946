"""Tables of characteristics of data sets beside their best α."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.shared.alpha import AIMS, OfAlpha, best_alpha, read_facts
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman
from steadfast.statistics.p_values import holm, printed_p

#: Facts and their names in print.
_FACTS = {
    "rows": "Rows n",
    "features": "Features m",
    "classes": "Classes",
    "rows_per_feature": "n / m",
    "class_entropy": "Class entropy",
    "relevance_mean": "Mean relevance",
    "relevance_sd": "Sd of relevance",
    "redundancy": "Redundancy",
    "effective_features": "Effective features",
    "label_noise": "Label noise",
}

#: Data sets that a correlation takes at least.
_FEWEST = 4


@table("alpha_facts")
class AlphaFacts(OfAlpha, TableKind):
    """Characteristics of each data set, and how they go with the best α."""

    keys: ClassVar[Keys] = {}

    def build(self, view: View) -> Result:
        facts = {dataset: read_facts(view, dataset) for dataset in view.datasets}
        best = {
            aim: np.array([best_alpha(view, dataset, aim).alpha for dataset in view.datasets])
            for aim in AIMS
        }
        header = ["dataset", *_FACTS, *(f"best_{aim}" for aim in AIMS)]
        result = Result(header, [], ["Dataset", *_FACTS.values()])
        for at, (dataset, own) in enumerate(facts.items()):
            values = [own[fact] for fact in _FACTS]
            result.rows.append([dataset, *values, *(best[aim][at] for aim in AIMS)])
            result.printed.append([view.title(dataset), *(f"{value:.3g}" for value in values)])
            result.printed[-1][1:3] = [f"{value:.0f}" for value in values[:2]]
        columns = {fact: np.array([own[fact] for own in facts.values()]) for fact in _FACTS}
        rho, p = correlations(columns, best)
        blank = [""] * len(AIMS)
        for aim, own, corrected in zip(AIMS, rho, p, strict=True):
            result.rows.append([f"correlation with the best alpha for {aim}", *own, *blank])
            result.rows.append([f"corrected p for {aim}", *corrected, *blank])
            cells = [_cell(*pair) for pair in zip(own, corrected, strict=True)]
            result.printed.append([f"**ρ with the best α for {AIMS[aim]} (p)**", *cells])
        result.notes += _notes(len(facts), p)
        return result


def correlations(
    columns: dict[str, np.ndarray], best: dict[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Spearman's by aim (rows) and fact (columns), and their p-values, corrected all together."""
    from scipy.stats import t

    rho = np.array(
        [[spearman(column, own) for column in columns.values()] for own in best.values()]
    )
    n = len(next(iter(columns.values())))
    if n < _FEWEST:
        return rho, np.full(rho.shape, np.nan)
    left = np.maximum(1 - rho**2, 1e-300)
    p = 2 * t.sf(np.abs(rho) * np.sqrt((n - 2) / left), n - 2)
    return rho, holm(p.ravel()).reshape(rho.shape)


def _cell(rho: float, p: float) -> str:
    return "–" if np.isnan(rho) else f"{rho:+.2f} ({printed_p(p)})"


def _notes(n: int, p: np.ndarray) -> list[str]:
    tests = p[~np.isnan(p)]
    below = int((tests < 0.05).sum()) or "none"
    return [
        "Relevance: I(f; class) / H(class) of the features. Redundancy: mean symmetrical "
        "uncertainty of pairs of features. Effective features: participation ratio of the "
        "correlation matrix, as a share of the features (1: uncorrelated). Class entropy: 1 where "
        "classes are of equal size. Label noise: share of rows whose class is not that of most of "
        "their five nearest neighbours, an upper estimate.",
        f"ρ: Spearman's correlation over the {n} data sets with the best α; in brackets its "
        f"p-value, corrected by Holm for all {tests.size} tests; below 0.05: {below}. Data sets "
        "that are made in one way are not independent, so that these p-values are rather too "
        "small.",
    ]
