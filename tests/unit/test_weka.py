"""Weka, the implementation that Kalousis et al. (2005) used, as an oracle; skipped where absent."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

from steadfast.data import load
from steadfast.data.mdl import mdl_cuts
from steadfast.selectors import ReliefF

JAR = Path("/usr/share/java/weka.jar")
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    shutil.which("java") is None or not JAR.exists(),
    reason="Weka (Debian: weka) is not installed; .ci/system-packages installs it",
)


def data(name):
    if name == "wine":
        return load_wine(return_X_y=True)
    if name == "wdbc":
        return load_breast_cancer(return_X_y=True)
    path = ROOT / "config/datasets" / f"{name}.csv.gz"
    table, _ = load(name, {}, root=ROOT, cache=ROOT, local_file=path)
    return table.X, table.y


def weka(tmp_path, X, y, *command):
    """What a Weka class prints for these data."""
    lines = ["@relation data", *(f"@attribute f{i} numeric" for i in range(X.shape[1]))]
    lines += [f"@attribute class {{{','.join(map(str, np.unique(y)))}}}", "@data"]
    lines += [",".join([*(repr(float(v)) for v in row), str(label)]) for row, label in zip(X, y)]
    path = tmp_path / "data.arff"
    path.write_text("\n".join(lines) + "\n")
    call = ["java", "-cp", str(JAR), *command, "-i", str(path), "-c", "last"]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["wine", "wdbc", "sonar"])
def test_mdl_cuts_are_wekas(tmp_path, name):
    X, y = data(name)
    printed = weka(
        tmp_path, X, y, "weka.filters.supervised.attribute.Discretize", "-R", "first-last"
    )
    cuts, counts, _ = mdl_cuts(X, y)
    ends = np.cumsum(counts)
    attributes = [line for line in printed.splitlines() if line.startswith("@attribute f")]
    assert len(attributes) == X.shape[1]
    for column, line in enumerate(attributes):
        theirs = [float(value) for value in re.findall(r"-(-?[\d.]+(?:E-?\d+)?)\]", line)]
        ours = cuts[ends[column] - counts[column] : ends[column]]
        assert ours.tolist() == pytest.approx(theirs, rel=1e-3, abs=1e-6)


def test_relieff_ranks_as_weka_does(tmp_path):
    """Weka weighs all neighbours equally with -K 10; ties of its distances are broken otherwise."""
    X, y = data("sonar")
    printed = weka(
        tmp_path,
        X,
        y,
        "weka.attributeSelection.ReliefFAttributeEval",
        "-s",
        "weka.attributeSelection.Ranker -T -1.7976931348623157E308 -N -1",
    )
    rows = re.findall(r"^\s*(-?[\d.]+)\s+(\d+)\s+f\d+", printed, flags=re.MULTILINE)
    theirs = np.empty(X.shape[1])
    for weight, number in rows:
        theirs[int(number) - 1] = float(weight)
    assert len(rows) == X.shape[1]
    ours = ReliefF(n_neighbours=10).fit(X, y)
    assert ours.scores_ == pytest.approx(theirs, abs=2e-4)
    assert set(ours.sequence_[:10]) == set(np.argsort(-theirs, kind="stable")[:10])
