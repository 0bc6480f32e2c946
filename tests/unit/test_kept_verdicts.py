"""Documents say what the kept runs say: verdicts, counts, numbers at full size."""

import pytest
import yaml
from documents import ROOT

from check_documents import KEPT, NUMBERS, read_numbers, value_of
from steadfast.core.paths import paper_of
from steadfast.outputs.verdict import VERDICTS
from steadfast.reports.replications.kept import KeptRun, kept_runs
from steadfast.reports.replications.verdict_tables import in_short, verdict_table

STUDIES = yaml.safe_load((ROOT / "config/config.yaml").read_text())["studies"]
#: A study of its own, which is no part of the default run.
STUDIES.append("alpha_from_data")
PAPERS = sorted({paper_of(study) for study in STUDIES})


def test_every_study_of_the_default_run_is_kept_at_full_size():
    kept = {study for run in kept_runs(KEPT) for study in run.about["studies"]}
    assert kept == set(STUDIES)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_kept_file_is_as_it_was_kept(paper):
    kept = KeptRun(KEPT / paper)
    assert all(kept.read(place) for place in kept.digests)
    assert {
        claim["verdict"]
        for study in kept.about["studies"]
        for claim in kept.claims(study)["claims"]
    } <= set(VERDICTS)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_of_a_paper_has_the_verdicts_of_its_kept_run(paper):
    page = (ROOT / f"docs/reproduce/{paper}.md").read_text(encoding="utf-8")
    assert verdict_table(KeptRun(KEPT / paper)) in page


@pytest.mark.parametrize("document", ["README.md", "docs/reproduce.md"])
@pytest.mark.parametrize("paper", PAPERS)
def test_tables_of_papers_count_the_verdicts_of_the_kept_run(document, paper):
    lines = (ROOT / document).read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in lines if line.startswith("|") and f"reproduce/{paper}.md)" in line]
    assert f"| {in_short(KeptRun(KEPT / paper))} |" in row


@pytest.mark.parametrize("listed", sorted(NUMBERS.glob("*.csv")), ids=lambda path: path.stem)
def test_numbers_at_full_size_are_those_of_the_kept_run(listed):
    wrong = [
        f"{number.place}: the kept run has {value}"
        for number in read_numbers(listed)
        if number.is_full_size and not number.states(value := value_of(number, ROOT / "results"))
    ]
    assert not wrong, "\n".join(wrong)
