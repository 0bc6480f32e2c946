"""What `make bench` prints: figures beside those of the last release, marks, exponents, names."""

import json
from dataclasses import replace
from math import sqrt

import filters
import pytest
import whole_runs
from printing import number, table
from releases import (
    FOLDER,
    MEMORY,
    SECONDS,
    SHARE,
    Figure,
    Release,
    beside,
    best,
    foreign,
    keep,
    last_release,
    processor,
    verdict,
)
from sizes import Taken, exponents, slope

from steadfast.core import registry

RELEASE = Release(
    "1.0.0",
    "abc",
    processor(),
    "3.11.2",
    {f"a: {SECONDS}": 10.0, f"a: {SHARE}": 0.6, f"a: {MEMORY}": 200.0},
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (0.012345, "0.0123"), (1.5, "1.5"), (99.44, "99.4"), (1234.5, "1234")],
)
def test_a_number_has_three_digits(value, shown):
    assert number(value) == shown


def test_a_table_keeps_bars_in_its_cells():
    assert table(("a", "b"), [("x|y", "2")]) == "| a | b |\n| --- | --- |\n| x\\|y | 2 |"


@pytest.mark.parametrize(
    ("what", "value", "shown"),
    [
        (SECONDS, 13.0, ("10", "1.3", "")),
        (SECONDS, 13.1, ("10", "1.31", "slower")),
        (SECONDS, 2.0, ("10", "0.2", "")),
        (MEMORY, 261.0, ("200", "1.3", "larger")),
        (SHARE, 0.9, ("0.6", "1.5", "")),
        (SHARE, 0.4, ("0.6", "0.667", "less")),
        (SECONDS, None, ("10", "–", "")),
    ],
)
def test_a_figure_stands_beside_the_last_release_and_is_marked_where_worse(what, value, shown):
    assert beside(Figure("a", what, value), RELEASE.figures) == shown


def test_a_figure_that_the_last_release_did_not_have_is_not_marked():
    assert beside(Figure("b", SECONDS, 5.0), RELEASE.figures) == ("–", "–", "")


def test_of_several_the_best_counts():
    found = [Figure("a", SECONDS, 2.0), Figure("a", SECONDS, 1.0), Figure("a", SECONDS, None)]
    shares = [Figure("a", SHARE, 0.2), Figure("a", SHARE, 0.5)]
    assert best([*found, *shares]) == {f"a: {SECONDS}": 1.0, f"a: {SHARE}": 0.5}


def test_one_line_names_what_is_slower():
    now = [Figure("a", SECONDS, 20.0), Figure("a", SHARE, 0.6), Figure("a", MEMORY, 300.0)]
    assert verdict(now, RELEASE) == (
        f"slower than 1.0.0: a: {SECONDS} 20, was 10 (slower); a: {MEMORY} 300, was 200 (larger)"
    )
    again = Figure("a", SECONDS, 9.0)
    assert verdict([now[0], again], RELEASE) == "nothing slower than 1.0.0, of 1 figures"


def test_a_release_is_kept_and_its_figures_are_not_written_over(tmp_path):
    keep(RELEASE, tmp_path)
    more = replace(RELEASE, figures={f"a: {SECONDS}": 99.0, "b": 1.0})
    keep(more, tmp_path)
    assert last_release("1.0.0", tmp_path).figures == {**RELEASE.figures, "b": 1.0}
    with pytest.raises(SystemExit, match=r"1\.0\.0\.json has the figures of abc, and this is def"):
        keep(replace(RELEASE, commit="def"), tmp_path)


def test_the_last_release_is_the_newest_that_is_not_above_the_version(tmp_path):
    for version in ("1.2.0", "1.10.0", "2.0.0"):
        keep(replace(RELEASE, version=version), tmp_path)
    assert last_release("1.11.0", tmp_path).version == "1.10.0"
    assert last_release("1.2.0", tmp_path).version == "1.2.0"
    assert last_release("1.1.9", tmp_path) is None


