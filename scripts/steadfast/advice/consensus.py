"""Which features to trust, and what the runs of all selectors tell about each."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.advice.evidence import Witness, to_json_number
from steadfast.advice.recommendation import Best
from steadfast.experiments.q_values import QValues
from steadfast.selectors.running.probes import count_votes, votes_needed


class Trusted(NamedTuple):
    """What is known about each column, whichever selector is recommended.

    Attributes
    ----------
    columns : which columns are trusted: by their q-values where there are any, else by votes
    votes, voters : how many selectors vouch for each, and how many could; None where none could
    q_values : None where they were not asked for
    """

    columns: np.ndarray
    votes: np.ndarray | None
    voters: int | None
    q_values: QValues | None

    @property
    def asked(self) -> bool:
        """Whether there is anything by which a feature could be trusted."""
        return self.voters is not None or self.q_values is not None


def find_trusted(
    witnesses: Sequence[Witness], n_features: int, q_values: QValues | None = None
) -> Trusted:
    """Columns that are trusted by their q-values, or, without any, by the votes of selectors."""
    shares = [one.ahead for one in witnesses if one.ahead is not None and not one.baseline]
    voted, voters = (count_votes(shares), len(shares)) if shares else (None, None)
    columns = np.zeros(n_features, dtype=bool)
    if q_values is not None:
        columns = q_values.trusted
    elif voted is not None:
        columns = voted >= votes_needed(voters)
    return Trusted(columns, voted, voters, q_values)


def consensus(best: Best | None, trusted: Trusted) -> list[dict[str, Any]]:
    """Features of the recommended subsets, and those that are trusted, most trusted first.

    Where no selector is recommended (`best` is None), only trusted features, without frequency and
    mean rank. Why a feature is selected but not trusted, or trusted but not selected, is for the
    page to say (`page.features.reason`), which knows the interchangeable groups.
    """
    subsets, n_features = best.subsets() if best else [], trusted.columns.size
    counts = np.bincount(np.concatenate([np.empty(0, int), *subsets]), minlength=n_features)
    ranks = np.full(n_features, np.nan)
    for column in np.flatnonzero(counts):
        ranks[column] = np.mean([_rank(run, column) for run in subsets if column in run])
    ahead = best.witness.ahead if best else None
    rows = []
    for column in np.flatnonzero((counts > 0) | trusted.columns):
        rows.append(
            {
                "feature": int(column),
                "frequency": round(float(counts[column]) / len(subsets), 6) if best else None,
                "mean_rank": to_json_number(ranks[column]),
                "ahead": None if ahead is None else round(float(ahead[column]), 6),
                "votes": None if trusted.votes is None else int(trusted.votes[column]),
                "trusted": bool(trusted.columns[column]),
                **_q_value(trusted.q_values, column),
            }
        )

    def order(row: Mapping[str, Any]) -> tuple:
        rank = row["mean_rank"] if row["mean_rank"] is not None else np.inf
        return (
            not row["trusted"],
            -(row["frequency"] or 0),
            -(row["votes"] or 0),
            rank,
            row["feature"],
        )

    return sorted(rows, key=order)


def _q_value(q_values: QValues | None, column: int) -> dict[str, Any]:
    if q_values is None:
        return {}
    return {
        "q": float(f"{q_values.q[column]:.4g}"),
        "how": q_values.how[column],
        "beyond_others": q_values.beyond_others[column],
    }


def _rank(run: np.ndarray, column: int) -> int:
    return int(np.flatnonzero(run == column)[0]) + 1
