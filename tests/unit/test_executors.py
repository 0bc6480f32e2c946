"""Profiles of executors: what they have in common, and that documents name each of them."""

import re

import pytest
import yaml
from documents import ROOT, section, table_rows
from test_environments import pins, wanted

PAGE = ROOT / "docs" / "many-machines.md"
PROFILES = {
    path.parent.name: yaml.safe_load(path.read_text())
    for path in sorted((ROOT / "profiles").glob("*/config.yaml"))
}
USUAL = PROFILES.pop("default")
SLURM = PROFILES["slurm"]
#: Plugins that take minutes for seconds.
IN_SECONDS = {"flux", "kueue"}


def rows() -> dict[str, list[str]]:
    """The table of executors by the profile that its first cell links to."""
    found = table_rows(section(PAGE, "A profile for each executor"))[1:]
    return {re.search(r"profiles/([\w-]+)/config\.yaml", row[0])[1]: row for row in found}


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_is_of_the_executor_that_it_is_named_after(name):
    assert PROFILES[name]["executor"] == name


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_repeats_no_key_of_the_one_that_is_loaded_beside_it(name):
    assert USUAL.keys().isdisjoint(PROFILES[name])


@pytest.mark.parametrize("name", PROFILES)
def test_portions_and_attempts_are_those_of_slurm(name):
    shared = ("group-components", "retries", "keep-going", "jobs", "cores", "local-cores")
    for key in (*shared, "latency-wait"):
        assert PROFILES[name][key] == SLURM[key], key


@pytest.mark.parametrize("name", PROFILES)
def test_memory_and_time_are_those_of_slurm(name):
    seconds = 60 if name in IN_SECONDS else 1
    resources = PROFILES[name]["default-resources"]
    assert resources["mem_mb"] == SLURM["default-resources"]["mem_mb"]
    minutes = int(SLURM["default-resources"]["runtime"].removeprefix("attempt * "))
    assert resources["runtime"] == f"attempt * {seconds * minutes}"
    for rule, stated in SLURM["set-resources"].items():
        own = PROFILES[name]["set-resources"][rule]
        assert own == {"runtime": seconds * stated["runtime"]}


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_has_settings_of_its_own_executor_only(name):
    for key in PROFILES[name]:
        others = {other for other in PROFILES if key.startswith(f"{other}-")}
        assert others <= {name}, key


def test_portions_are_groups_of_rules():
    text = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    groups = set(re.findall(r'^    group:\n        "(\w+)"$', text, re.MULTILINE))
    assert set(SLURM["group-components"]) == groups


def test_every_profile_has_its_plugin_and_its_storage_pinned():
    tried = pins("workflow.txt") | pins("executors.txt")
    for name, profile in PROFILES.items():
        assert f"snakemake-executor-plugin-{name}" in tried
        if provider := profile.get("default-storage-provider"):
            assert f"snakemake-storage-plugin-{provider}" in tried
    packages = {entry.partition("[")[0] for entry in wanted(ROOT / "envs" / "executors.in")}
    assert packages <= set(pins("executors.txt"))


def test_plugins_are_tried_with_the_packages_of_the_workflow():
    ours, tried = pins("workflow.txt"), pins("executors.txt")
    changed = {name for name in ours.keys() & tried.keys() if ours[name] != tried[name]}
    # boto3, for S3, does not go with the newest of these.
    assert changed <= {"python-dateutil", "urllib3"}


def test_the_document_names_every_profile_with_its_version():
    tried = pins("workflow.txt") | pins("executors.txt")
    assert set(rows()) == set(PROFILES)
    for name, row in rows().items():
        assert row[1] == tried[f"snakemake-executor-plugin-{name}"], name


def test_the_document_says_which_profiles_share_files():
    for name, row in rows().items():
        assert row[2].startswith("no" if "default-storage-provider" in PROFILES[name] else "yes")
