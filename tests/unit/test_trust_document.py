"""docs/trust.md says what the kept run of `make trust` has, and that run keeps the bars."""

import csv
from pathlib import Path

import pytest

from steadfast.core.config import read_yaml

ROOT = Path(__file__).parents[2]
STUDY = read_yaml(ROOT / "config/studies/trust.yaml")
SCENARIOS = STUDY["recovery"]["scenarios"]
TEXT = (ROOT / "docs/trust.md").read_text()
#: Rows that belong together and are not named: no rule can hold there.
NOT_EXCHANGEABLE = "groups_unnamed"


def kept(table):
    with (ROOT / f"docs/trust/{table}.csv").open(encoding="utf-8") as file:
        return {(row["scenario"], row["selector"]): row for row in csv.DictReader(file)}


RECOVERY, NOISE = kept("recovery"), kept("noise")


def numbers(row):
    """What a cell of the document says."""
    told = ["any_false"] if row["recall"] in ("", "nan") else ["recall", "false_share"]
    return [pytest.approx(float(row[key]), abs=0.0051) for key in told]


@pytest.mark.parametrize("found", [RECOVERY, NOISE], ids=["recovery", "noise"])
def test_the_tables_of_the_document_are_those_of_the_kept_run(found):
    lines = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
    rows = {label: cells for label, *cells in lines}
    for scenario in dict.fromkeys(name for name, _ in found):
        cells = rows[SCENARIOS[scenario]["label"]]
        said = [[float(number) for number in cell.split(" / ")] for cell in cells]
        assert said == [numbers(found[scenario, one]) for one in STUDY["selectors"]], scenario


def test_the_kept_run_has_every_scenario_and_method():
    known = {(scenario, selector) for scenario in SCENARIOS for selector in STUDY["selectors"]}
    assert RECOVERY.keys() | NOISE.keys() == known
    assert all(
        int(row["sets"]) >= 20 for (_, one), row in (RECOVERY | NOISE).items() if one == "trusted"
    )


def test_at_most_a_small_share_of_what_is_trusted_is_false():
    for (scenario, selector), row in RECOVERY.items():
        if selector == "trusted" and scenario != NOT_EXCHANGEABLE:
            assert float(row["false_share"]) <= 0.08, scenario


def test_few_tables_of_noise_have_a_trusted_feature():
    shares = [float(row["any_false"]) for (_, one), row in NOISE.items() if one == "trusted"]
    assert sum(shares) / len(shares) <= 0.06


@pytest.mark.parametrize(
    ("scenario", "least"), [("independent", 0.55), ("blocks", 0.85), ("xor", 0.6)]
)
def test_enough_is_found(scenario, least):
    assert float(RECOVERY[scenario, "trusted"]["recall"]) >= least


def test_the_rule_finds_at_least_what_votes_find():
    for scenario in dict.fromkeys(name for name, _ in RECOVERY):
        own, votes = (float(RECOVERY[scenario, one]["recall"]) for one in ("trusted", "votes"))
        assert own >= votes, scenario
