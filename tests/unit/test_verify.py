"""A folder of results, against what its runs wrote: damage, losses, and files of no job."""

import argparse
import shutil
import subprocess
from pathlib import Path

import pytest

from steadfast.command import verify
from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest

AGAIN = "run the command that made it again"
LIST = "logs/manifests.sha256"
CURVES = ("mid.tsv", "mid.units.tsv", "mid.units.npz")


@pytest.fixture
def results(tmp_path) -> Path:
    """Some results, listed at the end of their run, and files beside them that are none."""
    folder = tmp_path / "results"
    write_with_manifest({folder / "data/wine.npz": b"numbers", folder / "data/wine.json": b"{}"})
    write_with_manifest({folder / "mine/stability/wine" / name: name.encode() for name in CURVES})
    selections = folder / "mine/selections/wine/mid"
    for number in range(2):
        folds = {selections / f"s{number}{fold}.tsv": bytes([fold]) for fold in range(3)}
        write_with_manifest(folds, selections / f"batch{number}.sha256")
    write_with_manifest({folder / "index.html": b"<html>"})
    for other in (
        *("logs/mine/select/wine.log", "logs/code/page.log", "benchmarks/mine/page.tsv"),
        *("asked.yaml", "mine/asked.yaml", "report.html", "mine/rankings/wine/r/s1.tsv"),
        *("mine/folds/wine/s1.csv", "mine/selections/wine/mid/.batch0.unfinished/1/s1.tsv"),
        *("mine/.page.html.17.tmp",),
    ):
        (folder / other).parent.mkdir(parents=True, exist_ok=True)
        (folder / other).write_bytes(b"some text")
    end_run(folder)
    return folder


def end_run(folder: Path, made=(), known=()) -> None:
    verify.record(folder, [str(folder / one) for one in made], [str(folder / one) for one in known])


def faults(folder: Path) -> list[str]:
    try:
        verify.run(argparse.Namespace(results=folder))
    except UserError as error:
        return str(error).splitlines()[1:]
    return []


def test_whole_results_are_counted(results, capsys):
    assert faults(results) == []
    assert capsys.readouterr().out == "12 files are as they were written\n"


