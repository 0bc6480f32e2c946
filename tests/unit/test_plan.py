"""The plan of a run: which files there are, what each job reads, and what was lost."""

import json
import re
from pathlib import Path

import pytest
import yaml

from steadfast.core import registry
from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.core.imports import import_closure
from steadfast.core.paths import PLACES, Paths, split_name, with_manifest
from steadfast.study.plan import Plan
from steadfast.study.run import changed_settings, load_run

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"
CONFIG = read_yaml(ROOT / "config/config.yaml")


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def default() -> Plan:
    return Plan(load_run(CONFIG, ROOT), "scripts")


def plan_of(tmp_path, study, **config) -> Plan:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    results = str(tmp_path / "results")
    run = load_run({**CONFIG, "studies": [str(path)], "results": results, **config}, ROOT)
    return Plan(run, "scripts")


STUDY = {
    "title": "Mine",
    "datasets": ["wine", "wdbc"],
    "resample": {"scheme": "subsample", "repeats": 100},
    "selectors": {"slow": {"use": "fisher"}, "quick": {"use": "mid"}},
    "runs": [
        {"selectors": ["slow"], "datasets": ["wdbc"], "runs": 5, "per_job": 2},
        {"datasets": ["wdbc"], "runs": 60},
    ],
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
}


def test_a_place_is_filled_name_by_name():
    paths = Paths("results").within(study="mine")
    assert paths("stability", dataset="wine") == "results/mine/stability/wine/{selector}.tsv"
    assert paths("data", "json", dataset="wine") == "results/data/wine.json"
    assert with_manifest(paths("page")) == ["results/mine/page.html", "results/mine/page.sha256"]
    assert paths.log("{study}", "x") == "results/logs/mine/x.log"


def test_no_two_places_can_be_taken_for_each_other():
    shapes = [pattern.replace("{", "").replace("}", "") for pattern in PLACES.values()]
    assert len(set(shapes)) == len(shapes)


def test_the_first_entry_that_fits_says_how_many_runs_a_selector_takes(tmp_path):
    study = plan_of(tmp_path, STUDY).studies["mine"]
    assert len(study.folds("wdbc", "slow")) == 5
    assert len(study.folds("wdbc", "quick")) == 60
    assert len(study.folds("wine", "slow")) == 100
    assert [len(batch) for batch in study.batches("wdbc", "slow", 50)] == [2, 2, 1]
    assert [len(batch) for batch in study.batches("wdbc", "quick", 50)] == [50, 10]


def test_a_selector_without_runs_on_a_data_set_has_no_files_there(tmp_path):
    entries = [{"selectors": ["slow"], "datasets": ["wdbc"], "runs": 0}]
    plan = plan_of(tmp_path, {**STUDY, "runs": entries})
    assert not any("wdbc/slow" in file for file in plan.targets())
    assert any("wine/slow" in file for file in plan.targets())
    assert plan.curve_files("stability", "mine", "wdbc", ["slow", "quick"])[0].endswith("quick.tsv")
    assert "slow" not in plan.studies["mine"].judged_selectors("wdbc")
    assert not any("selections/wdbc/slow" in one.manifest for one in plan.made())


def test_the_batches_of_a_selector_hold_every_fold_once(tmp_path):
    plan = plan_of(tmp_path, STUDY)
    for dataset in ("wine", "wdbc"):
        for selector in ("slow", "quick"):
            names = {"study": "mine", "dataset": dataset, "selector": selector}
            numbers = range(len(plan.batches(**names)))
            folds = [f for n in numbers for f in plan.batch_folds(**names, batch=str(n))]
            assert folds == plan.studies["mine"].folds(dataset, selector)
            assert len(plan.batch_files("mine", dataset, selector)) == len(numbers)


@pytest.fixture
def ended(tmp_path) -> Plan:
    """The plan of a small run, and its files, all empty."""
    few = {"resample": {"scheme": "subsample", "repeats": 5}, "runs": []}
    tables = {"a": {"kind": "datasets", "title": "A"}}
    plan = plan_of(tmp_path, {**STUDY, **few, "tables": tables}, folds_per_job=3)
    assert set(plan.lost_files()) == {one.manifest for one in plan.made()}
    for manifest, names in plan.made():
        Path(manifest).parent.mkdir(parents=True, exist_ok=True)
        Path(manifest).write_text("".join(f"{'0' * 64}  {name}\n" for name in names))
        for name in names:
            Path(manifest).with_name(name).touch()
    assert plan.lost_files() == []
    return plan


