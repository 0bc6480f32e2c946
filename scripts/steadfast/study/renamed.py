"""Kinds and keys of version 1.0 that have another name or form now; docs/upgrade.md lists them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from steadfast.core.errors import UserError


class Renamed(NamedTuple):
    """A kind or a key of an entry that 1.0 knew, and what to write instead.

    Attributes
    ----------
    sort, kind
        `table`, `figure` or `claim`, and its kind in version 1.0.
    key
        The key, `LIST.KEY` inside the parts of a list, or empty where the kind itself is gone.
    write
        What to write in its place.
    form
        The type of the value in 1.0, where the key has another one now.
    """

    sort: str
    kind: str
    key: str
    write: str
    form: type | None = None


RENAMED = (
    Renamed("figure", "precision", "family", "families: [NAME]"),
    Renamed("figure", "sensitivity", "sweeps.scale", "nothing: the axis follows from the values"),
    Renamed("figure", "subsets", "rows", 'rows: {"TITLE": [SELECTOR, SELECTOR]}', list),
    Renamed("figure", "by_matrix_rank", "transforms", 'series: {"LABEL": [BASELINE, TRANSFORM]}'),
    Renamed("figure", "disjoint", "", "kind: picture, disjoint: true"),
    Renamed("figure", "sample_similarity", "", "kind: dataset_groups, similarity: true"),
    Renamed("figure", "curves", "bands", "nothing: curves have their intervals"),
    Renamed("figure", "alpha_regret", "truth", "nothing: all data sets are shown"),
    Renamed("table", "ranks", "rows", "nothing: rows are ratios of a dataset, or data sets"),
    Renamed("table", "percentiles", "tables", "nothing: all tables of ranks are read"),
    Renamed("claim", "measures", "", "kind: pairs, pairs: [[BETTER, THAN]]"),
    Renamed("claim", "measure_order", "", "kind: by_table, on a table of kind profile"),
    Renamed("claim", "profile_order", "", "kind: by_table, on a table of kind profile"),
    Renamed("claim", "reading", "", "kind: by_table, on a table of kind pool"),
    Renamed("claim", "precision", "transform", "transforms: [TRANSFORM, THAN]"),
    Renamed("claim", "precision", "falling", "kind: precision_falls"),
    Renamed("claim", "compare", "size", "kind: by_table, with columns: [BETTER], minus: THAN"),
    Renamed("claim", "by_table", "cases.spread", "together: spread"),
    Renamed("claim", "by_table", "cases.above", "minus: COLUMN, above: 0", dict),
    Renamed("claim", "by_table", "cases.below", "minus: COLUMN, below: 0", dict),
    Renamed("claim", "by_table", "cases.falling", "minus: NEXT, above: 0, in a case per step"),
    Renamed("claim", "by_table", "cases.lists", "a condition on a number, with minus"),
    Renamed("claim", "by_table", "cases.lists_not", "a condition on a number, with minus"),
)

GUIDE = "docs/upgrade.md"


def refuse_renamed(sort: str, entry: Mapping[str, Any], where: str) -> None:
    """Refuse a kind or key of version 1.0 with one line that has the new one."""
    for old in RENAMED:
        if (old.sort, old.kind) == (sort, entry["kind"]) and _is_used(entry, old):
            at = f"{where}.{old.key}" if old.key else f"{where}.kind: {old.kind}"
            raise UserError(f"{at}: is of version 1.0; write {old.write} ({GUIDE})")


def _is_used(entry: Mapping[str, Any], old: Renamed) -> bool:
    """Whether an entry has a key as it was in 1.0."""
    name, _, nested = old.key.partition(".")
    parts = entry.get(name, []) if nested else [entry]
    key = nested or name
    if not key:
        return True
    return any(key in part and isinstance(part[key], old.form or object) for part in parts)
