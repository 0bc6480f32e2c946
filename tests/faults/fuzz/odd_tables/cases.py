"""Odd tables, read as `steadfast advise --check` reads them, and judged."""

import tempfile
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from shown import ROOT

from fuzz.odd_tables import damaged_files, odd_cells, odd_files, odd_texts  # noqa: F401 - forms
from fuzz.odd_tables.forms import FORMS
from fuzz.odd_tables.meant import at_most
from fuzz.odd_tables.right_reading import first_difference
from fuzz.odd_tables.written import Written
from fuzz.verdict import Verdict, judge_error
from steadfast.core.config import read_yaml
from steadfast.data.loader import load
from steadfast.data.reading import allowance
from steadfast.data.table import read_table, save
from steadfast.resampling.grouped import draw
from steadfast.study.run import load_run

CONFIG = read_yaml(ROOT / "config/config.yaml")
STEM = "odd_table"

#: Bytes of the machine that is played: what would not fit into half of it is refused.
MEMORY = 1 << 27


class Case(NamedTuple):
    """A form, the how-manieth table of it, and the seed: all that a table is drawn from."""

    form: str
    number: int
    seed: int

    @property
    def name(self) -> str:
        return f"{self.form}-{self.number}"

    @property
    def kind(self) -> str:
        return FORMS[self.form].kind


def cases(count: int, seed: int) -> list[Case]:
    """So many cases, each form in its turn."""
    ordinary = [name for name, form in FORMS.items() if form.kind != "damaged"]
    damaged = [name for name, form in FORMS.items() if form.kind == "damaged"]
    # No two damaged files are alike: every fifth case is one of them.
    drawn = [
        damaged[i // 5 % len(damaged)] if i % 5 == 4 else ordinary[(i - i // 5) % len(ordinary)]
        for i in range(count)
    ]
    seen: Counter[str] = Counter()
    found = []
    for name in drawn:
        found.append(Case(name, seen[name], seed))
        seen[name] += 1
    return found


def make(case: Case) -> Written:
    """The file of a case; the same case makes the same file."""
    random = Random(f"{case.seed}/{case.name}")
    return FORMS[case.form].make(random)


def judge(case: Case) -> Verdict:
    """Read the table of a case, and say whether that went well."""
    return judge_written(make(case))


def judge_written(written: Written) -> Verdict:
    """Read a file; right, refused in one line, or a fault."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{STEM}{written.suffix}")
        path.write_bytes(written.content)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                table, about = read(path, dict(written.options))
        except Exception as error:
            verdict = judge_error(error, STEM)
            if written.sound and verdict.what == "refused":
                return Verdict("refused though sound", verdict.words)
            return verdict
    if written.meant is None:
        shape = f"{table.X.shape[0]} rows, {table.X.shape[1]} features"
        return Verdict("wrong silently", f"read as {shape}; nobody can say what is meant")
    difference = first_difference(written.meant, table, about)
    return Verdict("wrong silently", difference) if difference else Verdict("read right")


def smallest(case: Case, what: str) -> Written:
    """The table of a case, as small as it can be drawn while the verdict stays the same."""
    for rows, columns in ((4, 1), (8, 2), (16, 2), (16, 4), (32, 4)):
        with at_most(rows, columns):
            written = make(case)
            if judge_written(written).what == what:
                return written
    return make(case)


def read(path: Path, options: dict[str, str]) -> tuple[Any, dict[str, Any]]:
    """The table and its description as `advise --check` has them, on a machine of little memory."""
    with mock.patch.object(allowance, "memory_mb", return_value=MEMORY // 1_000_000):
        return _read(path, options)


def _read(path: Path, options: dict[str, str]) -> tuple[Any, dict[str, Any]]:
    """What is read must stay the same in the file that the first job keeps."""
    run = load_run(CONFIG | {"data": str(path)} | options, ROOT)
    (study,) = run.studies.values()
    (name,) = study.datasets
    cache, local = Path(run.config["cache"]), run.local_files[name]
    table, about = load(name, run.catalogue[name], root=ROOT, cache=cache, local_file=local)
    if len(table.features) > 1:
        list(draw(study.scheme, table, 1, (study.name, name)))
    npz = path.with_name("kept.npz")
    save(table, about, npz)
    kept = read_table(npz)
    assert kept.features == table.features
    assert (kept.classes, kept.levels) == (table.classes, table.levels)
    assert np.array_equal(kept.X, table.X, equal_nan=True)
    return table, about
