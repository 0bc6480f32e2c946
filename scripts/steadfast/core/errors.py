"""Mistakes that a user can make and mend."""

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

Value = TypeVar("Value")


class UserError(ValueError):
    """A mistake in the user's files, settings or arguments.

    The message is one line that names the file, the field and the fix; commands print it as it is
    and end with exit code 1. It is a `ValueError`, as users of a library expect: what catches those
    to say more lets this one pass first.

    Examples
    --------
    >>> import steadfast
    >>> try:
    ...     steadfast.stability([{"age"}, {"dose"}], n_features=10, measure="jacard")
    ... except steadfast.UserError as error:
    ...     print(error)
    unknown measure 'jacard'; did you mean 'jaccard'?
    """


def suggest(name: object, known: Iterable[str]) -> str:
    """Half a sentence that suggests the known name most like this one."""
    lower = {option.lower(): option for option in known}
    close = difflib.get_close_matches(str(name).lower(), lower, n=1, cutoff=0.5)
    if close:
        return f"did you mean {lower[close[0]]!r}?"
    if not lower:
        return "there is none"
    shown = sorted(lower.values())[:12]
    return f"known are {', '.join(shown)}{', …' if len(lower) > 12 else ''}"


def look_up(kind: str, name: str, known: Mapping[str, Value]) -> Value:
    """What a name stands for; an unknown name is a `UserError` with a suggestion."""
    if name not in known:
        raise UserError(f"unknown {kind} {name!r}; {suggest(name, known)}")
    return known[name]
