"""Categories and gaps: as scikit-learn encodes and fills them, learnt from training rows alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import RFE
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from steadfast.accuracy.rows import accuracy_rows
from steadfast.core.errors import UserError
from steadfast.data.encoding import fill_gaps, one_hot
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection
from steadfast.selectors.running.select import select

PLACE = {"seed": 1, "names": ("mixed", "s001")}
BINS = {"method": "equal_width", "bins": 5}
FOREST = {
    "use": "sklearn.ensemble.RandomForestClassifier",
    "params": {"n_estimators": 30},
}
SELECTORS = {
    "info_gain": ({"use": "info_gain", "params": {}}, None),
    "fisher": ({"use": "fisher", "params": {}}, None),
    "relieff": ({"use": "relieff", "params": {}}, None),
    "svm_rfe": ({"use": "svm_rfe", "params": {}}, None),
    "forest": (FOREST, None),
    "mid": ({"use": "mid", "params": {}}, BINS),
    "chi2": ({"use": "chi2", "params": {}}, BINS),
}


def mixed_data(n=90, gaps=0.1, seed=0):
    """Two numbers and three columns of 2, 3 and 5 categories; the second and the fourth tell."""
    draw = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = np.empty((n, 5))
    X[:, 0] = draw.normal(size=n)
    X[:, 1] = draw.normal(size=n) + 1.5 * y
    X[:, 2] = draw.integers(2, size=n)
    X[:, 3] = np.where(draw.random(n) < 0.7, 2 * y, draw.integers(3, size=n))
    X[:, 4] = draw.integers(5, size=n)
    X[:, :2][draw.random((n, 2)) < gaps] = np.nan
    return X, y, tuple(tuple("abcde"[:count]) for count in (0, 0, 2, 3, 5))


class LinearRFE(RFE):
    """A selector of another package, with a machine that a config line could not give it."""

    def __init__(self, n_features_to_select=None):
        super().__init__(LogisticRegression(), n_features_to_select=n_features_to_select)


def run(name, X, y, levels, **more):
    use, bins = SELECTORS[name]
    return select({**use, **more}, X, y, discretise=bins, levels=levels, **PLACE)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=4), st.integers(2, 25), st.integers(0, 2**31)
)
def test_one_column_a_category_is_what_scikit_learn_makes(counts, n, seed):
    draw = np.random.default_rng(seed)
    counts = [0 if count == 1 else count for count in counts]
    levels = tuple(tuple(f"level {i}" for i in range(count)) for count in counts)
    X = np.column_stack(
        [draw.integers(count, size=n) if count else draw.normal(size=n) for count in counts]
    ).astype(float)
    encoded = one_hot(X, levels)
    for column, count in enumerate(counts):
        own = encoded.owner == column
        wanted = X[:, [column]]
        if count:
            encoder = OneHotEncoder(
                categories=[np.arange(count)], drop="if_binary", sparse_output=False
            )
            wanted = encoder.fit_transform(wanted)
        assert (encoded.X[:, own] == wanted).all()
    assert sorted(encoded.owner) == encoded.owner.tolist()


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.integers(1, 8), st.integers(0, 2**31))
def test_gaps_are_filled_as_scikit_learn_does_from_other_rows(n, n_other, seed):
    draw = np.random.default_rng(seed)
    X, other = draw.normal(size=(n, 3)), draw.normal(size=(n_other, 3))
    X[draw.random(X.shape) < 0.3] = np.nan
    other[draw.random(other.shape) < 0.4] = np.nan
    imputer = SimpleImputer(strategy="median", keep_empty_features=True).fit(other)
    assert (fill_gaps(X, other) == imputer.transform(X)).all()


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_a_selection_is_that_of_rows_filled_by_their_own_medians(name):
    """So that nothing but the training rows is learnt from: no other row is ever seen."""
    X, y, levels = mixed_data(gaps=0.3)
    complete = X.copy()
    for column in (0, 1):
        gaps = np.isnan(X[:, column])
        complete[gaps, column] = np.median(X[~gaps, column])
    found, wanted = (run(name, rows, y, levels) for rows in (X, complete))
    assert found.sequence_.tolist() == wanted.sequence_.tolist()
    assert (found.scores_ == wanted.scores_).all()


@pytest.mark.parametrize("classifier", ["knn", "svm"])
def test_rows_that_do_not_train_teach_a_classifier_nothing(classifier):
    """Medians and scales are those of the training rows, whatever the other rows hold."""
    X, y, levels = mixed_data(gaps=0.4)
    fold, selections = split(len(y))
    tested, others = fold.test[:12], fold.test[12:]
    part = Fold(fold.name, 1, 1.0, fold.train, tested)
    changed = X.copy()
    changed[others] = [1e6, -1e6, 1, 2, 4]
    settings = {"use": classifier, "scale": "standard"}
    before, after = (
        list(accuracy_rows("c", settings, [part], selections, rows, y, [1, 2, 4, 5], levels=levels))
        for rows in (X, changed)
    )
    assert before == after
    # Also where the rows are classified one by one.
    whole, alone = (
        [
            row[4] * rows.size
            for rows in tests
            for row in accuracy_rows(
                *("c", settings, [Fold("s001", 1, 1.0, fold.train, rows)], selections, changed, y),
                *([4],),
                levels=levels,
            )
        ]
        for tests in ([fold.test], np.split(fold.test, fold.test.size))
    )
    assert sum(whole) == pytest.approx(sum(alone))


def split(n):
    order = np.random.default_rng(5).permutation(n)
    fold = Fold("s001", 1, 1.0, np.sort(order[: n * 2 // 3]), np.sort(order[n * 2 // 3 :]))
    sequence = np.array([3, 1, 4, 0, 2])
    return fold, {"s001": Selection(sequence, np.arange(5.0, 0, -1))}


@pytest.mark.parametrize("gaps", [0.0, 0.25])
@pytest.mark.parametrize("classifier", ["knn", "svm"])
def test_accuracy_is_that_of_a_pipeline_of_scikit_learn(classifier, gaps):
    X, y, levels = mixed_data(120, gaps)
    fold, selections = split(len(y))
    sequence = selections["s001"].sequence
    rows = list(
        accuracy_rows(
            "c",
            {"use": classifier, "scale": "standard"},
            *([fold], selections, X, y, [1, 2, 3, 5]),
            levels=levels,
        )
    )
    assert [row[2] for row in rows] == [1, 2, 3, 5]
    for _, _, k, _, value, tested, _ in rows:
        columns = sequence[:k]
        numbers = [column for column in columns if not levels[column]]
        categories = [column for column in columns if levels[column]]
        encoder = OneHotEncoder(
            categories=[np.arange(len(levels[column])) for column in categories],
            drop="if_binary",
        )
        machine = KNeighborsClassifier(3) if classifier == "knn" else SVC()
        model = make_pipeline(
            ColumnTransformer(
                [
                    ("numbers", SimpleImputer(strategy="median"), numbers),
                    ("categories", encoder, categories),
                ],
                sparse_threshold=0,
            ),
            StandardScaler(),
            machine,
        ).fit(X[fold.train], y[fold.train])
        wanted = model.score(X[fold.test], y[fold.test])
        # By categories alone, many rows are equally near; scikit-learn takes them in any order.
        tolerance = 1e-12 if numbers or classifier == "svm" else 0.15
        assert value == pytest.approx(wanted, abs=tolerance)
        assert tested == fold.test.size


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_a_category_that_no_training_row_has_is_no_reason_to_stop(name):
    X, y, levels = mixed_data()
    unseen = tuple((*names, "unseen") if len(names) == 5 else names for names in levels)
    found = run(name, X, y, unseen)
    assert sorted(found.sequence_) == [0, 1, 2, 3, 4]
    assert set(found.sequence_[:2]) == {1, 3}
    assert found.sequence_.tolist() == run(name, X, y, levels).sequence_.tolist()


def test_a_test_row_of_an_unseen_category_is_classified():
    X, y, levels = mixed_data(gaps=0)
    fold, selections = split(len(y))
    X[fold.train, 3] = np.minimum(X[fold.train, 3], 1)
    X[fold.test[0], 3] = 2
    rows = list(accuracy_rows("knn", {}, [fold], selections, X, y, [1, 5], levels=levels))
    assert all(0 <= row[4] <= 1 for row in rows)


def test_bins_do_not_merge_categories_that_differ():
    """Eight codes in five bins of equal width would fall together; their scores are two numbers."""
    y = np.tile([0, 1], 40)
    column = np.tile(np.arange(8), 10).astype(float)  # even codes are of class 0
    noise = np.random.default_rng(3).normal(size=80)
    X, levels = np.column_stack([noise, column]), ((), tuple("abcdefgh"))
    found = select({"use": "chi2", "params": {}}, X, y, discretise=BINS, levels=levels, **PLACE)
    assert found.sequence_[0] == 1
    assert found.scores_[1] == pytest.approx(80)  # χ² of a perfect table is n


@pytest.mark.parametrize("n_features", [2, 0.4, None])
def test_selectors_of_other_packages_rank_all_columns_whatever_they_are_to_select(n_features):
    """As they do on numbers: what `n_features_to_select` means there is their own affair."""
    X, y, levels = mixed_data()
    use = {"use": f"{__name__}.LinearRFE", "params": {"n_features_to_select": n_features}}
    found = select(use, X, y, levels=levels, **PLACE)
    assert sorted(found.sequence_) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["info_gain", "relieff", "chi2", "mid", "fisher", "svm_rfe"])
def test_the_order_of_the_names_of_categories_does_not_matter(name):
    X, y, levels = mixed_data()
    other, permuted = X.copy(), list(levels)
    for column in (3, 4):
        count = len(levels[column])
        codes = np.random.default_rng(column).permutation(count)
        other[:, column] = codes[X[:, column].astype(int)]
        permuted[column] = tuple(levels[column][at] for at in np.argsort(codes))
    found, again = run(name, X, y, levels), run(name, other, y, tuple(permuted))
    assert again.sequence_.tolist() == found.sequence_.tolist()
    assert again.scores_ == pytest.approx(found.scores_, abs=1e-9)


def test_own_selectors_rank_as_many_columns_as_asked_for():
    X, y, levels = mixed_data()
    for use in ("fisher", "svm_rfe", "info_gain", "relieff"):
        settings_ = {"use": use, "params": {"n_features_to_select": 3}}
        found = select(settings_, X, y, levels=levels, **PLACE)
        assert found.sequence_.size == 3
        assert len(set(found.sequence_)) == 3


def test_categories_do_not_go_through_transforms():
    X, y, levels = mixed_data()
    with pytest.raises(UserError, match="no transform knows"):
        select(
            {"use": "fisher", "params": {}},
            *(X, y),
            transform={"use": "low_rank", "params": {}},
            levels=levels,
            **PLACE,
        )


def test_a_wrapper_chooses_columns():
    X, y, levels = mixed_data(60)
    found = select({"use": "sfs", "params": {}}, X, y, levels=levels, **PLACE)
    chosen = np.flatnonzero(found.support_)
    assert set(chosen) & {1, 3}
    assert set(found.sequence_[: chosen.size]) == set(chosen)
