"""Records of Snakemake's that it could not read are taken away; all others stay."""

import json

import pytest

from steadfast.command.records import INCOMPLETE, METADATA, mend_records


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place in (METADATA / "@long", INCOMPLETE / "@long"):
        place.mkdir(parents=True)


def understand(record: dict) -> None:
    if not isinstance(record["rule"], str):
        raise ValueError


def names() -> set[str]:
    return {path.name for path in METADATA.rglob("*") if path.is_file()}


def test_a_record_that_can_be_read_stays():
    for name in ("one", "@long/two"):
        (METADATA / name).write_text(json.dumps({"rule": "select"}))
    mend_records(understand)
    assert names() == {"one", "two"}


@pytest.mark.parametrize("content", [b"", b'{"rule": "\x92"}', b'{"rule', b'{"rule": 3}', b"[1]"])
def test_one_that_cannot_is_taken_away(content):
    (METADATA / "one").write_bytes(content)
    mend_records(understand)
    assert names() == set()


def test_so_is_a_folder_in_its_place_but_no_part_of_a_long_name():
    for place in (METADATA, INCOMPLETE):
        (place / "one" / "two").mkdir(parents=True)
    (INCOMPLETE / "@long" / "three").write_text("")
    mend_records(understand)
    assert not (METADATA / "one").exists()
    assert not (INCOMPLETE / "one").exists()
    assert (METADATA / "@long").is_dir()
    assert (INCOMPLETE / "@long" / "three").is_file()


def test_where_nothing_has_run_there_is_nothing_to_mend(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path / METADATA)
    mend_records(understand)
