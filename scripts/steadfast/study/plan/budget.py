"""The budget of a study: which tasks are run on fewer rows of a table, once it is there."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.core.files import read_verified
from steadfast.data.own_tables import STUDY_FILE
from steadfast.study.budget import ACCURACY, PROBES, SELECT, TRUST, Budget
from steadfast.study.costs import shape_of
from steadfast.study.plan.base import PlanBase, as_json, as_ordered_json, option
from steadfast.study.run import under


class BudgetPlan(PlanBase):
    """Options of jobs that follow from the shape of a table and the budget of a study.

    Nothing where the study has no budget. Else the table's description must be there: Snakemake
    asks again once it is.
    """

    def budget(self, study: str, dataset: str) -> Budget | None:
        """What a study costs on a data set, and how it is made to fit."""
        one = self.studies[study]
        if one.budget is None:
            return None
        if self.stored:
            raise UserError(
                f"study {study}: its budget follows from the table, which is in a storage; leave "
                "`budget` out of the study, or run it where machines share a folder"
            )
        about = _read(self._about(dataset))
        return Budget(one, dataset, shape_of(about), 1 / len(one.datasets))

    def waits_for_table(self, study: str, dataset: str) -> bool:
        """Whether nothing can be said yet: the study has a budget, the table is not there."""
        waits = self.studies[study].budget is not None and not self.stored
        return waits and not self._about(dataset).exists()

    def _about(self, dataset: str) -> Path:
        return Path(self.paths("data", "json", dataset=dataset))

    def selection_rows(self, study: str, dataset: str, selector: str) -> str:
        return self._option(study, dataset, SELECT, selector)

    def probes_rows(self, study: str, dataset: str, selector: str) -> str:
        return self._option(study, dataset, PROBES, selector)

    def trust_rows(self, study: str, dataset: str) -> str:
        return self._option(study, dataset, TRUST, "")

    def _usual_runs(self) -> int | None:
        """Subsamples as its file has them; only `advise` draws fewer where time is short."""
        if not self.config["data"]:
            return None
        return read_yaml(under(self.run.root, STUDY_FILE))["resample"].get("repeats")

    def _option(self, study: str, dataset: str, stage: str, name: str) -> str:
        budget = self.budget(study, dataset)
        return "" if budget is None else option("rows", budget.rows(stage, name))

    def accuracy_rows(self, study: str, dataset: str) -> str:
        """Rows by classifier."""
        budget = self.budget(study, dataset)
        rows = budget.fewer_rows().get(ACCURACY) if budget else None
        return "" if not rows else option("rows", as_json(rows))

    def fewer_option(self, study: str, dataset: str) -> str:
        """What is run on fewer rows or subsamples, for the page."""
        budget = self.budget(study, dataset)
        told = fewer(budget, self._usual_runs()) if budget else {}
        return option("fewer", as_ordered_json(told)) if told else ""


def fewer(budget: Budget, usual: int | None) -> dict[str, Any]:
    """What is made smaller, rows and subsamples, with names in print; empty where nothing is.

    `usual` is how many subsamples the study draws where there is time.
    """
    rows = budget.fewer_rows()
    cut = usual and budget.runs and budget.runs < usual and not budget.with_runs(usual).fits
    if not rows and not cut:
        return {}
    study = budget.study
    labels = {name: one.label for name, one in study.selectors.items()} | study.classifier_labels
    training = max((task.rows for task in budget.tasks if task.stage != TRUST), default=0)
    return {
        "minutes": study.budget,
        "rows": rows,
        "labels": {name: label for name, label in labels.items() if _is_named(rows, name)},
        "training": training,
        "all": budget.shape.rows,
        **({"runs": [budget.runs, usual]} if cut else {}),
    }


def _is_named(rows: dict[str, dict[str, int]], name: str) -> bool:
    return any(name in own for own in rows.values())


@cache
def _read(path: Path) -> dict[str, Any]:
    return json.loads(read_verified(path))
