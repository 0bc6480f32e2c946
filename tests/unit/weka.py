"""Weights that Weka gives the features of some data sets, for the tests to compare with.

`python tests/unit/weka.py` writes them into tests/data/weka; it needs Java and Weka 3.6 (Debian:
weka, default-jdk). The columns: `gain` of InfoGainAttributeEval, `svm_one` the squared
coefficients of SMO (C = 0.5, features from 0 to 1), and `svm_rfe` the score of SVMAttributeEval
(C = 0.5, 10% per round; the highest was dropped last). Machines are for two classes.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests/data/weka"
JAR = Path("/usr/share/java/weka.jar")
DATASETS = ("wine", "wdbc", "sonar", "musk1")


def read_dataset(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows and classes of a data set that is bundled, or comes with scikit-learn."""
    bundled = {"wine": load_wine, "wdbc": load_breast_cancer}
    if name in bundled:
        return bundled[name](return_X_y=True)
    from steadfast.data import load

    path = ROOT / "config/datasets" / f"{name}.csv.gz"
    table, _ = load(name, {}, root=ROOT, cache=ROOT, local_file=path)
    return table.X, table.y


def write_arff(path: Path, X: np.ndarray, y: np.ndarray) -> None:
    """The form that Weka reads."""
    lines = ["@relation data", *(f"@attribute f{i} numeric" for i in range(X.shape[1]))]
    lines += [f"@attribute class {{{','.join(map(str, np.unique(y)))}}}", "@data"]
    lines += [
        ",".join([*(repr(float(value)) for value in row), str(label)])
        for row, label in zip(X, y, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")


def compute_weights(X: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    """What Weka says of these rows: name of the weight to its values, by feature."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.arff"
        write_arff(path, X, y)
        call = ["java", "-cp", str(JAR), str(KEPT / "Weights.java"), str(path)]
        printed = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    found: dict[str, np.ndarray] = {}
    for line in printed.splitlines():
        name, column, value = line.split()
        found.setdefault(name, np.zeros(X.shape[1]))[int(column)] = float(value)
    return found


def read_weights(name: str) -> dict[str, np.ndarray]:
    """The weights that are kept for a data set."""
    with (KEPT / f"{name}.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    return {column: np.array([float(row[i]) for row in rows]) for i, column in enumerate(header)}


def main() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    for name in DATASETS:
        found = compute_weights(*read_dataset(name))
        with (KEPT / f"{name}.csv").open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(found)
            writer.writerows(zip(*(map(repr, map(float, v)) for v in found.values()), strict=True))


if __name__ == "__main__":
    main()
