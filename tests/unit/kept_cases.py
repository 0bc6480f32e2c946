"""A small made-up run of two studies of one paper, to be kept, compared and reported."""

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml
from documents import ROOT

from steadfast.core.config import read_yaml
from steadfast.core.files import csv_to_bytes, write_atomically, write_with_manifest
from steadfast.outputs.published import Pair, to_csv
from steadfast.reports.replications.keeping import Origin, keep_paper
from steadfast.reports.replications.kept import KeptRun
from steadfast.reports.replications.prose import read_prose
from steadfast.study.run import Run, load_run

PANEL = {"of": "stability", "dataset": "wine"}
STUDY = {
    "title": "Mine",
    "paper": "Somebody (2001), Something",
    "published": "gulgezen2009",
    "datasets": ["wine", "wdbc"],
    "stand_ins": {"optdigits_train": "wdbc"},
    "resample": {"scheme": "subsample", "repeats": 4},
    "selectors": {"fisher": {"label": "Fisher"}, "slow": {"use": "mid", "label": "Slow & sure"}},
    "runs": [{"selectors": ["slow"], "datasets": ["wdbc"], "runs": 2}],
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
    "tables": {"data": {"kind": "datasets", "title": "Data"}},
    "figures": {"curves": {"kind": "curves", "title": "Curves <of> it", "panels": [PANEL]}},
}
CLAIMS = {
    "first": [("Fisher is *stable*.", "holds"), ("Slow is <slow>.", "does not hold")],
    "first_more": [("More is more.", "holds in part"), ("Gold is found.", "cannot be tested here")],
}
PROSE = """---
title: "[Re] Something"
citation: Somebody (2001). Something.
studies: [first, first_more]
figures: [first/figures/curves]
references: [Another (1999). Anything.]
---

## Scope

What was asked, see [elsewhere](../reproduce.md).

## Readings tried

One.

## What was easy

Two.

## What was hard

Three.

## Errata

None found.
"""
TABLE = [["wine", 0.1, 1.5, "yes"], ["wine", 0.5, 2.5, "no"], ["wdbc", 0.1, 3.5, "yes"]]
ORIGIN = Origin("abc123", "2026-01-02", "config/paper.yaml", {"steadfast": "0.1.0", "numpy": "2"})


def claims_of(study: str, **verdicts: str) -> dict[str, Any]:
    """Claims with their usual verdicts, or others by number, as `n1="holds"`."""
    claims = [
        {
            "number": number,
            "text": text,
            "verdict": verdicts.get(f"n{number}", verdict),
            "sentence": f"Sentence {number} of {study}.",
            "rule": "A case is a data set.",
            "for": 2,
            "open": 1,
            "against": 0,
            "details": f"Numbers {number} of {study}.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
        }
        for number, (text, verdict) in enumerate(CLAIMS[study], 1)
    ]
    rule = "A claim holds where most cases speak for it."
    return {"study": study, "title": "Mine", "paper": "", "rule": rule, "claims": claims}


class Made:
    """A results folder below a folder, its configuration, and the prose about it."""

    def __init__(self, folder: Path):
        self.folder, self.results = folder, folder / "results"
        self.prose_file = folder / "first.md"

    def write(self) -> None:
        write_atomically(self.prose_file, PROSE.encode())
        for study in CLAIMS:
            text = yaml.safe_dump(STUDY, sort_keys=False)
            write_atomically(self.folder / f"{study}.yaml", text.encode())
            self.write_study(study)
        for dataset, rows in (("wine", 178), ("wdbc", 569)):
            self.write_data(dataset, rows)

    def run(self) -> Run:
        config = read_yaml(ROOT / "config/config.yaml")
        studies = [str(self.folder / f"{study}.yaml") for study in CLAIMS]
        changes = {"first": {"title": "Mine, changed"}}
        config |= {"studies": studies, "results": str(self.results), "overrides": changes}
        return load_run(config, ROOT)

    def keep(self, run: Run) -> KeptRun:
        keep_paper("first", read_prose(self.prose_file), run, ORIGIN, self.folder / "kept")
        return KeptRun(self.folder / "kept" / "first")

    def write_study(self, study: str, **verdicts: str) -> None:
        place = self.results / study
        claims = json.dumps(claims_of(study, **verdicts)).encode()
        write_with_manifest({place / "summary.md": b"# Mine\n", place / "claims.json": claims})
        pairs = [
            Pair("data", row, column, 0.5, ours, float("nan"), float("nan"), "")
            for row, ours in (("wine", 0.5), ("wdbc", 0.7))
            for column in ("fisher", "slow")
        ]
        write_with_manifest({place / "published.csv": to_csv(pairs)})
        self.write_table(study, TABLE)
        figure = place / "figures" / "curves"
        drawn = {figure.with_suffix(".svg"): b"<svg/>", figure.with_suffix(".png"): b"x" * 99}
        write_with_manifest(drawn)
        for dataset, runs in (
            ("wine", {"fisher": 4, "slow": 4}),
            ("wdbc", {"fisher": 4, "slow": 2}),
        ):
            write_with_manifest({place / "resamples" / f"{dataset}.npz": b""})
            for selector, number in runs.items():
                self.write_runs(study, dataset, selector, number)
        log = b"cpu seconds: start-up 1.5 computation 60.0\npeak memory: 123 MB\n"
        write_atomically(self.results / "logs" / study / "select.log", log)

    def write_table(self, study: str, rows: list[list[Any]]) -> None:
        path = self.results / study / "tables" / "data.csv"
        content = csv_to_bytes(["dataset", "ratio", "value", "sure"], rows)
        write_with_manifest({path: content, path.with_suffix(".md"): b"**Data**\n"})

    def write_runs(self, study: str, dataset: str, selector: str, number: int) -> None:
        manifest = self.results / study / "selections" / dataset / selector / "batch0.sha256"
        lines = "".join(f"{'0' * 64}  s{fold}.tsv\n" for fold in range(number))
        write_atomically(manifest, lines.encode())

    def write_data(self, dataset: str, rows: int, content: str = "") -> None:
        about = {
            "name": dataset,
            "title": dataset.title(),
            "origin": "made up",
            "rows": rows,
            "features": 13,
            "classes": {"a": 1, "b": rows - 1},
            "missing": None,
            "sha256": hashlib.sha256(f"{dataset}{content}".encode()).hexdigest(),
            "licence": "free",
            "citation": f"Donor of {dataset}",
        }
        path = self.results / "data" / f"{dataset}.json"
        write_with_manifest({path: json.dumps(about).encode()})
