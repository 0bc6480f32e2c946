"""Tables whose classes have nothing to do with their features, for `noise.py`.

Classes and features are drawn by two generators, seeded by the names of scenario and number, so
that neither can depend on the other. In scenarios with subjects, a subject has a class and a mean
of each feature; its rows vary around that mean, little or as much as subjects do.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.random import Generator

from steadfast.core.seeds import generator

#: Standard deviations within a subject where that between is 1: two rows of one subject correlate
#: by 0.92, 0.5, 0.3 and 0.1.
COPIES, ALIKE, SIMILAR, FAINT = 0.3, 1.0, 1.53, 3.0

#: Categories of a mixed table by their number of levels, and the share of missing cells.
LEVELS, MISSING = (2, 3, 4, 6, 10, 15, 25), 0.08


class Scenario(NamedTuple):
    """One kind of table.

    Attributes
    ----------
    tables : how many of them there are
    classes : rows of each class, or subjects of each class
    features : draws the features of so many rows, or the means of so many subjects
    subjects : empty, or how rows of a subject are given: `named` as groups, `adjacent`, `shuffled`
    within : the standard deviation within a subject
    rows_each : rows of each subject
    id_column : whether subjects are a column of text in every second table
    """

    name: str
    label: str
    tables: int
    classes: tuple[int, ...]
    features: Callable[[Generator, int], Any]
    subjects: str = ""
    within: float = 0.0
    rows_each: int = 5
    id_column: bool = False


class NoiseTable(NamedTuple):
    """What `StabilityReport.fit` takes."""

    X: Any
    y: np.ndarray
    groups: np.ndarray | None = None


def normal(n_features: int) -> Callable[[Generator, int], np.ndarray]:
    """Independent standard normal features."""
    return lambda draw, n: draw.normal(size=(n, n_features))


def mixed(draw: Generator, n: int) -> pd.DataFrame:
    """Eight numbers of many shapes, and categories of unequal levels; some cells are missing."""
    numbers = [draw.normal(50, 10, n), draw.lognormal(size=n), draw.poisson(3, n).astype(float)]
    numbers += [draw.exponential(size=n), draw.uniform(size=n), draw.standard_t(2, n)]
    numbers += [draw.integers(0, 2, n).astype(float), draw.normal(size=n).round(1)]
    columns: dict[str, Any] = {f"number{at}": values for at, values in enumerate(numbers, 1)}
    for levels in LEVELS:
        names = np.array([f"level{at}" for at in range(levels)], dtype=object)
        columns[f"category{levels}"] = draw.choice(names, n, p=draw.dirichlet(np.full(levels, 5.0)))
    table = pd.DataFrame(columns)
    for column in ("number2", "number5", "category4", "category10"):
        table.loc[draw.random(n) < MISSING, column] = None
    return table


def heavy_blocks(draw: Generator, n: int) -> np.ndarray:
    """15 heavy-tailed features, each with a copy, a noisy copy and its exponential."""
    first = draw.standard_t(2, size=(n, 15))
    noisy = first + 0.5 * draw.standard_t(2, size=first.shape)
    return np.column_stack([first, first, noisy, np.exp(np.clip(first, -20, 20))])


def _subjects(
    name: str, how: str, tables: int, subjects: str, within: float, *, id_column: bool = False
) -> Scenario:
    """40 subjects of five rows and 20 features."""
    correlation = f"{1 / (1 + within**2):.2g}"
    label = f"40 subjects × 5, correlation {correlation}, {how}"
    return Scenario(
        name, label, tables, (20, 20), normal(20), subjects, within, id_column=id_column
    )


SCENARIOS = (
    Scenario("wide", "60 × 2000, two equal classes", 10, (30, 30), normal(2000)),
    Scenario("medium", "100 × 200, two equal classes", 25, (50, 50), normal(200)),
    Scenario("long", "300 × 20, three classes", 20, (100, 100, 100), normal(20)),
    Scenario("mixed", "200 × 15, numbers, categories, missing values", 25, (100, 100), mixed),
    Scenario("unequal", "150 × 30, classes 1 to 9", 25, (15, 135), normal(30)),
    _subjects("named", "named as groups", 13, "named", COPIES),
    _subjects("named_alike", "named as groups", 12, "named", ALIKE),
    _subjects("adjacent", "not named", 10, "adjacent", COPIES),
    _subjects("adjacent_alike", "not named", 10, "adjacent", ALIKE),
    _subjects("shuffled", "not named, random order", 12, "shuffled", COPIES, id_column=True),
    _subjects("shuffled_alike", "not named, random order", 12, "shuffled", ALIKE, id_column=True),
    Scenario("heavy", "120 × 60, heavy tails and copies", 26, (60, 60), heavy_blocks),
)

#: Rows of a subject resemble each other too little for the warnings: no part of the 200 tables.
FAINT_SCENARIOS = (
    _subjects("faint_similar", "not named, random order", 60, "shuffled", SIMILAR),
    _subjects("faint", "not named, random order", 60, "shuffled", FAINT),
)


def make_table(scenario: Scenario, number: int, seed: int) -> NoiseTable:
    """The table of this number."""
    of_features, of_classes, of_rows = (
        generator(seed, "noise", scenario.name, number, what)
        for what in ("features", "classes", "rows")
    )
    names = [f"class{at}" for at in range(len(scenario.classes))]
    y = of_classes.permutation(np.repeat(names, scenario.classes))
    X = scenario.features(of_features, len(y))
    if not scenario.subjects:
        return NoiseTable(X, y)
    subject = np.repeat(np.arange(len(y)), scenario.rows_each)
    if scenario.subjects == "shuffled":
        subject = of_rows.permutation(subject)
    X, y = X[subject], y[subject]
    X = X + scenario.within * of_rows.normal(size=X.shape)
    if scenario.subjects == "named":
        return NoiseTable(X, y, subject)
    if has_id_column(scenario, number):
        X = pd.DataFrame(X).add_prefix("x").assign(subject=[f"S{one:02}" for one in subject])
    return NoiseTable(X, y)


def has_id_column(scenario: Scenario, number: int) -> bool:
    """Whether subjects are a column of text in this table."""
    return scenario.id_column and number % 2 == 0
