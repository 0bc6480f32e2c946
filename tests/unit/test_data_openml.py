"""OpenML: what is downloaded, kept and reported, against a made-up server on this machine."""

import hashlib
import json
import re

import pytest
from fake_openml import FakeOpenML

from steadfast.core.errors import UserError
from steadfast.data import load, openml_cache

ARFF = """@RELATION made-up
@ATTRIBUTE row_name STRING
@ATTRIBUTE class {'1','2'}
@ATTRIBUTE a REAL
@ATTRIBUTE b {0,1}
@DATA
r1,1,0.1,1
r2,2,2.5,0
r3,2,1e-300,0
r4,1,4,1
"""
FIELDS = {"default_target_attribute": "class", "ignore_attribute": "row_name"}
HTML = "<html><head><title>502</title></head><body><h1>Bad gateway</h1></body></html>"


@pytest.fixture
def server(monkeypatch):
    with FakeOpenML() as fake:
        monkeypatch.setenv(openml_cache.SERVER_VARIABLE, fake.server)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setattr(openml_cache, "ATTEMPTS", 1)
        yield fake


@pytest.fixture
def fetch(tmp_path):
    """Load an OpenML entry; the progress lines are appended to `lines`, if given."""

    def fetch(number=7, lines=None, **entry):
        entry = {"source": "openml", "id": number, **entry}
        progress = (lines if lines is not None else []).append
        return load("made_up", entry, root=tmp_path, cache=tmp_path, progress=progress)

    return fetch


@pytest.fixture
def refusal(fetch):
    def refusal(number=7, **entry):
        with pytest.raises(UserError) as caught:
            fetch(number, **entry)
        message = str(caught.value)
        assert "\n" not in message
        return message

    return refusal


def test_a_download_is_announced_kept_and_used_again_without_the_server(server, fetch, tmp_path):
    server.add(7, ARFF, **FIELDS)
    lines = []
    table, description = fetch(lines=lines)
    assert table.features == ("a", "b")
    assert table.X.tolist() == [[0.1, 1], [2.5, 0], [1e-300, 0], [4, 1]]
    assert table.classes == ("1", "2")
    assert table.y.tolist() == [0, 1, 1, 0]
    assert description["origin"] == "OpenML 7"
    kept = (tmp_path / "openml" / "7.csv.gz").read_bytes()
    assert description["sha256"] == hashlib.sha256(kept).hexdigest()
    assert "downloading OpenML 7" in lines[0]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["7.csv.gz", "7.json", "openml"]
    facts = json.loads((tmp_path / "openml" / "7.json").read_text())
    assert facts["md5_of_arff"] == hashlib.md5(ARFF.encode()).hexdigest()

    server.answers.clear()
    before = len(server.requests)
    again, _ = fetch(lines=lines)
    assert (again.X == table.X).all()
    assert len(server.requests) == before
    assert len(lines) == 2


def test_several_ids_are_joined_by_columns_with_their_prefixes(server, fetch, refusal):
    server.add(1, ARFF, **FIELDS)
    server.add(2, ARFF.replace("2.5", "7"), **FIELDS)
    table, description = fetch([2, 1], prefixes=["u", "v"])
    assert table.features == ("u_a", "u_b", "v_a", "v_b")
    assert table.X[1].tolist() == [7, 0, 2.5, 0]
    assert description["origin"] == "OpenML 2, 1"
    assert "`prefixes`" in refusal([1, 2])
    assert "1 `prefixes` for 2 tables" in refusal([1, 2], prefixes=["u"])
    server.add(3, ARFF.replace("r1,1", "r1,2"), **FIELDS)
    assert "cannot be joined" in refusal([1, 3], prefixes=["u", "v"])


def test_columns_are_dropped_even_if_openml_ignores_them_and_the_target_can_be_set(server, fetch):
    server.add(7, ARFF, **FIELDS)
    table, _ = fetch(drop=["row_name", "a"], target="b")
    assert table.features == ("class",)
    assert table.classes == ("0", "1")


