"""Tables of how far criteria vary, beside their stability."""

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.shared.alpha import (
    TERMS,
    OfAlpha,
    read_units,
    read_variance,
    term_by_alpha,
    term_correlation,
)
from steadfast.outputs.view import View

_HALF, _MIQ = "0.5", "miq"


def _thousandths(value: float) -> str:
    """Variances are small; where W is nearly 0, those of the quotient are huge."""
    return f"{1000 * value:.2f}" if value < 1 else f"{1000 * value:.1e}"


#: Columns in print, and how their numbers are shown.
_COLUMNS = {
    "variance_mid": ("1000 × variance, α = 0.5", _thousandths),
    "variance_miq": ("1000 × variance, MIQ", _thousandths),
    "noise_mid": ("Noise, α = 0.5", "{:.2f}".format),
    "noise_miq": ("Noise, MIQ", "{:.2f}".format),
    "least_variance": ("α of the least variance", "{:.1f}".format),
    "least_noise": ("α of the least noise", "{:.1f}".format),
    "rho_variance": ("ρ of variance and stability", "{:+.2f}".format),
    "rho_noise": ("ρ of noise and stability", "{:+.2f}".format),
    "stability_mid": ("Stability, α = 0.5", "{:.2f}".format),
    "stability_miq": ("Stability, MIQ", "{:.2f}".format),
}


@table("alpha_variance")
class AlphaVariance(OfAlpha, TableKind):
    """How far the criterion varies over bootstraps for each α and for MIQ, beside stability."""

    keys: ClassVar[Keys] = {}

    def build(self, view: View) -> Result:
        header = ["dataset", *_COLUMNS]
        result = Result(header, [], ["Dataset", *(label for label, _ in _COLUMNS.values())])
        for dataset in view.datasets:
            numbers = _numbers(view, dataset)
            result.rows.append([dataset, *numbers])
            result.printed.append([view.title(dataset), *_cells(numbers)])
        values = np.array([row[1:] for row in result.rows])
        for name, of in {"Mean": np.mean, "Median": np.median}.items():
            result.printed.append([f"**{name}**", *_cells([_over(of, one) for one in values.T])])
        result.notes.append(
            "Over bootstraps, along the sequence that each criterion gives on all rows, means over "
            "its steps. Variance: that of the chosen feature's score (equation 13 of Gulgezen et "
            "al.). It depends on the scale of the criterion, which α changes; that of a quotient "
            "is another one, and where redundancy is nearly 0 it has no bounds. Noise: mean "
            "variance of the candidates' scores as a share of that plus the variance between their "
            "means; free of scale, 1 where nothing but chance decides. ρ: Spearman's correlation "
            "over the α with stability (Nogueira's, mean over sizes); below 0 where what varies "
            "less is the more stable."
        )
        return result


def _numbers(view: View, dataset: str) -> list[float]:
    """In the order of `_COLUMNS`."""
    found, units = read_variance(view, dataset), read_units(view, dataset)
    stability = dict(zip(units.names, units.stability.mean(axis=1), strict=True))
    least = [units.alphas[np.argmin(term_by_alpha(view, dataset, term))] for term in TERMS]
    rho = [term_correlation(view, dataset, term) for term in TERMS]
    spreads = [found[name][term] for term in TERMS for name in (_HALF, _MIQ)]
    return [*spreads, *map(float, least), *rho, *(float(stability[one]) for one in (_HALF, _MIQ))]


def _over(of: Callable[[np.ndarray], float], column: np.ndarray) -> float:
    """Over the data sets that have a number."""
    known = column[~np.isnan(column)]
    return float(of(known)) if known.size else float("nan")


def _cells(numbers: list[float]) -> list[str]:
    shown = zip(_COLUMNS.values(), numbers, strict=True)
    return ["–" if np.isnan(number) else show(number) for (_, show), number in shown]