def test_every_file_that_is_gone_brings_back_its_job(ended):
    for manifest, names in {one.manifest: one for one in ended.made()}.values():
        for name in [Path(manifest).name, names[0], names[-1]]:
            path = Path(manifest).with_name(name)
            content = path.read_bytes()
            path.unlink()
            assert set(ended.lost_files()) == {manifest}
            path.write_bytes(content)


@pytest.mark.parametrize("left", [0, 72, -1])
def test_a_manifest_that_was_cut_brings_back_its_job(ended, left):
    batch = ended.paths("batch", study="mine", dataset="wdbc", selector="slow", batch=0)
    Path(batch).write_bytes(Path(batch).read_bytes()[:left])
    assert ended.lost_files() == [batch]


def test_every_place_is_looked_at():
    """Rows and rankings of rules are no results; a fold is vouched for by its batch."""
    plan = Plan(load_run({**CONFIG, "studies": [*CONFIG["studies"], "trust"]}, ROOT), "scripts")
    made = [[one.manifest, *one.names] for one in plan.made()]
    outputs = {str(Path(first).with_name(name))[8:] for first, *names in made for name in names}
    outputs |= {first[8:] for first, *_ in made}
    for place, pattern in PLACES.items():
        parts = re.split(r"\{\w+\}", pattern)
        found = any(re.fullmatch(".+".join(map(re.escape, parts)), output) for output in outputs)
        assert found == (place not in ("fold_rows", "ranking")), place
    assert {*plan.targets()} <= {f"results/{output}" for output in outputs}


def test_a_selector_after_its_transforms_is_measured_as_one(default):
    name, study = "alelyani2013_slrma", default.studies["alelyani2013_slrma"]
    for dataset in study.datasets:
        every = [default.family_batches(name, dataset, family) for family in study.families]
        files = [file for batches in every for file in batches]
        assert sorted(files) == sorted(default.batch_files(name, dataset, *study.selectors))
    wanted = default.curve_files("stability", name, "musk1", ["relieff+original", "relieff+slrma1"])
    assert {split_name(Path(file).name.partition(".")[0])[1] for file in wanted} == {""}
    assert len(wanted) == 3  # curves, units and their checksums, once


def test_the_curves_of_a_study_are_made_of_all_that_is_measured(default):
    for name, study in default.studies.items():
        inputs, targets = set(default.curve_inputs(name)), default.targets()
        for place in ("stability", "accuracy"):
            wanted = [one for one in targets if one.startswith(f"results/{name}/{place}/")]
            assert wanted == [one for one in wanted if {*with_manifest(one)} <= inputs]
        for dataset in study.datasets:
            assert default.paths("chance", study=name, dataset=dataset) in inputs
        assert {f"results/{name}/{one}.parquet" for one in ("curves", "units")} <= set(targets)


def test_accuracy_on_rows_that_a_selector_has_seen_is_computed_only_if_an_output_reads_it(default):
    scored = json.loads(default.curve_context("ji2015_readings"))["accuracy"]
    assert ["mfeat", "all_rows"] in scored
    scored = json.loads(default.curve_context("somol2008"))["accuracy"]
    assert ["wine", "sfs_knn"] in scored
    assert ["wine", "sfs_knn_published"] not in scored


def test_a_study_without_selections_has_no_curves():
    plan = Plan(load_run({**CONFIG, "studies": ["trust"]}, ROOT), "scripts")
    assert not [file for file in plan.targets() if file.endswith(".parquet")]


def test_names_in_print_are_nothing_that_curves_depend_on(tmp_path):
    labelled = {
        **STUDY,
        "selectors": {"slow": {"use": "fisher", "label": "Slow"}, "quick": {"use": "mid"}},
    }
    contexts = [plan_of(tmp_path, study).curve_context("mine") for study in (STUDY, labelled)]
    assert contexts[0] == contexts[1]


def test_every_table_and_figure_depends_on_the_file_of_its_kind_and_no_other(default):
    for study in default.studies.values():
        for sort in ("table", "figure"):
            kinds = registry.declared(sort)
            for name, entry in getattr(study, f"{sort}s").items():
                modules = default.output_modules(sort, study.name, name)
                code = import_closure(
                    [SCRIPTS / f"{sort}.py", *map(SCRIPTS.joinpath, modules)], SCRIPTS
                )
                files = {str(path.relative_to(SCRIPTS)) for path in code}
                used = files & {kind.file for kind in kinds.values()}
                assert used == {kinds[entry["kind"]].file}, f"{study.name} {name}"


