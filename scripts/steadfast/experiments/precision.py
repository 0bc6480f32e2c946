"""Which share of the relevant features a selector finds, on data of which they are known."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from steadfast.core.paths import name_after
from steadfast.core.seeds import generator
from steadfast.data.sources.synthetic import synthetic
from steadfast.measuring.overlaps import size_of
from steadfast.selectors.running.fold_file import tied_levels
from steadfast.selectors.running.select import select
from steadfast.transforms.running import transform_rows

HEADER = ("features", "set", "noise", "label_noise", "selector", "transform", "precision")

Row = tuple[int, int, float, float, str, str, float]


def precision_rows(
    number: int, settings: Mapping[str, Any], *, seed: int, study: str
) -> Iterator[Row]:
    """Precision of every selector after every transform on every set of so many features.

    X + α N(0, |max X|) are the values with noise α, and a share η of the rows gets the other class.
    As many features are selected as are relevant: P = |F_rel ∩ F_sel| / |F_rel|. The paper does not
    say how its data are drawn; here a relevant feature has a mean of its own in each class, and all
    values are shifted by an offset, as intensities are: around 0, a part of rank 1 follows the
    noise and not the means.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), section 5.4.
    """
    for one in range(1, settings["sets"] + 1):
        X, y, relevant = _data(number, settings, seed, f"{study} {number} {one}")
        for noise in settings["noise"]:
            draw = generator(seed, study, number, one, "noise", f"{noise:g}")
            noisy = X + noise * draw.normal(0, abs(X.max()), X.shape)
            for wrong in settings["label_noise"]:
                draw = generator(seed, study, number, one, "classes", f"{wrong:g}")
                flipped = draw.permutation(len(y))[: int(wrong * len(y) + 0.5)]
                labels = y.copy()
                labels[flipped] = 1 - labels[flipped]
                names = (f"{study}, {number} features, set {one}", f"noise {noise:g} and {wrong:g}")
                found = _scores(noisy, labels, settings, seed, names)
                for (selector, transform), weights in found:
                    value = expected_precision(weights, relevant)
                    yield number, one, noise, wrong, selector, transform, value


def _data(
    number: int, settings: Mapping[str, Any], seed: int, name: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    frame, _ = synthetic(
        name,
        {
            "rows": settings["rows"],
            "features": number,
            "relevant": size_of(settings["relevant"], number),
            "separation": settings["separation"],
            "offset": settings["offset"],
            "seed": seed,
        },
    )
    y = np.unique(frame.labels, return_inverse=True)[1]
    return frame.X, y, np.array([name.startswith("relevant") for name in frame.features])


def _scores(
    X: np.ndarray, y: np.ndarray, settings: Mapping[str, Any], seed: int, names: tuple[str, str]
) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
    """Weights by selector and transform; every transform is computed once."""
    for transform in settings["transforms"]:
        runs = {
            name: settings["runs"][name_after(name, transform)] for name in settings["selectors"]
        }
        rows, labels = X, y
        about = next(iter(runs.values())).get("transform")
        if about:
            rows, labels = transform_rows(about, X, y, seed=seed, names=names)
        for name, run in runs.items():
            bins = settings["discretise"] if run["discrete"] else None
            fitted = select(run, rows, labels, seed=seed, names=names, discretise=bins)
            yield (name, transform), fitted.scores_


def expected_precision(weights: np.ndarray, relevant: np.ndarray) -> float:
    """Share of the relevant features among as many of largest weight, ties in random order.

    Where features of equal weight compete for the last places, their share of these is expected:
    a selector that cannot tell any feature from another has the precision of chance.
    """
    k = int(relevant.sum())
    order = np.argsort(-weights, kind="stable")
    level = np.empty(weights.size, dtype=np.int64)
    level[order] = tied_levels(weights[order])
    last = level[order[k - 1]]
    above, tied = level < last, level == last
    places = k - np.count_nonzero(above)
    found = np.count_nonzero(above & relevant)
    found += places * np.count_nonzero(tied & relevant) / np.count_nonzero(tied)
    return float(found / k)
