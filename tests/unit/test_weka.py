"""Weka, the implementation that Kalousis et al. (2005) used, as an oracle.

Its weights are kept in tests/data/weka; tests that call it are skipped where it is absent.
"""

import re
import shutil
import subprocess

import numpy as np
import pytest
from weka import DATASETS, JAR, compute_weights, read_dataset, read_weights, write_arff

from steadfast.data.mdl import mdl_cuts
from steadfast.selectors import SVMRFE, InformationGain, ReliefF, SVMOne

needs_weka = pytest.mark.skipif(
    shutil.which("javac") is None or not JAR.exists(),
    reason="Weka (Debian: weka) is not installed; .ci/system-packages installs it",
)

TWO_CLASSES = [name for name in DATASETS if name != "wine"]


def weka(tmp_path, X, y, *command):
    """What a Weka class prints for these data."""
    path = tmp_path / "data.arff"
    write_arff(path, X, y)
    call = ["java", "-cp", str(JAR), *command, "-i", str(path), "-c", "last"]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", DATASETS)
def test_gains_are_wekas(name):
    gains = InformationGain(places="values").fit(*read_dataset(name)).scores_
    assert gains == pytest.approx(read_weights(name)["gain"], abs=1e-12)


def test_weka_prices_a_cut_by_the_places_between_different_values():
    """Fayyad and Irani count all rows: magnesium, whole numbers, is then cut once, not twice."""
    X, y = read_dataset("wine")
    apart = InformationGain().fit(X, y).scores_ - read_weights("wine")["gain"]
    assert np.flatnonzero(np.abs(apart) > 1e-12).tolist() == [4]
    assert apart[4] == pytest.approx(-0.05968, abs=1e-5)


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_one_machine_weighs_as_weka_does(name):
    """Weka's was solved to 1e-10, scikit-learn's to 1e-3."""
    weights = SVMOne(C=0.5).fit(*read_dataset(name)).scores_
    assert weights == pytest.approx(read_weights(name)["svm_one"], abs=2e-3)


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_elimination_by_rounds_orders_as_weka_does(name):
    sequence = SVMRFE(C=0.5, step=0.1).fit(*read_dataset(name)).sequence_
    assert sequence.tolist() == np.argsort(-read_weights(name)["svm_rfe"]).tolist()


@needs_weka
def test_kept_weights_are_those_of_weka():
    kept = read_weights("sonar")
    for name, weights in compute_weights(*read_dataset("sonar")).items():
        assert weights == pytest.approx(kept[name], rel=1e-9, abs=1e-12)


@needs_weka
@pytest.mark.parametrize("name", ["wine", "wdbc", "sonar"])
def test_mdl_cuts_are_wekas(tmp_path, name):
    X, y = read_dataset(name)
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


@needs_weka
def test_relieff_ranks_as_weka_does(tmp_path):
    """Weka weighs all neighbours equally with -K 10; ties of its distances are broken otherwise."""
    X, y = read_dataset("sonar")
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
