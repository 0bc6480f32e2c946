"""Shrinking bootstraps: what is drawn, from what, and that it depends on names alone."""

import numpy as np
import pytest

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.seeds import derive_seed
from steadfast.resampling import folds as resampling_folds
from steadfast.resampling.draws import rows_beside
from steadfast.resampling.folds import read_plan, write_plan
from steadfast.resampling.schemes import create

RATIOS = [0.1, 0.25, 0.5, 0.75, 1.0]


def draw(n=200, repeats=3, ratios=RATIOS, seed=1, names=("study", "wine")):
    scheme = create({"scheme": "shrinking_bootstrap", "repeats": repeats, "ratios": ratios})
    return list(scheme.folds(np.arange(n) % 2, ["a", "b"], seed, names))


def test_reduced_parts_are_drawn_without_replacement_from_the_bootstrap():
    folds = {fold.name: fold for fold in draw()}
    for fold in folds.values():
        whole = folds[fold.reference]
        assert fold.train.size == round(fold.ratio * 200)
        drawn, copies = np.unique(whole.train, return_counts=True)
        available = dict(zip(drawn, copies, strict=True))
        rows, used = np.unique(fold.train, return_counts=True)
        assert all(available[row] >= count for row, count in zip(rows, used, strict=True))


def test_the_test_part_is_what_the_bootstrap_never_drew():
    for fold in draw():
        whole = next(f for f in draw() if f.name == fold.reference)
        assert not set(fold.test) & set(whole.train)
        assert set(fold.test) | set(whole.train) == set(range(200))


def test_the_full_training_set_is_always_there_as_reference():
    folds = draw(ratios=[0.5])
    assert [fold.name for fold in folds[:2]] == ["b01_r0.5", "b01_r1"]
    scheme = create({"scheme": "shrinking_bootstrap", "repeats": 3, "ratios": [0.5]})
    assert scheme.names() == [fold.name for fold in folds]


def test_another_ratio_or_repeat_leaves_the_other_draws_alone():
    few = {fold.name: fold.train for fold in draw(ratios=[0.25, 1.0], repeats=2)}
    many = {fold.name: fold.train for fold in draw(ratios=RATIOS, repeats=5)}
    assert all((many[name] == rows).all() for name, rows in few.items())


def test_draws_depend_on_seed_study_and_data_set():
    first = draw()[0].train
    assert (first == draw()[0].train).all()
    for other in (draw(seed=2), draw(names=("other", "wine")), draw(names=("study", "sonar"))):
        assert (first != other[0].train).any()


def test_seeds_keep_names_apart():
    assert derive_seed(1, "ab", "c") != derive_seed(1, "a", "bc")
    assert derive_seed(1, "a") == derive_seed(1, "a")


def test_a_ratio_too_small_for_the_data_is_refused():
    with pytest.raises(UserError, match=r"study/wine: resample\.ratios: 0\.1 of 10 rows"):
        draw(n=10)


@pytest.mark.parametrize("many_rows", [100, 1000])
def test_a_plan_comes_back_from_its_file(tmp_path, monkeypatch, many_rows):
    """Of many rows, the file holds steps between row numbers."""
    monkeypatch.setattr(resampling_folds, "MANY_ROWS", many_rows)
    folds, y = draw(), np.arange(200) % 2
    write_plan(folds, y, ["a", "b"], tmp_path / "wine.npz")
    for before, after in zip(folds, read_plan(tmp_path / "wine.npz"), strict=True):
        assert (before.name, before.ratio, before.reference) == (
            after.name,
            after.ratio,
            after.reference,
        )
        assert (before.train == after.train).all()
        assert (before.test == after.test).all()
    table = (tmp_path / "wine.tsv").read_text().splitlines()
    assert table[0].split("\t")[:3] == ["fold", "repeat", "ratio"]
    assert len(table) == 16


Y = np.repeat([0, 1, 2], [50, 30, 23])
CLASSES = ["a", "b", "c"]


def folds_of(scheme, y=Y, seed=1, **settings):
    made = create({"scheme": scheme, **settings})
    return list(made.folds(y, CLASSES, seed, ("study", "data")))


