"""Results of experiments: scenarios of known truth, surfaces of stability, varying criteria."""

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of
from steadfast.outputs.arguments import Argument
from steadfast.outputs.results import Entry, Results

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_SCENARIOS = list_of(
    "Scenarios; all of the study's `recovery` if left out.", {"type": "string"}, names="scenario"
)
Scenarios = Annotated[list[str], Argument(_SCENARIOS)]


class Recovery(Results):
    """What selectors chose on the scenarios of a study's `recovery`."""

    reads = ("recovery",)

    @classmethod
    def complete(cls, study: "Study", entry: dict[str, Any], keys: Keys) -> None:
        """Name all scenarios and selectors of the study's `recovery` in an entry that does not."""
        entry.setdefault("scenarios", list(study.scenarios))
        if study.recovery and "selectors" in keys:
            entry.setdefault("selectors", study.recovery["selectors"])

    @classmethod
    def check(cls, study: "Study", entry: Entry, where: str) -> None:
        """Refuse selectors that the study's `recovery` does not run."""
        if not study.recovery:
            raise UserError(f"{where}: the study has no `recovery`")
        named = [entry[key] for key in ("selector", "least_of") if key in entry]
        for name in entry.get("selectors", named):
            if name not in study.recovery["selectors"]:
                raise UserError(f"{where}: {name} is not among the selectors of its recovery")

    def sets(self, scenario: str, selector: str) -> pd.DataFrame:
        """What a selector chose, a row for each data set of a scenario.

        Returns
        -------
        pandas.DataFrame
            `recall`, the share of the blocks of relevant features of which a feature was chosen, a
            feature in no block being a block of its own (NaN where none is relevant);
            `false_share`, the share of noise among what was chosen (0 where nothing was);
            `any_false`, 1 where any noise was chosen; `chosen`, the number of features.
        """
        counts = pd.DataFrame(self.columns("recovery", scenario=scenario, selector=selector))
        return pd.DataFrame(
            {
                "recall": counts["blocks_found"] / counts["blocks"].replace(0, np.nan),
                "false_share": counts["false"] / counts["chosen"].clip(lower=1),
                "any_false": (counts["false"] > 0).astype(float),
                "chosen": counts["chosen"],
            }
        )


def refuse_transforms(study: "Study", entry: Entry, where: str) -> None:
    """Experiments take rows as they are."""
    if study.transforms:
        raise UserError(
            f"{where}: {entry['kind']} knows no transforms; put it into a study without any"
        )


class Surfaces(Results):
    """Stability of selectors on parts of a data set."""

    reads = ("surface",)

    def surface(self, dataset: str, selector: str) -> pd.DataFrame:
        """The stability (`value`) by numbers of `rows` and `features`."""
        return pd.DataFrame(self.columns("surface", dataset=dataset, selector=selector))


class Variation(Results):
    """How far the criteria of mRMR selectors vary over bootstraps of a data set."""

    reads = ("variation",)

    @classmethod
    def check(cls, study: "Study", entry: Entry, where: str) -> None:
        """Refuse selectors that do not weigh relevance against redundancy."""
        refuse_transforms(study, entry, where)
        for key in {"selector", "more", "than"} & set(entry):
            declared = study.selectors[entry[key]].declared
            if declared is None or not declared.balances:
                raise UserError(
                    f"{where}.{key}: {entry[key]} has no relevance and redundancy; name an mRMR "
                    "selector"
                )

    def steps(self, dataset: str, selector: str) -> pd.DataFrame:
        """Mean and deviation (`_sd`) of `relevance`, `redundancy` and `score` by `step`."""
        return pd.DataFrame(self.columns("variation", dataset=dataset, selector=selector))
