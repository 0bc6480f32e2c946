"""Subsets of a size of their own: in files, under time limits, in stability and accuracy."""

import signal
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.feature_selection import RFE
from sklearn.svm import SVC

from steadfast.accuracy.rows import accuracy_rows
from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, write_with_manifest
from steadfast.core.paths import SELECT_LOG, Paths
from steadfast.core.registry import declared
from steadfast.measures.kinds import load
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.measuring.curves import measure_stability
from steadfast.outputs.tables.wrappers import own_classifiers
from steadfast.outputs.times import all_times, clock
from steadfast.resampling.folds import Fold
from steadfast.selectors import SequentialSearch
from steadfast.selectors.running.fold_file import (
    OWN_SIZE,
    Selection,
    failure_to_bytes,
    read_selection,
    selection_to_bytes,
)
from steadfast.selectors.running.select import TimeLimitError, ranking_of, select, time_limit
from steadfast.selectors.running.unfinished import Unfinished

X, Y = load_wine(return_X_y=True)
NAMES = [f"f{column}" for column in range(13)]


def write_fold(folder, content, name="s001.tsv"):
    write_with_manifest({folder / name: content}, folder / "batch0.sha256")
    return read_selection(folder / name, folder / "batch0.sha256", NAMES)


@pytest.fixture(scope="module")
def floating():
    return SequentialSearch("knn", floating=True, random_state=4).fit(X, Y)


def test_a_wrappers_file_holds_ranking_choice_and_criterion(tmp_path, floating):
    found = write_fold(tmp_path, selection_to_bytes(floating, NAMES))
    assert found.sequence.tolist() == floating.sequence_.tolist()
    assert sorted(found.chosen) == np.flatnonzero(floating.support_).tolist()
    assert found.criterion == floating.criterion_
    assert not found.note


def test_a_wrappers_file_can_be_replayed_to_the_best_subset_of_every_size(floating):
    table = parse_table(selection_to_bytes(floating, NAMES))
    assert "drop" in table["action"], "this run should show a floating step"
    subset, kept = set(), {}
    for row, name in enumerate(table["feature"]):
        subset ^= {NAMES.index(name)}
        assert len(subset) == int(table["size"][row])
        if table["kept"][row] == "yes":
            kept[len(subset)] = sorted(subset), float(table["criterion"][row])
    for size, (columns, criterion) in kept.items():
        assert columns == floating.subsets_[size].tolist()
        assert criterion == floating.criteria_[size]
    assert sorted(kept) == sorted(floating.subsets_)


def test_a_ranking_without_a_choice_is_chosen_whole(tmp_path):
    content = b"rank\tfeature\tweight\n2\tf0\t0.5\n1\tf3\t1\n"
    found = write_fold(tmp_path, content)
    assert found.sequence.tolist() == found.chosen.tolist() == [3, 0]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"rank\tfeature\tweight\tselected\n1\tf0\t1\tno\n2\tf1\t1\tyes\n", "selected"),
        (b"rank\tfeature\tweight\nfirst\tf0\t1\n", "rank"),
    ],
)
def test_a_file_that_contradicts_itself_is_named(tmp_path, content, says):
    with pytest.raises(UserError, match=rf"s001\.tsv: {says}: "):
        write_fold(tmp_path, content)


def test_the_support_of_another_packages_class_is_its_choice(tmp_path):
    fitted = RFE(SVC(kernel="linear"), n_features_to_select=4).fit(X / X.max(axis=0), Y)
    found = write_fold(tmp_path, selection_to_bytes(ranking_of(fitted, 13), NAMES))
    assert sorted(found.chosen) == np.flatnonzero(fitted.support_).tolist()


def test_a_support_that_is_no_mask_is_ignored():
    fitted = SimpleNamespace(coef_=np.arange(3.0), support_=np.array([0, 2]))
    assert ranking_of(fitted, 3).support_ is None


