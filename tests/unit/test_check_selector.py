"""The command behind `make check-selector`."""

from pathlib import Path

import pytest

from steadfast.command.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command in this process: exit code, standard output, standard error."""
    monkeypatch.chdir(ROOT)

    def run(*arguments):
        code = 0
        try:
            main(["check-selector", *map(str, arguments)])
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        return (1, out, err + code) if isinstance(code, str) else (code, out, err)

    return run


def test_a_selector_that_keeps_the_contract_is_compared_on_two_sets(command):
    code, out, err = command("fisher")
    assert (code, err) == (0, "")
    assert "pass  gives the same ranking twice under one seed" in out
    assert "The contract is kept." in out
    assert "Sonar (208 rows, 60 features)" in out
    assert "Breast cancer Wisconsin (diagnostic) (569 rows, 30 features)" in out
    assert "With 10 features, fisher is more stable than MID" in out
    assert "; more stable than random (" in out


def test_a_broken_promise_is_exit_code_1(command):
    code, out, _ = command("sklearn.svm.LinearSVC", "--sets")
    assert code == 1
    assert "fail  ranks a constant column after the one that tells most: the constant column" in out
    assert "1 of 15 promises are broken." in out


def test_a_selector_of_a_study_has_its_parameters(command, tmp_path):
    study = tmp_path / "mine.yaml"
    study.write_text(
        "title: Mine\ndatasets: [mine]\nresample: {scheme: cv}\n"
        "selectors:\n  half: {use: mid_alpha, alpha: 2}\n"
    )
    code, out, _ = command("half", "--study", study, "--sets")
    assert code == 1
    assert "alpha must lie between 0 and 1" in out


MISTAKES = [
    (["midd"], "name=midd: unknown selector 'midd'; did you mean 'mid'?"),
    ([""], "name: say which selector: steadfast check-selector mid"),
    (["no.such.Thing"], "use: no.such.Thing: cannot be imported"),
    (["rule"], "name: a rule is a study's; add --study path/to/study.yaml"),
    (["mid", "--params", "{alpha: 1}"], "params: {alpha: 1}: is no JSON"),
    (["mid", "--params", "[1]"], "params: [1]: write them as"),
    (["mid", "--params", '{"alpha": 1}'], "name=mid.alpha: mid has no such parameter"),
    (["mid", "--study", "no.yaml"], "studies: no.yaml: no such file"),
    (["mud", "--study", "gulgezen2009"], "unknown selector 'mud'; did you mean 'mid'?"),
    (["mid", "--study", "gulgezen2009", "--params", '{"a": 1}'], "has the parameters; leave them"),
    (["mid", "--sets", "sonnar"], "sonnar"),
]


@pytest.mark.parametrize(("arguments", "line"), MISTAKES)
def test_a_mistake_is_one_line(command, arguments, line):
    code, out, err = command(*arguments)
    assert (code, out) == (1, "")
    assert line in err
    assert len(err.splitlines()) == 1
