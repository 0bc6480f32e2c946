"""`import steadfast`: at once, and whatever it gives has a docstring whose examples run."""

import doctest
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from test_layers import FILES, imports

import steadfast

SCRIPTS = Path(__file__).parents[2] / "scripts"
#: What a user may not have installed.
EXTRAS = {"yaml", "jsonschema", "pandas", "matplotlib", "snakemake", "openml"}


#: Takes the place of the machine that has none of them.
NOT_INSTALLED = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in extras:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
"""


def loaded_after(code: str) -> set[str]:
    """The packages that are imported once some code has run in a process of its own.

    What is an extra is not there to be imported.
    """
    code = f"extras = {EXTRAS}\n{NOT_INSTALLED}\n{code}"
    ask = "import sys; print(*{n.partition('.')[0] for n, m in sys.modules.items() if m})"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{ask}"],
        env={"PYTHONPATH": str(SCRIPTS), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_it_imports_nothing_else():
    heavy = {"numpy", "scipy", "numba", "sklearn", *EXTRAS}
    assert not heavy & loaded_after("import steadfast; dir(steadfast); steadfast.__version__")


def test_stability_needs_no_extra():
    code = "import steadfast; steadfast.stability([{0}, {1}], n_features=4)"
    assert not {"sklearn", *EXTRAS} & loaded_after(code)


def test_a_report_needs_no_extra_until_it_is_shown():
    code = """
import numpy as np, steadfast
y = np.arange(40) % 2
X = np.random.default_rng(0).normal(size=(40, 4)) + np.outer(y, [2, 1, 0, 0])
report = steadfast.StabilityReport(["fisher", "mid"], cv=3, classifiers="svm").fit(X, y)
report.answer, report._page()
steadfast.StableSelector(n_subsamples=3).fit(X, y)
"""
    assert "sklearn" in loaded_after(code)


def test_names_are_those_of_the_list():
    assert sorted(steadfast.__all__) == sorted(steadfast._HOMES)
    assert set(steadfast.__all__) <= set(dir(steadfast))
    for name in steadfast.__all__:
        assert getattr(steadfast, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'stabilty'"):
        steadfast.stabilty  # noqa: B018


def test_a_function_stays_one_when_folders_are_imported():
    for path in SCRIPTS.glob("steadfast/*/__init__.py"):
        importlib.import_module(f"steadfast.{path.parent.name}")
    assert callable(steadfast.stability)
    assert not {path.parent.name for path in SCRIPTS.glob("steadfast/*/__init__.py")} & set(
        steadfast.__all__
    )


def test_the_version_is_a_literal_line():
    lines = (SCRIPTS / "steadfast/__init__.py").read_text().splitlines()
    assert f'__version__ = "{steadfast.__version__}"' in lines


def test_the_project_itself_imports_from_where_things_are():
    """A name that is looked up when it is asked for would hide what a job depends on."""
    for path in [*FILES, *SCRIPTS.glob("*.py")]:
        lazy = {f"steadfast.{name}" for name in steadfast.__all__}
        assert not lazy & imports(path), path


# Examples


def public() -> dict[str, object]:
    """Every public name, and the methods and properties that its class defines itself."""
    found: dict[str, object] = {}
    for name in steadfast.__all__:
        one = getattr(steadfast, name)
        found[name] = one
        if inspect.isclass(one):
            for member, value in vars(one).items():
                if not member.startswith("_") and (
                    inspect.isfunction(value) or isinstance(value, property)
                ):
                    found[f"{name}.{member}"] = value
    return found


PUBLIC = public()


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_run(name):
    one = PUBLIC[name]
    text = inspect.getdoc(one) or ""
    assert text.partition("\n")[0].endswith((".", "?")), "the first line is a sentence"
    examples = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert examples.examples, "no example"
    assert "Examples\n--------" in text
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    told: list[str] = []
    runner.run(examples, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


def test_every_parameter_is_described():
    for name, one in PUBLIC.items():
        called = one.__init__ if inspect.isclass(one) else one
        if isinstance(one, property) or name == "UserError":
            continue
        text = inspect.getdoc(one)
        for parameter in inspect.signature(called).parameters:
            assert parameter == "self" or parameter in text, f"{name}: {parameter}"
