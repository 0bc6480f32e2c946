"""Files between stages: whole or not there, and damage is named."""

import subprocess

import numpy as np
import pytest

from steadfast.core.errors import UserError
from steadfast.core.files import (
    arrays_to_bytes,
    manifest_size,
    parse_table,
    read_arrays,
    read_verified,
    table_to_bytes,
    write_atomically,
    write_with_manifest,
)


def test_arrays_come_back_and_give_the_same_bytes_each_time(tmp_path):
    arrays = {"X": np.arange(6.0).reshape(2, 3), "names": np.array(["a", "β"])}
    write_with_manifest({tmp_path / "t.npz": arrays_to_bytes(**arrays)})
    back = read_arrays(tmp_path / "t.npz")
    assert all((back[key] == value).all() for key, value in arrays.items())
    assert arrays_to_bytes(**arrays) == (tmp_path / "t.npz").read_bytes()


def test_numbers_in_a_table_come_back_to_the_last_bit():
    values = [1 / 3, 1e-300, float("inf"), 2**53 + 0.0]
    table = parse_table(table_to_bytes(["name", "value"], [("x", v) for v in values]))
    assert [float(text) for text in table["value"]] == values
    assert table["name"] == ["x"] * 4


def test_a_damaged_file_is_named_with_the_fix(tmp_path):
    path = tmp_path / "b01_r1.tsv"
    write_with_manifest({path: b"rank\tfeature\n1\ta\n"})
    path.write_bytes(b"rank\tfeature\n1\tb\n")
    with pytest.raises(UserError, match=r"b01_r1\.tsv: its content differs .* delete it"):
        read_verified(path)


def test_a_truncated_or_missing_file_is_named(tmp_path):
    path = tmp_path / "wine.npz"
    write_with_manifest({path: b"0123456789"})
    path.write_bytes(b"01234")
    with pytest.raises(UserError, match=r"wine\.npz"):
        read_verified(path)
    path.unlink()
    with pytest.raises(UserError, match=r"wine\.npz: cannot be read"):
        read_verified(path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: "garbage\n", "is no checksum and name"),
        (lambda text: "", "is empty"),
        (lambda text: text[:-1], "is no checksum and name"),
        (lambda text: text + text, "names a file twice"),
        (lambda text: text + "\n", "is no checksum and name"),
        (lambda text: text.replace("  ", " "), "is no checksum and name"),
        (lambda text: "G" + text[1:], "is no checksum and name"),
        (lambda text: text[1:], "is no checksum and name"),
    ],
)
def test_an_unreadable_manifest_is_named(tmp_path, change, why):
    write_with_manifest({tmp_path / "a.tsv": b"x\n"})
    manifest = tmp_path / "a.sha256"
    manifest.write_text(change(manifest.read_text()))
    with pytest.raises(
        UserError, match=rf"a\.sha256: .*{why}.*; delete it and run the same command"
    ):
        read_verified(tmp_path / "a.tsv")


def test_a_file_that_its_manifest_does_not_name_is_not_read(tmp_path):
    write_with_manifest({tmp_path / "a.tsv": b"1", tmp_path / "b.tsv": b"2"}, tmp_path / "a.sha256")
    manifest = tmp_path / "a.sha256"
    manifest.write_text(manifest.read_text().splitlines(keepends=True)[0])
    with pytest.raises(UserError, match=r"b\.tsv: a\.sha256 does not name it; delete it"):
        read_verified(tmp_path / "b.tsv", manifest)


def test_a_folder_in_the_place_of_a_file_must_be_moved_away(tmp_path):
    write_with_manifest({tmp_path / "a.tsv": b"1"})
    (tmp_path / "a.tsv").unlink()
    (tmp_path / "a.tsv").mkdir()
    with pytest.raises(UserError, match=r"a\.tsv: is a folder, no file; move it away and run the"):
        read_verified(tmp_path / "a.tsv")


def test_the_size_of_a_manifest_is_known_by_the_names(tmp_path):
    names = ["a.tsv", "β und γ.tsv"]
    write_with_manifest({tmp_path / name: b"" for name in names})
    assert (tmp_path / "a.sha256").stat().st_size == manifest_size(names)


def test_sha256sum_reads_the_manifest(tmp_path):
    write_with_manifest({tmp_path / "a.tsv": b"1\n", tmp_path / "b.tsv": b"2\n"})
    check = subprocess.run(["sha256sum", "-c", "a.sha256"], cwd=tmp_path, capture_output=True)
    assert check.returncode == 0


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    path = tmp_path / "t.tsv"
    write_atomically(path, b"old")

    def refuse(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["t.tsv"]
