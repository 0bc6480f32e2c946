"""What a column of cells holds: numbers, categories, or nothing that could be a feature."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, time, timedelta
from typing import Any, NamedTuple

import numpy as np

from steadfast.core.errors import UserError, shorten

#: What a cell without a value may say, in small letters.
MISSING = frozenset({"", "?", "-", ".", "na", "n/a", "#n/a", "nan", "null", "none"})

#: A column of which this share is numbers is one of numbers, and its texts are mistakes.
SOME_NUMBERS = 0.2

#: A column of more different texts than this, in more than half of the rows, is no category.
MANY_TEXTS = 20

#: Categories beyond so many are taken together, the rarest first.
MOST_LEVELS = 100
OTHERS = "(other)"

#: So few different numbers with units may well be categories, such as doses.
FEW_DECORATED = 10

#: Larger numbers overflow when they are squared and summed.
LARGEST = 1e150

#: Fewer rows may well be numbered by accident.
FEWEST_NUMBERED = 10

_WHOLE_NUMBER = re.compile(r"([+-]?\d+)\.0*")
_LIKE_AN_ID = re.compile(
    r"(.*[\s_.-])?(id|ids|index|idx|uid|uuid|key|nr|no|row|rownames?|record|case|sample|patient|"
    r"subject|unnamed.*)([\s_.-]?(id|no|nr|number|code|\d+))?",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([ T].*)?|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})( .*)?|"
    r"\d{1,2}:\d{2}(:\d{2}.*)?"
)
#: Numbers with signs, units, or commas between thousands.
_DECORATED = re.compile(r"[<>~≈$€£+-]?\s*\d[\d.,' ]*\s*[%A-Za-zµ°/]{0,6}")
#: Numbers with marks between thousands, or with a comma before decimals.
_SEPARATED = re.compile(r"[+-]?(?:\d{1,3}(?:[ ',._’\u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?|\d+,\d+)")
#: Control characters that are no white space.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_BREAKS_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class ColumnContent(NamedTuple):
    """A column.

    Attributes
    ----------
    values : numbers, or the number of each row's category; NaN where there is no value
    levels : names of the categories; none for numbers
    reason : why it cannot be a feature; empty where it can
    codes : the number of each row's text, -1 where there is none, if `values` do not tell
    """

    values: np.ndarray
    levels: tuple[str, ...] = ()
    reason: str = ""
    codes: np.ndarray | None = None


def understand(
    name: str,
    cells: Sequence[Any],
    places: Sequence[str],
    where: str,
    *,
    category: bool = False,
    keep: bool = False,
) -> ColumnContent:
    """A column of cells as numbers or categories.

    Parameters
    ----------
    name, cells : the column
    places, where : where each row stands, and what error messages call the file
    category : whether numbers are names of categories here
    keep : whether it is a feature even if it looks like an id
    """
    plain = None if category else _plain_numbers(cells)
    if plain is not None:
        return _number_column(name, plain, places, where, keep)
    texts = [_text(cell) for cell in cells]
    numbers = np.array([_number(text) for text in texts])
    present = np.array([text is not None for text in texts])
    if not present.any():
        return ColumnContent(numbers, reason="no value in any row")
    _refuse_control_characters(name, cells, places, where)
    strange = present & np.isnan(numbers)
    if category:
        return _category_column(texts, keep=True)
    if not strange.any():
        return _number_column(name, numbers, places, where, keep)
    written = [texts[row] for row in np.flatnonzero(strange)]
    dated = any(isinstance(cell, (date, time, timedelta)) for cell in cells)
    # A date among numbers is what a spreadsheet made of one of them.
    among_numbers = strange.sum() <= (1 - SOME_NUMBERS) * present.sum()
    if not among_numbers and (dated or all(map(_DATE.fullmatch, written))):
        return ColumnContent(numbers, reason="dates or times")
    row = int(np.flatnonzero(strange)[0])
    mended = "mend it, or name the column under `drop` or `categories`"
    if among_numbers:
        raise UserError(
            f"{where}, {places[row]}: column {shorten(name)} holds {shorten(texts[row])} among "
            f"numbers; {mended}"
        )
    decorated = {text for text in written if _DECORATED.fullmatch(text)}
    many = len(decorated) > FEW_DECORATED and len(decorated) > 0.5 * len(set(written))
    separated = all(map(_SEPARATED.fullmatch, written))
    if many or separated:
        what = "marks between its digits" if separated else "something around it"
        raise UserError(
            f"{where}, {places[row]}: column {shorten(name)} holds {shorten(texts[row])}, a number "
            f"with {what}; {mended}"
        )
    return _category_column(texts, keep)


def _refuse_control_characters(
    name: str, cells: Sequence[Any], places: Sequence[str], where: str
) -> None:
    """Refuse what is no text: left out, such signs would make one value of two."""
    for cell, place in zip(cells, places, strict=True):
        if isinstance(cell, str) and _CONTROL.search(cell):
            raise UserError(
                f"{where}, {place}: column {shorten(name)} holds {shorten(cell)}, with a control "
                "character: the file may be damaged; mend that cell, or name the column under "
                "`drop`"
            )


def _text(cell: Any) -> str | None:
    """What a cell says; 1 and 1.0 say the same; None where it is empty."""
    if cell is None:
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    text = _BREAKS_A_LINE.sub(" ", str(cell)).strip()
    return None if text.lower() in MISSING else text


def class_name(cell: Any) -> str | None:
    """The name of a class: 1 and 1.0 are both "1"; None if the cell is empty.

    What stands for nothing among numbers, such as NA or none, may well be the name of a class.
    """
    empty = cell is None or (isinstance(cell, float) and math.isnan(cell))
    name = "" if empty else str(cell).strip()
    whole = _WHOLE_NUMBER.fullmatch(name)
    return whole.group(1) if whole else name or None


def group_name(cell: Any) -> str | None:
    """The name of a group; None if the cell says that there is none."""
    name = class_name(cell)
    return None if name is None or name.lower() in MISSING else name


def _plain_numbers(cells: Sequence[Any]) -> np.ndarray | None:
    """The numbers, if all cells are texts of numbers, as most are; this is much faster."""
    try:
        if "_" in "".join(cells):
            return None
        numbers = np.array([float(cell) for cell in cells])
    except (TypeError, ValueError):
        return None
    return None if np.isnan(numbers).any() else numbers


def _number(text: str | None) -> float:
    """The number that a text is; NaN where it is none. (Python also takes 1_2 for 12.)"""
    try:
        return float(text) if text is not None and "_" not in text else math.nan
    except ValueError:
        return math.nan


def _number_column(
    name: str,
    numbers: np.ndarray,
    places: Sequence[str],
    where: str,
    keep: bool,
) -> ColumnContent:
    large = np.flatnonzero(np.abs(numbers) > LARGEST)
    if large.size:
        row = int(large[0])
        raise UserError(
            f"{where}, {places[row]}: column {shorten(name)} holds {numbers[row]:g}, which is too "
            "large to compute with; mend that cell, or name the column under `drop`"
        )
    seen = numbers[~np.isnan(numbers)]
    if seen.min() == seen.max():
        return ColumnContent(numbers, reason=f"the same value, {seen[0]:g}, in every row")
    if not keep and seen.size == numbers.size and _numbers_the_rows(name, seen):
        return ColumnContent(numbers, reason="a different whole number in every row: an id")
    return ColumnContent(numbers)


def _numbers_the_rows(name: str, values: np.ndarray) -> bool:
    if values.size < FEWEST_NUMBERED or (values != np.floor(values)).any():
        return False
    if np.unique(values).size < values.size:
        return False
    return np.ptp(values) == values.size - 1 or _LIKE_AN_ID.fullmatch(name) is not None


def _category_column(texts: Sequence[str | None], keep: bool) -> ColumnContent:
    from steadfast.data.table import sort_classes

    names = [class_name(text) for text in texts]
    counts = Counter(name for name in names if name is not None)
    n_rows, n_levels = sum(counts.values()), len(counts)
    nothing = np.full(len(texts), np.nan)
    if n_levels == 1 and n_rows == len(texts):
        return ColumnContent(
            nothing, reason=f"the same text, {shorten(next(iter(counts)))}, in every row"
        )
    if not keep and n_levels == n_rows > 2:
        return ColumnContent(nothing, reason="a different text in every row: an id")
    left_out = not keep and has_many_texts(n_levels, n_rows)
    codes = None
    if left_out or n_levels > MOST_LEVELS:
        numbers = {name: number for number, name in enumerate(counts)}
        codes = np.array([numbers.get(name, -1) for name in names])
    if left_out:
        reason = f"{n_levels} different texts in {n_rows} rows: names or free text"
        return ColumnContent(nothing, (), reason, codes)
    kept = set(counts)
    if n_levels > MOST_LEVELS:
        by_size = sorted(counts, key=lambda name: (-counts[name], name))
        kept = {*by_size[: MOST_LEVELS - 1], OTHERS}
    levels = sort_classes(kept)
    code = {name: number for number, name in enumerate(levels)}
    values = [math.nan if n is None else code.get(n, code.get(OTHERS)) for n in names]
    return ColumnContent(np.array(values, dtype=np.float64), levels, codes=codes)


def has_many_texts(n_texts: int, n_rows: int) -> bool:
    """Whether a column has too many different texts for categories."""
    return n_texts > max(MANY_TEXTS, n_rows / 2)
