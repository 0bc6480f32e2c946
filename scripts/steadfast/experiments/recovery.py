"""What selectors choose on scenarios of known truth: how much is found, and what of it is false."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.data.frame import treat_missing
from steadfast.data.sources.scenario import scenario, truth
from steadfast.data.table import Table, make_table
from steadfast.selectors.running.select import select

HEADER = (
    *("scenario", "set", "selector", "rows", "features", "relevant", "chosen"),
    *("found", "false", "blocks", "blocks_found", "false_features"),
)

Row = tuple[str, int, str, int, int, int, int, int, int, int, int, str]


def recovery_rows(
    name: str, settings: Mapping[str, Any], *, selector: str, seed: int, study: str
) -> Iterator[Row]:
    """A row for each data set of a scenario; the log gets the processor time of each.

    All selectors of a study see the same data sets. A block counts as found where one of its
    features is chosen; a relevant feature that is in no block is one of its own. A leak is neither
    found nor false.

    Parameters
    ----------
    name
        Of the scenario.
    settings
        `scenario`: its settings (`steadfast.data.sources.scenario`); `sets`: how many data sets;
        `run`: use and params of the selector; `discretise`: bins, or None for numbers.
    selector
        Its name in the study.
    seed, study
        What draws derive from.
    """
    for one in range(1, settings["sets"] + 1):
        table = scenario_table(f"{study} {name} {one}", {**settings["scenario"], "seed": seed})
        started = cli.computation_seconds()
        chosen = _chosen(table, settings, selector, seed, (study, name, f"set{one}"))
        print(f"set{one}: {cli.computation_seconds() - started:.3f} s", file=sys.stderr, flush=True)
        known = truth(table.features)
        false = np.flatnonzero(chosen & known.noise)
        yield (
            *(name, one, selector, *table.X.shape),
            *(int(known.relevant.sum()), int(chosen.sum())),
            *(int((chosen & known.relevant).sum()), false.size),
            *(np.unique(known.block[mask]).size for mask in _of_blocks(known.relevant, chosen)),
            " ".join(table.features[column] for column in false),
        )


def scenario_table(name: str, settings: Mapping[str, Any]) -> Table:
    """The table of a scenario, as one of the user's own is made; gaps stay."""
    frame, _ = treat_missing(scenario(name, settings), "median")
    return make_table(
        frame.X, frame.labels, frame.features, frame.where, frame.levels, frame.groups
    )


def _of_blocks(relevant: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which columns stand for all blocks, and which for those that are found."""
    return relevant, relevant & chosen


def _chosen(
    table: Table, settings: Mapping[str, Any], selector: str, seed: int, names: tuple[str, ...]
) -> np.ndarray:
    """The mask of the features that a selector chooses."""
    fitted = select(
        settings["run"],
        table.X,
        table.y,
        seed=seed,
        names=names,
        discretise=settings["discretise"],
        levels=table.levels,
        groups=table.groups,
    )
    support = getattr(fitted, "support_", None)
    if support is None:
        raise UserError(
            f"recovery: {selector} ranks features and chooses none of them; name selectors that "
            "state a `support_`, significant say"
        )
    return np.asarray(support, dtype=bool)
