"""Exactly what is needed runs again, and always what is needed."""

import os
import shutil

import pytest

ONE_SELECTOR = {"select": 2, "stability": 1, "accuracy": 1}  # on one data set, two batches of folds


def both_datasets(jobs: dict[str, int]) -> dict[str, int]:
    return {rule: 2 * count for rule, count in jobs.items()}


def chain(planned: dict[str, int]) -> dict[str, int]:
    """The jobs before tables, figures and pages."""
    after = {"curves", "table", "figure", "summary", "published", "evidence", "page", "index"}
    return {rule: count for rule, count in planned.items() if rule not in after}


def test_a_second_run_has_nothing_to_do(project):
    assert "Nothing to be done" in project.run()


def test_a_new_alpha_runs_only_its_own_jobs(project):
    project.edit_yaml(
        "config/studies/small.yaml",
        lambda study: study["selectors"].update({"mid_alpha_1": {"use": "mid_alpha", "alpha": 1}}),
    )
    planned = project.planned()
    assert chain(planned) == both_datasets(ONE_SELECTOR)
    assert planned["curves"] == 1  # which all tables and figures of the study read


def test_changing_an_alpha_reruns_only_that_alpha(project):
    project.edit_yaml(
        "config/studies/small.yaml",
        lambda study: study["selectors"]["mid_alpha_0.25"].update(alpha=0.75),
    )
    assert chain(project.planned()) == both_datasets(ONE_SELECTOR)


def test_editing_a_selectors_file_reruns_only_it_and_what_follows(project):
    path = project.folder / "scripts/steadfast/selectors/last_columns.py"
    path.write_text(path.read_text().replace("[::-1]", "[::-1].copy()"))
    planned = project.planned()
    assert chain(planned) == both_datasets(ONE_SELECTOR)


def test_an_edit_with_an_old_modification_time_is_seen(project):
    path = project.folder / "scripts/steadfast/selectors/last_columns.py"
    before = path.stat()
    path.write_text(path.read_text().replace("[::-1]", "[::-1].copy()"))
    os.utime(path, (before.st_atime, before.st_mtime))
    assert chain(project.planned()) == both_datasets(ONE_SELECTOR)


def test_a_file_that_was_touched_only_reruns_nothing(project):
    (project.folder / "scripts/steadfast/selectors/mrmr.py").touch()
    (project.folder / "scripts/steadfast/core/files.py").touch()
    assert "Nothing to be done" in project.run("--dry-run")


def test_an_edit_is_seen_where_snakemakes_records_are_lost(project):
    shutil.rmtree(project.folder / ".snakemake")
    assert "Nothing to be done" in project.run("--dry-run")
    path = project.folder / "scripts/steadfast/selectors/last_columns.py"
    path.write_text(path.read_text().replace("[::-1]", "[::-1].copy()"))
    assert chain(project.planned()) == both_datasets(ONE_SELECTOR)


def test_editing_what_the_classifiers_import_leaves_stability_alone(project):
    path = project.folder / "scripts/steadfast/accuracy/prefix_knn.py"
    path.write_text(path.read_text() + "\n# changed\n")
    assert set(chain(project.planned())) == {"accuracy"}


def test_another_measure_reruns_stability_and_no_selection(project):
    project.edit_yaml(
        "config/studies/small.yaml", lambda study: study["stability"]["measures"].append("dice")
    )
    assert set(chain(project.planned())) == {"stability", "chance"}


def test_editing_a_measures_file_reruns_only_studies_that_use_it(project):
    path = project.folder / "scripts/steadfast/measures/rank.py"
    path.write_text(path.read_text() + "\n# changed\n")
    assert chain(project.planned()) == {}
    path = project.folder / "scripts/steadfast/measures/frequency.py"
    path.write_text(path.read_text() + "\n# changed\n")
    assert set(chain(project.planned())) == {"stability", "chance"}


@pytest.mark.parametrize(
    ("file", "reruns"),
    [
        ("tables/ranks.py", {"table": 2}),
        ("tables/stability.py", {"table": 2}),
        ("tables/wrappers.py", {}),  # no table of this study is of a kind in there
        ("figures/curves.py", {"figure": 1}),
        ("claims/curves.py", {"summary": 1}),
    ],
)
def test_editing_the_file_of_kinds_reruns_the_outputs_of_these_kinds(project, file, reruns):
    path = project.folder / "scripts/steadfast/outputs" / file
    path.write_text(path.read_text() + "\n# changed\n")
    if reruns:
        assert project.planned() == {**reruns, "index": 1}
    else:
        assert "Nothing to be done" in project.run("--dry-run")


def test_the_number_of_bins_reruns_from_discretisation(project):
    project.edit_yaml("config/studies/small.yaml", lambda study: study["discretise"].update(bins=7))
    planned = project.planned()
    assert not {"load_data", "resample"} & set(planned)
    assert planned["discretise"] == 2
    # Selectors that read numbers, not bins, keep their selections; SU matching reads bins.
    assert planned["select"] == 3 * 2 * 2
    assert planned["stability"] == 6 * 2
    assert planned["accuracy"] == 3 * 2


def test_another_seed_reruns_from_the_resamples(project):
    planned = project.planned("--config", "seed=2")
    assert not {"load_data", "discretise"} & set(planned)
    assert planned["resample"] == 2


def test_a_deleted_fold_brings_back_only_its_batch(project):
    fold = project.folder / "results/small/selections/wine/mid/b02_r0.5.tsv"
    before = fold.read_bytes()
    fold.unlink()
    assert chain(project.planned()) == {"select": 1, "stability": 1, "accuracy": 1}
    project.run()
    assert fold.read_bytes() == before
    assert "Nothing to be done" in project.run()


@pytest.mark.parametrize(
    ("lost", "rule"),
    [
        ("small/criterion/wine/miq.sha256", "criterion_variation"),
        ("small/stability/wine/mid.units.npz", "stability"),
        ("small/curves.parquet", "curves"),
        ("small/units.parquet", "curves"),
    ],
)
def test_a_file_deleted_beside_the_one_that_is_asked_for_comes_back(project, lost, rule):
    (project.folder / "results" / lost).unlink()
    assert project.planned()[rule] == 1


def test_another_name_in_print_reruns_no_selection(project):
    project.edit_yaml(
        "config/studies/small.yaml",
        lambda study: study["selectors"]["mid"].update(label="Difference"),
    )
    planned = project.planned()
    assert chain(planned) == {}
    assert "curves" not in planned


def test_a_changed_data_file_reruns_its_data_set_alone(project, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    rows = "".join(f"{i % 3},{i % 5},{i % 2}\n" for i in range(40))
    (folder / "iris.csv").write_text("a,b,target\n" + rows)
    project.edit_yaml("config/datasets.yaml", lambda catalogue: catalogue["iris"].pop("expect"))
    planned = project.planned("--config", f"local_data={folder}")
    assert planned["load_data"] == 1
    assert planned["stability"] == 6
