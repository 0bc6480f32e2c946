"""The memory that a run has, takes, and states."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from steadfast.command.running import snakemake_call
from steadfast.core import environment
from steadfast.core.cli import MEMORY_PREFIX, TIMING_VARIABLE
from steadfast.core.config import read_yaml
from steadfast.core.environment import group_limits, memory_for_jobs, memory_mb, peak_memory
from steadfast.study.costs import Shape
from steadfast.study.plan import Plan
from steadfast.study.plan.memory import NEEDS, PAIRING, needed
from steadfast.study.run import load_run

ROOT = Path(__file__).parents[2]
CONFIG = read_yaml(ROOT / "config/config.yaml")


def test_the_limits_of_a_control_group_and_of_those_around_it_count(tmp_path):
    (tmp_path / "job/step").mkdir(parents=True)
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "job/memory.max").write_text("4000000000\n")
    (tmp_path / "job/step/memory.max").write_text("max\n")
    assert group_limits(tmp_path, "0::/job/step\n") == [4_000_000_000]


def test_so_do_those_of_the_first_version_and_of_memory_only(tmp_path):
    (tmp_path / "memory/job").mkdir(parents=True)
    (tmp_path / "memory/job/memory.limit_in_bytes").write_text("3000000000\n")
    assert group_limits(tmp_path, "9:cpu:/other\n4:memory:/job\n0::/\n") == [3_000_000_000]


def test_without_control_groups_the_memory_is_the_machines(tmp_path):
    assert group_limits(tmp_path, "") == []
    assert memory_mb() > 100


def test_jobs_share_what_is_free_and_always_have_some(monkeypatch):
    assert 1 <= memory_for_jobs() <= memory_mb()
    monkeypatch.setattr(environment, "memory_mb", lambda: 500)
    assert memory_for_jobs() == 1


def test_a_command_tells_snakemake_how_much_memory_there_is():
    call = snakemake_call(["page.html"], "2", ROOT / "asked.yaml")
    stated = call[call.index("--resources") + 1]
    assert re.fullmatch(r"mem_mb=\d+", stated)


def test_the_job_that_took_most_is_named(tmp_path):
    for name, said in {"a/select/wine/mid": 120, "a/trust/wine": 700, "old": 9000}.items():
        path = tmp_path / "logs" / f"{name}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s001: 0.1 s\n{MEMORY_PREFIX} {said} MB\n")
    os.utime(tmp_path / "logs/old.log", (1, 1))
    assert peak_memory(tmp_path / "logs", since=1000) == (700, "a/trust/wine")
    assert peak_memory(tmp_path / "logs") == (9000, "old")
    assert peak_memory(tmp_path / "nothing") is None


def test_a_command_says_what_it_took_and_not_what_its_parent_did():
    """Started with 200 MB in the parent, as Snakemake may have."""
    taken = bytearray(200_000_000)
    program = "from steadfast.core import cli; cli.run(lambda: bytearray(50_000_000))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {TIMING_VARIABLE: "1", "PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        text=True,
        check=True,
    )
    del taken
    peak = re.search(rf"^{MEMORY_PREFIX} (\d+) MB$", done.stderr, re.MULTILINE)
    assert 50 < int(peak[1]) < 150


def test_every_rule_with_a_command_states_the_memory_of_its_own_name():
    text = "".join(path.read_text() for path in sorted(ROOT.glob("workflow/rules/*.smk")))
    rules = {
        block.partition(":")[0]: block
        for block in re.split(r"^rule ", text, flags=re.MULTILINE)[1:]
        if "    shell:\n" in block
    }
    assert rules.keys() == NEEDS.keys()
    for name, block in rules.items():
        assert f'mem_mb=memory("{name}")' in block, name


STUDY = {
    "title": "Mine",
    "datasets": ["wine"],
    "resample": {"scheme": "subsample", "repeats": 30},
    "selectors": {"svm_rfe": {}, "fisher": {}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
}


@pytest.fixture
def plan(tmp_path, monkeypatch) -> Plan:
    monkeypatch.chdir(ROOT)
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(STUDY, sort_keys=False))
    here = {"studies": [str(tmp_path / "mine.yaml")], "results": str(tmp_path / "results")}
    return Plan(load_run({**CONFIG, **here}, ROOT), "scripts")


def test_before_a_table_is_loaded_its_shape_is_expected_and_then_it_is_known(plan):
    assert plan.shape("wine") == Shape(178, 13, 13, 2)
    small = plan.memory("select", study="mine", dataset="wine", selector="fisher")
    about = Path(plan.paths("data", "json", dataset="wine"))
    about.parent.mkdir(parents=True)
    about.write_text(json.dumps({"rows": 200_000, "features": 30, "classes": {"a": 1, "b": 1}}))
    assert plan.shape("wine") == Shape(200_000, 30, 30, 2)
    assert plan.memory("select", study="mine", dataset="wine", selector="fisher") > 2 * small


def test_of_a_file_that_nobody_has_read_its_size_speaks(plan, tmp_path):
    table = tmp_path / "mine.csv"
    table.write_text("1.25,2.5,3.75\n" * 100_000)
    plan.run.local_files["wine"] = table
    rows, features, *_ = plan.shape("wine")
    assert 300_000 <= rows * features <= 600_000


def test_selectors_that_hold_pairs_of_rows_state_them(plan):
    names = {"study": "mine", "dataset": "wine"}
    about = Path(plan.paths("data", "json", dataset="wine"))
    about.parent.mkdir(parents=True)
    about.write_text(json.dumps({"rows": 4000, "features": 10, "classes": {"a": 1, "b": 1}}))
    pairs = plan.memory("select", **names, selector="svm_rfe")
    assert pairs - plan.memory("select", **names, selector="fisher") == 384
    assert all((ROOT / "scripts" / file).is_file() for file in PAIRING)


@pytest.mark.parametrize("shape", [(200_000, 30), (1_000_000, 10), (100, 100_000)])
def test_two_selections_on_a_large_table_fit_into_four_gigabytes(shape):
    for rule in ("resample", "select", "accuracy", "stability", "probes", "evidence"):
        assert (
            2 * needed(NEEDS[rule], Shape(*shape, shape[1], 2), 30)
            < 4000 - environment.SNAKEMAKE_MB
        ), rule
