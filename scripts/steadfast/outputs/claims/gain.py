"""Claims about what transforms gain as published, and what remains inside the training fold."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, flag, list_of, one_of
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import Interval, mean_interval, single_value
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.treated import OfTreated, TreatedValues, treated_values
from steadfast.outputs.verdict import (
    AGAINST,
    EXPECT,
    FOR,
    Case,
    advantage,
    claims_absence,
    judge,
    rule_of_cases,
    signed,
    state,
)
from steadfast.outputs.view import View
from steadfast.statistics.intervals import t_half_width
from steadfast.transforms.running import ALL, FROZEN, TRAINING

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


#: What a transform may learn from, in the order in which `gains` names them.
_WAYS = {
    ALL: "learnt from all rows as published",
    TRAINING: "learnt anew in each training fold",
    FROZEN: "learnt once from other rows",
}
_UNIT = "a transform, a selector and a data set"


@claim("gain")
class Gain(OfTreated, ClaimKind):
    """How much of what a transform gains as published remains by what else it learns from."""

    keys: ClassVar[Keys] = {
        **keys.EITHER,
        "size": keys.SIZE,
        "gains": list_of(
            "Transforms that differ in what they learn from: as published, in the training fold, "
            "and, where there is one, frozen.",
            {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "string"}},
            names="transform",
            required=True,
        ),
        "baseline": keys.BASELINE.but(description="Transform that gains are counted from."),
        "learn": one_of(
            "What the transforms learn from whose gain is claimed: all rows, as published; the "
            "training fold; or, frozen, other rows.",
            *_WAYS,
            default=ALL,
        ),
        "average": flag(
            "Whether a case is a transform, by the interval of its mean gain, and not a selector "
            "and a data set as well."
        ),
        "relative": flag("Whether that gain is a share of the baseline's mean."),
        "remains": Key(
            "Smallest share of the gain as published that must remain where they learn from other "
            "rows; a case is one that gains as expected as published.",
            {"type": "number", "exclusiveMinimum": 0},
        ),
        "expect": EXPECT.but(
            description="What is claimed of the gain: `above: x`, `below: x` or `within: m`."
        ),
    }

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        for names in entry["gains"]:
            for name, learn in zip(names, _WAYS):
                if study.transforms[name].learn != learn:
                    raise UserError(f"{where}.gains: {name} must be one with learn: {learn}")
            if len(names) <= list(_WAYS).index(entry["learn"]):
                raise UserError(f"{where}.learn: {names[0]} has no {entry['learn']} one in gains")
        if entry["relative"] and not entry["average"]:
            raise UserError(f"{where}.relative: goes with `average: true`")
        if "remains" in entry and (entry["learn"] == ALL or entry["average"]):
            raise UserError(f"{where}.remains: goes with another `learn`, and without `average`")

    def build(self, view: View, published: ByTable) -> Outcome:
        """Gains over the baseline, by what the transforms learn from."""
        values = treated_values(view)
        outcome = _remaining(view, values) if "remains" in view.entry else _gained(view, values)
        outcome.details = _table(view, values)
        return outcome


def _gained(view: View, values: TreatedValues) -> Outcome:
    """Whether transforms gain as much as is claimed."""
    entry, percent = view.entry, view.entry["relative"]
    way = list(_WAYS).index(entry["learn"])
    cases = [case for names in entry["gains"] for case in _cases(view, values, names[way])]
    unit, number = _UNIT, f"the gain of {view.quantity(entry['of'])}"
    if entry["average"]:
        unit = "a transform"
        number += " over selectors and data sets"
        number += " relative to the baseline" if percent else ""
    words = advantage(entry["of"], view.score)
    after = f"Selection after the transform, {_WAYS[entry['learn']]},"
    return Outcome(
        cases=cases,
        statement=state(entry["expect"], after, "without it", words, percent),
        unit=unit,
        rule=rule_of_cases(unit, number, entry["expect"], not entry["average"], percent),
        absence=claims_absence(entry["expect"]),
        percent=percent,
    )


def _remaining(view: View, values: TreatedValues) -> Outcome:
    """Whether what is gained as published remains where the transform learns from other rows."""
    entry, least = view.entry, view.entry["remains"]
    way, cases, gains = list(_WAYS).index(entry["learn"]), [], []
    for names in entry["gains"]:
        pairs = zip(_cases(view, values, names[0]), _cases(view, values, names[way]), strict=True)
        for before, after in pairs:
            if before.side == FOR:
                enough = after.value >= least * before.value
                cases.append(Case(after.name, FOR if enough else AGAINST))
                gains.append((before.value, after.value))
    ((_, limit),) = entry["expect"].items()
    unit, learnt = f"{_UNIT} with a gain as published", _WAYS[entry["learn"]]
    return Outcome(
        cases=cases,
        statement=f"At least {least:.0%} of the gain as published remains, {learnt},",
        unit=unit,
        rule=(
            f"A case is {_UNIT} with a gain of {view.quantity(entry['of'])} as published of more "
            f"than {limit:g}. It speaks for the claim where at least {least:.0%} of that gain "
            f"remain, {learnt}, and against it else (single values)."
        ),
        more=_means(gains),
        reason="nothing is gained as published",
    )


def _means(gains: Sequence[tuple[float, float]]) -> str:
    """The mean gain of the cases, as published and learnt from other rows."""
    if not gains:
        return ""
    before, after = (signed(mean) for mean in np.mean(gains, axis=0))
    return f"Their mean gain is {before} as published, and {after} so."


def _cases(view: View, values: TreatedValues, transform: str) -> list[Case]:
    """One transform: on average, or for every selector and data set."""
    entry = view.entry
    label = view.context["transforms"][transform]["label"]
    base = np.array([row[entry["baseline"]] for row in values.values()])
    gains = _gains(view, values, transform)
    if entry["average"]:
        mean = mean_interval(gains)
        if entry["relative"]:
            mean = Interval(*(end / base.mean() for end in mean))
        return [Case(label, judge(entry["expect"], mean), mean.mean)]
    return [
        Case(
            f"{view.context['families'][family]}, {view.title(dataset)}, {label}",
            judge(entry["expect"], single_value(gain)),
            float(gain),
        )
        for (family, dataset), gain in zip(values, gains, strict=True)
    ]


def _gains(view: View, values: TreatedValues, transform: str) -> np.ndarray:
    """How much better each value is than that after the baseline."""
    pairs = [(row[transform], row[view.entry["baseline"]]) for row in values.values()]
    sign = view.direction(view.entry) if view.entry["of"] == "accuracy" else 1
    return sign * np.subtract(*np.array(pairs).T)


def _table(view: View, values: TreatedValues) -> list[str]:
    """Mean gains over selectors and data sets, all ways of learning side by side."""
    entry, rows = view.entry, []
    base = np.array([row[entry["baseline"]] for row in values.values()])
    most = max(map(len, entry["gains"]))
    for names in entry["gains"]:
        gains = [_gains(view, values, name) for name in names]
        cells = [_gain_text(gains[0])]
        for gain in gains[1:]:
            cells += [_gain_text(gain), _remainder(gains[0], gain)]
        label = view.context["transforms"][names[1]]["label"]
        rows.append([label, *cells, *["–"] * (2 * most - 1 - len(cells))])
    header = ["Transform", "Gain as published", f"Gain, {_WAYS[TRAINING]}", "What remains"]
    header += [f"Gain, {_WAYS[FROZEN]}", "What remains"] if most == 3 else []
    return [
        f"Mean {view.quantity(entry['of'])} over {len(base)} pairs of selector and data set is "
        f"{base.mean():.3f} on the rows as they are.",
        "",
        *markdown_rows(header, rows),
        "",
        "Gain: difference to the rows as they are, mean ± half of the 95% interval over the pairs.",
    ]


def _remainder(published: np.ndarray, inside: np.ndarray) -> str:
    """In words: there may be no gain to begin with, or a loss in its place."""
    if published.mean() - _half_width(published) <= 0:
        return "no gain as published that its interval tells from 0"
    if inside.mean() <= 0:
        return f"nothing, there is a loss of {-inside.mean():.3f}"
    return f"{inside.mean() / published.mean():.0%}"


def _gain_text(gain: np.ndarray) -> str:
    up = np.count_nonzero(gain > 0)
    return f"{gain.mean():+.3f} ± {_half_width(gain):.3f} ({up} of {gain.size} up)"


def _half_width(values: np.ndarray) -> float:
    return float(t_half_width(values))
