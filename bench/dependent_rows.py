"""How often are rows of the same subjects noticed, where no column names the subjects?

`python bench/dependent_rows.py [--keep]` draws tables of noise whose rows come from 40 subjects,
in random order, and prints the share of them for which `locate_signal` finds that rows may belong
together; then the same share of tables with independent rows, where it is the share of false
alarms. `--keep` writes both to docs/trust.md. One minute on one core.
"""

import sys
from collections.abc import Iterator

import numpy as np
import yaml
from noise_tables import Scenario, make_table, normal
from shown import ROOT, as_markdown, show

from steadfast.api.data import to_table
from steadfast.data.sources.scenario import scenario
from steadfast.data.table import Table
from steadfast.data.table import make_table as checked_table
from steadfast.selectors.trust.dependent_rows import locate_signal

DOCUMENT = ROOT / "docs/trust.md"

#: Features of the tables, correlation of two rows of one subject, rows of each subject.
FEATURES, CORRELATIONS, ROWS_EACH = (10, 20, 50, 200), (0.1, 0.3, 0.5, 0.7, 0.9), (2, 5, 10)

#: Subjects of each class, and tables of each kind: of two classes and of three in turn.
SUBJECTS, TABLES = ((20, 20), (14, 13, 13)), 50

#: Tables of each scenario with independent rows.
INDEPENDENT_TABLES = 20


def is_noticed(table: Table) -> bool:
    """Whether rows may belong together, by the rule."""
    found = locate_signal(table)
    return found is not None and found.rows_may_belong_together


def share_of_subjects(features: int, correlation: float, rows_each: int) -> float:
    """The share of tables with subjects that are noticed."""
    within = (1 / correlation - 1) ** 0.5
    found = []
    for number in range(TABLES):
        one = Scenario(
            name=f"dependent-{features}-{correlation}-{rows_each}",
            label="",
            tables=TABLES,
            classes=SUBJECTS[number % len(SUBJECTS)],
            features=normal(features),
            subjects="shuffled",
            within=within,
            rows_each=rows_each,
        )
        table, _ = to_table(*make_table(one, number, seed=1), name=one.name, title=one.name)
        found.append(is_noticed(table))
    return float(np.mean(found))


def independent_scenarios() -> Iterator[tuple[str, dict]]:
    """The scenarios of `make trust` with relevant features and independent rows."""
    study = yaml.safe_load((ROOT / "config/studies/trust.yaml").read_text())
    for settings in study["recovery"]["scenarios"].values():
        if settings.get("relevant") and not settings.get("groups"):
            yield settings["label"], {key: settings[key] for key in settings if key != "label"}


def share_of_independent(label: str, settings: dict) -> float:
    """The share of tables of a scenario with independent rows that are noticed: false alarms."""
    found = []
    for seed in range(INDEPENDENT_TABLES):
        frame = scenario(label, {**settings, "seed": seed})
        table = checked_table(frame.X, frame.labels, frame.features, label, frame.levels)
        found.append(is_noticed(table))
    return float(np.mean(found))


def main() -> None:
    """Draw, print, keep."""
    header = ["Features", "correlation", *(f"{rows} rows each" for rows in ROWS_EACH)]
    subjects = [
        [features, correlation]
        + [f"{share_of_subjects(features, correlation, rows):.2f}" for rows in ROWS_EACH]
        for features in FEATURES
        for correlation in CORRELATIONS
    ]
    independent = [
        (label, INDEPENDENT_TABLES, share_of_independent(label, settings))
        for label, settings in independent_scenarios()
    ]
    for label, tables, share in independent:
        print(f"{label}: {share:.2f} of {tables} tables with independent rows")
    tables = sum(tables for _, tables, _ in independent)
    alarms = round(sum(tables * share for _, tables, share in independent))
    total = [("Independent rows, features related to the class", tables, alarms)]
    found = {
        "dependent-rows": as_markdown(header, subjects),
        "independent-rows": as_markdown(("Scenarios", "tables", "false alarms"), total),
    }
    for name, table in found.items():
        print(table, end="\n\n")
        if "--keep" in sys.argv[1:]:
            show(name, table, DOCUMENT)


if __name__ == "__main__":
    main()
