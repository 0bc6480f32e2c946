"""Studies by the paper that they reproduce."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

_WITHOUT_PAPER = "Studies of no paper"


@dataclass(frozen=True)
class Paper:
    """A paper and its studies.

    Attributes
    ----------
    key
        What the names of its studies begin with; empty for studies of no paper.
    reference
        What all of its studies say of it.
    """

    key: str
    reference: str
    studies: list[str]

    @property
    def heading(self) -> str:
        return (self.reference or self.key) if self.key else _WITHOUT_PAPER

    def rest(self, reference: str) -> str:
        """What a study says of the paper beyond what all of them say: its chapter, say."""
        return reference.removeprefix(self.reference).lstrip(",;. ")


def paper_of(study: str) -> str:
    """`alelyani2013` of `alelyani2013_causes`."""
    return study.partition("_")[0]


def group_by_paper(studies: Sequence[Mapping[str, Any]]) -> list[Paper]:
    """Papers in the order of their first study; studies of no paper are one group, the last."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for study in studies:
        groups.setdefault(paper_of(study["study"]) if study["paper"] else "", []).append(study)
    ordered = sorted(groups.items(), key=lambda group: not group[0])
    return [
        Paper(key, _shared([study["paper"] for study in own]), [study["study"] for study in own])
        for key, own in ordered
    ]


def _shared(references: Sequence[str]) -> str:
    """The beginning that references share, up to a comma or semicolon."""
    pieces = [re.split("(?=[,;] )", reference) for reference in references]
    alike = takewhile(lambda same: len(set(same)) == 1, zip(*pieces))
    return "".join(same[0] for same in alike)
