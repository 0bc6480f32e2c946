"""One selector on the folds of a data set inside this process: what the commands do file by file.

Each function takes what a command takes and does what it does, by the same functions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steadfast.accuracy.rows import Row, all_accuracy_rows, all_truths, header
from steadfast.accuracy.scores import USUAL, Score
from steadfast.advice.evidence import Witness, witness
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection, parse_selection, shuffle_ties
from steadfast.selectors.running.probes import ahead_in_fold, share_ahead
from steadfast.selectors.running.select_fold import select_fold


@dataclass(frozen=True)
class Terms:
    """What all selectors on a data set share.

    Attributes
    ----------
    dataset, seed
        What draws derive from, with the names of folds.
    classifiers
        Settings by id, without names in print.
    sizes
        Subset sizes that are looked at.
    bins
        Settings of the bins that are fitted inside the folds.
    scoring
        What classifiers are scored by.
    """

    dataset: str
    seed: int
    classifiers: Mapping[str, Mapping[str, Any]]
    sizes: Sequence[int]
    bins: Mapping[str, Any]
    scoring: Sequence[str] = USUAL


class Finding(NamedTuple):
    """What one selector found on one fold; `ahead` are the columns ahead of all shuffled copies."""

    selection: Selection
    accuracy: list[Row]
    ahead: np.ndarray | None


def find_in_fold(
    settings: Mapping[str, Any],
    table: Table,
    fold: Fold,
    terms: Terms,
    *,
    discrete: bool,
    probes: bool,
) -> Finding:
    """Select on the training rows, score on the test rows, and try shuffled copies."""
    own = {"seed": terms.seed, "dataset": terms.dataset}
    own["discretise"] = terms.bins if discrete else None
    content, _ = select_fold(settings, table, fold, **own)
    selection = parse_selection(content, table.features, Path(fold.name))
    selection = shuffle_ties(selection, terms.seed, fold.name)
    place = (terms.seed, terms.dataset)
    folds = {name: [fold] for name in terms.classifiers}
    truths = all_truths(terms.classifiers, folds, table, place)
    rows = all_accuracy_rows(
        *(terms.classifiers, truths, folds, {fold.name: selection}, table, terms.sizes, place),
        scoring=terms.scoring,
    )
    ahead = ahead_in_fold(settings, table, fold, **own) if probes else None
    return Finding(selection, list(rows), ahead)


def testify(
    name: str,
    about: Mapping[str, Any],
    findings: Mapping[str, Finding],
    folds: Sequence[Fold],
    n_features: int,
    terms: Terms,
    score: Score,
) -> Witness | None:
    """What one selector shows, from its findings by fold; None where it shows too little.

    `score` is the one of the terms that accuracy goes by.
    """
    rows = [row for fold in folds for row in findings[fold.name].accuracy]
    scores = {key: [row[at] for row in rows] for at, key in enumerate(header(terms.scoring))}
    selections = {fold: finding.selection for fold, finding in findings.items()}
    accuracy = scores if terms.classifiers else None
    largest = max(terms.sizes, default=n_features)
    found = witness(name, about, selections, accuracy, folds, n_features, largest, score=score)
    columns = [finding.ahead for finding in findings.values()]
    if found is not None and all(ahead is not None for ahead in columns):
        found.ahead = share_ahead(np.concatenate(columns), n_features, len(folds))
    return found
