"""ReliefF against the formula, written plainly."""

import numpy as np
import pytest

from steadfast.selectors import ReliefF
from steadfast.selectors.relieff import relieff_terms


def relieff_weights(*arguments):
    hit, miss = relieff_terms(*arguments)
    return miss - hit


def plain_relieff(X, y, k, probes, discrete=()):
    """Ji et al. (2015), equations (1) and (2); equally near rows in their order."""
    n, m = X.shape
    span = X.max(axis=0) - X.min(axis=0)

    def diff(f, s, t):
        if f in discrete:
            return float(X[s, f] != X[t, f])
        return abs(X[s, f] - X[t, f]) / span[f] if span[f] else 0.0

    weights = np.zeros(m)
    for s in probes:
        distance = {t: sum(diff(f, s, t) for f in range(m)) for t in range(n) if t != s}
        for label in set(y.tolist()):
            rows = [t for t in distance if y[t] == label]
            near = sorted(rows, key=lambda t: (round(distance[t], 9), t))[:k]
            if not near:
                continue
            share = -1.0
            if label != y[s]:
                share = np.mean(y == label) / (1 - np.mean(y == y[s]))
            for f in range(m):
                weights[f] += share * sum(diff(f, s, t) for t in near) / len(near)
    return weights / len(probes)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("k", [1, 7])
def test_weights_are_those_of_the_formula(n_classes, k):
    draw = np.random.default_rng(n_classes)
    X, y = draw.normal(size=(50, 6)), draw.integers(0, n_classes, 50)
    X[:, 1] += y
    X[:, 2] = 3
    every = np.arange(50)
    wanted = plain_relieff(X, y, k, every)
    assert relieff_weights(X, y, every, k) == pytest.approx(wanted, abs=1e-10)
    some = np.array([3, 8, 20, 41])
    wanted = plain_relieff(X, y, k, some)
    assert relieff_weights(X, y, some, k) == pytest.approx(wanted, abs=1e-10)


def test_tied_distances_and_discrete_features():
    draw = np.random.default_rng(0)
    X = draw.integers(0, 3, (40, 5)).astype(float)
    y = draw.integers(0, 3, 40)
    for discrete in ([], [0, 3], [0, 1, 2, 3, 4]):
        wanted = plain_relieff(X, y, 4, range(40), discrete)
        found = relieff_weights(X, y, np.arange(40), 4, discrete)
        assert found == pytest.approx(wanted, abs=1e-10)
    whole = relieff_weights(X, y, np.arange(40), 4, True)
    assert whole == pytest.approx(plain_relieff(X, y, 4, range(40), range(5)), abs=1e-10)


def test_a_class_with_few_rows_uses_those_it_has():
    draw = np.random.default_rng(2)
    X, y = draw.normal(size=(30, 4)), np.repeat([0, 1, 2], [25, 3, 2])
    wanted = plain_relieff(X, y, 10, range(30))
    assert relieff_weights(X, y, np.arange(30), 10) == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("n_features", [8, 40, 200])
def test_rows_by_blocks_give_what_all_at_once_give(n_features):
    """Blocks hold 16, 40 and 64 probes."""
    draw = np.random.default_rng(3)
    X, y = draw.normal(size=(100, n_features)), draw.integers(0, 2, 100)
    probes = np.arange(100)
    whole = relieff_weights(X, y, probes, 5)
    # One probe less goes through the blocks; the last probe's part is what is missing.
    blocks = relieff_weights(X, y, probes[:-1], 5) * 99
    last = relieff_weights(X, y, probes[-1:], 5)
    assert (blocks + last) / 100 == pytest.approx(whole, abs=1e-12)


def test_relevant_features_come_first_and_probes_are_drawn_by_the_seed():
    draw = np.random.default_rng(1)
    X, y = draw.normal(size=(200, 30)), np.arange(200) % 2
    X[:, [4, 17]] += 2 * y[:, None]
    assert set(ReliefF().fit(X, y).sequence_[:2]) == {4, 17}
    first, second = (ReliefF(n_probes=50, random_state=7).fit(X, y) for _ in "ab")
    assert (first.scores_ == second.scores_).all()
    assert (first.scores_ != ReliefF(n_probes=50, random_state=8).fit(X, y).scores_).any()


@pytest.mark.parametrize(
    "params", [{"n_neighbours": 2.5}, {"n_probes": -3}, {"n_probes": 0.5}, {"discrete": [99]}]
)
def test_parameters_that_make_no_sense_are_refused(params):
    with pytest.raises(ValueError, match="must be"):
        ReliefF(**params).fit(np.arange(8.0).reshape(4, 2), np.array([0, 0, 1, 1]))


def test_a_fold_shows_the_two_terms_of_a_weight():
    draw = np.random.default_rng(1)
    fitted = ReliefF(3).fit(draw.normal(size=(30, 4)), np.arange(30) % 2)
    terms = fitted.steps_["miss"] - fitted.steps_["hit"]
    assert terms == pytest.approx(fitted.scores_[fitted.sequence_])
