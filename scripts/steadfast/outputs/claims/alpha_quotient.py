"""Claims that the quotient varies more than the difference, and is less stable."""

from typing import ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.alpha import TERM, TERMS, OfAlpha, read_units, read_variance
from steadfast.outputs.verdict import AGAINST, FOR, OPEN, Case
from steadfast.outputs.view import View

_MID, _MIQ = "0.5", "miq"


@claim("alpha_quotient")
class AlphaQuotient(OfAlpha, ClaimKind):
    """Whether MIQ varies more than MID, and is less stable."""

    keys: ClassVar[Keys] = {"term": TERM}

    def build(self, view: View, published: ByTable) -> Outcome:
        term, cases, rows = view.entry["term"], [], []
        for dataset in view.datasets:
            found, units = read_variance(view, dataset), read_units(view, dataset)
            stability = dict(zip(units.names, units.stability.mean(axis=1), strict=True))
            mid, miq = (found[name][term] for name in (_MID, _MIQ))
            ahead = float(stability[_MID] - stability[_MIQ])
            side = FOR if miq > mid and ahead > 0 else AGAINST if ahead < 0 else OPEN
            cases.append(Case(view.title(dataset), side, ahead))
            numbers = [f"{mid:.3g}", f"{miq:.3g}"]
            numbers += [f"{stability[name]:.3f}" for name in (_MID, _MIQ)]
            rows.append([view.title(dataset), *numbers])
        name = TERMS[term].capitalize()
        header = ["Dataset", *(f"{name}, {one}" for one in ("MID", "MIQ"))]
        return Outcome(
            cases=cases,
            statement=f"MIQ has the larger {TERMS[term]} and is less stable than MID",
            unit="a data set",
            rule="A case is a data set. It speaks for the claim where the "
            f"{TERMS[term]} of MIQ is above that of MID and its stability below (single values), "
            "against it where MIQ is the more stable; else it is open. Differences are stability "
            "of MID less that of MIQ.",
            details=markdown_rows([*header, "Stability, MID", "Stability, MIQ"], rows),
        )
