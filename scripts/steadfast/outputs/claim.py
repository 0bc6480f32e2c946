"""Kinds of claims: what they declare to a study, and the verdict that a summary gives on each."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core import registry
from steadfast.core.files import manifest_of, read_verified
from steadfast.core.keys import Keys, text
from steadfast.outputs.keys import KIND
from steadfast.outputs.kind import Entry, Kind
from steadfast.outputs.published import Pair
from steadfast.outputs.results import Results
from steadfast.outputs.verdict import (
    AGAINST,
    FOR,
    OPEN,
    SHARES,
    UNTESTED,
    VERDICTS,
    Case,
    by_limit,
    count,
    decide,
    listed,
    own_shares,
    rule_of_shares,
    sentence,
    with_limits,
)
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Published numbers beside ours, by table.
ByTable = Mapping[str, Sequence[Pair]]

#: Why a claim has no case that rests on published numbers of which there are none.
NOT_PUBLISHED = "config/published has no numbers for the rows of this run"


@dataclass
class Outcome:
    """What a run says of a claim.

    Attributes
    ----------
    cases
        Its tests; none where the run has nothing to test it on.
    statement
        What a case that speaks for the claim shows, as a sentence without its full stop.
    unit
        What a case is.
    rule
        What a case is, and when it speaks for the claim (`verdict.rule_of_cases`).
    details
        The numbers, as lines of Markdown.
    more
        A second sentence, beside that of the counts.
    reason
        Why there is no case.
    absence
        Whether the claim is that there is no difference (`verdict.claims_absence`).
    percent
        Whether the numbers of the cases are shares.
    """

    cases: Sequence[Case]
    statement: str
    unit: str
    rule: str
    details: list[str] = field(default_factory=list)
    more: str = ""
    reason: str = "nothing in this run is a case of it"
    absence: bool = False
    percent: bool = False

    @property
    def sentence(self) -> str:
        if not self.cases:
            return f"There is no case: {self.reason}."
        counts = sentence(self.statement, self.cases, self.unit, self.percent)
        return " ".join(filter(None, [counts, self.more]))


def no_case(reason: str) -> Outcome:
    """The outcome of a claim that the run cannot test."""
    return Outcome([], "", "", "", reason=reason)


class ClaimKind(Kind, ABC):
    """A kind of claim."""

    common: ClassVar[Keys] = {
        "kind": KIND,
        "text": text("The claim in words.", required=True),
        "verdict": SHARES,
    }
    all_selectors: ClassVar[bool] = False

    @abstractmethod
    def build(self, view: View, published: ByTable) -> Outcome:
        """The cases of the claim, and the numbers behind them."""

    def why_absent(self, study: "Study", entry: Entry, has_published: bool) -> str:
        reason = super().why_absent(study, entry, has_published)
        if reason:
            return reason
        if "datasets" in entry:
            entry["datasets"] = [name for name in entry["datasets"] if name in study.datasets]
            if not entry["datasets"]:
                return "none of its data sets"
        if entry.get("table") not in {None, *study.tables}:
            return entry["table"]
        return ""


def judge_claims(view: View, published: ByTable) -> list[dict[str, Any]]:
    """Every claim of the study with its verdict, in the order of their numbers."""
    context = view.context
    found = [_judge(view.of_entry(entry), published) for entry in context["claims"]]
    for entry in context["untested"]:
        reason = f"this run does not have what it needs ({entry['reason']})"
        found.append(_described(entry, no_case(reason), context["verdicts"]))
    return sorted(found, key=lambda claim: claim["number"])


def _judge(view: View, published: ByTable) -> dict[str, Any]:
    """The verdict on a claim, and those with other limits where it has one."""
    claim = _with_limits(view, published, 1)
    if with_limits(view.entry, 2) == view.entry:
        return claim
    halved, doubled = (_with_limits(view, published, times)["verdict"] for times in (0.5, 2))
    rule = f"{claim['rule']} {by_limit(claim['verdict'], halved, doubled)}".strip()
    return {**claim, "rule": rule, "limit_halved": halved, "limit_doubled": doubled}


def _with_limits(view: View, published: ByTable, times: float) -> dict[str, Any]:
    view = view.of_entry(with_limits(view.entry, times) if times != 1 else view.entry)
    loaded = registry.load("claim", view.entry["kind"])
    if hasattr(loaded, "kind"):
        context = {**view.context["new"], "entry": view.entry}
        results = Results(context, view.paths.root)
        results.pairs = published
        claim = loaded.kind.make(results)
        outcome = Outcome(
            claim.cases,
            claim.shows,
            claim.unit,
            claim.rule,
            claim.details(results.labels).split("\n"),
            claim.more,
            claim.reason,
            claim.absence,
            claim.percent,
        )
        return _described(view.entry, outcome, view.context["verdicts"])
    outcome = loaded().build(view, published)
    return _described(view.entry, outcome, view.context["verdicts"])


def limit_words(claims: Sequence[Mapping[str, Any]]) -> str:
    """How many verdicts rest on the choice of a limit."""
    limits = [claim for claim in claims if "limit_halved" in claim]
    changed = [
        str(claim["number"])
        for claim in limits
        if {claim["limit_halved"], claim["limit_doubled"]} != {claim["verdict"]}
    ]
    if not limits:
        return ""
    which = f"{len(limits)} verdicts" if len(limits) > 1 else "one verdict"
    words = f"Of {which} with a limit other than 0, "
    if not changed:
        return f"{words}none changes where it is halved or doubled."
    verb = "changes" if len(changed) == 1 else "change"
    return f"{words}{len(changed)} {verb} where it is halved or doubled: {listed(changed)}."


def _described(entry: Entry, outcome: Outcome, shares: Mapping[str, float]) -> dict[str, Any]:
    """The claim as `claims.json` has it."""
    own = {**shares, **entry.get("verdict", {})}
    rule = outcome.rule
    if rule and own != shares:
        rule = f"{rule} {own_shares(own)}"
    verdict = decide(outcome.cases, own, outcome.absence)
    undecided = "The intervals are too wide to tell." if verdict == UNTESTED else ""
    return {
        "number": entry["number"],
        "text": entry["text"].strip(),
        "verdict": verdict,
        "sentence": f"{outcome.sentence} {undecided if outcome.cases else ''}".rstrip(),
        "rule": rule,
        "for": count(outcome.cases, FOR),
        "open": count(outcome.cases, OPEN),
        "against": count(outcome.cases, AGAINST),
        "details": "\n".join(outcome.details).strip(),
    }


def claims_file(context: Mapping[str, Any], claims: Sequence[Mapping[str, Any]]) -> bytes:
    """The verdicts of a study, for programs."""
    content = {
        "study": context["study"],
        "title": context["title"],
        "paper": context["paper"],
        "rule": rule_of_shares(context["verdicts"]),
        "counts": count_verdicts(claims),
        "claims": claims,
    }
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def read_claims(path: Path) -> bytes:
    """The file of claims of a study, which the checksums of its summary vouch for."""
    return read_verified(path, manifest_of(path.with_name("summary.md")))


def count_verdicts(claims: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many claims end in each verdict."""
    return {name: sum(claim["verdict"] == name for claim in claims) for name in VERDICTS}


def in_words(counts: Mapping[str, int]) -> str:
    """Of how many claims how many hold, as a sentence."""
    verbs = {"holds": "hold", "holds in part": "hold in part", "does not hold": "do not hold"}
    verbs[UNTESTED] = "cannot be tested here"
    total = sum(counts.values())
    if total == 1:
        return f"The one claim {next(name for name, n in counts.items() if n)}."
    parts = [f"{n} {name if n == 1 else verbs[name]}" for name, n in counts.items() if n]
    return f"Of {total} claims {listed(parts)}." if parts else "The study has no claims to test."
