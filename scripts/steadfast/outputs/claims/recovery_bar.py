"""Claims that a selector keeps to bars on scenarios of known truth."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, text
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import Interval, mean_interval
from steadfast.outputs.keys import SELECTOR
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows, plus_minus
from steadfast.outputs.shared.recovery import SCENARIOS, OfRecovery, read_recovery, standard_error
from steadfast.outputs.verdict import AGAINST, FOR, OPEN, Case, listed
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


def _bar(word: str, description: str) -> Key:
    limit = {"type": "number", "minimum": 0, "maximum": 1}
    schema = {"type": "object", "additionalProperties": False, "required": [word]}
    return Key(description, {**schema, "properties": {word: limit}})


#: Bars and their names in print; whether they are of scenarios with relevant features.
_BARS = {"recall": ("recall", True), "false_share": ("share of false features", True)}
_BARS["any_false"] = ("share of data sets with any false feature", False)


@claim("recovery_bar")
class RecoveryBar(OfRecovery, ClaimKind):
    """Whether a selector finds enough, and little that is false, on scenarios of known truth."""

    keys: ClassVar[Keys] = {
        "selector": SELECTOR,
        "scenarios": SCENARIOS,
        "recall": _bar("least", "`least`: the smallest mean recall, where features are relevant."),
        "false_share": _bar(
            "most", "`most`: the largest mean share of false features, where some are relevant."
        ),
        "any_false": _bar(
            "most",
            "`most`: the largest share of data sets with any, where none is relevant.",
        ),
        "least_of": text(
            "A selector whose recall it must reach on the same data sets.", names="selector"
        ),
    }

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        if not {*_BARS, "least_of"} & set(entry):
            raise UserError(f"{where}: has no bar; add {listed([*_BARS, 'least_of'])}")

    def build(self, view: View, published: ByTable) -> Outcome:
        tests = list(_tests(view))
        rows = [
            [one.scenario, one.what, f"{one.bar:.2f}", plus_minus(one.mean, one.error)]
            for one in tests
        ]
        return Outcome(
            cases=[Case(f"{one.scenario} ({one.what})", one.side, one.ahead.mean) for one in tests],
            statement=f"{view.context['selectors'][view.entry['selector']]} keeps to the bar",
            unit="a scenario and a bar",
            rule="A case is a scenario and a bar. It speaks for the claim where the mean over data "
            "sets keeps to the bar, against it where it misses it by more than half of its 95% "
            "interval; else it is open. Differences are how far the mean is on the right side.",
            details=markdown_rows(["Scenario", "What", "Bar", "Mean ± standard error"], rows),
        )


class _Test(NamedTuple):
    """A bar on a scenario: what is looked at, and how far it is on the right side."""

    scenario: str
    what: str
    bar: float
    mean: float
    error: float
    ahead: Interval

    @property
    def side(self) -> int:
        # Means of a few shares, such as 0.55, must not fail by rounding.
        if self.ahead.mean >= -1e-9:
            return FOR
        return AGAINST if self.ahead.high < 0 or np.isnan(self.ahead.high) else OPEN


def _tests(view: View) -> Iterator[_Test]:
    entry = view.entry
    for name in entry["scenarios"]:
        own, title = read_recovery(view, name, entry["selector"]), view.context["scenarios"][name]
        for key, (what, of_signal) in _BARS.items():
            if key not in entry or of_signal != own.has_signal:
                continue
            ((word, bar),) = entry[key].items()
            values = getattr(own, key)
            ahead = mean_interval(values - bar if word == "least" else bar - values)
            yield _Test(title, what, bar, values.mean(), standard_error(values), ahead)
        if "least_of" in entry and own.has_signal:
            other = read_recovery(view, name, entry["least_of"]).recall
            both = min(other.size, own.recall.size)  # the first sets are the same data
            values, bar = own.recall[:both], other[:both]
            what = f"recall, that of {view.context['selectors'][entry['least_of']]}"
            yield _Test(
                *(title, what, bar.mean(), values.mean(), standard_error(values - bar)),
                mean_interval(values - bar),
            )
