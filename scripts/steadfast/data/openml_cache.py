"""Tables from OpenML, kept in a cache of our own.

The cache holds `ID.csv.gz` and, written after it, `ID.json` with the checksum. A table in the
cache is used without asking the server, is checked each time, and is never deleted here.
openml-python deletes an id's folder when a download fails, so it works in a temporary one.
"""

import csv
import functools
import gzip
import hashlib
import io
import json
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from steadfast.core.errors import UserError
from steadfast.core.files import write_atomically
from steadfast.data.readers import Sheet, open_sheet

#: An environment variable that names another server, and the server without it.
SERVER_VARIABLE = "STEADFAST_OPENML_SERVER"
SERVER = "https://www.openml.org/api/v1/xml"
#: Attempts at one request, one second and more apart, and how long each waits for an answer.
ATTEMPTS = 3
SECONDS = 60


@dataclass(frozen=True)
class Download:
    """A table from OpenML.

    Attributes
    ----------
    content : all columns as csv, packed with gzip
    target : the class column that OpenML names, if it names one
    ignored : columns that OpenML says are no features (row numbers, names)
    """

    content: bytes
    target: str | None
    ignored: tuple[str, ...]


def fetch(name: str, number: int, cache: Path, progress: Callable[[str], None]) -> Download:
    """A table by its OpenML id, from the cache or else from the server.

    Parameters
    ----------
    name : what the catalogue calls the data set; for messages
    number : OpenML's id
    cache : folder of everything that was downloaded
    progress : is given a line before and after a download
    """
    table, about = cache / "openml" / f"{number}.csv.gz", cache / "openml" / f"{number}.json"
    if not (table.exists() and about.exists()):
        server = os.environ.get(SERVER_VARIABLE) or SERVER
        progress(f"{name}: downloading OpenML {number} from {urlsplit(server).netloc}")
        try:
            content, facts = _download(number, cache, server)
            write_atomically(table, content)
            write_atomically(about, (json.dumps(facts, indent=2) + "\n").encode())
        except OSError as error:
            raise UserError(
                f"{name}: OpenML {number} could not be stored ({error}); {cache} and your home "
                "folder must have room and be writable"
            ) from None
        except _Failure as failure:
            raise UserError(
                f"{name}: OpenML {number} could not be downloaded: {failure}; try again, or put "
                f"{name}.csv.gz into a folder and pass --config local_data=FOLDER, or copy "
                f"{table.name} and {about.name} of another machine's cache into {table.parent}"
            ) from None
        progress(f"{name}: OpenML {number} downloaded, {len(content):,} bytes in {table}")
    return _read_cache(table, about)


def _read_cache(table: Path, about: Path) -> Download:
    advice = f"bring back a good copy, or delete {table.name} and {about.name} to download it again"
    try:
        content, facts = table.read_bytes(), json.loads(about.read_bytes())
        expected, target, ignored = facts["sha256"], facts["target"], tuple(facts["ignored"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"{about}: the cached download cannot be read ({error}); {advice}"
        ) from None
    if hashlib.sha256(content).hexdigest() != expected:
        raise UserError(f"{table}: does not match its checksum in {about.name}; {advice}")
    return Download(content, target, ignored)


class _Failure(Exception):
    """Why a download failed, in a few words."""


def _download(number: int, cache: Path, server: str) -> tuple[bytes, dict[str, Any]]:
    cache.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=".openml-", dir=cache) as folder,
        _openml(Path(folder), server) as openml,
    ):
        try:
            dataset = openml.datasets.get_dataset(number, download_data=True)
            arff = Path(dataset.data_file).read_bytes()
        # openml-python lets through whatever its parsers and its transport raise.
        except Exception as error:
            raise _Failure(_reason(error, server)) from error
    _require_checksum(arff, dataset.md5_checksum)
    try:
        sheet = open_sheet(arff, ".arff", "the downloaded file")
    except UserError as error:
        raise _Failure(str(error)) from None
    content = _to_csv(sheet)
    return content, {
        "id": number,
        "name": dataset.name,
        "version": dataset.version,
        "licence": dataset.licence,
        "target": dataset.default_target_attribute,
        "ignored": _split_names(dataset.row_id_attribute) + _split_names(dataset.ignore_attribute),
        "md5_of_arff": dataset.md5_checksum,
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _require_checksum(content: bytes, stated: str | None) -> None:
    """Nothing is taken that the server does not vouch for; openml-python takes it."""
    if not stated:
        raise _Failure("OpenML states no checksum for this file")
    if hashlib.md5(content, usedforsecurity=False).hexdigest() != stated:
        raise _Failure("the file that arrived does not match the checksum that OpenML states")


@contextmanager
def _openml(folder: Path, server: str) -> Iterator[Any]:
    """openml-python, set up to work in `folder`, to give up soon and to keep silent.

    It is made to fetch ARFF: the server states no checksum for its Parquet files.
    """
    silent_below = logging.root.manager.disable
    variables = {"OPENML_CACHE_DIR": str(folder), "OPENML_SKIP_PARQUET": "true"}
    before = {key: os.environ.get(key) for key in variables}
    os.environ.update(variables)
    logging.disable(logging.WARNING)
    try:
        import openml
        import requests

        settings = openml.config.get_config_as_dict()
        request = requests.Session.request
        try:
            openml.config.server = server
            openml.config.set_root_cache_directory(folder)
            openml.config.set_retry_policy("human", n_retries=ATTEMPTS)
            # It states no timeout: a silent server would hold it for ever.
            requests.Session.request = functools.partialmethod(request, timeout=SECONDS)
            yield openml
        finally:
            requests.Session.request = request
            openml.config.server = settings["server"]
            openml.config.set_root_cache_directory(settings["cachedir"])
            openml.config.set_retry_policy(
                settings["retry_policy"], settings["connection_n_retries"]
            )
    finally:
        logging.disable(silent_below)
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


def _reason(error: Exception, server: str) -> str:
    from openml import exceptions
    from requests.exceptions import ConnectionError, RequestException, Timeout

    host = urlsplit(server).netloc
    if isinstance(error, Timeout):
        return f"{host} did not answer within {SECONDS} seconds"
    if isinstance(error, ConnectionError):
        return f"no connection to {host}"
    if isinstance(error, exceptions.OpenMLServerNoResult):
        return "the server knows no data set of this id (correct `id` in the catalogue)"
    if isinstance(error, exceptions.OpenMLPrivateDatasetError):
        return "the data set is private"
    if isinstance(error, exceptions.OpenMLHashException):
        return "the file that arrived does not match the checksum that OpenML states"
    if isinstance(error, exceptions.OpenMLServerException):
        return f"the server refused: {_one_line(error.message)}"
    if isinstance(error, (RequestException, OSError)):
        return _one_line(str(error))
    return (
        "the server's answer is not in OpenML's format (an error page of the server or a proxy?) "
        f"[{type(error).__name__}]"
    )


def _one_line(text: str, length: int = 120) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."


def _split_names(names: str | list[str] | None) -> list[str]:
    """Names from what OpenML states as nothing, one name, names with commas, or a list."""
    if names is None:
        return []
    if isinstance(names, str):
        return [name.strip() for name in names.split(",")]
    return [part for name in names for part in _split_names(name)]


def _to_csv(sheet: Sheet) -> bytes:
    """All cells as csv; the same table always gives the same bytes."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(sheet.header)
    writer.writerows(cells for _, cells in sheet.rows)
    return gzip.compress(text.getvalue().encode(), mtime=0)
