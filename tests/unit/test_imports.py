"""Which files a command runs."""

from pathlib import Path

from steadfast.core.environment import one_of
from steadfast.core.imports import content_hash, import_closure

SCRIPTS = Path(__file__).parents[2] / "scripts"


def closure(*files: str) -> set[str]:
    found = import_closure([SCRIPTS / file for file in files], SCRIPTS)
    return {str(path.relative_to(SCRIPTS)) for path in found}


def test_imports_are_followed_into_functions_and_packages():
    accuracy = closure("accuracy.py", "steadfast/accuracy/classifiers/knn.py")
    assert "steadfast/accuracy/prefix_knn.py" in accuracy  # imported inside a function
    assert "steadfast/__init__.py" in accuracy
    assert "steadfast/data/table.py" in accuracy


def test_a_command_does_not_depend_on_what_it_does_not_run():
    assert "steadfast/measures/kernels/matching.py" not in closure("accuracy.py")
    assert "steadfast/data/openml_cache.py" not in closure("stability.py")
    own = [file for file in closure("select_features.py") if "/selectors/" in file]
    assert all("/running/" in file or file.endswith("__init__.py") for file in own)


def test_files_loaded_by_name_bring_their_imports_along():
    files = closure("select_features.py", "steadfast/selectors/mrmr.py")
    assert {"steadfast/statistics/information.py", "steadfast/selectors/__init__.py"} <= files


def test_relative_and_lazy_imports_are_followed(tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("def __getattr__(name): ...\n")
    (package / "near.py").write_text("")
    (package / "defines.py").write_text("class Thing: ...\n")
    (package / "relative.py").write_text("from .near import x\n")
    (tmp_path / "lazy.py").write_text("from pkg import Thing\n")
    relative = import_closure([package / "relative.py"], tmp_path)
    assert {path.name for path in relative} == {"relative.py", "near.py", "__init__.py"}
    assert package / "defines.py" in import_closure([tmp_path / "lazy.py"], tmp_path)


def test_the_hash_sees_content_and_name(tmp_path):
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("x = 1\n")
    second.write_text("x = 1\n")
    before = content_hash([first])
    assert before != content_hash([second])
    first.write_text("x = 2\n")
    assert before != content_hash([first])


def test_names_become_exact_patterns():
    import re

    pattern = one_of(["mid", "mid_alpha_0.25"])
    assert re.fullmatch(pattern, "mid_alpha_0.25")
    assert not re.fullmatch(pattern, "mid_alpha_0x25")
    assert not re.fullmatch(one_of([]), "")


def test_beside_an_installed_package_those_of_others_do_not_count(tmp_path):
    """In site-packages, numpy is no part of the project's code."""
    for name, text in {
        "own/__init__.py": "",
        "own/work.py": "import other\nfrom own import more",
        "own/more.py": "",
        "other.py": "import own.more",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = import_closure([tmp_path / "own/work.py"], tmp_path, "own")
    names = ["own/__init__.py", "own/more.py", "own/work.py"]
    assert [path.relative_to(tmp_path).as_posix() for path in found] == names
    assert tmp_path / "other.py" in import_closure([tmp_path / "own/work.py"], tmp_path)
