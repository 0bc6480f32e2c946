"""Ensembles against aggregation written out, and cost and width of a tuned machine."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import PredefinedSplit
from sklearn.svm import SVC

from steadfast.accuracy.rows import accuracy_rows
from steadfast.accuracy.tuning import COSTS, WIDTHS, tune
from steadfast.core.errors import UserError
from steadfast.core.seeds import generator
from steadfast.resampling.draws import deal
from steadfast.resampling.folds import Fold
from steadfast.selectors import Ensemble
from steadfast.selectors.running.fold_file import Selection
from steadfast.study.selectors import complete_selector

X, Y = load_wine(return_X_y=True)
Z = (X - X.min(axis=0)) / np.ptp(X, axis=0)


class Recorder(Ensemble):
    """Keeps the samples that it draws."""

    def _sample(self, n, draw):
        rows = super()._sample(n, draw)
        self.samples_ = [*getattr(self, "samples_", []), rows]
        return rows


def ranks_of(samples):
    """Ranks by the ANOVA F of each sample."""
    from sklearn.feature_selection import f_classif

    table = []
    for rows in samples:
        scores = f_classif(X[rows], Y[rows])[0]
        ranks = np.empty(13)
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, 14)
        table.append(ranks)
    return np.array(table)


@pytest.mark.parametrize("share", [0.8, None])
@pytest.mark.parametrize("aggregate", ["mean_rank", "weight", "frequency", "borda"])
def test_aggregates_are_what_they_say(aggregate, share):
    found = Recorder(
        "sklearn.feature_selection.f_classif",
        n_samples=7,
        share=share,
        aggregate=aggregate,
        top=4,
        random_state=5,
    ).fit(X, Y)
    ranks = ranks_of(found.samples_)
    mean_rank, frequency = ranks.mean(axis=0), (ranks <= 4).mean(axis=0)
    if aggregate == "mean_rank":
        keys = [(mean_rank[f], f) for f in range(13)]
    elif aggregate == "frequency":
        keys = [(-frequency[f], mean_rank[f], f) for f in range(13)]
    elif aggregate == "borda":
        points = np.clip(5 - ranks, 0, None).sum(axis=0)
        keys = [(-points[f], mean_rank[f], f) for f in range(13)]
    else:
        from sklearn.feature_selection import f_classif

        weights = np.mean([f_classif(X[rows], Y[rows])[0] for rows in found.samples_], axis=0)
        keys = [(-weights[f], f) for f in range(13)]
    assert found.sequence_.tolist() == sorted(range(13), key=lambda f: keys[f])
    assert found.steps_["mean_rank"] == pytest.approx(mean_rank[found.sequence_])
    assert found.steps_["frequency"] == pytest.approx(frequency[found.sequence_])


def test_samples_have_their_share_of_the_rows():
    found = Recorder("fisher", n_samples=3, share=0.5, random_state=0).fit(X, Y)
    assert [len(set(rows)) for rows in found.samples_] == [89] * 3
    bootstraps = Recorder("fisher", n_samples=3, share=None, random_state=0).fit(X, Y).samples_
    assert all(len(rows) == 178 > len(set(rows)) for rows in bootstraps)


def test_one_sample_of_all_rows_is_the_base_itself():
    from steadfast.selectors import MRMR

    found = Ensemble("mid", n_samples=1, share=1.0, random_state=0).fit(X, Y)
    assert found.sequence_.tolist() == MRMR("mid").fit(X, Y).sequence_.tolist()


@pytest.mark.parametrize("aggregate", ["mean_rank", "frequency", "borda"])
def test_features_that_no_ranking_lists_come_last(aggregate):
    found = Ensemble(
        "mid", {"n_features_to_select": 3}, n_samples=4, aggregate=aggregate, random_state=0
    ).fit(X, Y)
    frequency = found.steps_["frequency"]
    assert frequency.sum() == 3, "three features per sample are listed, whatever k is"
    assert not (np.diff((frequency > 0).astype(int)) > 0).any()
    if aggregate != "mean_rank":
        assert (found.scores_[found.sequence_][frequency == 0] == 0).all()


def test_a_column_that_is_constant_in_one_sample_keeps_its_other_weights():
    draw = np.random.default_rng(0)
    y = np.arange(40) % 2
    data = draw.normal(size=(40, 4))
    data[:, 1] = 0
    data[0, 1] = 1
    found = Ensemble(
        "sklearn.feature_selection.f_classif", n_samples=8, aggregate="weight", random_state=1
    ).fit(data, y)
    assert np.isfinite(found.scores_).all()


@pytest.mark.parametrize(
    "params", [{"aggregate": "median"}, {"n_samples": 0}, {"share": 2}, {"top": 0}]
)
def test_parameters_that_make_no_sense_are_refused(params):
    with pytest.raises(ValueError, match=next(iter(params))):
        Ensemble("fisher", **params).fit(X, Y)


def test_an_ensemble_wants_what_its_base_wants_and_depends_on_its_file():
    of_mid = complete_selector("a", {"use": "ensemble", "base": "mid"}, "here")
    of_fisher = complete_selector(
        "b", {"use": "ensemble", "base": "fisher", "n_samples": 7}, "here"
    )
    assert (of_mid.discrete, of_fisher.discrete) == (True, False)
    assert of_mid.base.file == "steadfast/selectors/mrmr.py"
    assert of_mid.files == ["steadfast/selectors/ensemble.py", of_mid.base.file]
    assert of_fisher.passes == {"rankings": 7, "share": 0.8}
    assert complete_selector("mid", {}, "here").passes == {"rankings": 1, "share": 1.0}


def plain_choice(k):
    """The most accurate of the grid over the same folds, by scikit-learn."""
    fold = deal(Y, 5, generator(0, "tuning", len(Y)), ["0", "1", "2"], "spread", ["tuning"])
    best = None
    for cost in COSTS:
        for width in sorted(WIDTHS, key=lambda w: abs(np.log(w))):
            hits = 0
            for train, test in PredefinedSplit(fold).split():
                gamma = width / (k * Z[train][:, :k].var())
                fitted = SVC(C=cost, gamma=gamma).fit(Z[train][:, :k], Y[train])
                hits += (fitted.predict(Z[test][:, :k]) == Y[test]).sum()
            if best is None or hits > best[0]:
                best = hits, (cost, width)
    return best[1]


def test_every_size_or_the_middle_one_is_tuned_on_the_training_rows():
    assert tune(Z, Y, [2, 5, 9], "every") == {k: plain_choice(k) for k in (2, 5, 9)}
    assert tune(Z, Y, [2, 5, 9], "once") == dict.fromkeys((2, 5, 9), plain_choice(5))


def test_a_tuned_machine_is_scored_on_the_test_rows():
    fold = Fold("h01", 1, 1.0, np.arange(0, 178, 2), np.arange(1, 178, 2))
    selections = {"h01": Selection(np.arange(13), np.zeros(13))}
    settings = {"tune": "every", "scale": "unit", "sizes": [3, 13]}
    rows = list(accuracy_rows("svm", settings, [fold], selections, X, Y))
    low, span = X[fold.train].min(axis=0), np.ptp(X[fold.train], axis=0)
    scaled = (X - low) / span
    chosen = tune(scaled[fold.train], Y[fold.train], [3, 13], "every")
    for row, k in zip(rows, (3, 13), strict=True):
        cost, width = chosen[k]
        train, test = scaled[fold.train][:, :k], scaled[fold.test][:, :k]
        machine = SVC(C=cost, gamma=width / (k * train.var())).fit(train, Y[fold.train])
        assert row[4] == machine.score(test, Y[fold.test])


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"base": "mdi"}, "here.base: unknown selector 'mdi'; did you mean"),
        ({"base": ["mid"]}, "here.base: must be"),
        ({"base": "ensemble_mid"}, "here.base: ensemble_mid runs another selector itself"),
        ({"base_params": {"foo": 1}}, "here.base_params.foo: mid has no such parameter"),
    ],
)
def test_a_base_that_is_none_is_named_before_anything_runs(entry, says):
    with pytest.raises(UserError, match=says.replace(".", r"\.").replace("?", r"\?")):
        complete_selector("some", {"use": "ensemble", **entry}, "here")
