"""Accuracy of one selector's subsets on one data set, by size."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.accuracy.classifiers import create
from steadfast.accuracy.scores import SCORES, USUAL, know_nothing
from steadfast.core.errors import UserError
from steadfast.core.paths import split_name
from steadfast.data.encoding import Levels, fill_gaps, one_hot
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import CHOSEN, OWN_SIZE, Selection

HEADER = ("classifier", "ratio", "k", "fold", "value", "tested", "wrong")

#: What stands before the columns of `HEADER` where a study is not scored by accuracy alone.
SCORING = "scoring"

Row = tuple[Any, ...]


def header(scoring: Sequence[str] = USUAL) -> tuple[str, ...]:
    """The columns of a file of accuracies; with other scores, each row says which it is."""
    return HEADER if tuple(scoring) == USUAL else (SCORING, *HEADER)


def transforms_of(names: Sequence[str]) -> dict[str, str]:
    """The transform in each of the names `SELECTOR+TRANSFORM`; empty for a selector alone.

    Names of different selectors, or of one with and without a transform, are refused.
    """
    parts = {name: split_name(name) for name in names}
    if len({(selector, bool(transform)) for selector, transform in parts.values()}) > 1:
        raise UserError(f"{', '.join(names)}: not one selector after its transforms")
    return {name: transform for name, (_, transform) in parts.items()}


def accuracy_rows(
    name: str,
    settings: Mapping[str, Any],
    folds: Sequence[Fold],
    selections: Mapping[str, Selection],
    X: np.ndarray,
    y: np.ndarray,
    sizes: Sequence[int] | str | None = None,
    classes: Mapping[str, np.ndarray] | None = None,
    place: tuple[int, str] = (0, ""),
    levels: Levels = (),
    scoring: Sequence[str] = USUAL,
) -> Iterator[Row]:
    """Share of test rows classified correctly, trained on the fold's training rows.

    `settings` name the classifier (`use`), its parameters and, where not every size and ratio is
    wanted, `sizes` and `ratios`. Sizes may be `chosen`, the subset that the selector chose; its
    rows have `OWN_SIZE` as their size, and a choice of no feature leaves the most frequent class.
    With `outcomes`, a row also names the test rows that were wrong. A fold without a selection has
    no rows. `classes` stand for `y` in the folds that they name; see `fold_classes`.
    Draws derive from `place` (seed and data set) and the fold: the same for all selectors.
    Categories (`levels`) are a column each, missing numbers the median of the training rows.
    Names of other scores (`scoring`) give a row each, all from one fit; see `header`.
    """
    settings = {"use": name, **settings}
    sizes, ratios = settings.get("sizes", sizes), settings.get("ratios")
    tagged = tuple(scoring) != USUAL
    for fold in folds:
        selection = selections[fold.name]
        wanted_fold = fold.scored and (ratios is None or fold.ratio in ratios)
        if not wanted_fold or selection.note:
            continue
        columns = selection.chosen if sizes == CHOSEN else selection.sequence
        largest = columns.size
        if sizes == CHOSEN:
            wanted = [largest]
        else:
            wanted = [k for k in sizes or range(1, largest + 1) if k <= largest]
        chosen = columns[: max(wanted, default=0)]
        train, test, widths = _encode(X, chosen, fold.train, fold.test, levels)
        own = (classes or {}).get(fold.name, y)
        truth = own[fold.test]
        if sizes == CHOSEN and not largest:
            known = know_nothing(own[fold.train], truth)
            scores = Scores([SCORES[USUAL[0]].value(known, truth)], *([part] for part in known))
        else:
            classifier = create(settings, (*place, fold.name), scoring)
            parts = (train, own[fold.train], test, truth)
            where = f"classifier {name} on fold {fold.name}"
            scores = _score(classifier, parts, [widths[k - 1] for k in wanted], where)
        listed = settings.get("outcomes") and largest
        for k, accuracy, outcome in zip(wanted, scores.values, scores.outcomes(), strict=True):
            wrong = ""
            if listed and outcome.predictions is not None:
                wrong = " ".join(map(str, fold.test[outcome.predictions != truth]))
            size = OWN_SIZE if sizes == CHOSEN else k
            for one in scoring:
                value = accuracy if one in USUAL else SCORES[one].value(outcome, truth)
                row = (name, fold.ratio, size, fold.name, value, truth.size, wrong)
                yield (one, *row) if tagged else row


def _score(
    classifier: Classifier, parts: tuple[np.ndarray, ...], widths: list[int], where: str
) -> Scores:
    """Scores at these widths; what a classifier refuses is one line."""
    try:
        return classifier.score(*parts, widths)
    except UserError:
        raise
    except ValueError as error:
        raise UserError(f"{where}: {' '.join(str(error).split())}") from None


def all_accuracy_rows(
    classifiers: Mapping[str, Mapping[str, Any]],
    truths: Mapping[str, Mapping[str, np.ndarray]],
    folds: Mapping[str, Sequence[Fold]],
    selections: Mapping[str, Selection],
    table: Table,
    sizes: Sequence[int] | None,
    place: tuple[int, str],
    scoring: Sequence[str] = USUAL,
) -> Iterator[Row]:
    """Rows of several classifiers, by id, on one selector's subsets; `truths` by `all_truths`.

    Each has folds of its own: the same rows, or the first of them.
    """
    for name, settings in classifiers.items():
        yield from accuracy_rows(
            *(name, settings, folds[name], selections, table.X, table.y),
            *(sizes, truths[name], place, table.levels, scoring),
        )


def all_truths(
    classifiers: Mapping[str, Mapping[str, Any]],
    folds: Mapping[str, Sequence[Fold]],
    table: Table,
    place: tuple[int, str],
) -> dict[str, dict[str, np.ndarray]]:
    """What each classifier is compared with in each fold, where it is not the classes."""
    return {
        name: fold_classes(name, settings, folds[name], table.X, place, table.levels)
        for name, settings in classifiers.items()
    }


def _encode(
    X: np.ndarray, columns: np.ndarray, train: np.ndarray, test: np.ndarray, levels: Levels
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Complete columns of both parts in this order, and how many of them the first k stand for."""
    known = X[np.ix_(train, columns)]
    parts = [fill_gaps(X[np.ix_(rows, columns)], known) for rows in (train, test)]
    if not levels:
        return *parts, np.arange(1, columns.size + 1)
    own = [levels[column] for column in columns]
    encoded = [one_hot(part, own) for part in parts]
    widths = np.cumsum(np.bincount(encoded[0].owner, minlength=columns.size))
    return *(part.X for part in encoded), widths


def fold_classes(
    name: str,
    settings: Mapping[str, Any],
    folds: Sequence[Fold],
    X: np.ndarray,
    place: tuple[int, str],
    levels: Levels = (),
) -> dict[str, np.ndarray]:
    """What a classifier's predictions are compared with in each fold, where it is not the classes.

    One label for each row, from all features; see `Classifier.truth`.
    """
    settings = {"use": name, **settings}
    if not create(settings).has_own_truth:
        return {}
    found = {}
    for fold in folds:
        if fold.scored:
            columns, rows = np.arange(X.shape[1]), np.arange(len(X))
            train, every, _ = _encode(X, columns, fold.train, rows, levels)
            classifier = create(settings, (*place, fold.name))
            found[fold.name] = classifier.truth(train, every)
    return found


def own_rows(table: Mapping[str, Sequence[str]], transform: str, scoring: str = "") -> list[bool]:
    """Which rows of a file are those after a transform, and of a score; all in a file without."""
    own = np.ones(len(next(iter(table.values()))), dtype=bool)
    for column, wanted in (("transform", transform), (SCORING, scoring)):
        if column in table:
            own &= np.array(table[column], dtype=object) == wanted
    return own.tolist()