def test_a_selection_over_its_time_limit_is_stopped_and_told(tmp_path):
    settings = {"use": "sffs", "params": {"classifier": "svm", "fast": False}, "time_limit": 0.05}
    with pytest.raises(TimeLimitError, match=r"time limit of 0\.05 s") as stopped:
        select(settings, X, Y, seed=1, names=["wine", "s001"])
    found = write_fold(tmp_path, failure_to_bytes(str(stopped.value)))
    assert found.note == "stopped by its time limit of 0.05 s"
    assert found.chosen.size == 0


def test_a_time_limit_leaves_no_timer_behind():
    with time_limit(0.2):
        pass
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) == signal.SIG_DFL
    until = time.process_time() + 0.3
    while time.process_time() < until:
        pass


def test_finished_folds_outlive_a_killed_job_until_something_changes(tmp_path):
    data = tmp_path / "table.npz"
    data.write_bytes(b"numbers")
    first = Unfinished(tmp_path / "batch0.sha256", ["code", {"k": 1}], [data])
    first.put("s001", b"content")
    again = Unfinished(tmp_path / "batch0.sha256", ["code", {"k": 1}], [data])
    assert again.get("s001") == b"content"
    assert again.get("s002") is None
    assert Unfinished(tmp_path / "batch0.sha256", ["code", {"k": 2}], [data]).get("s001") is None
    data.write_bytes(b"other numbers")
    assert Unfinished(tmp_path / "batch0.sha256", ["code", {"k": 1}], [data]).get("s001") is None
    again.clear()
    assert again.get("s001") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: kept.replace(b"content", b"contest"),
        lambda kept: kept[:-1],
        lambda kept: kept + b"\n",
        lambda kept: b"",
        lambda kept: b"content",
        lambda kept: b"f" + kept[1:] if kept[:1] != b"f" else b"e" + kept[1:],
    ],
)
def test_a_kept_fold_that_was_damaged_is_computed_again(tmp_path, damage):
    kept = Unfinished(tmp_path / "batch0.sha256", ["code"], [])
    kept.put("s001", b"content")
    kept.put("s002", b"other")
    (path,) = tmp_path.rglob("s001.tsv")
    path.write_bytes(damage(path.read_bytes()))
    assert kept.get("s001") is None
    assert kept.get("s002") == b"other"


def test_a_kept_fold_is_none_of_another_name(tmp_path):
    kept = Unfinished(tmp_path / "batch0.sha256", ["code"], [])
    kept.put("s001", b"content")
    (path,) = tmp_path.rglob("s001.tsv")
    path.rename(path.with_name("s002.tsv"))
    assert kept.get("s002") is None


def runs_of(subsets):
    folds = [Fold(f"s{i:03d}", i, 1.0, [], [], "", "all") for i in range(len(subsets))]
    selections = {
        fold.name: Selection(np.arange(9), np.zeros(9), note="stopped")
        if subset is None
        else Selection(np.array(subset), np.zeros(len(subset)), len(subset))
        for fold, subset in zip(folds, subsets, strict=True)
    }
    return folds, selections


def test_chosen_subsets_are_compared_whole_whatever_their_sizes():
    subsets = [[1, 2, 3], [1, 2], [2, 3, 4, 5], [2]]
    folds, selections = runs_of(subsets)
    use = {"measure": "cw_rel", "compare": "chosen"}
    (found,) = measure_stability(use, folds, selections, Similarities(), 9, seed=1)
    (row,) = found.rows(None)
    assert row[3] == OWN_SIZE
    runs = Runs(9, [np.array(subset) for subset in subsets], ranked=False)
    assert row[4] == load("cw_rel").subsets(runs).values[0]
    assert len(list(found.unit_rows(None))) == 4


