"""Kept runs: what is kept, how others differ from it, and the report that is made of it."""

import hashlib
import json
import re
import shutil
import sys
from dataclasses import replace

import pytest
from documents import ROOT
from kept_cases import CLAIMS, PROSE, TABLE, Made

import compare_runs
import keep_run
from steadfast.core import cli
from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.core.paths import Paths, paper_of
from steadfast.reports.replications import keeping
from steadfast.reports.replications.differences import (
    compare_study,
    compare_tables,
    other_causes,
    total,
)
from steadfast.reports.replications.kept import KeptRun, read_study
from steadfast.reports.replications.prose import read_prose, read_settled
from steadfast.reports.replications.report import replication_page
from steadfast.study.plan import Plan


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A made-up run that was kept; not to be changed."""
    own = Made(tmp_path_factory.mktemp("made"))
    own.write()
    own.loaded = own.run()
    own.kept = own.keep(own.loaded)
    return own


@pytest.fixture
def other(made, tmp_path):
    """An equal run beside the kept one, to be changed."""
    own = Made(tmp_path / "other")
    shutil.copytree(made.folder, own.folder, ignore=shutil.ignore_patterns("kept"))
    config = {**made.loaded.config, "results": str(own.results)}
    own.loaded, own.kept = replace(made.loaded, config=config), made.kept
    return own


def difference(other, study="first"):
    new = read_study(Paths(str(other.results)), study)
    return compare_study(study, other.kept.study(study), new)


# Keeping


def test_what_is_kept_is_what_the_run_wrote(made):
    kept = made.kept.folder
    places = [p.relative_to(kept).as_posix() for p in sorted(kept.rglob("*")) if p.is_file()]
    own = ["claims.json", "published.csv", "summary.md", "tables/data.csv", "tables/data.md"]
    expected = [f"{study}/{name}" for study in CLAIMS for name in own]
    figure = "first/figures/curves.svg.gz"
    assert set(places) == {*expected, figure, "run.json", "run.sha256"}
    assert made.kept.figure("first", "curves") == ("image/svg+xml", b"<svg/>")
    for place in expected:
        assert (kept / place).read_bytes() == (made.results / place).read_bytes()
    for line in (kept / "run.sha256").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((kept / name).read_bytes()).hexdigest() == digest


def test_the_description_of_a_kept_run_says_how_it_was_made(made):
    text = (made.kept.folder / "run.json").read_text()
    about = json.loads(text)
    assert text.startswith('{\n "paper": "first",\n "commit": "abc123",')
    assert (about["date"], about["seed"], about["config"]) == ("2026-01-02", 1, "config/paper.yaml")
    assert about["versions"] == {"steadfast": "0.1.0", "numpy": "2"}
    wine = about["datasets"]["wine"]
    assert (wine["rows"], wine["features"], wine["classes"]) == (178, 13, 2)
    assert (wine["origin"], wine["licence"]) == ("made up", "free")
    first = about["studies"]["first"]
    assert first["overrides"] == {"title": "Mine, changed"}
    assert (first["jobs"], first["cpu_seconds"], first["largest_job_mb"]) == (1, 62, 123)
    assert first["folds"]["number"] == 4
    assert first["runs"]["wine"] == {"most": 4, "fewer": {}}
    assert first["runs"]["wdbc"] == {"most": 4, "fewer": {"slow": 2}}
    assert first["selectors"]["slow"]["label"] == "Slow & sure"
    assert list(first["stand_ins"]) == ["wdbc"]
    assert first["left_out_files"] == {}


def test_keeping_twice_gives_equal_bytes_and_leaves_nothing_old(other):
    kept = other.keep(other.loaded)
    first = {path: path.read_bytes() for path in kept.folder.rglob("*") if path.is_file()}
    (kept.folder / "first/tables/old.csv").write_text("old\n")
    other.keep(other.loaded)
    assert {p: p.read_bytes() for p in kept.folder.rglob("*") if p.is_file()} == first


def test_a_large_table_is_named_instead_of_kept(other, monkeypatch):
    monkeypatch.setattr(keeping, "LARGEST_TABLE", 50)
    other.write_table("first", [["wine", 0.1, 1.5, "x" * 99]])
    kept = other.keep(other.loaded)
    assert "tables/data.csv" in kept.about["studies"]["first"]["left_out_files"]
    assert "tables/data" in kept.study("first").not_kept
    assert not (kept.folder / "first/tables/data.csv").exists()


def test_a_run_without_a_study_is_refused(other):
    shutil.rmtree(other.results / "first_more")
    with pytest.raises(UserError, match=r"first_more: is not a finished run.*make paper\)$"):
        other.keep(other.loaded)
    assert not (other.folder / "kept").exists()


def test_a_smaller_run_is_not_kept_as_a_larger_one(other):
    other.write_runs("first", "wdbc", "slow", 1)
    with pytest.raises(UserError, match="first: 1 runs of slow on wdbc, and 2 in the config"):
        other.keep(other.loaded)


def test_a_damaged_result_is_not_kept(other):
    (other.results / "first/tables/data.csv").write_text("a\n1\n")
    with pytest.raises(UserError, match=r"data\.csv: its content differs"):
        other.keep(other.loaded)


def test_a_folder_that_holds_something_else_is_not_deleted(other):
    (other.folder / "kept/first").mkdir(parents=True)
    (other.folder / "kept/first/mine.txt").write_text("mine")
    with pytest.raises(UserError, match="holds no kept run, and is not empty"):
        other.keep(other.loaded)


def test_a_kept_file_that_was_edited_is_named(other):
    kept = other.keep(other.loaded)
    (kept.folder / "first/claims.json").write_text("{}")
    with pytest.raises(UserError, match=r"claims\.json: is not as it was kept"):
        KeptRun(kept.folder).claims("first")


# Differences


def test_equal_runs_are_equal_to_the_last_digit(other):
    found = difference(other)
    assert [*found.lines()] == ["first: equal to the last digit (2 tables, 2 claims)"]
    assert total([found]) == (
        "In all: 1 study compared, 1 equal to the last digit; 0 verdicts changed, 0 of 2 tables "
        "differ"
    )


def test_a_changed_verdict_is_named_with_its_sentence(other):
    other.write_study("first", n2="holds in part")
    assert [*difference(other).lines()] == [
        "first: 1 of 2 verdicts changed; 0 of 2 tables differ",
        "  verdict: claim 2: does not hold → holds in part: Sentence 2 of first.",
    ]


def test_cells_that_differ_are_counted_and_the_largest_is_named(other):
    rows = [list(row) for row in TABLE]
    rows[0][2], rows[1][2], rows[2][3] = 1.25, 2.6, "no"
    other.write_table("first", rows)
    assert [*difference(other).lines()] == [
        "first: 0 of 2 verdicts changed; 1 of 2 tables differ",
        "  tables/data: 3 of 6 cells differ, most wine, 0.1: value: 1.5 → 1.25 (-0.25, 0.17 of the "
        "kept number)",
    ]


def test_rows_of_one_run_alone_are_named(other):
    other.write_table("first", [*TABLE[:2], ["iris", 0.1, 1.0, "yes"]])
    assert "  tables/data: wdbc, 0.1 only in the kept run; iris, 0.1 only in this run" in [
        *difference(other).lines()
    ]


def test_other_data_and_another_number_of_runs_are_said(other):
    other.write_data("wine", 178, "another file")
    other.write_runs("first", "wdbc", "fisher", 1)
    other.write_runs("first", "wine", "fisher", 1)
    assert [*difference(other).lines()][1:] == [
        "  size: this run: 1 run, kept: 4 (wdbc: fisher; wine: fisher)",
        "  data: wine has another checksum than in the kept run",
    ]


def test_tables_are_matched_by_as_many_first_columns_as_tell_rows_apart():
    kept = b"a,b,c,d\nx,1,0.5,nan\nx,2,0.25,t\ny,1,0.5,\n"
    new = b"a,b,d,c,e\ny,1,,0.5,1\nx,2,t,0.250,1\nx,1,nan,0.75,1\n"
    found = compare_tables("it", kept, new)
    assert [(cell.row, cell.column) for cell in found.cells] == [(("x", "1"), "c")]
    assert (found.compared, found.only_kept, found.only_new) == (6, [], ["e"])


def test_rows_that_no_column_tells_apart_are_matched_in_their_order():
    found = compare_tables("it", b"a,b\nx,1\nx,1\n", b"a,b\nx,1\nx,2\n")
    assert [str(cell) for cell in found.cells] == ["x, no. 2: b: 1 → 2 (+1, 1 of the kept number)"]


def test_texts_and_undefined_numbers_are_differences():
    found = compare_tables("it", b"a,b\nx,1\ny,nan\n", b"a,b\nx,\ny,0\n")
    assert [str(cell) for cell in found.cells] == ["x: b: 1 → nothing", "y: b: nan → 0"]


def test_seed_and_versions_are_likely_causes(made):
    versions = {"steadfast": "0.1.0", "numpy": "2"}
    same = ["seed and versions are those of the kept run"]
    assert other_causes(made.kept.about, 1, versions) == same
    assert other_causes(made.kept.about, 7, {"steadfast": "0.1.0", "numpy": "3"}) == [
        "likely causes of differences: seed 7, kept: 1; numpy 3, kept: 2"
    ]


# Commands


def command(main, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["command", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        cli.run(main)
    # A line that was printed, or the number that the command ends with.
    return str(ended.value) if isinstance(ended.value, cli.Ended) else ended.value.code


def test_the_command_compares_study_by_study(other, monkeypatch, capsys):
    other.write_study("first_more", n1="holds")
    kept = other.kept.folder.parent
    assert command(compare_runs.main, monkeypatch, other.results, "--kept", kept) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "first, kept on 2026-01-02 at abc123"
    assert "first: equal to the last digit (2 tables, 2 claims)" in lines
    assert "  verdict: claim 1: holds in part → holds: Sentence 1 of first_more." in lines
    assert lines[-1].startswith("In all: 2 studies compared, 1 equal to the last digit; 1 verdict")
    given = (other.results, "--kept", kept, "--strict")
    assert command(compare_runs.main, monkeypatch, *given) == 1


def test_what_is_missing_is_said_in_one_line(other, monkeypatch, capsys, tmp_path):
    nothing = tmp_path / "nothing"
    ended = command(compare_runs.main, monkeypatch, nothing)
    assert ended == f"steadfast: {nothing}: holds no study that has ended; run snakemake first"
    assert command(compare_runs.main, monkeypatch, other.results, "--kept", nothing) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"no kept run in {nothing} (make keep): first, first_more"
    ended = command(keep_run.main, monkeypatch, nothing, "--paper", "gulgezen2009")
    assert re.fullmatch(r"steadfast: \S+summary\.md: is not there; [^\n]+", ended)


# The report


def settled(folder):
    path = folder / "document.md"
    path.write_text(
        "# Paper\n\n## Settled where the paper is silent\n\n| q | a |\n|---|---|\n| w | z |\n"
    )
    return read_settled(path)


@pytest.fixture(scope="module")
def page(made):
    made.page = replication_page(made.kept, read_prose(made.prose_file), settled(made.folder))
    return made.page.decode()


def test_the_report_has_every_section_in_order(page):
    headings = [re.sub(r"<[^>]+>", "", text) for text in re.findall(r"<h2>(.*?)</h2>", page)]
    assert headings == [
        "1 Summary",
        "2 Scope of the replication",
        "3 Methodology",
        "4 Settled where the paper is silent",
        "5 Results",
        "6 Readings tried",
        "7 What was easy",
        "8 What was hard",
        "9 Errata",
        "10 How to repeat it",
        "A The numbers behind each claim",
        "B References",
    ]
    for link in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{link}"' in page


def test_the_report_has_every_claim_with_verdict_sentence_and_numbers(page):
    results = page.partition("5 Results</h2>")[2]
    number = 0
    for study, claims in CLAIMS.items():
        for own, (_, verdict) in enumerate(claims, 1):
            number += 1
            claim = re.search(rf'<article id="claim-{number}".*?</article>', results, re.DOTALL)[0]
            assert f"</svg>{verdict}</span>" in claim
            assert f"Sentence {own} of {study}." in claim
            assert f"Numbers {own} of {study}." in page.partition('id="section-A"')[2]
    assert "Fisher is <em>stable</em>." in page
    assert "Slow is &lt;slow&gt;." in page
    words = "1 holds, 1 holds in part, 1 does not hold and 1 cannot be tested here."
    assert f"Of 4 claims {words}" in page


def test_the_report_says_how_it_was_done(page):
    for words in (
        "Slow &amp; sure: mid, on bins",
        "Wdbc: 2 of 4 runs: Slow &amp; sure",
        "Handwritten Digits",
        "made up; free",
        "62 s",
        "numpy 2",
        "abc123",
        '0.70 <span class="published">(0.50)</span>',
        "Mean absolute difference 0.10",
        "A claim holds where most cases speak for it.",
        "The authors of the paper were not asked.",
        "Another (1999). Anything.",
        "Donor of wine",
    ):
        assert words in page


def test_the_report_needs_no_other_file_and_is_equal_twice(made, page):
    assert re.findall(r'(?:src|href)="(?!#|data:image/svg)[^"]*"', page) == []
    assert "url(" not in page
    assert "<script" not in page
    assert str(made.folder) not in page
    again = replication_page(made.kept, read_prose(made.prose_file), settled(made.folder))
    assert again == made.page


MISTAKES = [
    ("## Errata\n\nNone found.\n", "", "## Errata: this section is missing or empty"),
    ("## Errata", "## Erata", "## Erata: no such section; did you mean 'Errata'?"),
    ("title:", "titel:", "titel: unknown key; did you mean 'title'?"),
    ('title: "[Re] Something"\n', "", "title: this key is missing"),
    ("first/figures/curves", "curves", "figures: curves: must be STUDY/figures/NAME"),
    ("first/figures", "last/figures", "figures: last/figures/curves: last is no study of this"),
    ("---\n", "", "line 1: begin with fields in YAML between two lines"),
]


@pytest.mark.parametrize(("old", "new", "said"), MISTAKES)
def test_a_mistake_in_the_prose_is_one_line(old, new, said, tmp_path):
    path = tmp_path / "first.md"
    path.write_text(PROSE.replace(old, new))
    with pytest.raises(UserError) as raised:
        read_prose(path)
    assert str(raised.value).startswith(f"{path}: {said}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("first_more", "first_mroe", "studies: first_mroe: is not in the kept run .*'first_more'"),
        ("figures/curves", "figures/lost", "figures: first/figures/lost: is not in the kept run"),
    ],
)
def test_prose_about_what_was_not_kept_is_one_line(old, new, said, made, tmp_path):
    path = tmp_path / "first.md"
    path.write_text(PROSE.replace(old, new))
    with pytest.raises(UserError, match=said):
        replication_page(made.kept, read_prose(path), settled(tmp_path))


@pytest.mark.parametrize("path", sorted((ROOT / "config/replications").glob("*.md")), ids=str)
def test_the_prose_of_every_paper_fits_its_studies(path):
    prose = read_prose(path)
    files = {study: ROOT / f"config/studies/{study}.yaml" for study in prose.studies}
    assert all(paper_of(study) == path.stem for study in files)
    named = {file.stem for file in (ROOT / "config/studies").glob(f"{path.stem}*.yaml")}
    assert set(prose.studies) == named
    for study, figure in prose.figures:
        assert figure in read_yaml(files[study])["figures"]
    assert read_settled(ROOT / f"docs/reproduce/{path.stem}.md")


def test_a_report_is_asked_for_where_a_run_was_kept_and_prose_written(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = Plan(replace(made.loaded, root=tmp_path), "scripts")
    assert plan.reported_papers() == []
    shutil.copytree(made.kept.folder, tmp_path / "docs/replications/first")
    assert plan.reported_papers() == []
    (tmp_path / "config/replications").mkdir(parents=True)
    shutil.copy2(made.prose_file, tmp_path / "config/replications/first.md")
    of_config = ("config/config.yaml", "config/datasets.yaml")
    for name in (*of_config, "workflow/schemas/config.schema.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    assert plan.reported_papers() == ["first"]
    assert f"{made.results}/replications/first.html" in plan.targets()
    assert "docs/replications/first/run.json" in plan.kept_files("first")
    assert f"{made.results}/replications/first.sha256" in plan.index_files()
    assert json.loads(plan.index_context())["replications"] == ["first"]
