"""The picture of the rules: how it is made of a graph, and the names in the one that is kept."""

import re

import pytest
from rules_text import ROOT, rules

import rulegraph

ORDER = ["a", "b", "c", "d"]


def test_an_edge_that_a_longer_way_stands_for_is_left_out():
    edges = {("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")}
    assert rulegraph.reduced(edges) == {("a", "b"), ("b", "c"), ("a", "d")}


def test_of_two_rules_that_read_each_other_the_first_declared_stands_above():
    forward, both = rulegraph.one_way({("c", "b"), ("b", "c"), ("a", "b")}, ORDER)
    assert forward == {("a", "b"), ("b", "c")}
    assert both == {("b", "c")}


def test_a_rule_stands_below_all_that_it_waits_for():
    layer = rulegraph.layers(ORDER, {("a", "b"), ("b", "d"), ("c", "d")})
    assert layer == {"a": 0, "b": 1, "c": 0, "d": 2}


def test_a_long_way_bends_in_every_row_between():
    edges = {("a", "b"), ("b", "d"), ("c", "d")}
    rows, ways = rulegraph.stages(edges, rulegraph.layers(ORDER, edges))
    assert ways["c", "d"] == ["c", "c>d>1", "d"]
    assert sorted(rows[1]) == ["b", "c>d>1"]


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_graph_gives_the_same_picture(seed):
    edges = [("a", "b"), ("b", "d"), ("c", "d"), ("d", "b")]
    shuffled = edges[seed:] + edges[:seed]
    text = rulegraph.drawing(ORDER[::-1] if seed else ORDER, set(shuffled), ORDER)
    assert text == rulegraph.drawing(ORDER, set(edges), ORDER)
    assert text.count('marker-start="url(#head)"') == 1


def test_the_kept_picture_has_the_rules_of_the_workflow():
    """`make rulegraph` draws it; tests/workflow/test_picture_of_rules.py compares all of it."""
    drawn = re.findall(r"<text [^>]+>([^<]+)<", (ROOT / "docs" / "rulegraph.svg").read_text())
    # `default` only names `all` again, for Snakemake called in the project's folder.
    assert sorted(drawn) == sorted([*(rules().keys() - {"default"}), "your rule"])
