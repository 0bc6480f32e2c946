"""Knockoffs: their covariance, the lasso inside, e-values, and what is chosen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from steadfast.selectors import Knockoffs
from steadfast.selectors.knockoffs import (
    e_bh,
    e_values,
    equal_gaps,
    knockoff_sampler,
    mvr_gaps,
)
from steadfast.statistics.logistic_lasso import lasso_by_validation, lasso_path


def falling(m, rho):
    """Correlations that fall with the distance of two columns."""
    return rho ** np.abs(np.subtract.outer(np.arange(m), np.arange(m)))


def simulated(seed, n=250, m=50, relevant=20, rho=0.3):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, m)) @ np.linalg.cholesky(falling(m, rho)).T
    true = np.zeros(m, dtype=bool)
    true[draw.choice(m, relevant, replace=False)] = True
    signs = draw.choice([-1.0, 1.0], m)
    return X, (X @ (true * signs) + draw.logistic(size=n) > 0).astype(int), true


@pytest.mark.parametrize("method", ["mvr", "equi"])
def test_features_and_knockoffs_can_be_swapped(method):
    covariance, draw = falling(5, 0.6), np.random.default_rng(0)
    X = draw.normal(size=(100_000, 5)) @ np.linalg.cholesky(covariance).T
    copies = knockoff_sampler(covariance, method)(X, draw)
    found = np.cov(np.hstack([X, copies]).T)
    s = {"mvr": mvr_gaps, "equi": equal_gaps}[method](covariance)
    between = covariance - np.diag(s)
    expected = np.block([[covariance, between], [between, covariance]])
    assert np.abs(found - expected).max() < 0.015
    assert (s > 0.1).all()


@pytest.mark.parametrize("covariance", [falling(6, 0.8), 0.3 * np.eye(4) + 0.7])
def test_gaps_minimise_what_can_be_reconstructed(covariance):
    def loss(s):
        rest = 2 * covariance - np.diag(s)
        if (s <= 0).any() or np.linalg.eigvalsh(rest)[0] <= 0:
            return 1e9
        return np.trace(np.linalg.inv(rest)) + (1 / s).sum()

    found = mvr_gaps(covariance)
    start = np.full(len(covariance), np.linalg.eigvalsh(covariance)[0])
    tight = {"maxiter": 4000, "xatol": 1e-7, "fatol": 1e-10, "maxfev": 8000}
    best = minimize(loss, start, method="Nelder-Mead", options=tight)
    assert loss(found) <= best.fun * (1 + 1e-6)
    assert loss(found) < loss(equal_gaps(covariance))


def test_the_path_has_minima_of_the_penalised_loss():
    """Slope λ against every coefficient that is not 0, less for the others, none of the mean."""
    X, y, _ = simulated(1, n=120, m=30, relevant=8)
    penalties = np.array([0.1, 0.05, 0.01])
    found = lasso_path(np.ascontiguousarray(X.T), y.astype(float), penalties)
    for penalty, (*beta, intercept) in zip(penalties, found, strict=True):
        residual = y - 1 / (1 + np.exp(-X @ np.array(beta) - intercept))
        slope, sign = X.T @ residual / len(y), np.sign(beta)
        assert slope[sign != 0] == pytest.approx(penalty * sign[sign != 0], abs=2e-4)
        assert np.abs(slope).max() <= penalty + 2e-4
        assert residual.mean() == pytest.approx(0, abs=2e-4)
    assert 0 < np.count_nonzero(found[0, :-1]) < np.count_nonzero(found[2, :-1]) < 30


def test_the_penalty_is_the_one_that_does_best_on_rows_left_out():
    X, y, true = simulated(2, n=200, m=20, relevant=5)
    found = lasso_by_validation(X, y, np.arange(len(y)) % 5)
    assert (found[true] != 0).all()
    noise = lasso_by_validation(X, np.random.default_rng(0).permutation(y), np.arange(len(y)) % 5)
    assert np.abs(noise).sum() < 0.2 * np.abs(found).sum()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=40), st.sampled_from([0.1, 0.2, 0.5]))
def test_one_draw_at_its_own_level_is_the_knockoff_filter(values, level):
    w = np.array(values, dtype=float)
    passing = [
        t
        for t in np.unique(np.abs(w))
        if t > 0 and (1 + (w <= -t).sum()) / max(1, (w >= t).sum()) <= level
    ]
    expected = w >= min(passing) if passing else np.zeros(w.size, dtype=bool)
    assert (e_bh(e_values(w, level), level) == expected).all()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 200), min_size=1, max_size=30), st.sampled_from([0.1, 0.2, 0.5]))
def test_e_bh_is_benjamini_and_hochberg_of_inverse_e_values(values, level):
    e = np.array(values)
    m, chosen = e.size, np.zeros(e.size, dtype=bool)
    for k in range(1, m + 1):
        enough = e >= m / (level * k)
        if enough.sum() >= k:
            chosen = enough
    assert (e_bh(e, level) == chosen).all()


def test_few_of_the_chosen_are_false_and_most_of_the_true_are_chosen():
    shares, power = [], []
    for seed in range(6):
        X, y, true = simulated(seed)
        fitted = Knockoffs(fdr=0.2, n_draws=3, random_state=seed).fit(X, y)
        chosen = fitted.support_
        shares.append((chosen & ~true).sum() / max(1, chosen.sum()))
        power.append((chosen & true).sum() / true.sum())
        assert (fitted.support_ == (fitted.ranking_ <= chosen.sum())).all()
    assert np.mean(shares) <= 0.2
    assert np.mean(power) >= 0.6


def test_nothing_is_chosen_where_there_is_nothing():
    X, y, _ = simulated(3)
    y = np.random.default_rng(5).permutation(y)
    fitted = Knockoffs(fdr=0.2, n_draws=3, random_state=0).fit(X, y)
    assert not fitted.get_support().any()
    assert sorted(fitted.sequence_) == list(range(50))
    assert (fitted.steps_["e_value"] == 0).all()
    assert (np.diff(fitted.steps_["w"]) <= 0).all()


def test_a_seed_settles_all_and_ties_share_a_weight():
    X, y, _ = simulated(4, n=80, m=15, relevant=2)
    X[:, [4, 9]] = 7.0
    y = y + (X[:, 0] > 1)  # three classes
    first, again, other = (Knockoffs(n_draws=2, random_state=seed).fit(X, y) for seed in (1, 1, 2))
    assert (first.sequence_ == again.sequence_).all()
    assert (first.steps_["w"] == again.steps_["w"]).all()
    assert not np.array_equal(first.steps_["w"], other.steps_["w"])
    assert first.scores_[4] == first.scores_[9]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"fdr": 1.5}, "fdr must lie between 0 and 1"),
        ({"method": "sdp"}, "method must be one of mvr, equi"),
        ({"n_draws": 0}, "n_draws must be a whole number of at least 1"),
    ],
)
def test_parameters_are_checked(params, words):
    X, y, _ = simulated(0, n=30, m=5, relevant=2)
    with pytest.raises(ValueError, match=words):
        Knockoffs(**params).fit(X, y)


def test_too_many_features_are_refused_with_what_to_do():
    with pytest.raises(ValueError, match=r"2,001, more than 2,000; .* or use complementary_pairs"):
        Knockoffs().fit(np.zeros((4, 2001)), np.array([0, 1, 0, 1]))
