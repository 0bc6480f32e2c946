"""What every selection is worth on rows that no rule has seen: data for `choice.py`.

Each table is halved two to five times. On each half, the selectors of `steadfast advise` run on 30
subsamples, as they do for a user; then they select on the whole half, and a classifier trained on
it is tested on two parts of the other half. A rule looks at the runs of one half only; what its
choice is worth is read from the other.
"""

from dataclasses import dataclass

import numpy as np

from steadfast.accuracy.classifiers import without_labels
from steadfast.accuracy.rows import header
from steadfast.accuracy.scores import Score
from steadfast.advice.deciding_score import deciding_score
from steadfast.advice.evidence import Witness
from steadfast.advice.testimony import Terms, find_in_fold, testify
from steadfast.api import choices, defaults
from steadfast.core.seeds import generator
from steadfast.data.table import Table
from steadfast.resampling.draws import ALL
from steadfast.resampling.folds import Fold, test_share
from steadfast.resampling.grouped import draw_share_of_groups
from steadfast.study.declaration import Selector

#: The rows of a half at most.
MOST_ROWS = 300

#: How often a table is halved: until so many rows were tested on, within these limits.
TESTED_ROWS, FEWEST_REPEATS, MOST_REPEATS = 1000, 2, 5

#: Sizes that are looked at: with every one, a table would take twice as long.
SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100)

SVM = {"svm": {**defaults.CLASSIFIERS["svm"], "sizes": list(SIZES)}}


@dataclass
class Half:
    """One half as a rule sees it, and what selections are worth on the other.

    Attributes
    ----------
    dataset : name of the data set and the half
    witnesses : the runs of each selector on this half
    share : test rows over training rows, in these runs
    n_features : features of the data set
    sizes : sizes that are scored
    outside : for each selector, the score by size on two parts of the other half, trained on this
    """

    dataset: str
    witnesses: list[Witness]
    share: float
    n_features: int
    sizes: list[int]
    outside: dict[str, np.ndarray]


def repeats(n_rows: int) -> int:
    """How often a table of so many rows is halved; small ones are less certain."""
    return int(np.clip(TESTED_ROWS // n_rows, FEWEST_REPEATS, MOST_REPEATS))


def halve(name: str, table: Table, repeat: int, seed: int = 1) -> tuple[Half, Half]:
    """The two halves of a table, classes in equal shares; groups of rows stay together."""
    draw = generator(seed, name, "halves", repeat)
    if len(table.y) > 2 * MOST_ROWS:
        share = 2 * MOST_ROWS / len(table.y)
        table = table.take(draw_share_of_groups(table.y, table.groups, share, draw))
    first = draw_share_of_groups(table.y, table.groups, 0.5, draw)
    halves = (first, np.setdiff1d(np.arange(len(table.y)), first))
    parts = []
    for half in halves:
        own = table.take(half)
        inside = draw_share_of_groups(own.y, own.groups, 0.5, draw)
        parts.append((half[inside], np.delete(half, inside)))
    return (
        _measure(f"{name}/{repeat}a", table, halves[0], parts[1], seed),
        _measure(f"{name}/{repeat}b", table, halves[1], parts[0], seed),
    )


def _measure(
    name: str, table: Table, rows: np.ndarray, tests: tuple[np.ndarray, ...], seed: int
) -> Half:
    """All selectors on the rows of a half, and on the parts of the other."""
    own = table.take(rows)
    folds = choices.draw_folds(None, own, seed, ("advise", name), None).folds
    sizes = [k for k in SIZES if k <= table.X.shape[1]]
    terms = Terms(
        *(name, seed, without_labels(choices.to_classifiers(SVM)), sizes, defaults.BINS),
        tuple(defaults.SCORING),
    )
    score = deciding_score(terms.scoring, own.y, folds).score
    witnesses, outside = [], {}
    for key, selector in choices.to_selectors(None, defaults.LARGEST).items():
        options = {"discrete": selector.discrete, "probes": False}
        found = {f.name: find_in_fold(selector.settings, own, f, terms, **options) for f in folds}
        about = {"label": selector.label, "baseline": selector.at_random}
        witnesses.append(testify(key, about, found, folds, own.X.shape[1], terms, score))
        outside[key] = np.array(
            [_score_outside(selector, table, rows, part, terms, score) for part in tests]
        )
    return Half(name, witnesses, test_share(folds), own.X.shape[1], sizes, outside)


def _score_outside(
    selector: Selector,
    table: Table,
    train: np.ndarray,
    test: np.ndarray,
    terms: Terms,
    score: Score,
) -> list[float]:
    """The score at each size on rows that were not selected on."""
    fold = Fold("whole", 1, 1.0, train, test, "", ALL)
    options = {"discrete": selector.discrete, "probes": False}
    found = find_in_fold(selector.settings, table, fold, terms, **options)
    at = {key: place for place, key in enumerate(header(terms.scoring))}
    by_size = {
        row[at["k"]]: score.direction * row[at["value"]]
        for row in found.accuracy
        if row[at["scoring"]] == score.name
    }
    return [by_size.get(k, np.nan) for k in terms.sizes]
