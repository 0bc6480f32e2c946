"""How much memory the job of each rule needs, from the size of its table."""

import json
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from steadfast.study.budget import PROBES, SELECT, TRUST, Budget
from steadfast.study.costs import Shape, shape_of
from steadfast.study.plan.budget import BudgetPlan
from steadfast.study.plan.data import DataPlan


class Need(NamedTuple):
    """What a job takes at its peak, in MB, as measured; docs/cluster.md has the figures.

    Attributes
    ----------
    start
        For Python and the packages that it loads.
    tables
        For each MB of its table, eight bytes a number.
    plan
        Whether it reads the folds.
    row_bytes
        For each row, in bytes, besides.
    """

    start: int
    tables: float = 0.0
    plan: bool = False
    row_bytes: int = 0


#: By rule. Selections and probes are those of the selectors that take most.
NEEDS: dict[str, Need] = {
    "load_data": Need(150, tables=8),
    "discretise": Need(150, tables=6),
    "transform": Need(250, tables=8, plan=True),
    "resample": Need(100, tables=2, plan=True, row_bytes=100),
    "select": Need(250, tables=6, plan=True, row_bytes=50),
    "fold_rows": Need(150, tables=6, plan=True),
    "read_rankings": Need(150, tables=2),
    "stability": Need(200, tables=2, plan=True),
    "chance": Need(200, tables=2),
    "accuracy": Need(350, tables=6, plan=True, row_bytes=50),
    "curves": Need(600),
    "trust": Need(250, tables=10, row_bytes=2000),
    "probes": Need(250, tables=11, plan=True, row_bytes=50),
    "evidence": Need(250, tables=4, plan=True),
    "surface": Need(250, tables=6),
    "criterion_variation": Need(250, tables=3),
    "precision": Need(300),
    "recovery": Need(400),
    "alpha": Need(350, tables=6, plan=True),
    "alpha_rules": Need(300),
    "table": Need(250),
    "figure": Need(350),
    "published": Need(150),
    "summary": Need(250),
    "times": Need(150),
    "page": Need(200),
    "index": Need(200),
    "replication": Need(200),
    "verify": Need(150),
}

#: Selectors that hold numbers for each pair of rows, by their files.
PAIRING = ("steadfast/selectors/svm.py", "steadfast/selectors/wrappers.py")

#: Bytes of a file for each number in it, as text and compressed, at least.
TEXT_BYTES, PACKED_BYTES = 4, 2
PACKED = (".gz", ".bz2", ".xz", ".zip", ".zst", ".xlsx", ".parquet")

#: Numbers in a row of which only the file is known.
_ASSUMED_FEATURES = 10


class MemoryPlan(DataPlan, BudgetPlan):
    """The memory of jobs, by rule and wildcards."""

    def memory(self, rule: str, study: str = "", dataset: str = "", selector: str = "") -> int:
        """What a job needs, in MB."""
        if not dataset:
            return NEEDS[rule].start
        shape = self.shape(dataset)
        if not study:
            return needed(NEEDS[rule], shape, 0)
        one = self.studies[study]
        budget = Budget(one, dataset, shape, 1 / len(one.datasets))
        paired = rule in (SELECT, PROBES) and self._is_pairing(study, selector)
        return stage_mb(rule, budget) + (pairs_mb(budget, rule, selector) if paired else 0)

    def _is_pairing(self, study: str, selector: str) -> bool:
        return not set(PAIRING).isdisjoint(self.studies[study].selectors[selector].files)

    def shape(self, dataset: str) -> Shape:
        """Of a data set that is loaded; else as the catalogue expects it, or as its file hints."""
        if dataset not in self._shapes:
            try:
                about = json.loads(Path(self.paths("data", "json", dataset=dataset)).read_text())
                self._shapes[dataset] = shape_of(about)
            except (OSError, ValueError, KeyError, TypeError):  # its reader says what is wrong
                return self._expected(dataset)
        return self._shapes[dataset]

    @cached_property
    def _shapes(self) -> dict[str, Shape]:
        return {}

    def _expected(self, dataset: str) -> Shape:
        expected = self.entry(dataset).get("expect", {})
        if self.run.local_files.get(dataset) is None and {"rows", "features"} <= expected.keys():
            return _shape(expected["rows"], expected["features"])
        numbers = sum(_numbers_in(Path(file)) for file in self.source_files(dataset))
        return _shape(numbers // _ASSUMED_FEATURES, _ASSUMED_FEATURES)


def _shape(rows: int, features: int) -> Shape:
    return Shape(rows, features, features, 2)


def needed(need: Need, shape: Shape, folds: int) -> int:
    """What a job on a table of this shape needs, in MB."""
    each_row = need.row_bytes
    if need.plan:  # eight bytes for each row in each fold, and half as many for the steps
        each_row += 12 * folds
    numbers = need.tables * 8 * shape.rows * shape.features
    return need.start + round((numbers + each_row * shape.rows) / 1e6)


def stage_mb(rule: str, budget: Budget) -> int:
    """What a job of a study needs, in MB; that of q-values by the rows that it looks at."""
    shape, folds = budget.shape, len(budget.study.scheme.names())
    if rule == TRUST:
        shape = shape._replace(rows=budget.rows(TRUST) or shape.rows)
    return needed(NEEDS[rule], shape, folds)


def pairs_mb(budget: Budget, rule: str, selector: str) -> int:
    """Three numbers for each pair of the rows that a selector sees, in MB."""
    rows = budget.rows(rule, selector) or budget.shape.rows
    return round(24 * rows**2 / 1e6)


def _numbers_in(file: Path) -> int:
    """How many numbers a file may hold, by its size."""
    try:
        size = file.stat().st_size
    except OSError:
        return 0
    return size // (PACKED_BYTES if file.suffix.lower() in PACKED else TEXT_BYTES)
