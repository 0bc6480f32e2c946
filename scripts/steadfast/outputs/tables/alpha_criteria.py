"""Tables of the criteria of mRMR over all data sets: how far each varies, and how stable it is."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.differences import mean_interval
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.shared.alpha import OfAlpha, read_units, read_variance
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman

#: What varies: the score, as it is and as a share of noise, and V and W of the chosen features.
TERMS = ("variance", "noise", "relevance_variance", "redundancy_variance")

_HEADER = (
    *("criterion", *TERMS, "stability", "stability_low", "stability_high"),
    *("rho_variance", "rho_noise"),
)

#: What some criteria are called beside their α.
_NAMES = {"0": "−W (α = 0)", "0.5": "V − W (α = 0.5, MID)", "1": "V (α = 1)", "miq": "V / W (MIQ)"}


@table("alpha_criteria")
class AlphaCriteria(OfAlpha, TableKind):
    """Variance over bootstraps and stability of V, W, V − W, V / W and every α, over data sets."""

    keys: ClassVar[Keys] = {}

    def build(self, view: View) -> Result:
        header = ["Criterion", "1000 × variance", "Noise", "of V", "of W", "Stability"]
        header += ["ρ of variance and stability", "ρ of noise and stability"]
        result = Result(list(_HEADER), [], header)
        variances = [read_variance(view, dataset) for dataset in view.datasets]
        units = [read_units(view, dataset) for dataset in view.datasets]
        for at, name in enumerate(units[0].names):
            stability = np.array([one.stability[at].mean() for one in units])
            terms = [np.array([one[name][term] for one in variances]) for term in TERMS]
            shown = [float(np.nanmedian(term)) for term in terms]
            mean = mean_interval(stability)
            rho = [_correlation(term, stability) for term in terms[:2]]
            result.rows.append([name, *shown, *mean, *rho])
            result.printed.append(
                [
                    _NAMES.get(name, f"α = {name}"),
                    f"{1000 * shown[0]:.2f}",
                    f"{shown[1]:.2f}",
                    *(f"{1000 * value:.2f}" for value in shown[2:]),
                    f"{mean.mean:.2f} [{mean.low:.2f}, {mean.high:.2f}]",
                    *(f"{one:+.2f}" for one in rho),
                ]
            )
        result.notes.append(
            f"Over {len(view.datasets)} data sets: medians of variances, those of V and W of the "
            "chosen features among them (1000 times), and of noise, which a few would govern in "
            "the mean; mean stability with its 95% interval; ρ is Spearman's "
            "correlation over the data sets, below 0 where data on which the criterion varies "
            "less have the more stable selection. α V − (1 − α) W has the scale of its α."
        )
        return result


def _correlation(term: np.ndarray, stability: np.ndarray) -> float:
    """Over the data sets on which the term is defined."""
    defined = ~np.isnan(term)
    return spearman(term[defined], stability[defined])
