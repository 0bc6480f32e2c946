"""mRSmR against its formula written out, and against mid where the two are one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from steadfast.core.files import parse_table
from steadfast.selectors import MRMR, MRSMR
from steadfast.selectors.mrsmr import stable_sequence
from steadfast.selectors.running.fold_file import selection_to_bytes


def tanimoto(first, second):
    return len(first & second) / len(first | second)


def plain_iteration(bins, y, earlier, kappa, n_steps):
    """Equations (3) to (7): every term of every candidate from its definition."""
    bits = np.log(2)
    chosen, terms = [], []
    for _ in range(n_steps):
        scored = {}
        for f in set(range(len(bins))) - set(chosen):
            relevance = mutual_info_score(bins[f], y) / bits
            shared = [mutual_info_score(bins[f], bins[s]) / bits for s in chosen]
            with_f = {*chosen, f}
            similarities = [tanimoto(with_f, set(sequence[: len(with_f)])) for sequence in earlier]
            redundancy, stability = np.mean(shared or [0]), np.mean(similarities or [0])
            scored[f] = (
                relevance,
                redundancy,
                stability,
                relevance - redundancy + kappa * stability,
            )
        best = max(value[-1] for value in scored.values())
        f = min(f for f, value in scored.items() if value[-1] >= best - 1e-9)
        chosen.append(f)
        terms.append(scored[f])
    return chosen, np.array(terms)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 4),
    st.sampled_from([0.0, 0.3, 2.0]),
    st.integers(1, 7),
)
def test_the_incremental_terms_are_those_of_the_formula(seed, n_earlier, kappa, n_steps):
    draw = np.random.default_rng(seed)
    bins = draw.integers(4, size=(7, 40)).astype(np.uint8)
    y = draw.integers(3, size=40)
    earlier = np.array([draw.permutation(7)[:n_steps] for _ in range(n_earlier)], dtype=np.int64)
    earlier = earlier.reshape(n_earlier, n_steps)
    sequence, steps = stable_sequence(bins, y, earlier, kappa, n_steps)
    chosen, terms = plain_iteration(bins, y, earlier.tolist(), kappa, n_steps)
    assert sequence.tolist() == chosen
    for at, name in enumerate(("relevance", "redundancy", "stability", "score")):
        assert steps[name] == pytest.approx(terms[:, at], abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_without_stability_and_with_all_rows_it_is_mid(seed):
    draw = np.random.default_rng(seed)
    bins, y = draw.integers(5, size=(60, 9)).astype(np.uint8), draw.integers(2, size=60)
    found = MRSMR(kappa=0.0, ratio=1.0, random_state=0).fit(bins, y)
    peer = MRMR("mid").fit(bins, y)
    assert found.sequence_.tolist() == peer.sequence_.tolist()
    assert found.steps_["score"].tolist() == peer.steps_["score"].tolist()


def noisy_data(seed=0, n=120, m=30):
    draw = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = draw.normal(size=(n, m))
    X[:, :8] += 0.4 * y[:, None]
    return X, y


def test_iterations_end_when_the_similarity_no_longer_changes():
    X, y = noisy_data()
    found = MRSMR(n_features_to_select=10, epsilon=0.02, random_state=1).fit(X, y)
    similarity = found.iterations_["similarity"]
    assert found.converged_
    assert np.isnan(similarity[0])
    changes = np.abs(np.diff(similarity[1:]))
    assert changes[-1] <= 0.02
    assert (changes[:-1] > 0.02).all()
    assert found.iterations_["kappa"].tolist() == list(range(1, similarity.size + 1))


def test_it_stops_after_the_most_iterations():
    X, y = noisy_data()
    found = MRSMR(
        n_features_to_select=10, epsilon=0.0, kappa=0.0, most_iterations=4, random_state=1
    )
    assert len(found.fit(X, y).iterations_["iteration"]) == 4


def test_a_large_kappa_repeats_the_first_iteration():
    X, y = noisy_data()
    params = {"n_features_to_select": 10, "random_state": 3}
    first = MRSMR(most_iterations=1, **params).fit(X, y)
    found = MRSMR(kappa=1e6, **params).fit(X, y)
    assert found.sequence_.tolist() == first.sequence_.tolist()


def test_the_fold_file_shows_iterations_and_terms():
    X, y = noisy_data()
    found = MRSMR(n_features_to_select=5, random_state=1).fit(X, y)
    table = parse_table(selection_to_bytes(found, [f"f{i}" for i in range(30)]))
    ranked = [row for row, rank in enumerate(table["rank"]) if rank]
    assert len(ranked) == 5
    for row in ranked:
        relevance, redundancy, stability, score = (
            float(table[name][row]) for name in ("relevance", "redundancy", "stability", "score")
        )
        last = found.iterations_["kappa"][-1]
        assert score == pytest.approx(relevance - redundancy + last * stability)
    iterations = [row for row, number in enumerate(table["iteration"]) if number]
    assert not set(iterations) & set(ranked)
    assert [float(table["similarity"][row]) for row in iterations[1:]] == pytest.approx(
        found.iterations_["similarity"][1:]
    )


@pytest.mark.parametrize(
    "params",
    [
        {"ratio": 0},
        {"ratio": 1.2},
        {"kappa": -1},
        {"kappa": float("inf")},
        {"epsilon": -0.1},
        {"most_iterations": 0},
    ],
)
def test_parameters_that_make_no_sense_are_refused(params):
    X, y = noisy_data()
    with pytest.raises(ValueError, match=next(iter(params))):
        MRSMR(**params).fit(X, y)