def test_a_file_stands_for_the_content_of_all_that_a_command_runs(tmp_path, monkeypatch):
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for name, text in (("a.py", "import b"), ("b.py", "import c"), ("c.py", ""), ("d.py", "")):
        (scripts / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    plan = Plan(load_run(CONFIG, ROOT), "scripts")
    script, stamp = plan.code("a.py")
    assert script == "scripts/a.py"
    stated = [line.split("  ")[1] for line in Path(stamp).read_text().splitlines()]
    assert stated == ["a.py", "b.py", "c.py"]
    before = Path(stamp).stat().st_mtime_ns
    assert plan.code("a.py") == [script, stamp]
    assert Path(stamp).stat().st_mtime_ns == before
    assert plan.code("a.py", "d.py")[1] != stamp
    Path(stamp).write_text("other content\n")
    assert plan.code("a.py") == [script, stamp]
    assert [line.split("  ")[1] for line in Path(stamp).read_text().splitlines()] == stated
    assert plan.digest("a.py") != plan.digest("a.py", "d.py")


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        # Beside the package, as in a checkout; in it, as installed, where other packages lie, too.
        (".", ["a.py", "other.py", "own/__init__.py", "own/b.py"]),
        ("own/commands", ["own/commands/a.py", "own/__init__.py", "own/b.py"]),
    ],
)
def test_code_is_found_beside_the_package_and_in_it(commands, expected, tmp_path, monkeypatch):
    for name, text in {
        f"{commands}/a.py": "import other\nfrom own import b",
        "own/__init__.py": "",
        "own/b.py": "",
        "other.py": "",
    }.items():
        path = tmp_path / commands.replace("/", "_") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    plan = Plan(load_run(CONFIG, ROOT), commands.replace("/", "_"), commands)
    _, stamp = plan.code("a.py")
    stated = [line.split("  ")[1] for line in Path(stamp).read_text().splitlines()]
    assert stated == expected


def test_every_file_that_a_job_reads_is_made_by_some_job_or_given(default):
    """By its shape: the name of a place, with everything in braces filled in."""
    made = [default.paths(place).replace("{", "").replace("}", "") for place in PLACES]
    folders = {path.rpartition("/")[0].split("/")[0] for path in made}
    for study in default.studies.values():
        for sort in ("table", "figure"):
            for name in getattr(study, f"{sort}s"):
                for path in default.output_files(sort, study.name, name):
                    assert "{" not in path, path
                    assert path.split("/")[0] in folders or (ROOT / path).is_file()


def test_selectors_that_are_a_rule_are_told_apart_by_study(tmp_path):
    import re

    study = {**STUDY, "selectors": {"mine": {"use": "rule"}, "mid": {}}, "runs": []}
    plan = plan_of(tmp_path, study)
    path = plan.paths("batch", study="mine", dataset="wine", selector="{}", batch=0)
    patterns = {is_rule: plan.studies_by_rule(is_rule) for is_rule in (True, False)}

    def matches(is_rule: bool, selector: str) -> bool:
        pattern = f"{plan.paths.root}/(?P<study>{patterns[is_rule]})/selections/.*"
        return re.fullmatch(pattern, path.format(selector)) is not None

    assert [matches(True, "mine"), matches(False, "mine")] == [True, False]
    assert [matches(True, "mid"), matches(False, "mid")] == [False, True]
    with pytest.raises(UserError, match=r"study mine: selectors\.mine: use: rule, but no rule"):
        plan.require_ranking_rules(lambda path: False)
    plan.require_ranking_rules(lambda path: path.endswith("rankings/wine/mine/s001.tsv") or True)


def test_names_in_print_are_in_no_context_of_a_measurement(default):
    for name in default.studies:
        assert "label" not in default.classifier_settings(name)


def test_the_seed_is_in_an_option_only_where_something_is_drawn(default):
    assert "--seed" not in default.accuracy_options("gulgezen2009")
    assert "--seed" in default.accuracy_options("kalousis2005")  # ties are drawn


def test_the_index_knows_which_settings_differ_from_the_usual_ones(default, tmp_path):
    assert json.loads(default.index_context())["settings"] == []
    config = read_yaml(ROOT / "config/config.yaml") | {
        "local_data": str(tmp_path),
        "verdicts": {"holds": 0.8, "in_part": 0.25},
        "folds_per_job": 7,
    }
    assert changed_settings(load_run(config, ROOT).config, ROOT) == ["local_data", "verdicts"]


def test_the_plan_of_all_studies_is_made_in_a_moment(default):
    assert len(default.targets()) > 300
    assert len(set(default.targets())) == len(default.targets())
