"""The page of the whole run: every claim, every link, no network, numbers where they belong."""

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import index_cases as cases
import pytest

from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest
from steadfast.outputs.published import Pair, to_csv
from steadfast.reports.document import document
from steadfast.reports.index.page import index_page
from steadfast.reports.index.panels import kind_of_point, make_panels, nice_scale
from steadfast.reports.index.papers import group_by_paper
from steadfast.reports.index.scatter import LEFT, LENGTH, TOP, point_title, position
from steadfast.reports.index.study import read_part
from steadfast.reports.markdown import render, render_line
from steadfast.study.plan import Plan
from steadfast.study.run import load_run

ROOT = Path(__file__).parents[2]


class Elements(HTMLParser):
    """All elements of a page with their attributes, and its text."""

    def __init__(self, page: str):
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def values(self, attribute):
        return [attrs[attribute] for _, attrs in self.found if attribute in attrs]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "some results"
    cases.write_results(folder, cases.context())
    return folder


@pytest.fixture(scope="module")
def page(folder) -> str:
    return index_page(cases.context(), str(folder)).decode()


def test_every_claim_stands_there_with_its_verdict_and_numbers(page):
    text = Elements(page).text
    for study in ("one2001", "one2001_more"):
        section = page[page.index(f'id="study-{study}"') :]
        for claim in cases.claims(study)["claims"]:
            one = section[section.index(f'id="{study}-claim{claim["number"]}"') :]
            one = Elements(one[: one.index("</li>")]).text
            assert f"Claim {claim['number']} of {study}" in one
            assert claim["verdict"] in one
            assert claim["sentence"] in one
            assert f"Cases: {claim['for']} for it, 0 open, {claim['against']} against it." in one
    assert "A claim holds if most cases are for it." in text
    assert text.count("A claim holds if") == 1, "a rule of all studies is told once"


def test_verdicts_are_counted_over_all_studies(page):
    tiles = re.findall(r'<li class="tile (\w+)"><strong>(\d+)</strong>', page)
    assert tiles == [("holds", "2"), ("part", "2"), ("not", "2"), ("untested", "2")]
    assert "8 claims in 3 studies of 1 paper" in Elements(page).text
    row = page[page.index('href="#study-mine"') :]
    assert row[: row.index("</tr>")].count('class="nothing"') == 6


def test_every_link_leads_to_a_file_or_a_place_of_the_page(page, folder):
    elements = Elements(page)
    ids = elements.values("id")
    assert len(set(ids)) == len(ids)
    for link in elements.values("href") + elements.values("src"):
        if link == "https://example.org/x.png":
            continue
        assert not link.startswith(("/", "file:", "http")), link
        if link.startswith("#"):
            assert unquote(link[1:]) in ids
        else:
            assert (folder / unquote(link)).is_file(), link
    wanted = [
        "one2001/tables/table1.csv",
        "one2001/tables/table1.md",
        "one2001/figures/figure1.svg",
    ]
    wanted += ["one2001/summary.md", "one2001/page.html", "benchmarks/one2001/times.md"]
    wanted += ["data/wine.json", "one2001/claims.json", "one2001/published.csv"]
    assert set(wanted) <= set(elements.values("href"))


