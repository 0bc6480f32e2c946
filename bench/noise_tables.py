"""Tables whose classes have nothing to do with their features, for `noise.py`.

Classes and features are drawn by two generators, seeded by the names of scenario and number, so
that neither can depend on the other. In scenarios with subjects, a subject has a class and a mean
of each feature; its rows differ from that mean by a little, and so resemble each other.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.random import Generator

from steadfast.core.seeds import generator

#: Rows of each subject, and the standard deviation within a subject where that between is 1.
ROWS_EACH, WITHIN = 5, 0.3

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
    """

    name: str
    label: str
    tables: int
    classes: tuple[int, ...]
    features: Callable[[Generator, int], Any]
    subjects: str = ""


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


SCENARIOS = (
    Scenario("wide", "60 × 2000, two equal classes", 10, (30, 30), normal(2000)),
    Scenario("medium", "100 × 200, two equal classes", 25, (50, 50), normal(200)),
    Scenario("long", "300 × 20, three classes", 20, (100, 100, 100), normal(20)),
    Scenario("mixed", "200 × 15, numbers, categories, missing values", 25, (100, 100), mixed),
    Scenario("unequal", "150 × 30, classes 1 to 9", 25, (15, 135), normal(30)),
    Scenario("named", "40 subjects × 5, named as groups", 25, (20, 20), normal(20), "named"),
    Scenario("adjacent", "40 subjects × 5, not named", 20, (20, 20), normal(20), "adjacent"),
    Scenario("shuffled", "the same, rows in random order", 24, (20, 20), normal(20), "shuffled"),
    Scenario("heavy", "120 × 60, heavy tails and copies", 26, (60, 60), heavy_blocks),
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
    subject = np.repeat(np.arange(len(y)), ROWS_EACH)
    if scenario.subjects == "shuffled":
        subject = of_rows.permutation(subject)
    X, y = X[subject] + WITHIN * of_rows.normal(size=(len(subject), X.shape[1])), y[subject]
    if scenario.subjects == "named":
        return NoiseTable(X, y, subject)
    if has_id_column(scenario, number):
        X = pd.DataFrame(X).add_prefix("x").assign(subject=[f"S{one:02}" for one in subject])
    return NoiseTable(X, y)


def has_id_column(scenario: Scenario, number: int) -> bool:
    """Whether subjects are a column of text: in every second table in random order."""
    return scenario.subjects == "shuffled" and number % 2 == 0
