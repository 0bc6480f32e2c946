"""Why a run of Snakemake ended early, in a line, from what it printed."""

import re
from collections.abc import Iterator, Sequence

from steadfast.core.errors import line_of

#: Where Snakemake begins to say what went wrong.
_TROUBLE = re.compile(r"error|exception|locked|traceback", re.IGNORECASE)

#: Lines shown of a run that failed without any such word.
_LAST = 30

#: A fault of the machine, as the last line of a trace of Snakemake's own.
_FAULT = re.compile(r"^\w*Error: \[Errno (\d+)\] (.+?)(?:: '(.*)')?$")
_TRACE = "Traceback (most recent call last)"
_BETWEEN = "During handling of the above exception"

#: How Snakemake tells of a job that the kernel killed, through a shell or without one.
_KILLED = re.compile(r"returned non-zero exit status 137\b|died with <Signals\.SIGKILL")
_RULE = re.compile(r"Error in (?:group )?(?:local)?rule (\w+):")
_LOG = re.compile(r"^\s+log: (.+?)(?: \(check log file|$)")

#: What a job, or the plan, said at its end; of several failed jobs the first counts.
_OWN = re.compile(r"^steadfast: (.+)$")


def ending(said: Sequence[str]) -> str:
    """One line: why the run ended, as far as that is known, and that nothing is lost."""
    own = next((found[1] for line in said if (found := _OWN.match(line))), "")
    why = own or _killed(said) or _fault(said)
    if not why:
        return "the run ended early, see above; what was computed stays"
    return f"the run ended early: {why}{'' if why.endswith('?') else ';'} what was computed stays"


def trouble(said: Sequence[str]) -> list[str]:
    """What Snakemake said from the first trouble on, where the last line of the run needs it.

    Not where a job, or the plan, has said itself what is wrong. Where Snakemake met a fault of the
    machine, the last line says which, and its trace is left out.
    """
    if any(map(_OWN.match, said)):
        return []
    first = next((at for at, line in enumerate(said) if _TROUBLE.search(line)), None)
    shown = said[-_LAST:] if first is None else said[first:]
    return list(_without_traces(shown) if _fault(said) else shown)


def _fault(said: Sequence[str]) -> str:
    """A fault of the machine that Snakemake itself met, in a line with what to do."""
    for line in said:
        if found := _FAULT.match(line.strip()):
            number, reason, path = found.groups()
            return line_of(OSError(int(number), reason, path)) or ""
    return ""


def _without_traces(said: Sequence[str]) -> Iterator[str]:
    inside = False
    for line in said:
        if line.startswith(_TRACE):
            inside = True
        elif inside:
            inside = not line.strip() or line.startswith(" ")
        elif not _FAULT.match(line.strip()) and not line.startswith(_BETWEEN):
            yield line


def _killed(said: Sequence[str]) -> str:
    at = next((at for at, line in enumerate(said) if _KILLED.search(line)), None)
    if at is None:
        return ""
    after = said[at:]
    rule = next((found[1] for line in after if (found := _RULE.search(line))), "")
    log = next((found[1] for line in after if (found := _LOG.search(line))), "")
    which = f" of the rule {rule}" if rule else ""
    named = f" ({log})" if log else ""
    return (
        f"a job{which}{named} was killed, most likely because memory ran out; run fewer jobs at "
        "once (--cores 1), or use a machine with more memory, or a smaller table"
    )
