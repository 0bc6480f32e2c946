"""Claims about how many of the relevant features a selector finds on made data."""

from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

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
from steadfast.outputs.verdict import EXPECT, HIGH, Case, judge, rule_of_cases, state
from steadfast.outputs.view import View

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
        than = infos[entry["than"]]["label"] if "than" in entry else "chance"
        if entry["falling"]:
            return _falling(view, rows, label)
        printed, cases = [], []
        for family in entry["families"]:
            for level in entry["label_noise"]:
                found, other = _pair(rows, entry, family, level)
                apart = mean_interval(found - other)
                name = f"{view.context['families'][family]}, {level:.0%} wrong"
                cases.append(Case(name, judge(entry["expect"], apart), apart.mean))
                printed.append(
                    [
                        *(view.context["families"][family], f"{level:.0%}"),
                        *(f"{found.mean():.3f}", f"{other.mean():.3f}"),
                        f"{apart.mean:+.3f} ± {apart.high - apart.mean:.3f}",
                    ]
                )
        header = ["Selector", "Wrong classes η", label, than, "Difference"]
        noise = ", ".join(f"{level:g}" for level in entry["noise"])
        unit = "a selector and a share of wrong classes"
        number = "the difference of precision (share of relevant features found) over data sets"
        share = f"the share of relevant features found after {label}"
        return Outcome(
            cases=cases,
            statement=_capital(state(entry["expect"], share, _other(than), HIGH)),
            unit=unit,
            rule=rule_of_cases(unit, number, entry["expect"]),
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


def _other(than: str) -> str:
    return "that by chance" if than == "chance" else f"that after {than}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


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
