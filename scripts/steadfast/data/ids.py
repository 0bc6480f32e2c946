"""Columns that look like the id of what several rows belong to, such as patients."""

import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.core.errors import shorten
from steadfast.data.understand import ColumnContent, has_many_texts

#: Fewer different values are categories, and so are values of more rows each, on average.
FEWEST_VALUES, MOST_ROWS_EACH = 10, 10

#: A text without an id-like name repeats like an id if so many values do, and this share of them.
FEWEST_REPEATED, SHARE_REPEATED = 5, 0.1

#: So many repeated values of any text may name what rows belong to; a single one is a usual entry.
FEWEST_MENTIONED = 2

#: Rows of a value are adjacent if this share of those that could follow one of their own do.
MOSTLY_ADJACENT = 0.9

#: One class for each value says something if shuffled classes would show it less often.
CHANCE = 0.001

_OWNER = (
    "(patient|subject|subj|participant|person|individual|proband|donor|animal|mouse|speaker|"
    "sample|specimen|case|record|user|customer)"
)
_NUMBER_OF = r"[\s_.-]?(id|no|nr|number|code)"
#: Names that only ids have. A prefix needs a suffix: age_patient is an age, but study_patient_no
#: an id.
_ID = re.compile(
    rf"(.*[\s_.-])?(id|ids|uid|uuid|pid)|(?-i:.*[a-z]I[Dd])|{_OWNER}|(.*[\s_.-])?{_OWNER}{_NUMBER_OF}",
    re.IGNORECASE,
)
#: Names that ids may have, and features too.
_MAYBE_ID = re.compile(
    "(no|nr|key|index|idx|row|family|household|batch|plate|slide|site|centre|center|hospital|clinic)"
    f"({_NUMBER_OF})?",
    re.IGNORECASE,
)


class IdColumn(NamedTuple):
    """A column whose values may name what rows belong to.

    Attributes
    ----------
    column : its name
    values : how many different values it has
    rows : how many rows have a value
    rows_each : the fewest and the most rows of one value
    one_class : whether all rows of each value are of one class
    adjacent : whether rows of a value follow each other
    number : whether its values are numbers
    sure : whether to leave it out and propose it; otherwise it stays a feature, and is mentioned
    """

    column: str
    values: int
    rows: int
    rows_each: tuple[int, int]
    one_class: bool
    adjacent: bool
    number: bool
    sure: bool

    def as_json(self) -> dict[str, Any]:
        """The proposal, as the description of a data set holds it."""
        return {
            "column": self.column,
            "values": self.values,
            "rows_each": list(self.rows_each),
            "one_class": self.one_class,
            "adjacent": self.adjacent,
        }

    def reason(self, grouped: bool) -> str:
        """Why it is left out; `grouped`: whether groups are named already."""
        what = "whole numbers" if self.number else "texts"
        fewest, most = self.rows_each
        each = f"{most}" if fewest == most else f"{fewest} to {most}"
        start = f"{self.values} different {what} in {self.rows} rows, {each} rows each: looks like "
        if grouped:
            return f"{start}an id"
        return (
            f"{start}the id of what rows belong to; if so, add --groups {shlex.quote(self.column)}"
        )

    def notice(self) -> str:
        """What to know of it, where it stays a feature of a file."""
        return (
            f"column {shorten(self.column)} has the name of an id and repeated values "
            f"({self.values} in {self.rows} rows), but stays a feature. If rows of one value "
            "belong together, name it under `groups`; if it is not a feature, name it under `drop`"
        )

    def notice_in_memory(self) -> str:
        """What to know of it, where data are at hand in Python."""
        return (
            f"column {shorten(self.column)} looks like an id with several rows each ({self.values} "
            f"in {self.rows} rows). If these rows belong together, pass the column as groups= and "
            "leave it out of X"
        )


def find_ids(columns: Mapping[str, ColumnContent], labels: Sequence[str | None]) -> list[IdColumn]:
    """Columns that look like ids with repeats, the clearest first.

    Parameters
    ----------
    columns : the columns by name, except those that the user declared features or categories
    labels : the class of each row; None where it is missing
    """
    numbers = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    classes = np.array([-1 if label is None else numbers[label] for label in labels])
    judged = (_judge(name, column, classes) for name, column in columns.items())
    found = [one for one in judged if one is not None]
    return sorted(found, key=lambda one: (-one.adjacent - one.one_class, one.values))


