"""Linear support vector machines as selectors."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.feature_selection import RFE
from sklearn.svm import SVC

from steadfast.data.discretise import unit_range
from steadfast.selectors import L1SVM, SVMRFE, SVMOne

X, Y = load_breast_cancer(return_X_y=True)


def test_one_machine_gives_its_squared_coefficients():
    wanted = SVC(kernel="linear", C=0.5).fit(unit_range(X), Y).coef_[0] ** 2
    assert SVMOne(C=0.5).fit(X, Y).scores_ == pytest.approx(wanted, rel=1e-3, abs=1e-6)


def test_of_more_classes_each_is_set_against_the_rest():
    wine, classes = load_wine(return_X_y=True)
    Z = unit_range(wine)
    machines = [SVC(kernel="linear", C=0.5).fit(Z, classes == label) for label in range(3)]
    wanted = sum(machine.coef_[0] ** 2 for machine in machines)
    assert SVMOne().fit(wine, classes).scores_ == pytest.approx(wanted, rel=1e-3, abs=1e-6)


def test_elimination_one_by_one_is_scikit_learns():
    Z = unit_range(X)
    wanted = RFE(SVC(kernel="linear", C=0.5), n_features_to_select=1, step=1).fit(Z, Y).ranking_
    assert SVMRFE(C=0.5, step=1).fit(X, Y).ranking_.tolist() == wanted.tolist()


def test_a_share_is_of_the_features_that_remain():
    draw = np.random.default_rng(0)
    wide, y = draw.normal(size=(40, 120)), np.arange(40) % 2
    rounds = SVMRFE(step=0.1).fit(wide, y).steps_["round"]
    dropped = np.bincount(rounds)[1:]
    remaining = 120
    for count in dropped:
        assert count == max(1, int((remaining + 1) * 0.1))
        remaining -= count
    assert remaining == 0


def test_more_features_than_rows_go_through_the_products_of_rows():
    """Training on the features themselves gives this order too."""
    draw = np.random.default_rng(1)
    wide, y = draw.normal(size=(30, 80)), np.arange(30) % 2
    wide[:, 3] += 2 * y
    Z, remaining, order = unit_range(wide), list(range(80)), []
    while remaining:
        weights = SVC(kernel="linear", C=0.5).fit(Z[:, remaining], y).coef_[0] ** 2
        n = min(max(1, int((len(remaining) + 1) * 0.1)), len(remaining))
        gone = sorted(range(len(remaining)), key=lambda at: (weights[at], -remaining[at]))[:n]
        order += [remaining[at] for at in gone]
        remaining = [f for at, f in enumerate(remaining) if at not in gone]
    found = SVMRFE(step=0.1).fit(wide, y).sequence_.tolist()
    assert found[:10] == order[::-1][:10]


def test_a_penalty_on_the_sum_leaves_most_features_without_weight():
    draw = np.random.default_rng(2)
    wide, y = draw.normal(size=(60, 200)), np.arange(60) % 2
    wide[:, [5, 9]] += 3 * y[:, None]
    fitted = L1SVM(random_state=0).fit(wide, y)
    assert set(fitted.sequence_[:2]) == {5, 9}
    assert np.count_nonzero(fitted.scores_) < 60


def test_one_class_is_refused_in_words():
    for selector in (SVMOne(), SVMRFE(), L1SVM()):
        with pytest.raises(ValueError, match="at least 2 classes"):
            selector.fit(X, np.zeros(len(X), dtype=int))


def test_a_common_scale_keeps_features_of_large_values_large():
    """Multiplied by 1000, a feature needs a coefficient a thousand times smaller, and is chosen."""
    draw = np.random.default_rng(0)
    y = np.arange(60) % 2
    noisy = draw.normal(size=(60, 20)) + 0.8 * y[:, None]
    noisy[:, 7] *= 1000
    assert L1SVM(scale="common", C=0.1).fit(noisy, y).sequence_[0] == 7
    same = [L1SVM(random_state=0).fit(X, y).scores_ for X in (noisy, noisy * 3)]
    assert same[0] == pytest.approx(same[1], rel=1e-6)
    common = [L1SVM(scale="common", random_state=0).fit(X, y).scores_ for X in (noisy, noisy * 3)]
    assert common[0] == pytest.approx(common[1], rel=1e-6)
    with pytest.raises(ValueError, match="scale must be 'unit' or 'common', got 'none'"):
        L1SVM(scale="none").fit(noisy, y)
