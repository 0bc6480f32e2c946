"""What reports and comparisons of kept runs say where a run is not quite like another."""

import copy

import pytest
from kept_cases import ORIGIN, Made, claims_of

from steadfast.reports.replications.differences import compare_study
from steadfast.reports.replications.keeping import keep_paper
from steadfast.reports.replications.kept import KeptRun, StudyFiles
from steadfast.reports.replications.prose import read_prose, without_links
from steadfast.reports.replications.report import replication_page
from steadfast.reports.replications.verdict_tables import in_short, verdict_table


def difference(kept, new):
    return compare_study("first", *(StudyFiles(claims, {}, {}, {}) for claims in (kept, new)))


def test_another_rule_is_not_other_numbers():
    kept = claims_of("first")
    new = copy.deepcopy(kept)
    new["claims"][0]["rule"] = "A case is one data set."
    assert difference(kept, new).is_equal
    new["claims"][0]["for"] = 3
    assert difference(kept, new).sentences == 1


def test_claims_of_the_same_text_are_compared_one_by_one():
    kept = claims_of("first")
    kept["claims"][1]["text"] = kept["claims"][0]["text"]
    assert difference(kept, kept).claims == 2
    new = copy.deepcopy(kept)
    new["claims"][0]["verdict"] = "holds in part"
    assert difference(kept, new).verdicts == [
        "claim 1: holds → holds in part: Sentence 1 of first."
    ]
    new["claims"].append({**new["claims"][0], "number": 3})
    assert difference(kept, new).verdicts[1:] == [
        "claim 3 is only in this run: holds in part: Fisher is *stable*."
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see [it](../a.md) and [b](#c)", "see it and b"),
        ("![curves](figures/a.png) ![](b.png)", "curves "),
        ('![curves](a.png "in short")', "curves"),
        ("[![curves](a.png)](a.svg)", "curves"),
        ("[site](https://example.org)", "[site](https://example.org)"),
        ("![x](https://example.org/x.png)", "![x](https://example.org/x.png)"),
    ],
)
def test_links_and_pictures_of_files_are_their_text(text, left):
    assert without_links(text) == left


@pytest.mark.parametrize("changes", ["", "+changes"])
def test_equal_digits_are_promised_only_of_a_commit(changes, tmp_path):
    made = Made(tmp_path)
    made.write()
    prose, origin = read_prose(made.prose_file), ORIGIN._replace(commit=f"abc123{changes}")
    keep_paper("first", prose, made.run(), origin, tmp_path / "kept")
    page = replication_page(KeptRun(tmp_path / "kept/first"), prose, "None.").decode()
    repeat = page.partition("How to repeat it</h2>")[2]
    assert "git checkout abc123\n" in repeat
    assert "all studies, with config/paper.yaml and config/kept.yaml" in repeat
    assert ("equal to the last digit" in repeat) == (not changes)
    assert ("differed from those of the commit" in repeat) == bool(changes)


def test_the_documents_count_the_claims_of_all_studies(tmp_path):
    made = Made(tmp_path)
    made.write()
    kept = made.keep(made.run())
    assert in_short(kept) == "1 of 4 hold, 1 in part, 1 untested"
    lines = verdict_table(kept).splitlines()
    assert lines[0] == (
        "**Of 4 claims 1 holds, 1 holds in part, 1 does not hold and 1 cannot be tested here.**"
    )
    assert lines[-3] == "| `first_more` 2 | Gold is found. | cannot be tested here |"
