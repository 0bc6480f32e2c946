"""What outputs about scenarios of known truth share: which files they read, and their numbers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, list_of
from steadfast.core.paths import with_manifest
from steadfast.outputs.kind import Entry, Kind
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.core.paths import Paths
    from steadfast.study.declaration import Study

SCENARIOS: Key = list_of(
    "Scenarios; all of the study's `recovery` if left out.", {"type": "string"}, names="scenario"
)


class OfRecovery(Kind):
    """A kind about the study's `recovery`."""

    def datasets(self, study: "Study", entry: Entry) -> list[str]:
        """None: the data sets are made."""
        return []

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """Those that it names, or all that are run on the scenarios."""
        named = [entry[key] for key in ("selector", "least_of") if key in entry]
        return entry.get("selectors", named or (study.recovery or {}).get("selectors", []))

    def more_files(self, study: "Study", entry: Entry, paths: "Paths") -> list[str]:
        """One per scenario and selector."""
        files = [
            paths("recovery", scenario=scenario, selector=selector)
            for scenario in entry["scenarios"]
            for selector in self.selectors(study, entry)
        ]
        return [path for file in files for path in with_manifest(file)]

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """Names of scenarios in print."""
        return {"scenarios": {name: one["label"] for name, one in study.scenarios.items()}}

    def complete(self, study: "Study", entry: dict[str, Any]) -> None:
        super().complete(study, entry)
        entry.setdefault("scenarios", list(study.scenarios))

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """All that is shown must be among what the study's `recovery` runs."""
        super().check(study, entry, where)
        if not study.recovery:
            raise UserError(f"{where}: the study has no `recovery`")
        for name in self.selectors(study, entry):
            if name not in study.recovery["selectors"]:
                raise UserError(f"{where}: {name} is not among the selectors of its recovery")


class Recovery(NamedTuple):
    """What a selector did on each data set of a scenario.

    Attributes
    ----------
    recall
        Share of the blocks of relevant features of which a feature was chosen, a feature in no
        block being one of its own; NaN where none is relevant.
    false_share
        Share of noise among what was chosen; 0 where nothing was.
    any_false
        1 where any noise was chosen, else 0.
    chosen
        How many features were.
    """

    recall: np.ndarray
    false_share: np.ndarray
    any_false: np.ndarray
    chosen: np.ndarray

    @property
    def has_signal(self) -> bool:
        return not np.isnan(self.recall).all()


def read_recovery(view: View, scenario: str, selector: str) -> Recovery:
    """The numbers of a scenario and a selector, one for each data set in their order."""
    columns = view.columns("recovery", scenario=scenario, selector=selector)
    wanted = ("blocks", "blocks_found", "false", "chosen")
    blocks, found, false, chosen = (np.array(columns[name], dtype=float) for name in wanted)
    recall = np.divide(found, blocks, out=np.full(found.size, np.nan), where=blocks > 0)
    return Recovery(recall, false / np.maximum(chosen, 1), (false > 0).astype(float), chosen)


def recoveries(view: View) -> Iterator[tuple[str, str, Recovery]]:
    """Scenario by scenario, what each selector of an entry did."""
    for scenario in view.entry["scenarios"]:
        for selector in view.selectors:
            yield scenario, selector, read_recovery(view, scenario, selector)


def standard_error(values: np.ndarray) -> float:
    """Of the mean; NaN for a single value."""
    if values.size < 2:
        return float("nan")
    return float(values.std(ddof=1) / np.sqrt(values.size))
