"""Claims about transforms: what they gain, and whether relevant features are found after them."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, list_of
from steadfast.outputs.arguments import Argument, Entry, Expected, Quantity, Ratio, Size
from steadfast.outputs.cases import Claim, by_condition, by_interval
from steadfast.outputs.curves import Curves
from steadfast.outputs.intervals import Interval, mean_interval, single_value
from steadfast.outputs.kinds import claim
from steadfast.outputs.results import Results
from steadfast.outputs.sources import treated
from steadfast.outputs.table import Table
from steadfast.outputs.verdict import FOR, HIGH, Expect, advantage, capital, judge, signed, state
from steadfast.transforms.running import ALL, AS_THEY_ARE, FROZEN, TRAINING

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: What a transform may learn from, in the order in which `gains` names them.
_WAYS = {
    ALL: "learnt from all rows as published",
    TRAINING: "learnt anew in each training fold",
    FROZEN: "learnt once from other rows",
}


class GainsArgument(Argument):
    """Transforms that differ in what they learn from, in the order of `_WAYS`."""

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        for names in entry[name]:
            for transform, learn in zip(names, _WAYS):
                if study.transforms[transform].learn != learn:
                    raise UserError(f"{where}.{name}: {transform} must be one with learn: {learn}")
            if len(names) <= list(_WAYS).index(entry["learn"]):
                raise UserError(f"{where}.learn: {names[0]} has no {entry['learn']} one in {name}")
        if "remains" in entry and entry["learn"] == ALL:
            raise UserError(f"{where}.remains: goes with another `learn`")


_GAINS = list_of(
    "Transforms that differ in what they learn from: as published, in the training fold, and, "
    "where there is one, frozen.",
    {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "string"}},
    names="transform",
    required=True,
)
_REMAINS = Key(
    "Smallest share of the gain as published that must remain where they learn from other rows; a "
    "case is one that gains as expected as published.",
    {"type": "number", "exclusiveMinimum": 0},
)


@claim
def gain(
    curves: Curves,
    *,
    what: Quantity,
    ratio: Ratio,
    size: Size = 10,
    families: treated.Families,
    gains: Annotated[list[list[str]], GainsArgument(_GAINS)],
    baseline: treated.Baseline,
    learn: Literal["all", "training", "frozen"] = ALL,
    average: bool = False,
    relative: bool = False,
    remains: Annotated[float | None, Argument(_REMAINS)] = None,
    expect: Expected,
) -> Claim:
    """How much of what a transform gains as published remains by what else it learns from.

    Parameters
    ----------
    learn
        What the transforms learn from whose gain is claimed: all rows, as published; the training
        fold; or, frozen, other rows.
    average
        Whether a case is a transform, by the interval of its mean gain, and not a selector and a
        data set as well.
    relative
        Whether a gain is a share of the baseline, or of its mean where gains are averaged.
    """
    values = treated.values_at(curves, what, ratio, families, curves.datasets, size)
    gained = what.direction * values.sub(values[baseline], axis=0)
    table = _mean_gains(gained, gains)
    before = f"Mean {what.noun} over {len(gained)} pairs of selector and data set is "
    before += f"{values[baseline].mean():.3f} on the rows as they are."
    if relative:
        gained = gained.div(values[baseline].mean() if average else values[baseline], axis=0)
    published, learnt = (
        [case for names in gains for case in _cases(curves, gained[names[at]], average)]
        for at in (0, list(_WAYS).index(learn))
    )
    unit = "a transform" if average else "a transform, a selector and a data set"
    number = f"gain of {what.noun}"
    if remains is not None:
        unit += f" with a {number} as published of more than {next(iter(expect.values())):g}"
        named = {name: (before, after) for (_, before), (name, after) in zip(published, learnt)}
        kept = {name: pair for name, pair in named.items() if judge(expect, pair[0]) == FOR}
        return _remaining(kept, remains, _WAYS[learn], unit=unit, table=table, lines=[before])
    number += " over selectors and data sets" if average else ""
    number += " relative to the baseline" if relative else ""
    after = f"Selection after the transform, {_WAYS[learn]},"
    return by_interval(
        learnt,
        expect,
        shows=state(expect, after, "without it", advantage(what.of, curves.score), relative),
        unit=unit,
        number=f"the {number}",
        values_only=not average,
        percent=relative,
        table=table,
        lines=[before],
    )


def _remaining(
    pairs: Mapping[str, tuple[Interval, Interval]], least: float, learnt: str, **more: Any
) -> Claim:
    """Whether what is gained as published, the first of each pair, remains in the second."""
    means = ""
    if pairs:
        before, after = (signed(np.mean([one.mean for one in own])) for own in zip(*pairs.values()))
        means = f"Their mean gain is {before} as published, and {after} so."
    return by_condition(
        [(name, after.mean >= least * before.mean) for name, (before, after) in pairs.items()],
        shows=f"At least {least:.0%} of the gain as published remains, {learnt},",
        condition=f"at least {least:.0%} of that gain remain, {learnt}",
        more=means,
        reason="nothing is gained as published",
        **more,
    )


def _cases(curves: Curves, gains: pd.Series, average: bool) -> list[tuple[str, Interval]]:
    """The gains of a transform: their mean, or each by its selector and data set."""
    label = curves.transforms[gains.name]["label"]
    if average:
        return [(label, mean_interval(gains.to_numpy()))]
    return [
        (f"{curves.families[family]}, {curves.title(dataset)}, {label}", single_value(gain))
        for (family, dataset), gain in gains.items()
    ]


def _mean_gains(gained: pd.DataFrame, groups: Sequence[Sequence[str]]) -> Table:
    """Mean gains over selectors and data sets, by what the transforms learn from."""
    rows = []
    for names in groups:
        published, *_ = means = [mean_interval(gained[name].to_numpy()) for name in names]
        for name, how, gain in zip(names, _WAYS.values(), means):
            remains = gain.mean / published.mean if published.low > 0 < gain.mean else np.nan
            remains = np.nan if gain is published else remains
            rows.append((name, how, gain.mean, gain.half, (gained[name] > 0).sum(), remains))
    return Table(
        pd.DataFrame(rows, columns=["transform", "how", "gain", "half", "up", "remains"]),
        {
            "Transform": "{transform}",
            "Learnt": "{how}",
            "Gain": f"{{gain:+.3f}}| ± {{half:.3f}}| ({{up}} of {len(gained)} up)",
            "What remains": "{remains:.0%}",
        },
        notes=["Gain: difference to the rows as they are, mean ± half of the 95% interval."],
    )


@claim
def precision(results: Results, *, rows: treated.Compared, expect: Expected) -> Claim:
    """Whether a selector finds more of the relevant features after a transform."""
    name, *than = rows["transform"].cat.categories
    pairs = {}
    for (family, level), own in rows.groupby(["selector", "label_noise"]):
        after, before = (own[own["transform"] == each] for each in (name, *than, name)[:2])
        beside = treated.by_data_set(before, "precision" if than else "chance")
        pairs[family, name, f"{level:.0%}"] = treated.by_data_set(after), beside
    share = f"the share of relevant features found {_after(results, name)}"
    other = f"that {_after(results, *than) if than else 'by chance'}"
    return _of_shares(
        results,
        pairs,
        expect,
        "difference",
        shows=capital(state(expect, share, other, HIGH)),
        unit="a selector and a share of wrong classes",
    )


@claim
def precision_falls(results: Results, *, rows: treated.Precision, expect: Expected) -> Claim:
    """Whether a selector finds fewer of the relevant features the more classes are wrong."""
    pairs = {}
    for (family, name), own in rows.groupby(["selector", "transform"]):
        levels = [(level, treated.by_data_set(part)) for level, part in own.groupby("label_noise")]
        for (fewer, high), (more, low) in pairwise(levels):
            pairs[family, name, f"from {fewer:.0%} to {more:.0%}"] = high, low
    return _of_shares(
        results,
        pairs,
        expect,
        "fall",
        shows="The share of relevant features found falls",
        unit="a selector, a transform and two shares of wrong classes, one after the other",
    )


def _of_shares(
    results: Results,
    pairs: Mapping[tuple[str, str, str], tuple[np.ndarray, np.ndarray]],
    expect: Expect,
    number: str,
    **words: str,
) -> Claim:
    """Two shares of relevant features found on each data set, by selector and wrong classes."""
    rows, cases = [], []
    for (family, transform, wrong), (first, second) in pairs.items():
        apart = mean_interval(first - second)
        cases.append((f"{results.families[family]}, {wrong} wrong classes", apart))
        means = first.mean(), second.mean(), apart.mean, apart.half
        rows.append((family, transform, wrong, *means))
    names = ["selector", "transform", "wrong", "first", "second", "apart", "half"]
    noise = ", ".join(f"{level:g}" for level in results.entry["noise"])
    table = Table(
        pd.DataFrame(rows, columns=names),
        {"Selector": "{selector}", "Transform": "{transform}", "Wrong classes η": "{wrong}"}
        | {"Share found": "{first:.3f}", "Compared with": "{second:.3f}"}
        | {number.capitalize(): "{apart:+.3f}| ± {half:.3f}"},
        notes=[f"Noise α of the values: {noise}."],
    )
    number = f"the {number} of precision (share of relevant features found) over data sets"
    return by_interval(cases, expect, number=number, table=table, **words)


def _after(results: Results, transform: str) -> str:
    """After a transform, or without one."""
    about = results.transforms[transform]
    return "without reduction" if about["note"] == AS_THEY_ARE else f"after {about['label']}"