def test_figures_of_another_processor_are_told_from_those_of_this_one():
    assert foreign(RELEASE) == ""
    assert "measured on a slow one" in foreign(replace(RELEASE, processor="a slow one"))


def test_every_kept_release_can_be_read():
    for path in FOLDER.glob("*.json"):
        release = Release(**json.loads(path.read_text()))
        assert release.version == path.stem
        assert release.figures
        assert all(value > 0 for value in release.figures.values())


def test_every_table_that_is_advised_on_is_named_by_its_size():
    assert whole_runs.tasks()[:3] == [table.task for table in whole_runs.TABLES]
    assert whole_runs.TABLES[0].task == "advise, 569 × 30"
    assert whole_runs.TABLES[2].task == "advise, 20,000 × 20 --budget 2"


def test_a_table_is_written_with_the_shape_that_it_states(tmp_path):
    made = whole_runs.TABLES[1]
    made.write(tmp_path / "made.csv")
    lines = (tmp_path / "made.csv").read_text().splitlines()
    assert (len(lines) - 1, lines[0].count(",")) == (made.rows, made.features)
    assert lines[0].endswith(",class")
    assert {line.rpartition(",")[2] for line in lines[1:]} == {"0", "1"}


def test_memory_of_jobs_is_read_as_snakemake_kept_it(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/one.tsv").write_text("s\tmax_rss\n1.0\t210.5\n")
    (tmp_path / "two.tsv").write_text("s\tmax_rss\n0.1\tNA\n0.2\t30\n")
    assert whole_runs.largest_rss(tmp_path) == pytest.approx(210.5 * 1.048576)
    assert whole_runs.largest_rss(tmp_path / "none") is None


def test_figures_of_a_run_come_from_its_logs(tmp_path):
    """Advice has them a folder below."""
    (tmp_path / "advice/logs").mkdir(parents=True)
    for name, computed, peak in (("one", 3.0, 210), ("two", 1.0, 150)):
        (tmp_path / "advice/logs" / f"{name}.log").write_text(
            f"cpu seconds: start-up 0.500 computation {computed:.3f}\npeak memory: {peak} MB\n"
        )
    found = whole_runs.figures("a", whole_runs.Taken(6.0, 8.0, 0.0), tmp_path)
    assert [one.value for one in found] == [6.0, 8.0, 0.5, 210]


def test_a_run_of_results_that_are_not_there_is_not_measured(tmp_path):
    every = whole_runs.tasks()[-1]
    ((found, note),) = whole_runs.measure(tmp_path, lambda task: task == every)
    assert [one.value for one in found] == [None, None]
    assert note == "results/ is not there: make results"


def test_a_command_that_fails_says_why(tmp_path):
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/__main__.py").write_text("import sys; sys.exit('no such table')")
    with pytest.raises(RuntimeError, match="ended with code 1: no such table"):
        whole_runs.take(tmp_path, ["advise", "my.csv"], tmp_path)


def test_an_exponent_is_the_slope_of_logarithms():
    sizes = [10, 20, 50, 100]
    assert slope(sizes, [3 * size**2 for size in sizes]) == pytest.approx(2)
    assert slope(sizes, [sqrt(size) for size in sizes]) == pytest.approx(0.5)
    taken = [(size, Taken(0.1 * size, 100 + 2 * size**2, 100)) for size in sizes]
    assert exponents(taken, "seconds") == "1.00"
    assert exponents(taken, "memory") == "2.00"
    assert exponents([], "memory") == "–"


def test_every_selector_is_a_filter_or_it_is_known_why_not():
    known = registry.declared("selector")
    assert filters.NO_FILTERS.keys() <= known.keys()
    others = {name for name, one in known.items() if one.runs or one.wraps or one.samples}
    assert {*filters.filter_names()} == {*known} - {*filters.NO_FILTERS} - others - {"random"}
    assert {"info_gain", "chi2", "fisher", "relieff", "mid"} <= {*filters.filter_names()}