@pytest.mark.parametrize("scheme", sorted(registry.declared("scheme")))
def test_names_are_known_before_the_data_and_parts_do_not_overlap(scheme):
    folds = folds_of(scheme)
    assert [fold.name for fold in folds] == create({"scheme": scheme}).names()
    assert len({fold.name for fold in folds}) == len(folds)
    for fold in folds:
        assert not set(fold.train) & set(fold.test)
        assert fold.train.size >= 2
    again = folds_of(scheme)
    assert all((a.train == b.train).all() for a, b in zip(folds, again, strict=True))
    other = folds_of(scheme, seed=2)
    assert any(
        (a.train != b.train).any() for a, b in zip(folds, other) if a.train.shape == b.train.shape
    )


@pytest.mark.parametrize("scheme", ["cv", "repeated_cv"])
def test_each_row_is_tested_once_and_classes_keep_their_shares(scheme):
    folds = folds_of(scheme, folds=5)
    for repeat in {fold.repeat for fold in folds}:
        own = [fold for fold in folds if fold.repeat == repeat]
        assert sorted(np.concatenate([fold.test for fold in own])) == list(range(len(Y)))
        counts = np.array([np.bincount(Y[fold.test], minlength=3) for fold in own])
        assert (np.ptp(counts, axis=0) <= 1).all()
        assert np.ptp(counts.sum(axis=1)) <= 1
        assert {fold.comparison for fold in own} == {f"r{repeat:02d}"}


def test_inner_folds_stay_inside_the_training_part_of_their_outer_fold():
    folds = {fold.name: fold for fold in folds_of("nested_cv", folds=4, inner=3)}
    assert len(folds) == 4 * (1 + 3)
    outer = [fold for fold in folds.values() if fold.scored]
    assert sorted(np.concatenate([fold.test for fold in outer])) == list(range(len(Y)))
    for fold in folds.values():
        if fold.scored:
            assert fold.comparison == ""
            continue
        whole = folds[fold.comparison]
        assert sorted([*fold.train, *fold.test]) == sorted(whole.train)


def test_a_class_smaller_than_the_folds_is_refused_or_spread():
    y = np.repeat([0, 1], [30, 4])
    with pytest.raises(
        UserError, match=r"study/data: resample: class 'b' has 4 rows to deal to 10 folds"
    ):
        folds_of("cv", y)
    counts = [
        np.bincount(y[f.test], minlength=2)[1] for f in folds_of("cv", y, small_classes="spread")
    ]
    assert sorted(counts) == [0] * 6 + [1] * 4


def test_a_subsample_has_its_share_of_every_class():
    for fold in folds_of("subsample", repeats=3, share=0.8):
        assert np.bincount(Y[fold.train]).tolist() == [40, 24, 18]
        assert sorted([*fold.train, *fold.test]) == list(range(len(Y)))
    assert np.bincount(Y[folds_of("halves")[0].train]).tolist() == [25, 15, 12]


@pytest.mark.parametrize("counts", [(50, 30, 24), (50, 30, 23), (7, 7, 7), (1, 5, 5)])
@pytest.mark.parametrize("stratified", [True, False])
def test_pairs_are_two_disjoint_halves_with_the_same_classes(counts, stratified):
    y = np.repeat([0, 1, 2], counts)
    folds = folds_of("pairs", y, repeats=12, stratified=stratified)
    assert [fold.name for fold in folds[:3]] == ["p01a", "p01b", "p02a"]
    for first, second in zip(folds[::2], folds[1::2], strict=True):
        assert first.train.size == second.train.size == len(y) // 2
        assert not set(first.train) & set(second.train)
        assert sorted([*first.train, *first.test]) == list(range(len(y)))
        own = [np.bincount(y[fold.train], minlength=3) for fold in (first, second)]
        assert not stratified or np.abs(own[0] - own[1]).max() <= 1
    assert len({tuple(fold.train) for fold in folds}) == 24
    with pytest.raises(UserError, match="study/data: resample: 3 rows cannot be halved"):
        folds_of("pairs", np.array([0, 1, 1]))


def test_a_setting_that_a_scheme_does_not_have_is_refused():
    with pytest.raises(UserError, match=r"resample\.ratios: cv has no such setting"):
        create({"scheme": "cv", "ratios": [0.5]})
    with pytest.raises(UserError, match=r"resample\.repeats: cv has no such setting"):
        create({"scheme": "cv", "repeats": 5})


def test_the_rows_beside_those_drawn_are_the_others_in_order():
    assert rows_beside(np.array([4, 1, 1]), 6).tolist() == [0, 2, 3, 5]
    assert rows_beside(np.empty(0, dtype=np.int64), 2).tolist() == [0, 1]
