"""Sequential searches against the definition, written plainly, and the selector around them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from test_wrapper_criteria import WITH_PEERS

from steadfast.core import registry
from steadfast.data.discretise import unit_range
from steadfast.selectors import SequentialSearch
from steadfast.selectors.wrappers import make_criterion
from steadfast.wrappers.base import Criterion, dealt_splits, random_splits
from steadfast.wrappers.search import sequential_search

WINE, CLASSES = (values[::2] for values in load_wine(return_X_y=True))
WINE = WINE[:, :6]
# Without ties: scikit-learn takes equally near neighbours in no particular order.
UNTIED = WINE + np.random.default_rng(0).normal(scale=1e-4, size=WINE.shape)


def plain_search(score, m, floating, largest=None, resume=False):
    """Every change as (action, feature, subset after it), and the best subset of every size."""
    subset, path, best = frozenset(), [], {}

    def move(action, feature):
        after = subset ^ {feature}
        path.append((action, feature, after))
        if len(after) not in best or score(after) > score(best[len(after)]):
            best[len(after)] = after
        return after

    while len(subset) < (largest or m):
        outside = sorted(set(range(m)) - subset)
        subset = move("add", max(outside, key=lambda f: score(subset | {f})))
        while floating and len(subset) > 1:
            worst = max(sorted(subset), key=lambda f: score(subset - {f}))
            if score(subset - {worst}) <= score(best[len(subset) - 1]):
                break
            subset = move("drop", worst)
        if resume:
            subset = best[len(subset)]
    return path, best


def best_of_all(best, score):
    return min(best.values(), key=lambda subset: (-score(subset), len(subset)))


class SetFunction(Criterion):
    """A subset's score is given: `table[Σ 2^feature]`, at most `highest`."""

    def __init__(self, table, highest):
        m = len(table).bit_length() - 1
        super().__init__(np.zeros((1, m)), np.zeros(1), [highest])
        self.table = table

    def value(self, subset):
        return self.table[sum(2**feature for feature in subset)]

    def hits_with(self, candidates):
        return np.array([[self.value({*self.subset, f}) for f in candidates]])

    def hits_without(self, candidates):
        return np.array([[self.value({*self.subset} - {f}) for f in candidates]])

    def update(self, feature, *, added):
        pass


@st.composite
def set_functions(draw):
    """Few different values make ties, many make the search turn back."""
    m, highest = draw(st.integers(1, 6)), draw(st.sampled_from([1, 3, 60]))
    seed = draw(st.integers(0, 10**9))
    table = np.random.default_rng(seed).integers(0, highest, 2**m, endpoint=True)
    return SetFunction(table.tolist(), highest)


MANY = settings(max_examples=400, deadline=None)


@MANY
@given(set_functions(), st.booleans(), st.none() | st.integers(1, 7))
def test_a_search_is_the_plain_one(criterion, floating, largest):
    m = criterion.X.shape[1]
    search = sequential_search(criterion, floating=floating, largest=largest)
    limit = min(largest or m, m)
    path, best = plain_search(criterion.value, m, floating, limit)
    assert [(step.action, step.feature) for step in search.steps] == [
        (action, feature) for action, feature, _ in path
    ]
    assert [step.size for step in search.steps] == [len(subset) for _, _, subset in path]
    assert [step.score for step in search.steps] == [criterion.value(s) for _, _, s in path]
    assert search.kept == {size: sorted(subset) for size, subset in best.items()}
    assert search.chosen == sorted(best_of_all(best, criterion.value))
    assert sorted(search.kept) == list(range(1, limit + 1))


@MANY
@given(set_functions(), st.booleans())
def test_steps_tell_the_best_so_far(criterion, floating):
    search = sequential_search(criterion, floating=floating)
    best, found_at = {}, {}
    for at, step in enumerate(search.steps):
        if step.score > best.get(step.size, -1):
            best[step.size], found_at[step.size] = step.score, at
        assert step.best_score == max(best.values())
        assert step.best_size == min(k for k in best if best[k] == step.best_score)
    assert (search.scores, search.kept_at) == (best, found_at)


@MANY
@given(set_functions())
def test_floating_loses_nothing_before_it_first_drops(criterion):
    """The third feature is the first after which one may be dropped."""
    floating_search = sequential_search(criterion, floating=True)
    forward = sequential_search(
        SetFunction(criterion.table, int(criterion.perfect)), floating=False
    )
    assert floating_search.steps[:3] == forward.steps[:3]
    assert all(floating_search.scores[k] >= forward.scores[k] for k in forward.scores if k <= 3)


