"""Studies and kept results of version 1.0 are read, or refused in one line with the new form."""

import re

import pytest
from documents import ROOT

from steadfast.core.errors import UserError
from steadfast.reports.replications.kept import KeptRun
from steadfast.study.renamed import RENAMED
from steadfast.study.run import load_run, over_default

OLD = ROOT / "tests/data/v1"
GUIDE = (ROOT / "docs/upgrade.md").read_text()

#: How a study of 1.0 is refused that names something else now.
REFUSAL = re.compile(r"[^\n]*\.yaml: [^\n]*: is of version 1\.0; write [^\n]+ \(docs/upgrade\.md\)")
READ = {"alelyani2013_frozen", "alelyani2013_measures", "ji2015_sensitivity"}


@pytest.mark.parametrize("path", sorted((OLD / "studies").glob("*.yaml")), ids=lambda p: p.stem)
def test_a_study_of_1_0_is_read_or_refused_in_one_line(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    config = over_default({"studies": [str(path)], "results": "results"}, ROOT)
    if path.stem in READ:
        assert load_run(config, ROOT).studies
        return
    with pytest.raises(UserError) as caught:
        load_run(config, ROOT)
    assert REFUSAL.fullmatch(str(caught.value))


@pytest.mark.parametrize("old", RENAMED, ids=lambda old: f"{old.sort}-{old.kind}-{old.key}")
def test_the_guide_lists_what_is_renamed(old):
    key = f"`{old.key}` of `{old.kind}`" if old.key else f"`{old.kind}`"
    rows = [line for line in GUIDE.splitlines() if line.startswith(f"| {old.sort} | {key} |")]
    assert [f"`{old.write}`" in row for row in rows] == [True]


def test_kept_results_of_1_0_are_read():
    kept = KeptRun(OLD / "replications/kalousis2005")
    assert kept.about["studies"]
    study = kept.study("kalousis2005")
    assert len(study.claims["claims"]) == 11
    assert {"tables/table2", "tables/table3", "published"} <= set(study.tables)
    assert kept.figure("kalousis2005", "figure1").content.startswith(b"<?xml")