def test_stopped_runs_are_left_out_and_named():
    folds, selections = runs_of([[1, 2, 3], None, [1, 2], [2, 3]])
    use = {"measure": "jaccard", "compare": "chosen"}
    (found,) = measure_stability(use, folds, selections, Similarities(), 9, seed=1)
    (row,) = found.rows(None)
    assert row[8] == 3
    assert row[9] == "1 of 4 folds have no selection"
    units = {unit: value for *_, unit, value in found.unit_rows(None)}
    assert np.isnan(units["s001"])
    assert np.mean([units[name] for name in ("s000", "s002", "s003")]) == pytest.approx(row[4])


def test_a_cell_of_stopped_runs_alone_has_no_value():
    folds, selections = runs_of([None, None])
    use = {"measure": "jaccard", "compare": "chosen"}
    (found,) = measure_stability(use, folds, selections, Similarities(), 9, seed=1)
    (row,) = found.rows(None)
    assert np.isnan(row[4])
    assert "2 of 2 folds have no selection" in row[9]


def test_classifiers_score_the_chosen_subset_on_rows_that_were_not_seen():
    Z = (X - X[::2].min(axis=0)) / np.ptp(X[::2], axis=0)
    fold = Fold("s001", 1, 1.0, np.arange(0, 178, 2), np.arange(1, 178, 2))
    selections = {"s001": Selection(np.array([6, 12, 9, 0]), np.zeros(4), 3)}
    settings = {"sizes": "chosen"}
    (row,) = accuracy_rows("gaussian", settings, [fold], selections, X, Y)
    peer = QuadraticDiscriminantAnalysis(reg_param=1e-6, tol=0.0)
    columns = [6, 12, 9]
    peer.fit(Z[np.ix_(fold.train, columns)], Y[fold.train])
    assert row[2] == OWN_SIZE
    assert row[4] == peer.score(Z[np.ix_(fold.test, columns)], Y[fold.test])
    stopped = {"s001": Selection(np.array([6]), np.zeros(1), note="stopped")}
    assert list(accuracy_rows("gaussian", settings, [fold], stopped, X, Y)) == []


def test_the_gaussian_classifier_scores_every_size():
    fold = Fold("s001", 1, 1.0, np.arange(0, 178, 2), np.arange(1, 178, 2))
    selections = {"s001": Selection(np.array([6, 12, 9, 0]), np.zeros(4))}
    rows = list(accuracy_rows("gaussian", {}, [fold], selections, X, Y))
    assert [row[2] for row in rows] == [1, 2, 3, 4]
    assert all(0.5 < row[4] <= 1 for row in rows)


def test_times_are_read_from_the_logs_that_there_are(tmp_path):
    paths = Paths(str(tmp_path)).within(study="mine")
    log = Path(paths.log(*SELECT_LOG, dataset="wine", selector="sfs", batch=0))
    log.parent.mkdir(parents=True)
    log.write_text("s001: 0.250 s\ns002: 1.500 s\ncpu seconds: start-up 1.0 computation 2.0\n")
    write_with_manifest({tmp_path / "data/wine.json": b'{"title": "Wine"}'})
    run = {"dataset": "wine", "selector": "sfs", "label": "SFS", "runs": 4, "batches": 2}
    run |= {"published": 70, "published_runs": 8}
    table, page = all_times({"title": "T", "runs": [run], "recovery": []}, paths)
    assert table.decode().splitlines()[1] == "wine,sfs,4,0.875,3.5,8,70,7.0,10.0"
    row = "| Wine | SFS | 4 | 0.875 s | 00:00:04 | 8 | 00:01:10 | 00:00:07 | 10 |"
    assert row in page.decode().splitlines()
    assert (clock(33 * 3600 + 53 * 60 + 55), clock(float("nan"))) == ("33:53:55", "–")


def test_a_limit_is_not_swallowed_by_packages_that_catch_errors():
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.neighbors import KNeighborsClassifier

    search = SequentialFeatureSelector(KNeighborsClassifier(3), n_features_to_select=8)
    with pytest.raises(TimeLimitError), time_limit(0.2):
        search.fit(X, Y)


