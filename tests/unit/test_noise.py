"""Tables of noise are what they should be, their answers are counted, and few are green."""

import csv

import noise
import numpy as np
import pytest
from noise_tables import FAINT_SCENARIOS, LEVELS, SCENARIOS, has_id_column, make_table
from shown import shown

from steadfast.core.seeds import generator

EVERY = (*SCENARIOS, *FAINT_SCENARIOS)
OF = {one.name: one for one in EVERY}
by_name = pytest.mark.parametrize("scenario", EVERY, ids=lambda one: one.name)
with_subjects = pytest.mark.parametrize(
    "scenario", [one for one in EVERY if one.subjects], ids=lambda one: one.name
)

#: Rows, features and classes of each scenario.
SHAPES = {
    **{"wide": (60, 2000, 2), "medium": (100, 200, 2), "long": (300, 20, 3)},
    **{"mixed": (200, 15, 2), "unequal": (150, 30, 2), "heavy": (120, 60, 2)},
    **{one.name: (200, 20, 2) for one in EVERY if one.subjects},
}


def numbers(X):
    """The columns of numbers."""
    return X if isinstance(X, np.ndarray) else X.select_dtypes("number").to_numpy()


def subjects(scenario, number):
    """The subject of each row."""
    subject = np.repeat(np.arange(40), 5)
    if scenario.subjects != "shuffled":
        return subject
    return generator(1, "noise", scenario.name, number, "rows").permutation(subject)


def test_there_are_200_tables():
    assert sum(one.tables for one in SCENARIOS) == 200
    assert len(OF) == len(EVERY) == len({one.label for one in EVERY})


@by_name
def test_a_table_has_the_stated_shape(scenario):
    for number in (0, 1):
        X, y, groups = make_table(scenario, number, 1)
        rows, features, classes = SHAPES[scenario.name]
        assert X.shape == (rows, features + has_id_column(scenario, number))
        share = np.array(scenario.classes) / sum(scenario.classes)
        names, counts = np.unique(y, return_counts=True)
        assert len(names) == classes
        assert counts.tolist() == (rows * share).tolist()
        assert (groups is not None) == (scenario.subjects == "named")


@by_name
def test_a_table_is_drawn_by_its_name_alone(scenario):
    first, again, other = (make_table(scenario, number, 1) for number in (1, 1, 3))
    assert np.array_equal(numbers(first.X), numbers(again.X), equal_nan=True)
    assert (first.y == again.y).all()
    assert not np.array_equal(numbers(first.X), numbers(other.X), equal_nan=True)
    assert (first.y != other.y).any()


@by_name
def test_features_are_independent_of_the_class(scenario):
    """Differences of mean ranks, in standard errors, are as large as chance makes them."""
    found = []
    for number in range(1, 80, 2):
        X, y, _ = make_table(scenario, number, 1)
        X = numbers(X)[:, :100]
        if scenario.subjects:
            rows = np.unique(subjects(scenario, number), return_index=True)[1]
            X, y = X[rows], y[rows]
        ranks = np.where(np.isnan(X), X[0], X).argsort(axis=0).argsort(axis=0)
        own = y == "class0"
        apart = ranks[own].mean(axis=0) - ranks[~own].mean(axis=0)
        found.append(apart / (ranks.std(axis=0) * np.sqrt(1 / own.sum() + 1 / (~own).sum())))
    of_tables = np.sqrt(40) * np.mean(found, axis=0)
    assert abs(np.mean(found)) < 0.15
    assert np.mean(np.square(found)) == pytest.approx(1, abs=0.2)
    assert np.abs(of_tables).max() < 4.5


@with_subjects
def test_rows_of_a_subject_share_the_class_and_correlate_as_stated(scenario):
    correlations = []
    for number in (1, 3, 5, 7):
        X, y, groups = make_table(scenario, number, 1)
        of = subjects(scenario, number)
        assert all(len(set(y[of == one])) == 1 for one in range(40))
        means = np.array([X[of == one].mean(axis=0) for one in range(40)])
        within = np.mean((X - means[of]) ** 2) * 5 / 4
        between = np.mean(np.var(means, axis=0, ddof=1)) - within / 5
        correlations.append(between / (between + within))
        next_to = (of[1:] == of[:-1]).sum()
        assert next_to == pytest.approx(4 if scenario.subjects == "shuffled" else 160, abs=8)
        assert (groups is not None) == (scenario.subjects == "named")
        if groups is not None:
            assert (groups == of).all()
    stated = 1 / (1 + scenario.within**2)
    assert np.mean(correlations) == pytest.approx(stated, abs=0.04)
    assert f"correlation {stated:.2g}," in scenario.label


