"""How far one selector is ahead of another at every size, with the interval of the difference."""

import numpy as np

from steadfast.outputs.curve_files import Query
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.intervals import resampled_half_width, t_half_width


def difference_curve(view: View, query: Query, selector: str, against: str) -> Curve:
    """The curve of `selector` minus that of `against`, at the sizes that both have.

    Both saw the same folds, so that the interval is that of the folds' differences. Accuracies of
    folds that share rows are corrected for it, as wherever they are compared.
    """
    first, second = common_sizes([view.curves.read(query, name) for name in (selector, against)])
    if query["of"] == "accuracy":
        share = view.test_share(query["dataset"], query["ratio"])
        half = resampled_half_width(first.units - second.units, share)
    else:
        units = _units_by_size(view, query, selector) - _units_by_size(view, query, against)
        of_both = ~np.isnan(units).all(axis=1)
        half = t_half_width(units[of_both][:, first.sizes - 1])
    values = first.values - second.values
    return Curve(first.sizes, values, low=values - half, high=values + half)


def _units_by_size(view: View, query: Query, selector: str) -> np.ndarray:
    """Contributions of the folds to the stability at every size; NaN for folds without any.

    Files of stability keep them as means over the sizes, for most measures.
    """
    from steadfast.measures.similarity import Similarities
    from steadfast.measuring.curves import measure_stability

    dataset = query["dataset"]
    selections = view.selections(dataset, selector, shuffle_ties=True)
    known = [fold for fold in view.folds(dataset) if fold.name in selections]
    features = len(view.features(dataset))
    seed = view.context["seed"]
    measured = measure_stability(query, known, selections, Similarities(), features, seed)
    (found,) = [one for one in measured if one.ratio == query["ratio"]]
    units = np.full((len(found.expected), found.estimate.units.shape[1]), np.nan)
    places = [list(found.expected).index(name) for name in found.units]
    units[places] = found.estimate.units
    return units
