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
from steadfast.selectors.running.select import create, ensure_sequence, select

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


class PromiseCheck(NamedTuple):
    """Whether a promise is kept: `pass`, `fail`, or `–` where it does not apply."""

    status: str
    promise: str
    text: str

    def __str__(self) -> str:
        return f"{self.status:<5} {self.promise}{': ' if self.text else ''}{self.text}"


class _BrokenPromise(Exception):
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
        "two rows per class": Case(
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
                fitted = _fit_with_gaps(settings, X, y)
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


def _fit_with_gaps(settings: Mapping[str, Any], X: np.ndarray, y: np.ndarray) -> Any:
    """The selector on rows with gaps, which `select` would fill."""
    try:
        return ensure_sequence(create(settings, 1).fit(X, y), X.shape[1])
    except (ValueError, TypeError) as error:
        raise UserError(" ".join(str(error).split())) from None


class _Outcomes:
    """Outcomes by case, as the promises ask for them."""

    def __init__(self, outcomes: Mapping[str, Outcome], written: Sequence[str] | None):
        self.outcomes, self.written = outcomes, written

    def ranking(self, name: str) -> Ranking:
        """The ranking of a case, checked: columns of the table, each at most once."""
        outcome, m = self.outcomes[name], cases()[name].X.shape[1]
        if isinstance(outcome, NotRun):
            raise _DoesNotApply(outcome.reason)
        if isinstance(outcome, Exception):
            raise _BrokenPromise(f"{name}: {_message(outcome)}")
        columns = outcome.sequence
        if columns.ndim != 1 or columns.dtype.kind not in "iu" or not columns.size:
            raise _BrokenPromise(
                f"{name}: it ranks no columns, or names them by something else: {columns}"
            )
        strange = columns[(columns < 0) | (columns >= m)]
        if strange.size:
            raise _BrokenPromise(f"{name}: it ranks column {strange[0]} of 0 to {m - 1}")
        if np.unique(columns).size < columns.size:
            raise _BrokenPromise(f"{name}: it ranks a column twice: {_column_list(columns)}")
        if np.isnan(outcome.weights).any():
            raise _BrokenPromise(f"{name}: the weight of a ranked column is no number")
        return outcome

    def place(self, name: str, column: int) -> float:
        """The rank of a column, from 0; after all others where it is not ranked."""
        found = np.flatnonzero(self.ranking(name).sequence == column)
        return float(found[0]) if found.size else np.inf

    def draws(self) -> bool:
        return not isinstance(self.outcomes["another seed"], NotRun) and not _are_equal(
            self.ranking("plain"), self.ranking("another seed")
        )

    def require_sight(self) -> None:
        if np.array_equal(self.ranking("plain").sequence, self.ranking("other values").sequence):
            raise _DoesNotApply("it ranks without looking at the values")


def _are_equal(first: Ranking, second: Ranking) -> bool:
    return all(np.array_equal(*pair) for pair in zip(first, second))


def _message(error: Exception) -> str:
    kind = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
    return f"{kind}{' '.join(str(error).split())}"


def _column_list(columns: np.ndarray) -> str:
    return " ".join(map(str, columns[:15])) + (" …" if columns.size > 15 else "")


def _ranks_columns(seen: _Outcomes) -> str:
    refusable = ("missing values", "one class", "no rows", "named classes")
    for name, outcome in seen.outcomes.items():
        if not isinstance(outcome, NotRun) and name not in refusable:
            seen.ranking(name)
    listed, m = seen.ranking("plain").sequence.size, cases()["plain"].X.shape[1]
    return "" if listed == m else f"{listed} of {m} columns"


def _repeats_itself(seen: _Outcomes) -> str:
    first, second = seen.ranking("plain"), seen.ranking("again")
    if not _are_equal(first, second):
        raise _BrokenPromise(
            f"{_column_list(first.sequence)}, then {_column_list(second.sequence)}"
        )
    other = seen.outcomes["another seed"]
    if isinstance(other, NotRun):
        return ""
    return f"another seed gives {'another' if seen.draws() else 'the same'} ranking"


def _ignores_column_order(seen: _Outcomes) -> str:
    plain, permuted = seen.ranking("plain"), seen.ranking("permuted columns")
    expected = _group_ties(plain.sequence, plain.weights)
    found = _group_ties(_ORDER[permuted.sequence], permuted.weights)
    if expected == found:
        return ""
    seen.require_sight()
    if seen.draws():
        raise _DoesNotApply("it draws, and what it draws falls on columns by their position")
    raise _BrokenPromise(
        f"{_column_list(plain.sequence)}, and with its columns permuted "
        f"{_column_list(_ORDER[permuted.sequence])} (numbers before the permutation)"
    )


def _group_ties(columns: np.ndarray, weights: np.ndarray) -> list[set[int]]:
    """Columns of equal weight together, best first; weights that do not fall tie none."""
    falls = (weights[1:] <= weights[:-1]).all()
    levels = tied_levels(weights) if falls else np.arange(columns.size)
    return [set(columns[levels == level].tolist()) for level in range(levels.max() + 1)]


def _ranks_constant_late(seen: _Outcomes) -> str:
    constant, best = seen.place("constant column", 0), seen.place("constant column", BEST + 1)
    if constant < best:
        seen.require_sight()
        raise _BrokenPromise(
            f"the constant column has rank {constant + 1:g}, the one that tells most {best + 1:g}"
        )
    return ""


def _ranks_lower_copy_first(seen: _Outcomes) -> str:
    m = cases()["plain"].X.shape[1]
    for copy, column in enumerate(_COPIED, start=m):
        places = [seen.place("copied columns", at) for at in (column, copy)]
        if places[0] > places[1]:
            seen.require_sight()
            if seen.draws():
                raise _DoesNotApply("it draws, so that copies have weights of their own")
            raise _BrokenPromise(f"column {copy}, a copy of column {column}, comes before it")
    return ""


def _manages(name: str) -> Callable[[_Outcomes], str]:
    def judge(seen: _Outcomes) -> str:
        seen.ranking(name)
        return ""

    return judge


def _ignores_codes(seen: _Outcomes) -> str:
    return _rank_like_plain(seen, "codes with gaps")


def _rank_like_plain(seen: _Outcomes, name: str) -> str:
    found, plain = seen.ranking(name).sequence, seen.ranking("plain").sequence
    if not np.array_equal(plain, found):
        raise _BrokenPromise(f"{name}: {_column_list(found)} instead of {_column_list(plain)}")
    return ""


def _takes_named_classes(seen: _Outcomes) -> str:
    outcome = seen.outcomes["named classes"]
    if isinstance(outcome, Exception):
        return _refusal(outcome, "named classes")
    return _rank_like_plain(seen, "named classes")


def _takes_odd_names(seen: _Outcomes) -> str:
    return _rank_like_plain(seen, "odd names")


def _leaves_input(seen: _Outcomes) -> str:
    if seen.written is None:
        raise _DoesNotApply("it runs in a process of its own")
    if seen.written:
        raise _BrokenPromise(f"it changed the table of {', '.join(seen.written)}")
    return ""


def _copes_with_gaps(seen: _Outcomes) -> str:
    outcome = seen.outcomes["missing values"]
    if isinstance(outcome, Exception):
        return _refusal(outcome, "missing values")
    found, plain = seen.ranking("missing values").sequence, seen.ranking("plain").sequence
    if found[0] == plain[0]:
        return "ranked all the same, and the best column stays first"
    seen.require_sight()
    raise _BrokenPromise(
        f"ranked all the same, {_column_list(found)}; without them {_column_list(plain)}"
    )


def _refuses(name: str) -> Callable[[_Outcomes], str]:
    def judge(seen: _Outcomes) -> str:
        outcome = seen.outcomes[name]
        if isinstance(outcome, Exception):
            return _refusal(outcome, name)
        raise _BrokenPromise(f"ranked all the same: {_column_list(seen.ranking(name).sequence)}")

    return judge


def _refusal(error: Exception, name: str) -> str:
    """What a selector says that refuses a case: one line of an error that people can read."""
    if not isinstance(error, (UserError, ValueError, TypeError)):
        raise _BrokenPromise(f"{name}: {_message(error)}; raise ValueError with one line")
    if not str(error).strip() or "\n" in str(error).strip():
        raise _BrokenPromise(f"{name}: it refuses without a message of one line")
    text = _message(error)
    return f"refused ({text if len(text) <= _LONG else text[:_LONG].rsplit(' ', 1)[0] + ' …'})"


#: Promises, and how outcomes are judged by them.
PROMISES: tuple[tuple[str, Callable[[_Outcomes], str]], ...] = (
    ("ranks columns of the table, each at most once", _ranks_columns),
    ("gives the same ranking twice under one seed", _repeats_itself),
    ("does not depend on the order of columns, ties apart", _ignores_column_order),
    ("ranks a constant column after the one that tells most", _ranks_constant_late),
    ("ranks the lower of two identical columns first", _ranks_lower_copy_first),
    ("manages two rows per class", _manages("two rows per class")),
    ("manages four classes", _manages("four classes")),
    ("does not depend on the codes of the classes", _ignores_codes),
    ("takes classes of any name, or says no clearly", _takes_named_classes),
    ("manages names with quotes, commas and spaces", _takes_odd_names),
    ("manages many more columns than rows", _manages("wide")),
    ("leaves the table it is given as it is", _leaves_input),
    ("says no clearly to missing values, or copes with them", _copes_with_gaps),
    ("says no clearly to a single class", _refuses("one class")),
    ("says no clearly to a table without rows", _refuses("no rows")),
)


def check_promises(
    outcomes: Mapping[str, Outcome], written: Sequence[str] | None = None
) -> list[PromiseCheck]:
    """Which promises are kept, in the order of `PROMISES`.

    Parameters
    ----------
    outcomes
        By the names of `cases()`.
    written
        Cases whose tables the selector wrote into; None where it could not.
    """
    seen, found = _Outcomes(outcomes, written), []
    if isinstance(outcomes["plain"], Exception):
        text = _message(outcomes["plain"])
        rest = [PromiseCheck("–", promise, "it ranks nothing") for promise, _ in PROMISES[1:]]
        return [PromiseCheck("fail", PROMISES[0][0], text), *rest]
    for promise, judge in PROMISES:
        try:
            found.append(PromiseCheck("pass", promise, judge(seen)))
        except _DoesNotApply as reason:
            found.append(PromiseCheck("–", promise, str(reason)))
        except _BrokenPromise as reason:
            found.append(PromiseCheck("fail", promise, str(reason)))
    return found