def test_floating_turns_back():
    """{1, 2} is the best pair, but 0 the best single feature: adding alone never finds it."""
    scores = {(0,): 5, (1,): 4, (2,): 3, (0, 1): 6, (0, 2): 5, (1, 2): 9, (0, 1, 2): 8}
    table = [0] + [scores[tuple(f for f in range(3) if at >> f & 1)] for at in range(1, 8)]
    assert sequential_search(SetFunction(table, 10), floating=False).chosen == [0, 1, 2]
    search = sequential_search(SetFunction(table, 10), floating=True)
    assert search.chosen == [1, 2]
    moves = [(step.action, step.feature) for step in search.steps]
    assert moves == [("add", 0), ("add", 1), ("add", 2), ("drop", 0), ("add", 0)]


def assert_stopping_changes_no_choice(table, highest, floating):
    whole = sequential_search(SetFunction(table, highest), floating=floating)
    short = sequential_search(
        SetFunction(table, highest), floating=floating, stop_when_perfect=True
    )
    assert short.chosen == whole.chosen
    assert short.steps == whole.steps[: len(short.steps)]
    if whole.steps[-1].best_score < highest:
        assert short.steps == whole.steps


@MANY
@given(set_functions(), st.booleans())
def test_stopping_when_perfect_changes_no_choice(criterion, floating):
    assert_stopping_changes_no_choice(criterion.table, int(criterion.perfect), floating)


def test_a_smaller_perfect_subset_is_found_after_dropping_from_a_perfect_one():
    """{0, 2, 3} is perfect; from {0, 2}, dropped to, the search goes by {0, 1, 2} to {1, 2}."""
    perfect = [(1, 2), (0, 1, 2), (0, 2, 3), (0, 1, 2, 3)]
    fair = [(3,), (0, 1), (0, 2)]
    table = [0] * 16
    for value, subsets in ((2, perfect), (1, fair)):
        for subset in subsets:
            table[sum(2**feature for feature in subset)] = value
    assert sequential_search(SetFunction(table, 2), floating=True).chosen == [1, 2]
    assert_stopping_changes_no_choice(table, 2, floating=True)


def test_a_search_without_errors_stops_there():
    table = [0, 1, 0, 2, 1, 1, 2, 2]
    search = sequential_search(SetFunction(table, 2), floating=False, stop_when_perfect=True)
    assert [step.size for step in search.steps] == [1, 2]
    assert search.chosen == [0, 1]


def mean_accuracy(X, y, splits, classifier):
    """The criterion of subsets as an exact fraction."""
    known = {}

    def score(subset):
        if subset not in known:
            Z = X[:, sorted(subset)]
            hits = [(classifier.fit(Z[a], y[a]).predict(Z[b]) == y[b]).sum() for a, b in splits]
            parts = [Fraction(int(h), len(b)) for h, (_, b) in zip(hits, splits)]
            known[subset] = sum(parts) / len(parts)
        return known[subset]

    return score


@pytest.mark.parametrize("name", ["sfs", "sffs"])
@pytest.mark.parametrize("n_folds", [None, 4])
def test_the_selector_finds_what_the_plain_search_finds(name, n_folds):
    params = {"n_splits": 5, "n_folds": n_folds, "random_state": 3}
    fitted = registry.declared("selector")[name].create(params).fit(UNTIED, CLASSES)
    draw = np.random.default_rng(3)
    if n_folds:
        splits = dealt_splits(CLASSES, n_folds, draw)
        assert len({split.test.size for split in splits}) == 2
    else:
        splits = random_splits(CLASSES, 5, 2 / 3, draw)
    score = mean_accuracy(unit_range(UNTIED), CLASSES, splits, KNeighborsClassifier(3))
    path, best = plain_search(score, 6, name == "sffs")
    assert fitted.search_["action"] == [action for action, _, _ in path]
    assert fitted.search_["column"] == [feature for _, feature, _ in path]
    assert fitted.search_["size"] == [len(subset) for _, _, subset in path]
    assert fitted.search_["criterion"] == pytest.approx([float(score(s)) for _, _, s in path])
    assert {k: frozenset(v.tolist()) for k, v in fitted.subsets_.items()} == best
    assert fitted.criteria_ == pytest.approx({k: float(score(s)) for k, s in best.items()})
    chosen = best_of_all(best, score)
    assert fitted.get_support(indices=True).tolist() == sorted(chosen)
    assert fitted.criterion_ == pytest.approx(float(score(chosen)))


