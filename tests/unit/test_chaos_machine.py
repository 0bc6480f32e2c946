"""The machine that disturbs runs sees faults where there are some, and follows advice."""

import random
from itertools import islice
from pathlib import Path

import pytest
from chaos.advice import follow
from chaos.command import KINDS, enough, planned, until
from chaos.damages import WAYS, damage, kind_of
from chaos.figures import HEADER, rows
from chaos.running import TRACE, Outcome
from chaos.study import SIDES
from chaos.trial import DEAD_END, NOT_OURS, SILENT, TRACED, Trial, Undisturbed, checksums


@pytest.fixture
def trial(tmp_path) -> Trial:
    """A trial of a made-up run of two results, copied."""
    whole = Undisturbed(SIDES["tiny"], tmp_path / "whole")
    (whole.folder / "results/data").mkdir(parents=True)
    for name in ("mine.npz", "mine.sha256"):
        (whole.folder / "results/data" / name).write_text(name)
    whole.sums = checksums(whole.folder)
    made = Trial(1, "kill", random.Random(1), whole, tmp_path / "trial")
    made.copy()
    return made


def said(line: str, form: str = "reproduce") -> Outcome:
    return Outcome(form, 1, f"[date] rule x:\n{line}\n", [])


@pytest.mark.parametrize(
    ("line", "gone"),
    [
        (
            "steadfast: results/data/mine.npz: damaged; delete it and run the same command again",
            ["npz"],
        ),
        (
            "results/data/mine.npz: does not match; bring back a good copy, or delete mine.npz and "
            "mine.sha256 to download it again",
            ["npz", "sha256"],
        ),
        (
            "results/data/mine.npz: no job made it; move it away and run the same command again",
            ["npz"],
        ),
        ("steadfast: results/data/mine.npz: cannot be read; run the same command again", []),
    ],
)
def test_advice_is_followed_to_the_letter(trial, line, gone):
    assert follow(said(line), trial.folder)
    left = [path for path in checksums(trial.folder)]
    assert left == [name for name in trial.whole.sums if name.rpartition(".")[2] not in gone]


def test_a_failure_without_advice_is_seen(trial):
    assert follow(said("steadfast: it went wrong"), trial.folder) == []


def test_wrong_bytes_after_a_good_end_are_seen(trial):
    trial.expect_right("reproduce")
    assert trial.faults == []
    (trial.folder / "results/data/mine.npz").write_text("other")
    trial.expect_right("reproduce")
    assert trial.faults == [SILENT]


def test_a_trace_is_seen_in_print_and_in_logs(trial):
    trial.note(
        Outcome("snakemake", 1, f'{TRACE}:\n  File "/lib/snakemake/cli.py"\nOSError: full', [])
    )
    assert trial.faults == []
    trial.note(Outcome("advise", 0, "", ["results/logs/x.log"]))
    trial.note(Outcome("reproduce", 124, "", []))
    assert [sort for sort, _ in trial.noted] == [NOT_OURS, TRACED, DEAD_END]


@pytest.mark.parametrize("seed", range(2 * len(WAYS)))
def test_a_damage_of_any_way_can_be_seen(trial, seed):
    files = tuple((trial.folder / "results/data").iterdir())
    damage(files[0], trial.folder, random.Random(seed), "data", files)
    assert trial.differing()


def test_a_trial_follows_from_seed_and_number():
    one, again = (planned(1, 7, ["study", "advise"]) for _ in range(2))
    assert one[:4] == again[:4]
    assert one.draw.random() == again.draw.random()
    assert [trial.number for trial in islice(until(1, 1, ["study"]), 3)] == [1, 2, 3]


def test_as_many_disturbances_are_planned_as_are_asked_for():
    wanted = {"kills": 100, "damages": 300, "disks": 5, "doubles": 5}
    plan = list(enough(1, wanted, ["study", "advise"]))
    for sort in ("kills", "damages"):
        of_sort = [one for one in plan if KINDS[one.kind].counts_as == sort]
        assert sum(one.times for one in of_sort) == wanted[sort]
    assert {one.kind for one in plan} == set(KINDS)


def test_the_figures_count_each_sort_of_fault_once_per_trial(trial):
    trial.kills = 3
    for _ in range(2):
        trial.fault(DEAD_END, "twice")
    shown = dict(zip(HEADER, rows([trial])[-1], strict=True))
    assert (shown["kills"], shown["dead ends"], shown["traces"]) == ("3", "1", "0")


def test_files_of_every_sort_have_a_kind():
    kinds = {
        "results/binned/selections/mine/mid/b01_r1.tsv": "selections",
        "results/binned/selections/mine/mid/batch0.sha256": "batch",
        "results/data/mine.sha256": "manifest",
        "results/index.html": "index.html",
        "results/logs/code/select_features.log": "code",
        "results/logs/data/mine.log": "",
        "results/asked.yaml": "asked",
        ".snakemake/metadata/abc": "metadata",
        ".cache/openml/61.json": "openml",
        "tables/measured.csv": "",
    }
    assert {name: kind_of(Path(name)) for name in kinds} == kinds
