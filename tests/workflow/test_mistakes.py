"""A user's mistake gets one clear line and exit code 1; what was computed stays."""

import pytest


def last_lines(output: str) -> str:
    return output.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("file", "change", "line"),
    [
        (
            "config/config.yaml",
            {"sede": 1},
            "config/config.yaml (or --configfile, --config): sede: unknown key; "
            "did you mean 'seed'?",
        ),
        (
            "config/studies/small.yaml",
            {"datasets": ["wime"]},
            "config/studies/small.yaml: datasets: unknown data set 'wime'; did you mean 'wine'? "
            "(a file of your own needs --config local_data=FOLDER)",
        ),
    ],
)
def test_a_mistake_in_the_configuration_is_one_line(fresh, file, change, line):
    fresh.edit_yaml(file, lambda content: content.update(change))
    done = fresh.snakemake()
    assert done.returncode == 1
    assert last_lines(done.stdout) == f"steadfast: {line}"
    assert "Traceback" not in done.stdout


def test_a_damaged_selection_is_named_and_nothing_else_is_lost(project):
    fold = project.folder / "results/small/selections/wine/mid/b02_r0.5.tsv"
    text = fold.read_text()
    fold.write_text(text.replace("\n1\t", "\n2\t"))
    (project.folder / "results/small/stability/wine/mid.tsv").unlink()
    done = project.snakemake("--rerun-triggers", "code")
    assert done.returncode == 1
    assert "b02_r0.5.tsv: its content differs from the checksum" in done.stdout
    assert "Traceback" not in done.stdout
    verified = project.snakemake("verify")
    assert verified.returncode == 1
    assert f"\n{fold.relative_to(project.folder)}: its content differs" in verified.stdout
    fold.unlink()
    project.run()
    assert fold.read_text() == text
    assert "files are as they were written" in project.run("verify")


def test_a_bad_data_file_stops_its_own_jobs_only(fresh, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "iris.csv").write_text("a,b,target\n1,2,x\n3,oops,y\n")
    targets = [f"results/small/stability/{name}/mid.tsv" for name in ("iris", "wine")]
    done = fresh.snakemake(*targets, "--keep-going", "--config", f"local_data={folder}")
    assert done.returncode == 1
    assert "iris.csv" in done.stdout
    assert "oops" in done.stdout
    assert "Traceback" not in done.stdout
    assert (fresh.folder / "results/small/stability/wine/mid.tsv").exists()


def test_a_selector_that_refuses_its_parameters_is_named(fresh):
    fresh.edit_yaml(
        "config/studies/small.yaml",
        lambda study: study["selectors"]["mid_alpha_0.25"].update(alpha=7),
    )
    done = fresh.snakemake("results/small/stability/iris/mid_alpha_0.25.tsv")
    assert done.returncode == 1
    assert "selector mid_alpha on iris/b01_r0.25: alpha must lie between 0 and 1" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_target_that_no_study_has_is_one_line(fresh):
    done = fresh.snakemake("--dry-run", "results/small/selections/wine/mid/batch99.sha256")
    assert done.returncode == 1
    named = "steadfast: study small, dataset wine, selector mid, batch 99"
    assert last_lines(done.stdout).startswith(f"{named}: there is no such thing in this run")
    assert "Traceback" not in done.stdout