def test_two_targets_named_by_openml_are_refused(server, refusal):
    server.add(7, ARFF, default_target_attribute="class,b", row_id_attribute="row_name")
    assert "`target` names 'class,b', which is no column" in refusal()


def test_an_unexpected_shape_is_refused_but_the_download_is_kept(server, refusal, fetch, tmp_path):
    server.add(7, ARFF, **FIELDS)
    assert "OpenML 7: 4 rows found, but the catalogue expects 5" in refusal(expect={"rows": 5})
    server.answers.clear()
    fetch(expect={"rows": 4})


def test_no_server_is_explained(monkeypatch, refusal, tmp_path):
    monkeypatch.setenv(openml_cache.SERVER_VARIABLE, "http://127.0.0.1:9/api/v1/xml")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(openml_cache, "ATTEMPTS", 1)
    message = refusal()
    assert "OpenML 7 could not be downloaded: no connection to 127.0.0.1:9" in message
    assert "put made_up.csv.gz into a folder and pass --config local_data=FOLDER" in message
    assert str(tmp_path / "openml") in message


def test_an_unknown_id_is_explained(server, refusal):
    assert "knows no data set of this id" in refusal(404)


@pytest.mark.parametrize("status", [200, 404, 502])
@pytest.mark.parametrize("page", [HTML, HTML.replace("</h1>", "<br>"), ""])
def test_an_error_page_instead_of_the_description_is_explained(server, refusal, status, page):
    server.answers["/api/v1/xml/data/7"] = (status, page)
    assert "not in OpenML's format (an error page" in refusal()


def test_a_file_that_does_not_match_its_checksum_is_not_kept(server, refusal, fetch, tmp_path):
    server.add(7, ARFF, md5="0" * 32, **FIELDS)
    assert "does not match the checksum" in refusal()
    server.add(7, ARFF, **FIELDS)
    server.answers["/data/7.arff"] = (200, HTML)
    assert "does not match the checksum" in refusal()
    assert not list(tmp_path.rglob("7.*"))
    server.add(7, ARFF, **FIELDS)
    fetch()


def test_a_file_without_a_checksum_is_refused(server, refusal, tmp_path):
    server.add(7, ARFF, **FIELDS)
    path = "/api/v1/xml/data/7"
    status, description = server.answers[path]
    stated = re.compile(r"<oml:md5_checksum>.*</oml:md5_checksum>")
    server.answers[path] = (status, stated.sub("", description))
    assert "states no checksum" in refusal()
    assert not list(tmp_path.rglob("7.*"))


def test_a_file_that_is_no_arff_is_explained(server, refusal):
    server.add(7, HTML, **FIELDS)
    assert "the downloaded file: cannot be read as ARFF" in refusal()


def test_a_silent_server_is_given_up(server, refusal, monkeypatch):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv(openml_cache.SERVER_VARIABLE, f"http://{address}/api/v1/xml")
        monkeypatch.setattr(openml_cache, "SECONDS", 0.1)
        assert f"{address} did not answer within 0.1 seconds" in refusal()


def test_a_damaged_cache_is_named_and_left_alone(server, fetch, refusal, tmp_path):
    server.add(7, ARFF, **FIELDS)
    fetch()
    table, about = tmp_path / "openml" / "7.csv.gz", tmp_path / "openml" / "7.json"
    good = table.read_bytes()
    table.write_bytes(good[:-1])
    message = refusal()
    assert str(table) in message
    assert "delete 7.csv.gz and 7.json to download it again" in message
    assert table.read_bytes() == good[:-1]
    table.write_bytes(good)
    about.write_text("{")
    assert "7.json: the cached download cannot be read" in refusal()
    assert table.read_bytes() == good
    about.unlink()
    fetch()


def test_a_failed_download_leaves_other_cached_tables_and_settings_alone(server, fetch, refusal):
    import openml
    import requests

    server.add(7, ARFF, **FIELDS)
    fetch()
    settings, request = openml.config.get_config_as_dict(), requests.Session.request
    refusal(8)
    refusal([7, 8], prefixes=["u", "v"])
    assert openml.config.get_config_as_dict() == settings
    assert requests.Session.request is request
    server.answers.clear()
    fetch()
