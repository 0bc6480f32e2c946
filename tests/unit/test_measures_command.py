"""The command on a user's own file of runs."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from steadfast.core.errors import UserError
from steadfast.measures import declarations
from steadfast.measures.catalogue import END, START, markdown
from steadfast.measuring.scoring import read_runs, score

ROOT = Path(__file__).parents[2]


def command(*arguments):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts", *map(str, arguments)], capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def write(tmp_path):
    def write_text(text, name="runs.tsv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write_text


SUBSETS = "run\tfeature\n" + "".join(
    f"{run}\t{feature}\n"
    for run, chosen in (("a", "xyz"), ("b", "xyw"), ("c", "xv"))
    for feature in chosen
)


def test_the_documents_table_is_the_printed_one():
    text = (ROOT / "docs/measures.md").read_text()
    assert text.split(START)[1].split(END)[0].strip() == markdown()


def test_list_prints_every_measure():
    code, out, _ = command("measures")
    assert code == 0
    names = [line.split()[0] for line in out.splitlines()[1:]]
    assert names == list(declarations())


def test_show_prints_formula_conditions_and_reference():
    code, out, _ = command("measures", "kuncheva")
    assert code == 0
    assert "(|A ∩ B|·m − k²) / (k(m − k))" in out
    assert "no full run" in out
    assert "Kuncheva, A stability index for feature selection (2007)" in out
    assert command("measures", "kunchewa")[2] == (
        "steadfast: unknown measure 'kunchewa'; did you mean 'kuncheva'?\n"
    )


def test_score_prints_every_measure_that_applies(write):
    code, out, error = command("score", write(SUBSETS), "--features", 1000)
    assert (code, error) == (0, "")
    found = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip()}
    assert found["jaccard"][0] == f"{(1 / 2 + 1 / 4 + 1 / 4) / 3:.5f}"
    assert "list 3 and 2 features" in " ".join(found["kuncheva"])
    assert float(found["nogueira"][1]) < float(found["nogueira"][0]) < float(found["nogueira"][2])
    assert "spearman" not in found
    assert "su_matching" not in found


def test_score_of_rankings_with_weights_and_data(write, tmp_path):
    draw = np.random.default_rng(0)
    names = [f"f{i}" for i in range(6)]
    rows = ["run\tfeature\trank\tweight"]
    for run in range(4):
        order = draw.permutation(6)
        rows += [f"{run}\t{names[f]}\t{at + 1}\t{1 / (at + 1)}" for at, f in enumerate(order)]
    table = [",".join([*names, "y"])]
    table += [",".join([*map(str, draw.normal(size=6).round(3)), "pn"[i % 2]]) for i in range(30)]
    data = write("\n".join(table) + "\n", "data.csv")
    out_file = tmp_path / "scores.tsv"
    code, out, error = command(
        "score", write("\n".join(rows) + "\n"), "--data", data, "--top", 2, 3, "--out", out_file
    )
    assert (code, error) == (0, "")
    scored = {line.split("\t")[1] for line in out_file.read_text().splitlines()[1:]}
    assert scored == {name for name, about in declarations().items() if not about.same_as}
    assert "4 runs, 2 of 6 features, cut" in out


def test_compare_tests_two_selectors(write):
    steady = "run\tfeature\n" + "".join(f"{i}\tx\n{i}\t{'yz'[i == 5]}\n" for i in range(8))
    erratic = "run\tfeature\n" + "".join(f"{i}\tf{i}\n{i}\tg{i % 3}\n" for i in range(8))
    code, out, error = command(
        "compare", write(steady, "a.tsv"), write(erratic, "b.tsv"), "--features", 50
    )
    assert (code, error) == (0, "")
    assert "two-sided p = " in out
    assert float(out.split("two-sided p = ")[1].split()[0]) < 0.01


def test_an_empty_feature_is_a_run_that_selects_nothing(write):
    runs = read_runs(write("run\tfeature\na\tx\nb\t\n"), 5)
    assert runs.sizes.tolist() == [1, 0]
    found = {row[0]: row for row in score(runs, None, seed=1)}
    assert found["jaccard"][1] == 0
    assert found["ochiai"][-1] == "run b selects nothing"


def test_the_order_of_rows_does_not_matter(write):
    header, *lines = SUBSETS.replace("feature\n", "feature\tweight\n").splitlines()
    rows = [f"{line}\t1" for line in lines]
    first = read_runs(write("\n".join([header, *rows]) + "\n"), 9)
    second = read_runs(write("\n".join([header, *rows[::-1]]) + "\n"), 9)
    sequences = dict(zip(second.names, second.sequences, strict=True))
    for name, sequence in zip(first.names, first.sequences, strict=True):
        assert sequence.tolist() == sequences[name].tolist()


def test_a_quote_in_a_name_is_part_of_it(write):
    runs = read_runs(write('run\tfeature\na\t"x\na\ty\nb\t"x\n'), 5)
    assert runs.sizes.tolist() == [2, 1]


def test_windows_line_ends_and_capitals_are_fine(write):
    runs = read_runs(write("Run,Feature\r\na,x\r\n\r\nb,x\r\n", "runs.CSV"), 5)
    assert runs.sizes.tolist() == [1, 1]


def test_a_cut_through_ties_is_said(write):
    path = write(
        "run\tfeature\tweight\n" + "".join(f"{r}\tf{f}\t1\n" for r in "ab" for f in range(4))
    )
    _, out, _ = command("score", path, "--features", 9, "--top", 2)
    assert "The cut goes through ties in 2 runs" in out


def test_equal_ranks_are_ties(write):
    runs = read_runs(
        write("run\tfeature\trank\na\tx\t2\na\ty\t1\na\tz\t2\nb\tx\t1\nb\ty\t2\nb\tz\t3\n"), 3
    )
    assert [sequence.tolist() for sequence in runs.sequences] == [[1, 0, 2], [0, 1, 2]]
    found = {row[0]: row[1] for row in score(runs, None, seed=1)}
    assert found["spearman"] == pytest.approx(np.corrcoef([2.5, 1, 2.5], [1, 2, 3])[0, 1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "header: has no column 'run'"),
        ("run,feature\n1,a\n", "header: has no column 'run'"),
        ("run\trank\n1\t1\n", "header: has no column 'feature'"),
        ("run\tfeature\trun\n1\ta\t1\n", "header: has 2 columns 'run'"),
        ("run\tfeature\n\ta\n", "line 2: run: is empty"),
        ("run\tfeature\n", "holds no rows after its header"),
        ("run\tfeature\n1\ta\tb\n", "line 2: has 3 cells, the header has 2"),
        ("run\tfeature\n1\ta\n1\ta\n", "line 3: run '1' names feature 'a' a second time"),
        ("run\tfeature\trank\n1\ta\tfirst\n", "line 2: rank: must be a number, got 'first'"),
        ("run\tfeature\tweight\n1\ta\tnan\n", "line 2: weight: must be a number, got 'nan'"),
        (
            "run\tfeature\n1\ta\n1\tb\n1\tc\n1\td\n",
            "names 4 different features, but --features says 3",
        ),
    ],
)
def test_a_wrong_file_gets_one_line(write, text, message):
    path = write(text)
    with pytest.raises(UserError) as caught:
        read_runs(path, 3)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "no/such.tsv", "--features", "9"], "no/such.tsv: cannot be read"),
        (["score", "SUBSETS"], "--features: say how many"),
        (["score", "SUBSETS", "--features", "9", "--top", "2"], "neither ranks nor weights"),
        (["score", "SUBSETS", "--features", "9" * 12], "do not fit into memory"),
        (["score", "SUBSETS", "--features", "9", "--out", "/"], "--out: /: cannot be written"),
        (["score", "SUBSETS", "--features", "9", "--target", "y"], "--target: names the class"),
        (["measures", "--into", "no/such.md"], "no/such.md: cannot be read"),
        (["score", "SUBSETS", "--data", "no/such.csv"], "--data: no/such.csv is not a file"),
        (["compare", "SUBSETS", "SUBSETS", "--features", "5", "--top", "1"], "neither ranks"),
    ],
)
def test_a_mistake_on_the_command_line_gets_one_line(write, arguments, message):
    path = write(SUBSETS)
    code, _, error = command(*(path if word == "SUBSETS" else word for word in arguments))
    assert code == 1
    assert message in error
    assert error.count("\n") == 1
