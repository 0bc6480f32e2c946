"""The verdict on every claim of a study, and how many of them hold."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steadfast.core import registry
from steadfast.core.files import manifest_of, read_verified
from steadfast.outputs.cases import Claim, untestable
from steadfast.outputs.published import Pair
from steadfast.outputs.results import Results
from steadfast.outputs.verdict import (
    AGAINST,
    FOR,
    OPEN,
    UNTESTED,
    VERDICTS,
    by_limit,
    count,
    decide,
    listed,
    own_shares,
    rule_of_shares,
    with_limits,
)

Entry = Mapping[str, Any]


def judge_claims(results: Results, published: Mapping[str, Sequence[Pair]]) -> list[dict[str, Any]]:
    """Every claim of the study with its verdict, in the order of their numbers.

    Parameters
    ----------
    results
        Of the study, with the context of its summary.
    published
        Published numbers with those of the run, by table.
    """
    shares, claims = results.context["verdicts"], []
    for entry in results.context["claims"]:
        judged = _judge(results, published, entry)
        if with_limits(entry, 2) != entry:
            ends = [_judge(results, published, with_limits(entry, times)) for times in (0.5, 2)]
            halved, doubled = (end["verdict"] for end in ends)
            rule = f"{judged['rule']} {by_limit(judged['verdict'], halved, doubled)}".strip()
            judged |= {"rule": rule, "limit_halved": halved, "limit_doubled": doubled}
        claims.append(judged)
    for entry in results.context["untested"]:
        reason = f"this run does not have what it needs ({entry['reason']})"
        claims.append(_described(entry, untestable(reason), shares, {}))
    return sorted(claims, key=lambda claim: claim["number"])


def _judge(
    results: Results, published: Mapping[str, Sequence[Pair]], entry: Entry
) -> dict[str, Any]:
    """The verdict on a claim."""
    loaded = registry.load("claim", entry["kind"])
    own = Results({**results.context, "entry": entry}, results.paths.root)
    own.pairs = published
    return _described(entry, loaded.kind.make(own), own.context["verdicts"], own.labels)


def _described(
    entry: Entry, claim: Claim, shares: Mapping[str, float], labels: Mapping[str, Any]
) -> dict[str, Any]:
    """The claim as `claims.json` has it."""
    own, cases = {**shares, **entry.get("verdict", {})}, claim.cases
    verdict = decide(cases, own, claim.absence)
    undecided = " The intervals are too wide to tell." if cases and verdict == UNTESTED else ""
    return {
        "number": entry["number"],
        "text": entry["text"].strip(),
        "verdict": verdict,
        "sentence": claim.sentence + undecided,
        "rule": f"{claim.rule} {own_shares(own)}" if claim.rule and own != shares else claim.rule,
        "for": count(cases, FOR),
        "open": count(cases, OPEN),
        "against": count(cases, AGAINST),
        "details": claim.details(labels),
    }


def claims_file(context: Mapping[str, Any], claims: Sequence[Mapping[str, Any]]) -> bytes:
    """The verdicts of a study, for programs."""
    content = {name: context[name] for name in ("study", "title", "paper")}
    content |= {"rule": rule_of_shares(context["verdicts"]), "counts": count_verdicts(claims)}
    return (json.dumps({**content, "claims": claims}, indent=1, ensure_ascii=False) + "\n").encode()


def read_claims(path: Path) -> bytes:
    """The file of claims of a study, checked by the checksums of its summary."""
    return read_verified(path, manifest_of(path.with_name("summary.md")))


# In words


def count_verdicts(claims: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many claims end in each verdict."""
    return {name: sum(claim["verdict"] == name for claim in claims) for name in VERDICTS}


def in_words(counts: Mapping[str, int]) -> str:
    """Of how many claims how many hold, as a sentence."""
    total = sum(counts.values())
    if total == 1:
        return f"The one claim {next(name for name, n in counts.items() if n)}."
    plurals = {name: name.replace("holds", "hold").replace("does", "do") for name in counts}
    parts = [f"{n} {name if n == 1 else plurals[name]}" for name, n in counts.items() if n]
    return f"Of {total} claims {listed(parts)}." if parts else "The study has no claims to test."


def limit_words(claims: Sequence[Mapping[str, Any]]) -> str:
    """How many verdicts rest on the choice of a limit."""
    limits = [claim for claim in claims if "limit_halved" in claim]
    if not limits:
        return ""
    ends = "verdict", "limit_halved", "limit_doubled"
    changed = [str(one["number"]) for one in limits if len({one[end] for end in ends}) > 1]
    verb = "changes" if len(changed) < 2 else "change"
    which = f"{len(limits)} verdicts" if len(limits) > 1 else "one verdict"
    begin = f"Of {which} with a limit other than 0, {len(changed) or 'none'} {verb}"
    numbers = f": {listed(changed)}" if changed else ""
    return f"{begin} where it is halved or doubled{numbers}."
