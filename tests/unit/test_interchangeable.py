"""Interchangeable groups: complete linkage, and never by chance."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from steadfast.advice.conclusions import _bins as similarity_bins
from steadfast.advice.interchangeable import SIMILAR, interchangeable_groups
from steadfast.data.table import Table


def uncertainty(a, b):
    """2 I / (H + H), by scikit-learn's mutual information."""
    entropies = mutual_info_score(a, a) + mutual_info_score(b, b)
    return 2 * mutual_info_score(a, b) / entropies if entropies > 1e-12 else 0.0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(2, 8), st.floats(0.0, 0.6))
def test_groups_are_those_of_complete_linkage(seed, m, noise):
    draw = np.random.default_rng(seed)
    n = 60
    sources = draw.integers(4, size=(3, n))
    bins = np.array(
        [
            np.where(draw.random(n) < noise, draw.integers(4, size=n), sources[draw.integers(3)])
            for _ in range(m)
        ],
        dtype=np.uint8,
    )
    runs = [draw.permutation(m)[: draw.integers(1, m + 1)] for _ in range(4)]
    trusted = [int(draw.integers(m))]
    groups = interchangeable_groups(runs, bins, trusted)
    looked_at = {int(column) for run in runs for column in run} | set(trusted)
    members = [column for group in groups for column in group.columns]
    assert len(members) == len(set(members))
    assert set(members) <= looked_at
    similarity = {
        frozenset(pair): uncertainty(bins[pair[0]], bins[pair[1]])
        for pair in combinations(sorted(looked_at), 2)
    }
    for group in groups:
        pairs = [similarity[frozenset(pair)] for pair in combinations(group.columns, 2)]
        assert min(pairs) >= SIMILAR - 1e-9
        assert group.similarity == pytest.approx(np.mean(pairs))
        chosen = [set(run.tolist()) & set(group.columns) for run in runs]
        assert group.frequency == np.mean([bool(one) for one in chosen])
        assert group.each == [np.mean([c in one for one in chosen]) for c in group.columns]
    # Complete linkage: no two clusters could be joined without a pair that is not similar.
    clusters = [set(group.columns) for group in groups]
    clusters += [{column} for column in looked_at - set(members)]
    for one, other in combinations(clusters, 2):
        assert min(similarity[frozenset((a, b))] for a in one for b in other) < SIMILAR + 1e-9
    assert [g.frequency for g in groups] == sorted((g.frequency for g in groups), reverse=True)


@pytest.mark.parametrize("n", [60, 150, 400])
@pytest.mark.parametrize("count", [2, 10, 20, 30])
def test_unrelated_categories_are_not_interchangeable_however_many_they_have(n, count):
    draw = np.random.default_rng(count)
    bins = draw.integers(count, size=(4, n)).astype(np.uint8)
    bins[3] = (bins[2] + 1) % count  # the same under other names
    groups = interchangeable_groups([np.arange(4)] * 3, bins)
    assert [group.columns for group in groups] == [[2, 3]]
    assert groups[0].similarity == pytest.approx(1)


@pytest.mark.parametrize("n", [60, 199, 200, 1000])
def test_similar_means_a_correlation_of_nine_tenths_or_so(n):
    draw = np.random.default_rng(n)
    found = {}
    for correlation in (0.75, 0.96):
        x = draw.normal(size=n)
        y = correlation * x + np.sqrt(1 - correlation**2) * draw.normal(size=n)
        table = Table(np.column_stack([x, y]), np.arange(n) % 2, ("x", "y"), ("no", "yes"))
        found[correlation] = bool(
            interchangeable_groups([np.arange(2)] * 3, similarity_bins(table))
        )
    assert found == {0.75: False, 0.96: True}
