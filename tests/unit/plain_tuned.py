"""The selector `tuned` written out from its description, to check the fast one against.

Slow and literal on purpose: counts, fractions and loops, nothing of the project. Which rows the
samples hold is given; what follows from them is computed here.
"""

from fractions import Fraction

import numpy as np
from scipy import stats

#: Numbers that differ by less are equal: rounding.
TIE = 1e-10


def to_bins(X, lowest, highest, n_bins=10):
    """⌊bins · (x − min) / (max − min)⌋ by the given ends; outside of them the outermost bins."""
    bins = np.zeros(X.shape, dtype=int)
    for column in range(X.shape[1]):
        width = highest[column] - lowest[column]
        if width > 0:
            raw = np.floor(n_bins * ((X[:, column] - lowest[column]) / width))
            bins[:, column] = np.clip(raw, 0, n_bins - 1)
    return bins


def information(a, b):
    """I(a; b) in bits, from the counts of the pairs of values."""
    joint = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(joint, (a, b), 1)
    joint /= len(a)
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    seen = joint > 0
    return float((joint[seen] * np.log2(joint[seen] / apart[seen])).sum())


def first_of_largest(values, candidates):
    """The lowest of the candidates whose value is the largest."""
    best = max(values[f] for f in candidates)
    return next(f for f in candidates if values[f] >= best - TIE)


def mrmr_sequences(bins, y, alphas, length):
    """Forward selection by α · relevance − (1 − α) · mean redundancy, for each α."""
    m = bins.shape[1]
    relevance = [information(bins[:, f], y) for f in range(m)]
    shared = np.zeros((m, m))
    for f in range(m):
        for other in range(f):
            shared[f, other] = shared[other, f] = information(bins[:, f], bins[:, other])
    found = []
    for alpha in alphas:
        sequence = [first_of_largest(relevance, range(m))]
        while len(sequence) < length:
            left = [f for f in range(m) if f not in sequence]
            redundancy = shared[:, sequence].mean(axis=1)
            scores = {f: alpha * relevance[f] - (1 - alpha) * redundancy[f] for f in left}
            sequence.append(first_of_largest(scores, left))
        found.append(sequence)
    return found


def bayes_classes(train, y_train, test, n_bins, n_classes):
    """The likeliest class of each row by all columns, the lowest of equals, and if there were any.

    Exact; all classes count alike.
    """
    likely = np.ones((len(test), n_classes), dtype=object)
    for label in range(n_classes):
        own = train[y_train == label]
        for column in range(train.shape[1]):
            for value in set(test[:, column].tolist()):
                count = int((own[:, column] == value).sum())
                rows = test[:, column] == value
                likely[rows, label] *= Fraction(count + 1, len(own) + n_bins)
    best = [[label for label, value in enumerate(row) if value == max(row)] for row in likely]
    return np.array([labels[0] for labels in best]), any(len(labels) > 1 for labels in best)


def balanced_accuracy(found, y):
    """The mean over the classes that occur of the share of their rows that is right."""
    return float(np.mean([(found[y == label] == label).mean() for label in sorted(set(y))]))


def bayes_accuracies(train, y_train, test, y_test, sequence):
    """Balanced accuracy by the first k columns of a sequence, for every k, in logarithms."""
    n_bins = max(train.max(), test.max()) + 1
    n_classes = max(y_train.max(), y_test.max()) + 1
    worth, found = np.zeros((len(test), n_classes)), []
    for column in sequence:
        counts = np.ones((n_bins, n_classes))
        np.add.at(counts, (train[:, column], y_train), 1)
        worth += np.log(counts / counts.sum(axis=0))[test[:, column]]
        ties = worth >= worth.max(axis=1, keepdims=True) - TIE
        found.append(balanced_accuracy(ties.argmax(axis=1), y_test))
    return found


def stability(sets, m):
    """Nogueira's 1 − mean s_f² / (k̄/m · (1 − k̄/m)), s_f² = L/(L−1) · p_f (1 − p_f)."""
    runs = len(sets)
    shares = [Fraction(sum(f in one for one in sets), runs) for f in range(m)]
    mean_size = sum(shares) / m
    chance = mean_size * (1 - mean_size)
    if chance == 0:
        return float("nan")
    spread = sum(Fraction(runs, runs - 1) * p * (1 - p) for p in shares) / m
    return float(1 - spread / chance)


def grid(X, y, samples, alphas, length):
    """Stability by α and size, accuracy by sample, α and size, and test over training rows."""
    n, m = X.shape
    sequences, accuracy = [], []
    for rows in samples:
        rest = np.array(sorted(set(range(n)) - set(rows.tolist())))
        ends = X[rows].min(axis=0), X[rows].max(axis=0)
        train, test = to_bins(X[rows], *ends), to_bins(X[rest], *ends)
        own = mrmr_sequences(train, y[rows], alphas, length)
        sequences.append(own)
        accuracy.append([bayes_accuracies(train, y[rows], test, y[rest], one) for one in own])
    stable = [
        [stability([set(own[at][:k]) for own in sequences], m) for k in range(1, length + 1)]
        for at in range(len(alphas))
    ]
    trained = sum(len(rows) for rows in samples)
    ratio = (n * len(samples) - trained) / trained
    return np.array(stable), np.array(accuracy), ratio


def over_sizes(stable, accuracy):
    """Means over the sizes at which stability is defined."""
    defined = ~np.isnan(stable[0])
    return stable[:, defined].mean(axis=1)[:, None], accuracy[:, :, defined].mean(axis=2)[..., None]


def as_accurate(accuracy, ratio):
    """Where the loss against the highest mean is within the one-sided 95% interval."""
    samples, points, sizes = accuracy.shape
    means = accuracy.mean(axis=0)
    best = accuracy[:, *np.unravel_index(means.argmax(), means.shape)]
    found = np.zeros((points, sizes), dtype=bool)
    for point in range(points):
        for size in range(sizes):
            lost = best - accuracy[:, point, size]
            error = np.sqrt((1 / samples + ratio) * lost.var(ddof=1))
            found[point, size] = lost.mean() <= stats.t.ppf(0.95, samples - 1) * error + TIE
    return found


def choose(stable, accuracy, ratio, by="stability_and_accuracy", weight=None):
    """The point and the size, both from 0; of equals the smallest size, then the first point."""
    mean, stable = accuracy.mean(axis=0), np.where(np.isnan(stable), 0, stable)
    allowed = np.ones(mean.shape, dtype=bool)
    if weight is not None:
        value = weight * stable + (1 - weight) * mean
    elif by == "accuracy":
        value = mean
    else:
        value = stable
        if by == "stability_and_accuracy":
            allowed = as_accurate(accuracy, ratio)
    best = value[allowed].max()
    points, sizes = value.shape
    for size in range(sizes):
        for point in range(points):
            if allowed[point, size] and value[point, size] >= best - TIE:
                return point, size
    raise AssertionError("there is a largest value")
