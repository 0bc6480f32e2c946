"""The summary of a study whose results lie in a folder, for tests."""

import json

from steadfast.outputs.claim import judge_claims
from steadfast.outputs.published import group_by
from steadfast.outputs.results import Results
from steadfast.outputs.summary import summary_page
from steadfast.outputs.verdict import Case
from steadfast.study.context import summary_context

#: As in config/config.yaml.
SHARES = {"holds": 0.75, "in_part": 0.25}


def cases(*sides: int) -> list[Case]:
    """Cases of a claim that speak so."""
    return [Case(f"case {number}", side) for number, side in enumerate(sides)]


def summarise(study, results, pairs=(), shares=SHARES) -> tuple[list[dict], str]:
    """The claims with their verdicts, and the page."""
    context = summary_context(study, folds_per_job=50, seed=1, verdicts=shares)
    own = Results(json.loads(json.dumps(context)), str(results))
    claims = judge_claims(own, group_by(pairs, "table"))
    return claims, summary_page(own, list(pairs), claims).decode()