@pytest.fixture(scope="module", params=[0, 1, 2])
def selector(request):
    """Features that all tell a little: the search turns back."""
    draw = np.random.default_rng(request.param)
    y = np.arange(60) % 3
    X = draw.normal(size=(60, 9)) + draw.normal(scale=0.7, size=(3, 9))[y]
    fitted = SequentialSearch(floating=True, n_splits=4, random_state=0).fit(X, y)
    assert "drop" in fitted.search_["action"]
    return fitted


def test_search_columns_replay_the_search(selector):
    steps = selector.search_
    assert steps["step"] == list(range(1, len(steps["step"]) + 1))
    subset, best = set(), {}
    for at, column in enumerate(steps["column"]):
        assert (column in subset) == (steps["action"][at] == "drop")
        subset ^= {column}
        size, value = len(subset), steps["criterion"][at]
        assert steps["size"][at] == size
        if size not in best or value > best[size][0]:
            best[size] = value, at, sorted(subset)
        highest = max(value for value, _, _ in best.values())
        assert steps["best"][at] == highest
        assert steps["best_size"][at] == min(k for k in best if best[k][0] == highest)
    kept = {at for _, at, _ in best.values()}
    assert steps["kept"] == ["yes" if at in kept else "no" for at in range(len(steps["step"]))]
    assert {k: v.tolist() for k, v in selector.subsets_.items()} == {
        k: v[2] for k, v in best.items()
    }
    assert selector.criteria_ == {k: v[0] for k, v in best.items()}
    assert subset == set(range(9))


def test_the_sequence_has_the_chosen_features_first(selector):
    steps = selector.search_
    last = {c: at for at, c in enumerate(steps["column"]) if steps["action"][at] == "add"}
    size = steps["best_size"][-1]
    chosen, rest = selector.sequence_[:size].tolist(), selector.sequence_[size:].tolist()
    assert sorted(chosen) == selector.subsets_[size].tolist()
    assert sorted(chosen + rest) == list(range(9))
    for part in (chosen, rest):
        assert part == sorted(part, key=last.get)
    assert selector.steps_["step"].tolist() == [last[column] + 1 for column in selector.sequence_]
    for_good = [at for at, flag in enumerate(steps["for_good"]) if flag]
    assert for_good == sorted(last.values())


def test_transform_gives_the_chosen_subset():
    fitted = SequentialSearch("gaussian", n_splits=3, random_state=0).fit(WINE, CLASSES)
    chosen = fitted.subsets_[fitted.search_["best_size"][-1]]
    assert 0 < chosen.size < 6
    assert np.flatnonzero(fitted.support_).tolist() == chosen.tolist()
    assert (fitted.get_support() == fitted.support_).all()
    assert (fitted.transform(WINE) == WINE[:, chosen]).all()
    selector = SequentialSearch("gaussian", n_splits=3, random_state=0)
    piped = make_pipeline(selector, GaussianNB()).fit(WINE, CLASSES)
    wanted = GaussianNB().fit(WINE[:, chosen], CLASSES).predict(WINE[:, chosen])
    assert (piped.predict(WINE) == wanted).all()


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("classifier", WITH_PEERS)
def test_fast_paths_search_as_the_ordinary_way_does(classifier, floating):
    params = {"classifier": classifier, "floating": floating, "n_splits": 4, "random_state": 1}
    fast = SequentialSearch(**params).fit(UNTIED, CLASSES)
    slow = SequentialSearch(**params, fast=False).fit(UNTIED, CLASSES)
    assert fast.search_ == slow.search_
    assert (fast.sequence_ == slow.sequence_).all()


def test_any_classifier_of_scikit_learn_will_do():
    given = [
        ("sklearn.naive_bayes.GaussianNB", {"var_smoothing": 1e-3}),
        (GaussianNB, {"var_smoothing": 1e-3}),
        (GaussianNB(var_smoothing=1e-3), None),
    ]
    found = [
        SequentialSearch(classifier, params, n_splits=3, random_state=0).fit(WINE, CLASSES).search_
        for classifier, params in given
    ]
    assert found[0] == found[1] == found[2]
    splits = random_splits(CLASSES, 3, 2 / 3, np.random.default_rng(0))
    score = mean_accuracy(unit_range(WINE), CLASSES, splits, GaussianNB(var_smoothing=1e-3))
    path, _ = plain_search(score, 6, False)
    assert found[0]["column"] == [feature for _, feature, _ in path]


