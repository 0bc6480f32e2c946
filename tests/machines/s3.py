"""A server on this machine that answers as S3 does, in memory."""

import io
import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BUCKET = "steadfast"


class Store:
    """Where the server is, and what Snakemake must be told to use it."""

    def __init__(self, port: int, log: Path):
        self._log = log
        self.address = f"http://127.0.0.1:{port}"
        self.environment = {
            "SNAKEMAKE_STORAGE_S3_ENDPOINT_URL": self.address,
            "SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "none",
            "SNAKEMAKE_STORAGE_S3_SECRET_KEY": "none",
        }

    def options(self, folder: str) -> tuple[str, ...]:
        """Options by which results go to a folder of the bucket."""
        place = f"s3://{BUCKET}/{folder}"
        return ("--default-storage-provider", "s3", "--default-storage-prefix", place)

    def requests(self, folder: str) -> int:
        """How often something of a folder was asked for, written or listed."""
        return len(re.findall(rf'"[A-Z]+ /{BUCKET}\S*\b{folder}\b', self._log.read_text()))

    def results(self, folder: str) -> dict[str, bytes]:
        """Every result in a folder but logs and timings; the files of packs instead of packs."""
        found: dict[str, bytes] = {}
        for key in self._keys(f"{folder}/results/"):
            name = key.removeprefix(f"{folder}/results/")
            content = self._get(f"{BUCKET}/{key}")
            if name.split("/")[0] in ("logs", "benchmarks"):
                continue
            if name.endswith(".zip"):
                with zipfile.ZipFile(io.BytesIO(content)) as pack:
                    beside = name.rpartition("/")[0]
                    found |= {f"{beside}/{one}": pack.read(one) for one in pack.namelist()}
            else:
                found[name] = content
        return dict(sorted(found.items()))

    def _keys(self, prefix: str) -> list[str]:
        listing = self._get(f"{BUCKET}?list-type=2&prefix={prefix}").decode()
        return re.findall(r"<Key>([^<]+)</Key>", listing)

    def _get(self, path: str) -> bytes:
        # The server looks at whether there is a signature, not at what it says.
        signed = {"Authorization": "AWS none:none"}
        request = urllib.request.Request(f"{self.address}/{path}", headers=signed)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()


@contextmanager
def store(environment: Path, log: Path) -> Iterator[Store]:
    """The server of an environment, with an empty bucket, as long as it is needed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(log, "w") as out:
        server = subprocess.Popen(
            [environment / "bin" / "moto_server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=out,
            stderr=out,
            env=dict(os.environ),
        )
    try:
        found = Store(port, log)
        _make_bucket(found, log)
        yield found
    finally:
        server.terminate()
        server.wait()


def _make_bucket(found: Store, log: Path) -> None:
    request = urllib.request.Request(f"{found.address}/{BUCKET}", method="PUT")
    end = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(request, timeout=5).close()
        except urllib.error.URLError:
            if time.monotonic() > end:
                raise SystemExit(f"machines: no S3 here: {log.read_text()[-500:]}") from None
            time.sleep(0.2)
        else:
            return
