"""The folders are the chain: a stage imports only from stages before it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "scripts" / "steadfast"

#: From the first to the last.
LAYERS = [
    *("core", "statistics", "data", "resampling", "transforms", "wrappers", "selectors"),
    *(
        "measures",
        "measuring",
        "accuracy",
        "study",
        "experiments",
        "outputs",
        "advice",
        "page",
        "api",
        "reports",
        "command",
    ),
]

FILES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Modules of the package that a file imports, those for type checkers included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("steadfast.")}


def test_every_module_lies_in_a_folder_of_the_chain():
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == set(LAYERS)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_stage_imports_only_from_stages_before_it(layer):
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    for path in (PACKAGE / layer).rglob("*.py"):
        for name in imports(path):
            stage = name.split(".")[1]
            assert stage in allowed or stage.startswith("__"), (
                f"{path.relative_to(PACKAGE)}: {name}"
            )


def test_no_module_imports_snakemake():
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert "import snakemake" not in text, path
        assert "from snakemake" not in text, path


def test_no_two_modules_import_each_other():
    names = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in FILES
    }
    graph = {name: imports(path) & names.keys() for name, path in names.items()}
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " -> ".join([*above, name])
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, (*above, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES}), ids=lambda p: p.name)
def test_a_folder_is_looked_through_at_a_glance(folder):
    """But for those that hold one file per kind."""
    if folder.parent.name != "outputs":
        modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= 14, sorted(path.name for path in modules)


def test_no_file_is_longer_than_about_400_lines():
    for path in FILES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 420, path
