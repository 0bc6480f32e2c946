"""Mistakes that a user can make and mend, and faults of the machine: each is told in one line."""

import difflib
import errno
import re
import unicodedata
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


class Faults(UserError):
    """Several faults at once, each in a line, below a line that counts them."""

    def __init__(self, lines: Iterable[str]):
        self.lines = list(lines)
        super().__init__("\n".join(self.lines))


def suggest(name: object, known: Iterable[str]) -> str:
    """Half a sentence that suggests the known name most like this one."""
    lower = {option.lower(): option for option in known}
    close = difflib.get_close_matches(str(name)[:100].lower(), lower, n=1, cutoff=0.5)
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


#: What an interrupt is answered with.
STOPPED = "stopped. What was computed stays: the same command goes on from there."

#: Errors of the operating system that mean that a disk is full.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

#: What to do about an error of the operating system. Others are mistakes of the program's own.
_ADVICE = {
    errno.ENOSPC: "make room on that disk",
    errno.EDQUOT: "your share of that disk is used up: make room",
    errno.EFBIG: "it is larger than a file may be here: raise `ulimit -f`, or use another disk",
    errno.EROFS: "it is read-only: name another folder",
    errno.EACCES: "change its permissions, or name another folder",
    errno.EPERM: "change its permissions, or name another folder",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ENOTDIR: "a part of this path is a file where a folder should be",
    errno.EISDIR: "there is a folder where a file should be: move it away",
    errno.ENOENT: "bring it back, or run the same command again",
    errno.ELOOP: "its links lead in a circle: mend them",
    errno.EIO: "the disk failed: look after it",
    errno.EMFILE: "too many files are open: raise `ulimit -n`",
    errno.ENFILE: "too many files are open on this machine",
    errno.ENOMEM: "run fewer jobs at once (--cores 1), or use a machine with more memory",
}

#: Marks that turn the direction of writing for what follows.
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

#: How much of a line is shown: a value of ten megabytes does not help.
_LONGEST = 1500

#: A word of which the middle is left out, so that the fix at the end of a line is seen; paths that
#: a person can use are shorter.
_LONG_WORD = re.compile(r"\S{512,}")

_NOT_INSTALLED = "is not installed; install all that this needs: pip install 'steadfast[workflow]'"


def line_of(error: BaseException) -> str | None:
    """What ended a command, in one line with the fix; None if it is a mistake of the program's."""
    if isinstance(error, UserError):
        lines = error.lines if isinstance(error, Faults) else [str(error)]
        return "\n".join(map(plain, lines))
    if isinstance(error, KeyboardInterrupt):
        return STOPPED
    if isinstance(error, MemoryError):
        return f"out of memory{_asked_for(error)}; {_ADVICE[errno.ENOMEM]}, or a smaller table"
    if isinstance(error, OSError) and error.errno in _ADVICE:
        named = error.filename is not None and str(error.filename)
        what = f"{named}: cannot be" if named else "a file, the log perhaps, cannot be"
        return plain(f"{what} read or written ({error.strerror}); {_ADVICE[error.errno]}")
    if isinstance(error, ImportError) and error.name:
        package = error.name.partition(".")[0]
        if package == "steadfast":
            return None
        if isinstance(error, ModuleNotFoundError):
            return f"{package}: {_NOT_INSTALLED}"
        return plain(f"{package}: cannot be imported ({error}); install it again")
    return None


def _asked_for(error: MemoryError) -> str:
    """How much there was no room for, as far as it is known: numpy says so."""
    return plain(f" ({error})") if str(error) else ""


def plain(text: str) -> str:
    """Text as one line of a terminal: no control characters, and cut where it is very long.

    A name from a table may hold an escape sequence, or turn the direction of what follows.
    """
    text = _LONG_WORD.sub(lambda word: f"{word[0][:80]}…{word[0][-20:]}", text)
    shown = text[:_LONGEST]
    safe = "".join(" " if _commands(char) else char for char in shown)
    line = " ".join(safe.split()) if safe != shown else shown
    return line if len(text) <= _LONGEST else f"{line} …"


def _commands(char: str) -> bool:
    """Whether a terminal, or an editor, would obey a character instead of showing it."""
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in _DIRECTIONS


def cut(text: object, length: int = 40) -> str:
    """A cell or a name, cut where it is long, for print."""
    written = str(text)
    return written if len(written) <= length else written[: length - 1] + "…"


def shorten(text: object, length: int = 40) -> str:
    """The same in quotes, for the one line of a message."""
    return repr(cut(text, length))