def test_a_largest_size_ends_the_search_there():
    whole = SequentialSearch(n_splits=3, random_state=0).fit(WINE, CLASSES)
    short = SequentialSearch(n_splits=3, random_state=0, largest=4).fit(WINE, CLASSES)
    assert short.search_["column"] == whole.search_["column"][:4]
    assert sorted(short.subsets_) == [1, 2, 3, 4]
    assert sorted(short.sequence_) == sorted(whole.search_["column"][:4])
    params = {"n_splits": 3, "random_state": 0, "floating": True}
    selector = SequentialSearch(largest=3, **params).fit(WINE, CLASSES)
    assert sorted(selector.subsets_) == [1, 2, 3]
    assert max(selector.search_["size"]) == 3
    assert SequentialSearch(largest=60, **params).fit(WINE, CLASSES).sequence_.size == 6


@pytest.mark.parametrize("floating", [False, True])
def test_stopping_at_a_subset_without_errors_chooses_the_same(floating):
    draw = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = draw.normal(size=(60, 8))
    X[:, 3] += 2.5 * y
    X[:, 5] += 5 * y
    params = {"floating": floating, "n_splits": 3, "random_state": 0}
    whole = SequentialSearch(**params).fit(X, y)
    short = SequentialSearch(**params, stop_when_perfect=True).fit(X, y)
    assert whole.criterion_ == short.criterion_ == 1
    assert (whole.support_ == short.support_).all()
    assert len(short.search_["step"]) < len(whole.search_["step"])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"classifier": "nothing"}, "classifier"),
        ({"classifier": "sklearn.naive_bayes.Nothing"}, "classifier"),
        ({"classifier": 5}, "classifier"),
        ({"classifier": "sklearn.cluster.KMeans"}, "KMeans is no classifier"),
        ({"classifier_params": 5}, "classifier_params must be"),
        ({"n_splits": 0}, "n_splits must be"),
        ({"n_splits": 2.5}, "n_splits must be"),
        ({"train_share": 0}, "train_share must"),
        ({"train_share": 1.0}, "train_share must"),
        ({"train_share": "half"}, "train_share must"),
        ({"train_share": 0.999}, "no row is left to test on"),
        ({"n_folds": 1}, "n_folds must be"),
        ({"n_folds": 1000}, "n_folds: 89 rows"),
        ({"largest": 0}, "largest must be"),
        ({"largest": "all"}, "largest must be"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(params, message):
    with pytest.raises(ValueError, match=message):
        SequentialSearch(**params).fit(WINE, CLASSES)


@pytest.mark.parametrize(
    ("classifier", "params", "message"),
    [
        ("knn", {"k": 3}, "knn has no 'k'; it has n_neighbors"),
        ("svm", {"kernel": "linear"}, "svm has no 'kernel'; it has C, gamma, tol"),
        ("gaussian", {"reg_param": 0.1}, "gaussian has no 'reg_param'; it has ridge"),
        ("knn", {"n_neighbors": 0}, "n_neighbors"),
        ("knn", {"n_neighbors": 2.5}, "n_neighbors"),
        ("svm", {"C": 0}, r"\bC\b"),
        ("svm", {"gamma": -1.0}, "gamma"),
        ("svm", {"gamma": "wide"}, "gamma"),
        ("svm", {"tol": 0}, "tol"),
        ("gaussian", {"ridge": -1}, "ridge"),
        ("gaussian", {"ridge": 2}, "ridge"),
        ("sklearn.naive_bayes.GaussianNB", {"k": 3}, "'k'"),
        (GaussianNB(), {"k": 3}, "'k'"),
    ],
)
def test_parameters_that_a_classifier_cannot_have_are_refused(classifier, params, message):
    """When the criterion is made: compiled code would not notice."""
    splits = random_splits(CLASSES, 2, 0.5, np.random.default_rng(0))
    with pytest.raises(ValueError, match=message):
        make_criterion(unit_range(WINE), CLASSES, splits, classifier, params)


def test_a_classifier_that_draws_draws_the_same_each_time():
    made = [
        SequentialSearch(
            "sklearn.tree.DecisionTreeClassifier", {"max_features": 1}, n_splits=2, random_state=1
        ).fit(WINE[:, :5], CLASSES)
        for _ in range(2)
    ]
    assert made[0].search_ == made[1].search_