def test_names_are_text_and_nothing_is_loaded_from_elsewhere(page):
    elements = Elements(page)
    assert cases.MARKUP in elements.text
    assert not [tag for tag, _ in elements.found if tag in ("script", "b", "iframe", "link")]
    assert not elements.values("style"), "the policy allows no style attributes"
    assert all(
        source.startswith("one2001") or source.startswith("mine")
        for source in elements.values("src")
    )
    policy = next(a["content"] for _, a in elements.found if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script" not in policy
    assert "http" not in policy
    assert "javascript:" not in "".join(elements.values("href"))


def test_equal_results_give_equal_bytes_wherever_they_lie(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cases.write_results(Path("elsewhere"), cases.context())
    again = index_page(cases.context(), "elsewhere").decode()
    assert again == page
    assert str(tmp_path) not in page


def test_what_was_left_out_or_changed_is_told(page):
    text = Elements(page).text
    assert "table9 (cloud)" in text
    assert "mine: datasets, sizes" in text
    command = "--config 'studies=[one2001, one2001_more, mine]' seed=7"
    assert f"{command} and the same configuration files" in text


def test_the_command_names_settings_that_it_leaves_out(folder):
    run = {**cases.context(), "changes": {}}
    usual = Elements(index_page(run, str(folder)).decode()).text
    assert "seed=7All tables" in usual
    run["settings"] = ["local_data", "verdicts"]
    changed = Elements(index_page(run, str(folder)).decode()).text
    assert "seed=7 and the same local_data, verdictsAll tables" in changed


def test_a_paper_of_several_studies_has_its_verdicts_in_words(page):
    words = "Of 8 claims 2 hold, 2 hold in part, 2 do not hold and 2 cannot be tested here."
    assert words in Elements(page).text


def test_a_report_is_linked_where_the_run_writes_one(folder):
    run = {**cases.context(), "replications": ["one2001"]}
    assert 'href="replications/one2001.html"' in index_page(run, str(folder)).decode()


def test_damaged_verdicts_are_named(tmp_path):
    cases.write_results(tmp_path, cases.context())
    (tmp_path / "one2001/claims.json").write_text("{}")
    with pytest.raises(UserError, match=r"claims\.json: its content differs from the checksum"):
        index_page(cases.context(), str(tmp_path))


def test_studies_stand_under_their_paper():
    one, none = group_by_paper(cases.context()["studies"])
    assert (one.heading, one.studies) == ("One (2001), A Paper", ["one2001", "one2001_more"])
    assert one.rest("One (2001), A Paper, chapter 2") == "chapter 2"
    assert (none.heading, none.studies) == ("Studies of no paper", ["mine"])


# Published against ours


@pytest.fixture
def labels(folder):
    return read_part(cases.context()["studies"][0], str(folder)).labels


def test_numbers_share_a_chart_only_if_they_share_a_scale(labels):
    panels = make_panels(cases.PAIRS, labels)
    assert [(p.table, p.quantity, p.low, p.high, len(p.pairs)) for p in panels] == [
        ("table1", "", 1, 5, 3),
        ("table2", "", 0, 1, 2),
        ("table2", "size", 6, 7.5, 1),
        ("table3", "", 0, 1, 2),
    ], "how many runs there were is no result"


def test_a_point_lies_where_its_numbers_say(labels, page):
    ranks = make_panels(cases.PAIRS, labels)[0]
    assert position(ranks, ranks.pairs[0]) == (LEFT, TOP + 0.75 * LENGTH)
    x, y = position(ranks, ranks.pairs[1])
    assert x - LEFT == TOP + LENGTH - y, "equal numbers lie on the line"
    assert f'transform="translate({LEFT:.1f} {TOP + 0.75 * LENGTH:.1f})" class="point same"' in page


def test_points_of_other_data_and_readings_are_marked():
    kinds = [kind_of_point(pair, ["again"]) for pair in cases.PAIRS]
    assert kinds == [
        "same",
        "same",
        "stand-in",
        "same",
        "same",
        "reading",
        "same",
        "other",
        "other",
    ]
    assert kind_of_point(Pair("t", "r", "c", 1, 1, 1, 1, "misprint")) == "note"


def test_a_chart_says_how_far_apart_its_numbers_are(page, labels):
    text = Elements(page).text
    assert "on average 0.50 apart (2 numbers)" in text, "of the paper's data"
    assert "on average 1.00 apart (1 number)" in text, "of a stand-in"
    assert "on average 0.20 apart (2 numbers), rank correlation 1.00" in text, "of other data"
    title = point_title(cases.PAIRS[2], labels)
    assert title.endswith("MID: published 5, ours 4 (digits stands in for letters)")


@pytest.mark.parametrize(
    ("values", "scale"), [((1, 5), (1, 5, 1)), ((0.3, 8.2), (0, 10, 2)), ((3, 3), (2, 4, 1))]
)
def test_scales_end_at_round_numbers_around_the_values(values, scale):
    low, high, step = nice_scale(*values)
    assert low <= min(values)
    assert max(values) <= high
    assert (low, high, step) == scale


# Markdown


def test_markdown_keeps_tables_and_loses_what_could_run():
    shown = render(
        "# Title\n\n| a | b |\n| --- | :---: |\n| 1 | <i>x</i> |\n\n[y](javascript:x)", top=3
    )
    assert "<h3>Title</h3>" in shown
    assert '<div class="scroll"><table>' in shown
    assert '<td class="center">&lt;i&gt;x&lt;/i&gt;</td>' in shown
    assert "href" not in shown
    assert render_line("a *b* <c>") == "a <em>b</em> &lt;c&gt;"


def test_pictures_are_shown_only_from_beside_the_page():
    assert render("![x](a/b.png)") == '<p><img src="a/b.png" alt="x" loading="lazy"></p>\n'
    for far in ("https://example.org/x.png", "//example.org/x.png", "/etc/x.png"):
        assert "<img" not in render(f"![x]({far})")


def test_a_document_without_pictures_may_load_none():
    assert "img-src" not in document("t", render("x")).decode().partition("<style>")[0]


# The plan


def test_each_link_of_the_default_run_is_vouched_for_by_an_input_of_the_rule(tmp_path, monkeypatch):
    """All studies of the default configuration, with verdicts and numbers made up."""
    monkeypatch.chdir(ROOT)
    results = str(tmp_path / "results")
    config = {**read_yaml(ROOT / "config/config.yaml"), "results": results}
    plan = Plan(load_run(config, ROOT), "scripts")
    run = json.loads(plan.index_context())
    for study in run["studies"]:
        folder = Path(results, study["study"])
        write_with_manifest(
            {
                folder / "summary.md": b"",
                folder / "claims.json": json.dumps(cases.claims("x")).encode(),
            }
        )
        if study["has_published"]:
            write_with_manifest({folder / "published.csv": to_csv([])})
        for dataset in study["datasets"]:
            about = json.dumps(cases._about(dataset)).encode()
            write_with_manifest({Path(results, "data", f"{dataset}.json"): about})
    links = set(Elements(index_page(run, results).decode()).values("href"))
    files = {os.path.relpath(file, results) for file in plan.index_files()}
    for link in links:
        if not link.startswith(("#", "https:")):
            path = Path(link)
            vouched = path.with_name(
                "summary.sha256" if path.stem == "claims" else f"{path.stem}.sha256"
            )
            assert str(vouched) in files, link
    assert len(plan.index_context()) < 60_000, "a command of Snakemake is one argument"
    assert f"{results}/index.html" in plan.targets()
