"""Shrinking bootstraps: what is drawn, from what, and that it depends on names alone."""

import numpy as np
import pytest

from steadfast.errors import UserError
from steadfast.resample import batches, fold_names, read_plan, shrinking_bootstrap, write_plan
from steadfast.seeds import derive_seed

RATIOS = [0.1, 0.25, 0.5, 0.75, 1.0]


def draw(n=200, repeats=3, ratios=RATIOS, seed=1, names=("study", "wine")):
    return list(shrinking_bootstrap(n, repeats=repeats, ratios=ratios, seed=seed, names=names))


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
    names = fold_names("shrinking_bootstrap", repeats=3, ratios=[0.5])
    assert names == [fold.name for fold in folds]


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


def test_a_plan_comes_back_from_its_file(tmp_path):
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


def test_batches_cover_every_fold_once():
    names = fold_names("shrinking_bootstrap", repeats=3, ratios=RATIOS)
    groups = batches(names, 4)
    assert [name for group in groups for name in group] == names
    assert max(map(len, groups)) == 4
