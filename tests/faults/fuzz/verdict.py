"""What became of a case: well, or a fault; the same words for tables and configs."""

import traceback
from typing import Any, NamedTuple

from steadfast.core.errors import line_of

#: What may become of a case; all but the first two are faults.
WELL = ("read right", "refused")
FAULTS = ("refused though sound", "wrong silently", "trace", "no end")

#: A line that a person still reads.
LONGEST = 400


class Verdict(NamedTuple):
    """One of `WELL` or `FAULTS`, and why, or what was said."""

    what: str
    words: str = ""

    @property
    def is_fault(self) -> bool:
        return self.what in FAULTS


class Found(NamedTuple):
    """A case and what became of it; every case has a name, a kind and a seed."""

    case: Any
    verdict: Verdict


def judge_error(error: Exception, *named: str) -> Verdict:
    """An error is well if the command makes one line of it that has one of these names.

    The line must be of moderate length, and hold nothing that a terminal obeys.
    """
    text = line_of(error)
    if text is None:
        return Verdict("trace", trace(error))
    if len(text.splitlines()) != 1 or not text.isprintable():
        return Verdict("trace", f"a refusal that is not one plain line: {text[:200]!r}")
    if len(text) >= LONGEST:
        return Verdict("trace", f"a refusal of {len(text)} characters: {text[:120]}...")
    if not any(name in text for name in named):
        return Verdict("trace", f"a refusal that does not name {' or '.join(named)}: {text}")
    return Verdict("refused", text)


def trace(error: BaseException) -> str:
    """An error that nobody caught, and where it arose."""
    said = f"{type(error).__name__}: {str(error)[:200]}"
    for last in traceback.extract_tb(error.__traceback__)[-1:]:
        said += f" (in {'/'.join(last.filename.split('/')[-2:])}, line {last.lineno})"
    return said
