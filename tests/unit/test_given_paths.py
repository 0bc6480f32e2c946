"""Paths that users name: what is no file is refused at once, wherever a file is read."""

import os
from pathlib import Path

import pytest
from test_data import load_file, refusal

from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.data.loader import local_files
from steadfast.data.own_tables import own_data
from steadfast.measuring.scoring import read_runs
from steadfast.study.run import over_default

ROOT = Path(__file__).parents[2]


def data_of(path: Path) -> str:
    """The line that says why `data` is refused."""
    with pytest.raises(UserError) as caught:
        own_data(over_default({"data": str(path)}, ROOT), {})
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_is_no_file_is_named_at_once(tmp_path):
    os.mkfifo(tmp_path / "fifo.csv")
    (tmp_path / "loop.csv").symlink_to("pool.csv")
    (tmp_path / "pool.csv").symlink_to("loop.csv")
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    words = {
        "fifo.csv": "a fifo (a pipe with a name), not a file; save what it gives",
        "loop.csv": "its links lead round in a loop",
        "gone.csv": "a link to 'nowhere.csv', which is not there",
        "n" * 300 + ".csv": "the name is too long",
        "/dev/zero": "a device, not a file",
    }
    for name, said in words.items():
        assert said in data_of(tmp_path / name)
        assert said in refusal_of_source(tmp_path / name)
    with pytest.raises(UserError, match=r"(fifo|loop|gone)\.csv: a"):
        local_files(tmp_path)


def refusal_of_source(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        load_file(path)
    return str(caught.value)


@pytest.mark.parametrize("read", [read_yaml, lambda path: read_runs(path, 3)])
def test_nor_is_a_fifo_or_a_device_waited_for_where_no_table_is_read(tmp_path, read):
    os.mkfifo(tmp_path / "fifo.csv")
    (tmp_path / "device.csv").symlink_to("/dev/zero")
    for name, what in (("fifo", "a fifo"), ("device", "a device")):
        with pytest.raises(UserError, match=rf"{name}\.csv: {what}.*, not a file"):
            read(tmp_path / f"{name}.csv")


def test_what_may_not_be_read_is_named(tmp_path, monkeypatch):
    def deny(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n1,2,yes\n")
    monkeypatch.setattr(Path, "read_bytes", deny)
    assert "cannot be read (Permission denied); allow reading it (chmod u+r)" in refusal(path)
    monkeypatch.setattr(Path, "iterdir", deny)
    assert "the folder cannot be read (Permission denied)" in data_of(tmp_path)
    monkeypatch.setattr(Path, "stat", deny)
    assert "permission is denied to the folder that it lies in" in data_of(path)
