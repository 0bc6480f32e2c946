"""A selector on the training rows of one fold, as the content of the fold's file."""

from collections.abc import Mapping
from typing import Any

from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import failure_to_bytes, selection_to_bytes
from steadfast.selectors.running.select import TimeLimitError, select


def select_fold(
    settings: Mapping[str, Any],
    table: Table,
    fold: Fold,
    *,
    seed: int,
    dataset: str,
    note: str = "",
    all_rows: bool = False,
    **options: Any,
) -> tuple[bytes, Any]:
    """The file of a fold and the fitted selector; one that took too long says so, and is None.

    Parameters
    ----------
    settings
        Of the selector; see `steadfast.selectors.running.select.select`, as for `options`.
    seed, dataset
        What draws derive from, with the name of the fold.
    note
        Printed in the file.
    all_rows
        Whether rows that test are selected on, too.
    """
    rows = slice(None) if all_rows else fold.train
    try:
        fitted = select(
            settings,
            table.X[rows],
            table.y[rows],
            seed=seed,
            names=(dataset, fold.name),
            levels=table.levels,
            groups=None if table.groups is None else table.groups[rows],
            **options,
        )
    except TimeLimitError as error:
        return failure_to_bytes(str(error)), None
    return selection_to_bytes(fitted, table.features, note), fitted
