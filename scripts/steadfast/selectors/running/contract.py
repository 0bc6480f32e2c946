"""What every selector promises: the cases it is run on, and what its rankings must show.

How a selector is run is left to the caller: in this process (`outcomes_in_process`), or as a rule
of the workflow (`steadfast.selectors.running.rule_contract`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.seeds import generator
from steadfast.selectors.running.fold_file import tied_levels
from steadfast.selectors.running.select import create, select, with_sequence

#: How far apart the classes are in each column, in standard deviations.
_STRENGTHS = np.array([0, 0, 1.8, 0, 0.6, 0, 0, 3, 0, 0, 1, 0])
#: The column that tells most about the classes.
BEST = int(_STRENGTHS.argmax())
_ORDER = np.array([8, 3, 11, 0, 10, 7, 1, 5, 9, 2, 4, 6])
_COPIED = (BEST, 0)

#: Messages of other packages may be longer than anyone wants to read here.
_LONG = 120


class Case(NamedTuple):
    """A table to rank the columns of, and the seed it is ranked under."""

    X: np.ndarray
    y: np.ndarray
    seed: int = 1
    features: Sequence[str] = ()


class Ranking(NamedTuple):
    """Columns, best first, and their weights."""

    sequence: np.ndarray
    weights: np.ndarray


class NotRun(NamedTuple):
    """Why a case was not run."""

    reason: str


Outcome = Ranking | Exception | NotRun


class Verdict(NamedTuple):
    """What came of a promise: `pass`, `fail`, or `–` where it does not apply."""

    status: str
    promise: str
    text: str

    def __str__(self) -> str:
        return f"{self.status:<5} {self.promise}{': ' if self.text else ''}{self.text}"


class _Broken(Exception):
    """A promise is not kept."""


class _DoesNotApply(Exception):
    """A promise asks nothing of this selector."""


def cases() -> dict[str, Case]:
    """The cases by name; the same in every run."""
    draw = generator(1, "selector contract")
    y = np.repeat([0, 1], 40)
    # All values are positive, for selectors of counts.
    X = draw.normal(6, size=(80, _STRENGTHS.size)) + np.outer(y, _STRENGTHS)
    four = np.repeat(np.arange(4), 15)
    holes = X.copy()
    for column in range(X.shape[1]):
        holes[(6 * column + 11 * np.arange(1 + column % 3)) % len(X), column] = np.nan
    odd = ['a "quoted" name', "one, two", "it's", " two spaces ", "100%", "ñ", "a\\b", "$x", "{y}"]
    plain = Case(X, y)
    return {
        "plain": plain,
        "again": plain,
        "another seed": Case(X, y, seed=2),
        "other values": Case(draw.normal(6, size=X.shape), y),
        "permuted columns": Case(np.ascontiguousarray(X[:, _ORDER]), y),
        "constant column": Case(np.column_stack([np.full(80, 5.0), X]), y),
        "copied columns": Case(np.column_stack([X, X[:, _COPIED]]), y),
        "two rows a class": Case(
            np.array([[1.0, 5, 0], [2, 5, 0], [8, 5, 1], [9, 5, 1]]), np.array([0, 0, 1, 1])
        ),
        "four classes": Case(
            draw.normal(6, size=(60, X.shape[1])) + np.outer(four, _STRENGTHS / 2), four
        ),
        "codes with gaps": Case(X, np.where(y == 0, 2, 5)),
        "named classes": Case(X, np.where(y == 0, "a, b", "it's")),
        "wide": Case(draw.normal(6, size=(12, 200)), np.arange(12) % 2),
        "odd names": Case(X, y, features=[*odd, *(f"x{i}" for i in range(X.shape[1] - len(odd)))]),
        "missing values": Case(holes, y),
        "one class": Case(X, np.zeros_like(y)),
        "no rows": Case(X[:0], y[:0]),
    }


def outcomes_in_process(
    settings: Mapping[str, Any], discretise: Mapping[str, Any] | None = None
) -> tuple[dict[str, Outcome], list[str]]:
    """What a selector makes of every case, and the cases whose tables it wrote into.

    Parameters are those of `steadfast.selectors.running.select.select`.
    """
    outcomes: dict[str, Outcome] = {}
    written = []
    for name, case in cases().items():
        if name == "odd names":
            outcomes[name] = NotRun("it sees no names of columns")
            continue
        X, y = case.X.copy(), case.y.copy()
        try:
            if name == "missing values":
                fitted = _fitted_as_it_is(settings, X, y)
            else:
                place = {"seed": case.seed, "names": ("contract", "fold")}
                fitted = select(settings, X, y, discretise=discretise, **place)
            sequence = np.asarray(fitted.sequence_)
            outcomes[name] = Ranking(sequence, np.asarray(fitted.scores_)[sequence])
        except Exception as error:
            outcomes[name] = error
        if not (np.array_equal(X, case.X, equal_nan=True) and np.array_equal(y, case.y)):
            written.append(name)
    return outcomes, written


def _fitted_as_it_is(settings: Mapping[str, Any], X: np.ndarray, y: np.ndarray) -> Any:
    """The selector on rows with gaps, which `select` would fill."""
    try:
        return with_sequence(create(settings, 1).fit(X, y), X.shape[1])
    except (ValueError, TypeError) as error:
        raise UserError(" ".join(str(error).split())) from None


class _Seen:
    """Outcomes by case, as the promises ask for them."""

    def __init__(self, outcomes: Mapping[str, Outcome], written: Sequence[str] | None):
        self.outcomes, self.written = outcomes, written

    def ranking(self, name: str) -> Ranking:
        """The ranking of a case, checked: columns of the table, each at most once."""
        outcome, m = self.outcomes[name], cases()[name].X.shape[1]
        if isinstance(outcome, NotRun):
            raise _DoesNotApply(outcome.reason)
        if isinstance(outcome, Exception):
            raise _Broken(f"{name}: {_told(outcome)}")
        columns = outcome.sequence
        if columns.ndim != 1 or columns.dtype.kind not in "iu" or not columns.size:
            raise _Broken(
                f"{name}: it ranks no columns, or names them by something else: {columns}"
            )
        strange = columns[(columns < 0) | (columns >= m)]
        if strange.size:
            raise _Broken(f"{name}: it ranks column {strange[0]} of 0 to {m - 1}")
        if np.unique(columns).size < columns.size:
            raise _Broken(f"{name}: it ranks a column twice: {_shown(columns)}")
        if np.isnan(outcome.weights).any():
            raise _Broken(f"{name}: the weight of a ranked column is no number")
        return outcome

    def place(self, name: str, column: int) -> float:
        """The rank of a column, from 0; after all others where it is not ranked."""
        found = np.flatnonzero(self.ranking(name).sequence == column)
        return float(found[0]) if found.size else np.inf

    def draws(self) -> bool:
        return not isinstance(self.outcomes["another seed"], NotRun) and not _same(
            self.ranking("plain"), self.ranking("another seed")
        )

    def require_sight(self) -> None:
        if np.array_equal(self.ranking("plain").sequence, self.ranking("other values").sequence):
            raise _DoesNotApply("it ranks without looking at the values")


def _same(first: Ranking, second: Ranking) -> bool:
    return all(np.array_equal(*pair) for pair in zip(first, second))


def _told(error: Exception) -> str:
    kind = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
    return f"{kind}{' '.join(str(error).split())}"


def _shown(columns: np.ndarray) -> str:
    return " ".join(map(str, columns[:15])) + (" …" if columns.size > 15 else "")


def _ranks_columns(seen: _Seen) -> str:
    refusable = ("missing values", "one class", "no rows", "named classes")
    for name, outcome in seen.outcomes.items():
        if not isinstance(outcome, NotRun) and name not in refusable:
            seen.ranking(name)
    listed, m = seen.ranking("plain").sequence.size, cases()["plain"].X.shape[1]
    return "" if listed == m else f"{listed} of {m} columns"


def _same_twice(seen: _Seen) -> str:
    first, second = seen.ranking("plain"), seen.ranking("again")
    if not _same(first, second):
        raise _Broken(f"{_shown(first.sequence)}, then {_shown(second.sequence)}")
    other = seen.outcomes["another seed"]
    if isinstance(other, NotRun):
        return ""
    return f"another seed gives {'another' if seen.draws() else 'the same'} ranking"


def _any_column_order(seen: _Seen) -> str:
    plain, permuted = seen.ranking("plain"), seen.ranking("permuted columns")
    expected = _tied_sets(plain.sequence, plain.weights)
    found = _tied_sets(_ORDER[permuted.sequence], permuted.weights)
    if expected == found:
        return ""
    seen.require_sight()
    if seen.draws():
        raise _DoesNotApply("it draws, and what it draws falls on columns by their position")
    raise _Broken(
        f"{_shown(plain.sequence)}, and with its columns permuted "
        f"{_shown(_ORDER[permuted.sequence])} (numbers before the permutation)"
    )


def _tied_sets(columns: np.ndarray, weights: np.ndarray) -> list[set[int]]:
    """Columns of equal weight together, best first; weights that do not fall tie none."""
    falls = (weights[1:] <= weights[:-1]).all()
    levels = tied_levels(weights) if falls else np.arange(columns.size)
    return [set(columns[levels == level].tolist()) for level in range(levels.max() + 1)]


def _constant_after_best(seen: _Seen) -> str:
    constant, best = seen.place("constant column", 0), seen.place("constant column", BEST + 1)
    if constant < best:
        seen.require_sight()
        raise _Broken(
            f"the constant column has rank {constant + 1:g}, the one that tells most {best + 1:g}"
        )
    return ""


def _lower_copy_first(seen: _Seen) -> str:
    m = cases()["plain"].X.shape[1]
    for copy, column in enumerate(_COPIED, start=m):
        places = [seen.place("copied columns", at) for at in (column, copy)]
        if places[0] > places[1]:
            seen.require_sight()
            if seen.draws():
                raise _DoesNotApply("it draws, so that copies have weights of their own")
            raise _Broken(f"column {copy}, a copy of column {column}, comes before it")
    return ""


def _manages(name: str) -> Callable[[_Seen], str]:
    def judge(seen: _Seen) -> str:
        seen.ranking(name)
        return ""

    return judge


def _any_codes(seen: _Seen) -> str:
    return _like_plain(seen, "codes with gaps")


def _like_plain(seen: _Seen, name: str) -> str:
    found, plain = seen.ranking(name).sequence, seen.ranking("plain").sequence
    if not np.array_equal(plain, found):
        raise _Broken(f"{name}: {_shown(found)} instead of {_shown(plain)}")
    return ""


def _named_classes(seen: _Seen) -> str:
    outcome = seen.outcomes["named classes"]
    if isinstance(outcome, Exception):
        return _refusal(outcome, "named classes")
    return _like_plain(seen, "named classes")


def _odd_names(seen: _Seen) -> str:
    return _like_plain(seen, "odd names")


def _leaves_input(seen: _Seen) -> str:
    if seen.written is None:
        raise _DoesNotApply("it runs in a process of its own")
    if seen.written:
        raise _Broken(f"it changed the table of {', '.join(seen.written)}")
    return ""


def _missing_values(seen: _Seen) -> str:
    outcome = seen.outcomes["missing values"]
    if isinstance(outcome, Exception):
        return _refusal(outcome, "missing values")
    found, plain = seen.ranking("missing values").sequence, seen.ranking("plain").sequence
    if found[0] == plain[0]:
        return "ranked all the same, and the best column stays first"
    seen.require_sight()
    raise _Broken(f"ranked all the same, {_shown(found)}; without them {_shown(plain)}")


def _refuses(name: str) -> Callable[[_Seen], str]:
    def judge(seen: _Seen) -> str:
        outcome = seen.outcomes[name]
        if isinstance(outcome, Exception):
            return _refusal(outcome, name)
        raise _Broken(f"ranked all the same: {_shown(seen.ranking(name).sequence)}")

    return judge


def _refusal(error: Exception, name: str) -> str:
    """What a selector says that refuses a case: one line of an error that people can read."""
    if not isinstance(error, (UserError, ValueError, TypeError)):
        raise _Broken(f"{name}: {_told(error)}; raise ValueError with one line")
    if not str(error).strip() or "\n" in str(error).strip():
        raise _Broken(f"{name}: it refuses without a message of one line")
    told = _told(error)
    return f"refused ({told if len(told) <= _LONG else told[:_LONG].rsplit(' ', 1)[0] + ' …'})"


#: Promises, and how outcomes are judged by them.
PROMISES: tuple[tuple[str, Callable[[_Seen], str]], ...] = (
    ("ranks columns of the table, each at most once", _ranks_columns),
    ("gives the same ranking twice under one seed", _same_twice),
    ("does not depend on the order of columns, ties apart", _any_column_order),
    ("ranks a constant column after the one that tells most", _constant_after_best),
    ("ranks the lower of two identical columns first", _lower_copy_first),
    ("manages two rows a class", _manages("two rows a class")),
    ("manages four classes", _manages("four classes")),
    ("does not depend on the codes of the classes", _any_codes),
    ("takes classes of any name, or says no clearly", _named_classes),
    ("manages names with quotes, commas and spaces", _odd_names),
    ("manages many more columns than rows", _manages("wide")),
    ("leaves the table it is given as it is", _leaves_input),
    ("says no clearly to missing values, or copes with them", _missing_values),
    ("says no clearly to a single class", _refuses("one class")),
    ("says no clearly to a table without rows", _refuses("no rows")),
)


def verdicts(
    outcomes: Mapping[str, Outcome], written: Sequence[str] | None = None
) -> list[Verdict]:
    """Which promises are kept, in the order of `PROMISES`.

    Parameters
    ----------
    outcomes
        By the names of `cases()`.
    written
        Cases whose tables the selector wrote into; None where it could not.
    """
    seen, found = _Seen(outcomes, written), []
    if isinstance(outcomes["plain"], Exception):
        told = _told(outcomes["plain"])
        rest = [Verdict("–", promise, "it ranks nothing") for promise, _ in PROMISES[1:]]
        return [Verdict("fail", PROMISES[0][0], told), *rest]
    for promise, judge in PROMISES:
        try:
            found.append(Verdict("pass", promise, judge(seen)))
        except _DoesNotApply as reason:
            found.append(Verdict("–", promise, str(reason)))
        except _Broken as reason:
            found.append(Verdict("fail", promise, str(reason)))
    return found
