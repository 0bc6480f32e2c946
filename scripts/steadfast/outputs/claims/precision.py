"""Claims about how many of the relevant features a selector finds on made data."""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, flag, text
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import mean_interval
from steadfast.outputs.keys import FAMILIES
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.precision import (
    CONDITIONS,
    SEVERAL_LABEL_NOISES,
    OfPrecision,
    by_data_set,
    precision_rows,
)
from steadfast.outputs.verdict import (
    EXPECT,
    HIGH,
    Case,
    capital,
    claims_absence,
    judge,
    rule_of_cases,
    state,
)
from steadfast.outputs.view import View
from steadfast.study.treatments import AS_THEY_ARE

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("precision")
class Precision(OfPrecision, ClaimKind):
    """Whether a selector finds more of the relevant features after a transform."""

    keys: ClassVar[Keys] = {
        "families": FAMILIES,
        "transform": text("Transform.", names="transform", required=True),
        "than": text("Transform it is compared with; chance if left out.", names="transform"),
        "label_noise": SEVERAL_LABEL_NOISES,
        **CONDITIONS,
        "falling": flag(
            "Whether the claim is that precision falls from each share of wrong classes to the "
            "next."
        ),
        "expect": EXPECT,
    }

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        if entry["falling"] and "than" in entry:
            raise UserError(f"{where}.than: is no part of a claim that precision is falling")

    def wanted(self, entry: Entry) -> dict[str, list]:
        """The transforms are two keys here."""
        named = [entry[key] for key in ("transform", "than") if key in entry]
        return dict(super().wanted({**entry, "transforms": named}))

    def build(self, view: View, published: ByTable) -> Outcome:
        entry, rows = view.entry, precision_rows(view)
        infos = view.context["transforms"]
        label = infos[entry["transform"]]["label"]
        than = infos[entry["than"]]["label"] if "than" in entry else "by chance"
        other = _after(infos[entry["than"]]) if "than" in entry else than
        if entry["falling"]:
            return _falling(view, rows, label)
        printed, cases = [], []
        for family in entry["families"]:
            for level in entry["label_noise"]:
                found, beside = _pair(rows, entry, family, level)
                apart = mean_interval(found - beside)
                name = f"{view.context['families'][family]}, {level:.0%} wrong classes"
                cases.append(Case(name, judge(entry["expect"], apart), apart.mean))
                printed.append(
                    [
                        *(view.context["families"][family], f"{level:.0%}"),
                        *(f"{found.mean():.3f}", f"{beside.mean():.3f}"),
                        f"{apart.mean:+.3f} ± {apart.high - apart.mean:.3f}",
                    ]
                )
        header = ["Selector", "Wrong classes η", label, than, "Difference"]
        noise = ", ".join(f"{level:g}" for level in entry["noise"])
        several = len(entry["families"]) > 1
        unit = f"{'a selector and ' if several else ''}a share of wrong classes"
        number = "the difference of precision (share of relevant features found) over data sets"
        share = f"the share of relevant features found {_after(infos[entry['transform']])}"
        return Outcome(
            cases=cases,
            statement=capital(state(entry["expect"], share, f"that {other}", HIGH)),
            unit=unit,
            rule=rule_of_cases(unit, number, entry["expect"]),
            absence=claims_absence(entry["expect"]),
            details=[*markdown_rows(header, printed), "", f"Noise α of the values: {noise}."],
        )


def _falling(view: View, rows: dict[str, np.ndarray], label: str) -> Outcome:
    """From each share of wrong classes to the next, on the same data sets."""
    entry, cases, printed = view.entry, [], []
    for family in entry["families"]:
        title = view.context["families"][family]
        found = [_pair(rows, entry, family, level)[0] for level in entry["label_noise"]]
        printed.append([title, *(f"{values.mean():.3f}" for values in found)])
        steps = zip(pairwise(entry["label_noise"]), pairwise(found), strict=True)
        for (fewer, more), (high, low) in steps:
            fall = mean_interval(high - low)
            name = f"{title}, from {fewer:.0%} to {more:.0%} wrong"
            cases.append(Case(name, judge(entry["expect"], fall), fall.mean))
    unit = "a selector and two shares of wrong classes, one after the other"
    number = "the fall of precision (share of relevant features found) over data sets"
    return Outcome(
        cases=cases,
        statement=f"The share of relevant features found after {label} falls",
        unit=unit,
        rule=rule_of_cases(unit, number, entry["expect"]),
        details=markdown_rows(
            ["Selector", *(f"{level:.0%} wrong" for level in entry["label_noise"])], printed
        ),
    )


def _after(transform: Mapping[str, Any]) -> str:
    """After a transform, or without one."""
    return (
        "without reduction" if transform["note"] == AS_THEY_ARE else f"after {transform['label']}"
    )


def _pair(
    rows: dict[str, np.ndarray], entry: Entry, family: str, level: float
) -> tuple[np.ndarray, np.ndarray]:
    """Precision on each data set after the transform, and what it is compared with."""
    own = (rows["selector"] == family) & (rows["label_noise"] == level)
    after = own & (rows["transform"] == entry["transform"])
    found = by_data_set(rows, after, "precision")
    if "than" not in entry:
        return found, by_data_set(rows, after, "chance")
    return found, by_data_set(rows, own & (rows["transform"] == entry["than"]), "precision")
