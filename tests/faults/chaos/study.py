"""The runs that are disturbed: small, and with every kind of file that the workflow makes."""

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml
from fake_openml import FakeOpenML
from shown import ROOT

PYTHON = sys.executable
SERVER_VARIABLE = "STEADFAST_OPENML_SERVER"
#: Its folds take a tenth of a second each, so that a killed job keeps them.
SLOW = {"use": "sffs", "classifier": "gaussian", "n_splits": 150, "label": "Slow"}
BINNED = {
    "title": "A small study to disturb",
    "datasets": ["measured"],
    "discretise": {"bins": 5},
    "resample": {"scheme": "shrinking_bootstrap", "repeats": 2, "ratios": [0.5]},
    "selectors": {"mid": {"label": "MID"}, "slow": SLOW},
    "stability": {"compare": "all_pairs", "measures": ["nogueira", "jaccard"]},
    "accuracy": {"classifiers": {"knn": {"k": 3, "label": "3-NN"}}},
    "tables": {"datasets": {"kind": "datasets", "title": "Data sets"}},
    "figures": {
        "curves": {
            "kind": "curves",
            "title": "Curves",
            "dataset": "measured",
            "selectors": ["mid"],
            "chance": True,
            "panels": [{"of": "stability", "ratio": 0.5, "measure": "nogueira"}],
        }
    },
    "probes": True,
    "trust": True,
}
SMOOTHED = {
    "title": "A smaller one, of a download, with a transform of all rows",
    "datasets": ["downloaded"],
    "discretise": {"fit_on": "train"},
    "resample": {"scheme": "subsample", "repeats": 3},
    "selectors": {"fisher": {"label": "Fisher"}},
    "transforms": {"smooth": {"use": "low_rank", "rank": 2, "learn": "all", "label": "SVD"}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
}
#: As few jobs as a study can have, for the short part that runs with the other tests.
TINY = {
    "title": "As few jobs as there can be",
    "datasets": ["measured"],
    "discretise": {"fit_on": "train"},
    "resample": {"scheme": "subsample", "repeats": 4},
    "selectors": {"fisher": {"label": "Fisher"}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
    "accuracy": {"classifiers": {}},
}
ADVISE = {
    "selectors": dict.fromkeys(["mrmr", "info_gain", "relieff", "svm_rfe", "forest"]),
    "resample": {"repeats": 4},
    "accuracy": {"classifiers": {"svm": None}},
}
CATALOGUE = {"downloaded": {"source": "openml", "id": 61, "title": "Downloaded"}}


@dataclass(frozen=True)
class Side:
    """One of the runs: its studies, and the forms of the command that make it."""

    name: str
    studies: dict[str, dict]
    forms: tuple[str, ...]


SIDES = {
    side.name: side
    for side in (
        Side("study", {"binned": BINNED, "smoothed": SMOOTHED}, ("snakemake", "reproduce")),
        Side("advise", {}, ("advise",)),
        Side("tiny", {"tiny": TINY}, ("reproduce",)),
    )
}


def make_folder(side: Side, folder: Path) -> None:
    """The configuration and the table of a run, in a folder of its own."""
    (folder / "config").mkdir(parents=True)
    (folder / "tables").mkdir()
    header, rows = made_table()
    lines = [",".join(row) for row in (header, *rows)]
    (folder / "tables/measured.csv").write_text("\n".join(lines) + "\n")
    config = {"seed": 1, "folds_per_job": 3, "catalogue": "config/catalogue.yaml"}
    if side.studies:
        config["studies"] = [f"config/{name}.yaml" for name in side.studies]
        config["local_data"] = "tables"
    else:
        config["overrides"] = {"advise": ADVISE}
    declared = {**side.studies, "config": config, "catalogue": CATALOGUE}
    for name, content in declared.items():
        text = yaml.safe_dump(content, sort_keys=False)
        (folder / f"config/{name}.yaml").write_text(text)


def made_table() -> tuple[list[str], list[list[str]]]:
    """Forty rows of six numbers, of which the first two tell the classes apart."""
    draw = random.Random(1)
    names = [f"x{i}" for i in range(6)]
    rows = []
    for row in range(40):
        shifts = [1.5 * (row % 2) if i < 2 else 0.0 for i in range(6)]
        rows.append([f"{draw.gauss(shift, 1):.3f}" for shift in shifts] + ["ab"[row % 2]])
    return [*names, "class"], rows


@contextmanager
def openml_server() -> Iterator[None]:
    """A server that offers the table of `CATALOGUE` for download."""
    header, rows = made_table()
    attributes = [f"@attribute {name} numeric" for name in header[:-1]]
    lines = ["@relation made", *attributes, "@attribute class {a,b}", "@data"]
    with FakeOpenML() as server:
        arff = "\n".join([*lines, *(",".join(row) for row in rows)]) + "\n"
        server.add(61, arff, default_target_attribute="class")
        before = os.environ.get(SERVER_VARIABLE)
        os.environ[SERVER_VARIABLE] = server.server
        try:
            yield
        finally:
            os.environ.pop(SERVER_VARIABLE)
            if before is not None:
                os.environ[SERVER_VARIABLE] = before


def command(form: str) -> list[str]:
    """A run as a user starts it, on two cores."""
    steadfast = [PYTHON, str(ROOT / "scripts")]
    config = ["--config", "config/config.yaml", "--cores", "2"]
    if form == "snakemake":
        return [PYTHON, "-m", "snakemake", "--cores", "2", "--snakefile", str(ROOT / "Snakefile")]
    if form == "reproduce":
        return [*steadfast, "reproduce", *config]
    if form == "advise":
        return [*steadfast, "advise", "tables/measured.csv", "--within", "1", *config]
    return [*steadfast, form]