RESULTS = [
    *("data/wine.npz", "data/wine.json", "mine/stability/wine/mid.units.npz", "index.html"),
    "mine/selections/wine/mid/s01.tsv",
]
MANIFESTS = [
    *("data/wine.sha256", "mine/stability/wine/mid.sha256", "index.sha256"),
    "mine/selections/wine/mid/batch1.sha256",
]
DAMAGES = {
    "emptied": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "changed": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "longer": lambda content: content + b"x",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", [*RESULTS, *MANIFESTS, LIST])
def test_every_damage_is_named_with_what_to_do(results, name, damage):
    path = results / name
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    named = [line for line in faults(results) if line.startswith(f"{path}: ")]
    assert named
    assert all(
        line.endswith("; delete it and run the command that made it again") for line in named
    )


@pytest.mark.parametrize("name", [*RESULTS, *MANIFESTS, LIST])
def test_every_file_that_was_deleted_is_named(results, name):
    (results / name).unlink()
    named = [line for line in faults(results) if line.startswith(f"{results / name}: ")]
    assert named
    assert named[0].endswith(f"; {AGAIN}")


def test_a_file_that_goes_with_its_line_or_its_manifest_is_missed(results):
    folder = results / "mine/selections/wine/mid"
    (folder / "s12.tsv").unlink()
    lines = (folder / "batch1.sha256").read_text().splitlines(keepends=True)
    (folder / "batch1.sha256").write_text("".join(lines[:-1]))
    (line,) = faults(results)
    assert line.startswith(f"{folder / 'batch1.sha256'}: is not as it was when the last run ended")
    shutil.rmtree(results / "data")
    assert any(line.startswith(f"{results / 'data/wine.sha256'}: ") for line in faults(results))


def test_files_without_a_valid_entry_are_named_one_by_one(results):
    (results / "mine/stability/wine/mid.sha256").write_bytes(b"")
    named = {line.partition(": ")[0] for line in faults(results)}
    folder = results / "mine/stability/wine"
    assert named == {str(folder / name) for name in (*CURVES, "mid.sha256")}


def test_a_line_that_stands_twice_is_a_fault(results):
    manifest = results / "data/wine.sha256"
    manifest.write_bytes(manifest.read_bytes() * 2)
    assert any("it names a file twice" in line for line in faults(results))


@pytest.mark.parametrize("name", ["notes.txt", "mine/report.html", "data/copy of wine.npz"])
def test_a_file_of_no_job_is_named(results, name):
    (results / name).write_text("mine")
    (line,) = faults(results)
    assert line.startswith(f"{results / name}: no checksum vouches for it")
    assert "move it away" in line


def test_what_a_run_was_asked_for_and_did_not_make_is_missed(results):
    end_run(results, made=["mine/page.sha256"])
    (line,) = faults(results)
    assert line.startswith(f"{results / 'mine/page.sha256'}: is not there")
    write_with_manifest({results / "mine/page.html": b"<html>"})
    assert faults(results) == []


def test_what_no_run_makes_any_more_is_missed_until_the_next_one(results):
    shutil.rmtree(results / "mine/stability")
    assert len(faults(results)) == 1
    end_run(results, known=["mine/stability/wine/mid.sha256"])
    assert len(faults(results)) == 1  # the run was asked for something else
    end_run(results, made=["mine/selections/wine/mid/batch0.sha256"])
    assert faults(results) == []


def test_what_was_lost_of_another_study_is_missed_until_its_folder_has_gone(results):
    (results / "data/wine.sha256").unlink()
    shutil.rmtree(results / "mine/stability")
    write_with_manifest({results / "data/iris.npz": b""})
    write_with_manifest({results / "yours/page.html": b""})
    end_run(results, made=["yours/page.sha256", "data/iris.sha256"])
    named = {line.partition(": ")[0] for line in faults(results)}
    gone = {str(results / name) for name in ("data/wine.sha256", "mine/stability/wine/mid.sha256")}
    assert gone <= named
    shutil.rmtree(results / "mine")
    for path in (results / "data").glob("wine*"):
        path.unlink()
    end_run(results, made=["yours/page.sha256", "data/iris.sha256"])
    assert faults(results) == []


def test_folders_that_are_links_are_looked_into_once(results, capsys):
    elsewhere = results.parent / "another disk"
    (results / "mine").rename(elsewhere)
    (results / "mine").symlink_to(elsewhere)
    (elsewhere / "back").symlink_to(results)
    assert faults(results) == []
    assert capsys.readouterr().out.startswith("12 files")
    (elsewhere / "stability/wine/mid.tsv").write_text("other")
    (line,) = faults(results)
    assert line.startswith(f"{results / 'mine/stability/wine/mid.tsv'}: its content differs")


def test_results_whose_logs_are_gone_need_their_list_again(results):
    shutil.copytree(results, results / "paper")
    shutil.rmtree(results / "logs")
    (line,) = faults(results)
    assert line.startswith(f"{results / LIST}: is not there")


def test_results_of_a_run_that_has_not_ended_are_no_fault(results):
    write_with_manifest({results / "mine/page.html": b"<html>"})
    assert faults(results) == []


def test_results_inside_other_results_have_a_list_of_their_own(results, capsys):
    inside = results / "paper"
    shutil.copytree(results, inside)
    assert faults(results) == []
    assert capsys.readouterr().out.startswith("24 files")
    (inside / LIST).unlink()
    (line,) = faults(results)
    assert line.startswith(f"{inside / LIST}: is not there")


def test_a_folder_of_folders_of_results_needs_no_list(results):
    shutil.copytree(results, results.parent / "seeds/1")
    write_with_manifest({results.parent / "seeds/spread.md": b"over all seeds"})
    assert faults(results.parent / "seeds") == []


def test_results_without_any_manifest_are_missed(results):
    for path in (path for path in results.rglob("*.sha256") if path.parent.name != "logs"):
        path.unlink()
    named = {line.partition(": ")[0] for line in faults(results)}
    assert {str(results / name) for name in (*RESULTS, *MANIFESTS)} <= named


def test_sha256sum_reads_the_list(results):
    check = subprocess.run(["sha256sum", "-c", LIST], cwd=results, capture_output=True)
    assert check.returncode == 0


def test_a_list_that_is_right_is_left_alone(results):
    before = (results / LIST).stat()
    end_run(results)
    assert (results / LIST).stat().st_mtime_ns == before.st_mtime_ns


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(UserError, match="no such folder"):
        verify.run(argparse.Namespace(results=tmp_path / "none"))
    with pytest.raises(UserError, match="name a folder of results"):
        verify.run(argparse.Namespace(results=tmp_path))
