"""What the page carries of each feature, so that its table is the same for every pick."""

import json

import page_cases as cases
import pytest
from parsed_page import Parsed, page

from steadfast.page import text
from steadfast.page.feature_cells import auc, difference, points_both_ways
from steadfast.page.features import BOTH_WAYS, features_part
from steadfast.page.payload import FIRST_OF_RUN, MOST_EFFECTS, page_payload
from steadfast.page.skeleton import PARTS


def carried(found):
    """Name, direction, q-value, votes, difference and AUC of each feature; None where left out."""
    listed = page_payload(found)["features"]
    return [(*entry, *[None] * (6 - len(entry))) for entry in listed]


def test_the_page_carries_of_each_feature_what_the_table_shows():
    found = cases.with_q_values()
    for feature, entry in zip(found["features"], carried(found), strict=True):
        name, _, q, votes, differs, ranks = entry
        assert (name, q, votes) == (feature["name"], text.p_value(feature["q"]), feature["votes"])
        for shown, cell in ((differs, difference(feature)), (ranks, auc(feature))):
            fields = [*shown, *[""] * (4 - len(shown))]
            assert fields == list(cell)
            assert cell.markup().startswith(text.escape(shown[0]))


def test_columns_are_those_of_the_table_without_scripts():
    for found in (cases.good_case(), cases.with_q_values(), cases.mixed_effects()):
        titles = [e["text"] for e in Parsed(page(found)).all("th") if e.get("scope") == "col"]
        columns = [title for _, title, _ in page_payload(found)["columns"]]
        at = titles.index("Feature")
        assert titles[at : at + len(columns)] == columns


def test_of_many_features_only_those_in_front_have_effects():
    found = cases.many_selectors(6, MOST_EFFECTS + 200, 4)
    found["selectors"] = found["selectors"][1:3]
    listed = {row["feature"] for row in found["advice"]["consensus"]}
    for selector in found["selectors"]:
        for run in selector["runs"]:
            listed |= set(run[:FIRST_OF_RUN])
    found["features"] += [found["features"][0]] * (MOST_EFFECTS + 1 - len(found["features"]))
    assert {at for at, entry in enumerate(carried(found)) if entry[5]} == listed
    found["features"] = found["features"][:MOST_EFFECTS]
    assert all(entry[5] for entry in carried(found))


def test_a_study_of_methods_carries_no_effects():
    found = {**cases.with_q_values(), "of_methods": True}
    payload = page_payload(found)
    assert {len(entry) for entry in payload["features"]} == {2}
    assert payload["columns"] == []


def test_a_page_with_all_effects_stays_small():
    found = cases.with_q_values()
    with_effects = len(json.dumps(page_payload(found)["features"]))
    bare = len(json.dumps([[f["name"], f["direction"]] for f in found["features"]]))
    assert (with_effects - bare) / len(found["features"]) < 80


@pytest.mark.parametrize(
    ("effect", "both"),
    [
        ({"difference": 1.0, "auc": 0.6, "against": "a"}, False),
        ({"difference": -1.0, "auc": 0.4, "against": "a"}, False),
        ({"difference": -1.0, "auc": 0.6, "against": "a"}, True),
        ({"difference": 1.0, "auc": 0.4, "against": "a"}, True),
        ({"difference": 0.0, "auc": 0.6, "against": "a"}, False),
        ({"difference": 1.0, "auc": 0.5, "against": "a"}, False),
        ({"difference": -1.0, "auc": 0.6, "against": None}, True),
        ({"difference": 1.0, "auc": None, "against": "a"}, False),
        ({}, False),
    ],
)
def test_medians_may_point_the_other_way_than_ranks(effect, both):
    assert points_both_ways({"effect": effect}) is both


def test_the_sentence_on_medians_stands_only_where_a_listed_feature_needs_it():
    found = cases.good_case()
    assert BOTH_WAYS not in "".join(features_part(found, "h2"))
    listed = [row["feature"] for row in found["advice"]["consensus"]]
    other = next(at for at in range(len(found["features"])) if at not in listed)
    for place, shown in ((other, False), (listed[-1], True)):
        effect = found["features"][place]["effect"]
        effect["difference"] = -effect["difference"]
        assert (BOTH_WAYS in "".join(features_part(found, "h2"))) is shown
    assert {other, listed[-1]} <= set(page_payload(found)["mixed"])
    assert BOTH_WAYS in (PARTS / "features.js").read_text(encoding="utf-8")