@pytest.mark.parametrize("name", ["shuffled", "shuffled_alike"])
def test_the_subject_is_a_column_of_every_second_table_in_random_order(name):
    X = make_table(OF[name], 0, 1).X
    assert X["subject"].nunique() == 40
    assert len(set(zip(X["subject"], subjects(OF[name], 0)))) == 40


def test_mixed_columns_have_numbers_categories_and_gaps():
    X = make_table(OF["mixed"], 0, 1).X
    assert [X[f"category{levels}"].nunique() for levels in LEVELS] == [*LEVELS]
    assert sorted(X.columns[X.isna().any()]) == ["category10", "category4", "number2", "number5"]
    assert 0.01 < X.isna().to_numpy().mean() < 0.04


def test_heavy_tables_have_copies_and_outliers():
    X = make_table(OF["heavy"], 0, 1).X
    assert (X[:, :15] == X[:, 15:30]).all()
    assert np.abs(X[:, :15]).max() > 8 * np.abs(X[:, :15]).std() or np.abs(X).max() > 100


def test_two_answers_end_to_end(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(noise, "TABLES", tmp_path / "noise/tables.csv")
    few = {"cv": 3, "selector": ["fisher", "random"], "classifiers": "knn"}
    judge, asked = noise.judge, []

    def judge_quickly(scenario, number, seed):
        asked.append((scenario.name, number))
        return judge(scenario, number, seed, **few)

    monkeypatch.setattr(noise, "judge", judge_quickly)

    def run(*options):
        monkeypatch.setattr("sys.argv", ["noise.py", "--tables", "1", *options])
        with pytest.raises(SystemExit) as ended:
            noise.main()
        assert not ended.value.code
        return capsys.readouterr().out

    assert "1 of 1 tables are still to be done" in run("--only", "adjacent_alike", "--part", "2/2")
    assert asked == []
    assert f"| {OF['adjacent_alike'].label} | 1 | 0 | 1 | 0 | " in run("--only", "adjacent_alike")
    assert "| all | 1 | 0 | 0 | 1 | " in run("--only", "long")
    assert "not kept" in run("--only", "long", "--keep")
    assert asked == [("adjacent_alike", 0), ("long", 0)], "what is finished is not run again"
    rows = noise.read()
    assert set(rows) == {("1", "adjacent_alike", "0"), ("1", "long", "0")}
    amber = rows["1", "adjacent_alike", "0"]
    assert "neighbouring rows are alike" in amber["doubts"].split(noise.BETWEEN)
    assert len(amber["trusted"].split(noise.BETWEEN)) > 1
    with noise.TABLES.open("a") as file:
        file.write("1,long,0,trust,")  # a run that was stopped while it wrote
    assert noise.read() == rows


def test_verdicts_and_doubts_are_counted():
    blank = {"scenario": "long", "doubts": "", "smallest_q": "0.04"}
    rows = [
        {**blank, "verdict": "trust"},
        {**blank, "verdict": "caution", "doubts": "one; two", "smallest_q": "0.001"},
        {**blank, "verdict": "caution", "doubts": "two"},
        {**blank, "verdict": "nothing", "doubts": "three", "smallest_q": "0.7"},
        {**blank, "verdict": "nothing", "scenario": "wide", "smallest_q": "1"},
    ]
    wide, long, every = noise.summarise(rows)
    assert wide == [OF["wide"].label, "1", "0", "0", "1", "1", ""]
    assert long == [OF["long"].label, "4", "1", "2", "1", "0.001", "two (2), one (1)"]
    assert every == ["all", "5", "1", "2", "2", "0.001", "two (2), one (1)"]


@pytest.mark.skipif(not noise.KEPT.exists(), reason="not kept yet: make noise keep=yes")
def test_the_document_shows_the_kept_run_and_few_answers_are_green():
    with noise.KEPT.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == noise.HEADER
    assert shown("noise", noise.DOCUMENT) == noise.as_table(rows)
    assert [row[0] for row in rows] == [*(one.label for one in SCENARIOS), "all"]
    assert [int(row[1]) for row in rows] == [*(one.tables for one in SCENARIOS), 200]
    assert int(rows[-1][2]) <= noise.MOST_GREEN
