"""The README's Python runs as printed."""

import re
from pathlib import Path

import numpy as np
import pytest

from steadfast.run_config import study_schema
from steadfast.study import load_study

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


def run(block: str) -> dict:
    names: dict = {}
    exec(compile(block, "README.md", "exec"), names)
    return names


def test_the_selector_example_ranks_by_variance():
    names = run(next(block for block in BLOCKS if "class Variance" in block))
    X = np.array([[0.0, 5, 1], [0, -5, 2], [0, 5, 3]])
    fitted = names["Variance"]().fit(X, np.array([0, 1, 0]))
    assert fitted.sequence_.tolist() == [1, 2, 0]


def test_the_notebook_example_prints_five_names(capsys):
    run(next(block for block in BLOCKS if "load_wine" in block))
    assert "flavanoids" in capsys.readouterr().out


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text()))
def test_links_lead_somewhere(path):
    assert (ROOT / path).exists()


def test_the_study_to_start_from_is_a_right_one(tmp_path):
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    path = tmp_path / "mine.yaml"
    path.write_text(next(block for block in blocks if block.startswith("title: My table")))
    schema = study_schema(ROOT / "workflow/schemas")
    assert load_study(path, schema, {"mine"})["datasets"] == ["mine"]


def test_the_transforms_to_start_from_are_right_ones(tmp_path):
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    study = next(block for block in blocks if block.startswith("title: My table"))
    own = next(block for block in blocks if block.startswith("transforms:"))
    path = tmp_path / "mine.yaml"
    path.write_text(study.partition("tables:")[0] + own)
    selectors = load_study(path, study_schema(ROOT / "workflow/schemas"), {"mine"})["selectors"]
    assert "fisher+smooth" in selectors
    assert selectors["mid+ranks"]["transform"]["params"] == {"n_quantiles": 20}
