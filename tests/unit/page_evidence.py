"""Evidence for tests of the page: made by the workflow's own functions from real rankings."""

import json

import numpy as np

from steadfast.advice.dossier import dossier
from steadfast.advice.evidence import (
    Witness,
    chosen_stability,
    resampled_half_width,
    stability_curve,
    test_share,
)
from steadfast.data.table import make_table
from steadfast.experiments.q_values import find_q_values
from steadfast.resampling.schemes import create
from steadfast.selectors.running.fold_file import OWN_SIZE
from steadfast.selectors.running.probes import ahead_of_copies
from steadfast.selectors.running.select import select
from steadfast.statistics.curve import Curve

BINNED = ("mid", "miq")
BINS = {"method": "equal_width", "bins": 10}
CLASSIFIERS = {"nearest": "Nearest mean", "first": "Nearest mean of half"}


def subsamples(table, runs):
    scheme = create({"scheme": "subsample", "repeats": runs, "share": 0.8, "stratified": True})
    return list(scheme.folds(table.y, table.classes, 1, ("page", "test")))


def rank(use, table, folds, params=None):
    """The features by rank in each run."""
    bins = BINS if use in BINNED else None
    settings = {"use": use, "params": params or {}}
    return [
        np.asarray(
            select(
                *(settings, table.X[fold.train], table.y[fold.train]),
                seed=1,
                names=("page", fold.name),
                discretise=bins,
            ).sequence_
        )
        for fold in folds
    ]


def share_ahead(use, table, folds):
    """The share of the runs in which each feature is ahead of every shuffled copy."""
    counts = np.zeros(table.X.shape[1])
    for fold in folds:
        found = ahead_of_copies(
            *({"use": use, "params": {}}, table.X[fold.train], table.y[fold.train]),
            seed=1,
            names=("page", fold.name),
            discretise=BINS if use in BINNED else None,
        )
        counts[found] += 1
    return counts / len(folds)


def nearest_mean(runs, table, folds, sizes):
    """Accuracy of the nearest class mean by size; of the whole run where there is no size."""
    units = np.empty((len(folds), len(sizes) or 1))
    for place, (fold, run) in enumerate(zip(folds, runs)):
        X, y = table.X[fold.train], table.y[fold.train]
        Z = (table.X - X.mean(0)) / (X.std(0) + 1e-12)
        means = np.array([Z[fold.train][y == c].mean(0) for c in np.unique(y)])
        # The distance to each mean grows feature by feature, in the order of the ranking.
        distances = ((Z[fold.test][:, None] - means)[:, :, run] ** 2).cumsum(axis=2)
        right = distances.argmin(axis=1) == table.y[fold.test][:, None]
        units[place] = right.mean(axis=0)[[k - 1 for k in sizes] or [-1]]
    half = resampled_half_width(units, test_share(folds))
    mean = units.mean(axis=0)
    low, high = np.clip([mean - half, mean + half], 0, 1)
    return Curve(np.array(sizes or [OWN_SIZE]), mean, low=low, high=high, units=units)


def evidence(
    name,
    X,
    labels,
    features,
    uses,
    *,
    runs=20,
    own=(),
    largest=40,
    probes=(),
    rankings=None,
    trust=False,
):
    """What the workflow's evidence says of these data.

    `uses` are the selectors and their labels, `own` those that choose their size, with their
    parameters; `rankings`, if given, are what selectors of other names rank in each run. With
    `trust`, features have q-values.
    """
    table = make_table(np.asarray(X, dtype=float), labels, features, name)
    folds, m = subsamples(table, runs), table.X.shape[1]
    witnesses = []
    for use, label in uses.items():
        found = (rankings or {}).get(use) or rank(use, table, folds, dict(own).get(use))
        found = [np.asarray(run)[:largest] for run in found]
        itself = use in own
        sizes = [] if itself else list(range(1, min(map(len, found)) + 1))
        curve = chosen_stability(found, m) if itself else stability_curve(found, m, largest)
        half = [run[: max(1, len(run) // 2)] for run in found] if itself else found
        rates = {
            "nearest": nearest_mean(found, table, folds, sizes),
            "first": nearest_mean(half, table, folds, sizes[: len(sizes) // 2] if sizes else []),
        }
        one = Witness(use, label, use == "random", "", found, curve, rates, itself)
        one.mean_size = float(np.mean([run.size for run in found])) if itself else float("nan")
        one.ahead = share_ahead(use, table, folds) if use in probes else None
        witnesses.append(one)
    about = {"name": name, "title": name, "origin": f"local file {name}.csv", "rows": len(labels)}
    about |= {"features": m, "classes": table.class_counts(), "sha256": "0" * 64}
    about["left_out"] = [{"column": "id", "reason": "a different value in every row"}]
    drawn = f"{runs} subsamples of 80% of the rows, each class in its share"
    q_values = find_q_values(table, seed=1, dataset=name) if trust else None
    made = dossier(table, about, folds, witnesses, CLASSIFIERS, drawn, q_values=q_values)
    return json.dumps(made, allow_nan=False)


def frequencies(runs, size=None):
    """Feature, frequency and mean rank, counted one by one; in the order of the page."""
    found = {}
    for run in runs:
        for place, feature in enumerate(run[:size]):
            found.setdefault(feature, []).append(place + 1)
    rows = [(f, len(ranks) / len(runs), sum(ranks) / len(ranks)) for f, ranks in found.items()]
    return sorted(rows, key=lambda row: (-row[1], row[2], row[0]))