class Dying:
    """Takes its time to go, and Python drops whatever is raised meanwhile."""

    def __del__(self):
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("goes_on", [True, False])
def test_a_limit_is_not_lost_where_python_drops_errors(goes_on):
    def let_one_die():
        dying = Dying()
        del dying
        while goes_on:
            pass

    with pytest.raises(TimeLimitError), time_limit(0.1):
        let_one_die()


def test_a_limit_waits_for_an_import_to_end(tmp_path, monkeypatch):
    slow = tmp_path / "slow_module.py"
    slow.write_text(
        "import time\nend = time.process_time() + 0.3\n"
        "while time.process_time() < end:\n    pass\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def import_and_wait():
        import slow_module

        while slow_module.whole:
            pass

    with pytest.raises(TimeLimitError), time_limit(0.1):
        import_and_wait()


def test_folds_that_stopped_are_told_and_have_units_in_groups_too():
    folds = [Fold(f"r{g}_f{f}", g, 1.0, [], [], "", f"r{g}") for g in range(3) for f in range(3)]
    draw = np.random.default_rng(0)
    selections = {fold.name: Selection(draw.permutation(9)[:4], np.zeros(4), 4) for fold in folds}
    for name in ("r1_f0", "r1_f1", "r1_f2", "r2_f1"):
        selections[name] = Selection(np.arange(0), np.zeros(0), note="stopped")
    use = {"measure": "jaccard", "compare": "chosen"}
    (found,) = measure_stability(use, folds, selections, Similarities(), 9, seed=1)
    (row,) = found.rows(None)
    assert row[9] == "4 of 9 folds have no selection"
    units = {unit: value for *_, unit, value in found.unit_rows(None)}
    assert list(units) == ["r0", "r1", "r2"]
    assert np.isnan(units["r1"])
    assert not np.isnan(units["r2"])


@pytest.mark.parametrize("classifier", ["knn", "svm", "gaussian"])
def test_a_choice_of_no_feature_leaves_the_most_frequent_class(classifier):
    fold = Fold("s001", 1, 1.0, np.arange(0, 178, 2), np.arange(1, 178, 2))
    selections = {"s001": Selection(np.arange(13), np.zeros(13), 0)}
    settings = {"use": classifier, "sizes": "chosen"}
    (row,) = accuracy_rows("any", settings, [fold], selections, X, Y)
    assert row[4] == np.mean(Y[fold.test] == 1)


def test_steps_of_other_selectors_may_be_called_as_they_like(tmp_path):
    content = b"rank\tfeature\tweight\tbest\tselected\n1\tf0\t1\toften\t0.3\n"
    found = write_fold(tmp_path, content)
    assert np.isnan(found.criterion)
    assert found.n_chosen is None


def of_study(use, params, sees_all_rows=False):
    about = declared("selector").get(use)
    return SimpleNamespace(declared=about, params=params, sees_all_rows=sees_all_rows)


def wrapper(**params):
    return of_study("sfs", params)


STUDY_OF_WRAPPERS = SimpleNamespace(
    selectors={
        "three": wrapper(classifier="knn"),
        "fifteen": wrapper(classifier="knn", classifier_params={"n_neighbors": 15}),
        "machine": wrapper(classifier="svm"),
        "other": wrapper(classifier={"depth": 3}),
        "filter": of_study("fisher", {}),
        "package": of_study(None, {"classifier": "knn"}),
        "on all rows": of_study("sfs", {"classifier": "knn"}, sees_all_rows=True),
    },
    classifiers={
        "unscaled": {"use": "knn", "sizes": "chosen"},
        "nearest": {"use": "knn", "k": 3, "scale": "unit", "sizes": "chosen"},
        "linear": {"use": "svm", "kernel": "linear", "scale": "unit", "sizes": "chosen"},
    },
)


def test_held_out_rates_are_those_of_the_wrappers_own_classifier():
    assert own_classifiers(STUDY_OF_WRAPPERS) == {"three": "nearest"}
