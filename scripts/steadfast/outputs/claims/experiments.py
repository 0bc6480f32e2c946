"""Claims about experiments: bars on scenarios of known truth, the variation of criteria."""

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.keys import Key
from steadfast.outputs.arguments import AnySelector, Argument, Dataset, Selector
from steadfast.outputs.cases import Claim, by_interval
from steadfast.outputs.intervals import Interval, mean_interval, single_value
from steadfast.outputs.kinds import Entry, claim
from steadfast.outputs.results import Results
from steadfast.outputs.sources.experiments import Recovery, Scenarios, Variation
from steadfast.outputs.table import Table
from steadfast.outputs.verdict import AGAINST, FOR, OPEN, Case, listed

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


class Bar(Argument):
    """A share under a word, `{least: 0.5}`, given as the share."""

    def value(self, results: Results, entry: Entry, name: str) -> float | None:
        return next(iter(entry.get(name, {}).values()), None)


def _bar(word: str) -> Bar:
    limit = {"type": "number", "minimum": 0, "maximum": 1}
    schema: dict[str, Any] = {"type": "object", "additionalProperties": False, "required": [word]}
    return Bar(Key("", {**schema, "properties": {word: limit}}))


Least = Annotated[float | None, _bar("least")]
Most = Annotated[float | None, _bar("most")]


def require_bar(study: "Study", entry: Entry, where: str) -> None:
    """A claim must have a bar."""
    bars = ["recall", "false_share", "any_false", "least_of"]
    if not set(bars) & set(entry):
        raise UserError(f"{where}: has no bar; add {listed(bars)}")


@claim(refuse=require_bar)
def recovery_bar(
    results: Recovery,
    *,
    selector: Selector,
    scenarios: Scenarios,
    recall: Least = None,
    false_share: Most = None,
    any_false: Most = None,
    least_of: AnySelector = None,
) -> Claim:
    """Whether a selector finds enough, and little that is false, on scenarios of known truth.

    Parameters
    ----------
    recall
        `least`: the smallest mean recall, where features are relevant.
    false_share
        `most`: the largest mean share of false features, where some are relevant.
    any_false
        `most`: the largest share of data sets with any, where none is relevant.
    least_of
        A selector whose recall it must reach on the same data sets.
    """
    cases, rows = [], []
    for scenario in scenarios:
        sets = results.sets(scenario, selector)
        # What is looked at, its values, the bar, and 1 where they must not be below it.
        tests = [("share of data sets with any false feature", sets["any_false"], any_false, -1)]
        if sets["recall"].notna().any():
            tests = [("recall", sets["recall"], recall, 1)]
            tests.append(("share of false features", sets["false_share"], false_share, -1))
            if least_of:
                # The first data sets are the same.
                other = results.sets(scenario, least_of)["recall"][: len(sets)]
                what = f"recall, that of {results.selectors[least_of]}"
                tests.append((what, sets["recall"][: len(other)], other, 1))
        for what, values, bar, direction in tests:
            if bar is not None:
                ahead = mean_interval(direction * (values - bar).to_numpy())
                case = f"{results.scenarios[scenario]} ({what})"
                cases.append(Case(case, _side(ahead), ahead.mean))
                rows.append((scenario, what, np.mean(bar), values.mean(), (values - bar).sem()))
    return Claim(
        cases,
        shows=f"{results.selectors[selector]} keeps to the bar",
        unit="a scenario and a bar",
        rule="A case is a scenario and a bar. It speaks for the claim where the mean over data "
        "sets keeps to the bar, against it where it misses it by more than half of its 95% "
        "interval; else it is open. Differences are how far the mean is on the right side.",
        table=Table(
            pd.DataFrame(rows, columns=["scenario", "what", "bar", "mean", "error"]),
            {"Scenario": "{scenario}", "What": "{what}", "Bar": "{bar:.2f}"}
            | {"Mean ± standard error": "{mean:.2f}| ± {error:.2f}"},
        ),
    )


def _side(ahead: Interval) -> int:
    # Means of a few shares, such as 0.55, must not fail by rounding.
    if ahead.mean >= -1e-9:
        return FOR
    return AGAINST if ahead.high < 0 or np.isnan(ahead.high) else OPEN


@claim
def criterion_variation(
    results: Variation, *, dataset: Dataset, more: Selector, than: Selector
) -> Claim:
    """How far the score of one mRMR selector varies over bootstraps, beside that of another.

    Parameters
    ----------
    more
        Selector whose score is said to vary more.
    than
        Selector it is compared with.
    """
    both = [results.steps(dataset, name) for name in (more, than)]
    table = pd.DataFrame([steps.mean(numeric_only=True) for steps in both])
    table["selector"] = [more, than]
    spreads = [steps["score_sd"] / steps["score"].abs() for steps in both]
    table["relative"] = [spread[np.isfinite(spread)].median() for spread in spreads]
    apart = both[0]["score_sd"] - both[1]["score_sd"]
    apart = apart[np.isfinite(apart)]
    first, second = (results.selectors[name] for name in (more, than))
    relative = " and ".join(f"{share:.0%}" for share in table["relative"])
    return by_interval(
        [(f"step {at + 1}", single_value(float(value))) for at, value in apart.items()],
        {"above": 0},
        shows=f"The score of {first} varies more than that of {second}",
        unit=f"a step of the sequence on {results.title(dataset)}",
        number="the difference of the scores' standard deviations over bootstraps",
        values_only=True,
        more="The two scores have different scales: relative to the score itself (median over the "
        f"steps) the standard deviation is {relative}.",
        table=Table(
            table,
            {"Mean standard deviation of": "{selector}", "V": "{relevance_sd:.3f}"}
            | {"W": "{redundancy_sd:.3f}", "score": "{score_sd:.3f}"}
            | {"score, relative": "{relative:.0%}"},
        ),
    )