def _judge(name: str, column: ColumnContent, classes: np.ndarray) -> IdColumn | None:
    """What a column looks like; None if it does not look like an id with repeats."""
    surely_named, named = bool(_ID.fullmatch(name)), bool(_MAYBE_ID.fullmatch(name))
    number = column.codes is None and not column.levels
    if number and (column.reason or not (surely_named or named)):
        return None
    codes = _codes(column)
    if codes is None:
        return None
    present = codes[codes >= 0]
    counts = np.bincount(present)
    values, rows = counts.size, present.size
    enough = values * MOST_ROWS_EACH >= rows
    if values < FEWEST_VALUES or values == rows or not (enough or surely_named):
        return None
    followed = np.count_nonzero(present[1:] == present[:-1])
    adjacent = bool(followed >= MOSTLY_ADJACENT * (rows - values))
    one_class, telling = _one_class(codes, classes)
    repeated = np.count_nonzero(counts > 1)
    if number and surely_named:
        sure = adjacent or (enough and telling)
    elif number:
        sure = adjacent and telling
    elif surely_named:
        sure = enough or adjacent
    elif named:
        sure = adjacent or telling or has_many_texts(values, rows)
    else:
        repeats = repeated >= max(FEWEST_REPEATED, SHARE_REPEATED * values)
        sure = (adjacent and telling) or (has_many_texts(values, rows) and repeats)
    if not sure and not (enough and (surely_named or named)):
        return None
    rows_each = (int(counts.min()), int(counts.max()))
    return IdColumn(name, values, rows, rows_each, one_class, adjacent, number, sure)


def _codes(column: ColumnContent) -> np.ndarray | None:
    """The number of each row's value, -1 where there is none; None where numbers are not whole."""
    if column.codes is not None:
        return column.codes
    present = ~np.isnan(column.values)
    if column.levels:
        return np.where(present, column.values, -1).astype(np.int64)
    seen = column.values[present]
    if (seen != np.floor(seen)).any():
        return None
    codes = np.full(present.size, -1)
    codes[present] = np.unique(seen, return_inverse=True)[1]
    return codes


def _one_class(codes: np.ndarray, classes: np.ndarray) -> tuple[bool, bool]:
    """Whether all rows of each value are of one class, and whether chance hardly explains it."""
    known = (codes >= 0) & (classes >= 0)
    codes, classes = codes[known], classes[known]
    if not codes.size:
        return False, False
    first = np.empty(codes.max() + 1, dtype=np.int64)
    first[codes] = classes  # of each value, the class of one of its rows
    if (first[codes] != classes).any():
        return False, False
    shares = np.bincount(classes) / classes.size
    sizes, times = np.unique(np.bincount(codes), return_counts=True)
    chances = (shares[:, None] ** np.maximum(sizes, 1)).sum(axis=0)
    with np.errstate(divide="ignore"):  # the chance of many rows may be 0 in floating point
        return True, bool((times * np.log(chances)).sum() < np.log(CHANCE))


def leave_out_ids(
    found: dict[str, ColumnContent],
    labels: Sequence[str | None],
    declared: Collection[str],
    grouped: bool,
) -> list[IdColumn]:
    """Give columns that look like ids with repeats the reason why they are left out.

    Parameters
    ----------
    found : columns by name; those that look like ids get a reason
    labels : the class of each row
    declared : columns that the user declared as features
    grouped : whether groups are named: then nothing is proposed, but an id is no feature either

    Returns
    -------
    What is to be proposed or mentioned.
    """
    ids = find_ids({n: column for n, column in found.items() if n not in declared}, labels)
    for one in ids:
        column = found[one.column]
        if one.sure and not (grouped and column.reason):
            found[one.column] = column._replace(reason=one.reason(grouped))
    if not grouped:
        _mention_groups(found, {*declared, *(one.column for one in ids)})
    return [] if grouped else ids


def _mention_groups(found: dict[str, ColumnContent], others: Collection[str]) -> None:
    """Texts that are left out although values repeat: the reason gets the option for groups."""
    for name, column in found.items():
        if name in others or not column.reason or column.codes is None:
            continue
        counts = np.bincount(column.codes[column.codes >= 0])
        if np.count_nonzero(counts > 1) >= FEWEST_MENTIONED:
            reason = (
                f"{column.reason}; if rows of one value belong together, add "
                f"--groups {shlex.quote(name)}"
            )
            found[name] = column._replace(reason=reason)
