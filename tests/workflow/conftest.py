"""A copy of the project in which a small study has run, for tests to change and look at."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
#: The small study has few folds, in several batches all the same.
SMALL = "studies: [small]\nseed: 1\nfolds_per_job: 3\n"
BROWSER, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
BROWSER_OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--force-prefers-reduced-motion"),
)
PARTS = ("Snakefile", "workflow", "config", "scripts", "envs", "profiles")


class Project:
    """A copy of the project's files in a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder

    def snakemake(self, *arguments: str, cores: int = 2) -> subprocess.CompletedProcess:
        """Run the real workflow here; the output has standard output and standard error."""
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        return subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )

    def run(self, *arguments: str, cores: int = 2) -> str:
        """Run the workflow and expect success."""
        done = self.snakemake(*arguments, cores=cores)
        assert done.returncode == 0, done.stdout[-4000:]
        return done.stdout

    def planned(self, *arguments: str) -> dict[str, int]:
        """How many jobs of each rule a dry run plans."""
        counts: dict[str, int] = {}
        _, _, statistics = self.run("--dry-run", *arguments).rpartition("Job stats:")
        for line in statistics.splitlines():
            if match := re.fullmatch(r"(\w+)\s+(\d+)", line):
                counts[match[1]] = int(match[2])
        return {rule: n for rule, n in counts.items() if rule not in ("total", "all", "default")}

    def edit_yaml(self, path: str, change) -> None:
        content = yaml.safe_load((self.folder / path).read_text())
        change(content)
        (self.folder / path).write_text(yaml.safe_dump(content, sort_keys=False))

    def rows(self, path: str) -> list[dict[str, str]]:
        """The rows of a result file, tab-separated or (.csv) comma-separated."""
        text = (self.folder / "results" / path).read_text()
        delimiter = "\t" if path.endswith("tsv") else ","
        return list(csv.DictReader(text.splitlines(), delimiter=delimiter))

    def results(self) -> dict[str, bytes]:
        """Every result file but logs and timings."""
        folder = self.folder / "results"
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.relative_to(folder).parts[0] not in ("logs", "benchmarks")
        }


def copy_project(folder: Path, *studies: str) -> Project:
    """The project's files with these studies of tests/data to run, or the small one."""
    folder.mkdir(parents=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(
                source, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.npz")
            )
        else:
            shutil.copy2(source, folder / part)
    data = ROOT / "tests" / "data"
    shutil.copy2(data / "last_columns.py", folder / "scripts/steadfast/selectors/last_columns.py")
    for name in studies or ("small",):
        shutil.copy2(data / f"{name}.yaml", folder / f"config/studies/{name}.yaml")
    config = f"studies: [{', '.join(studies)}]\nseed: 1\n" if studies else SMALL
    (folder / "config/config.yaml").write_text(config)
    return Project(folder)


def shared_run(tmp_path_factory, name: str, build: Callable[[Path], str]) -> tuple[Path, str]:
    """A folder that one of the test processes builds and all of them read, and what it printed."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, printed = base / name, base / f"{name}.txt"
    try:
        (base / f"{name}.lock").mkdir()
    except FileExistsError:
        deadline = time.time() + 300
        while not printed.exists():
            assert time.time() < deadline, f"another process did not finish {name}"
            time.sleep(0.2)
    else:
        output = build(folder)
        printed.with_suffix(".part").write_text(output)
        printed.with_suffix(".part").rename(printed)
    return folder, printed.read_text()


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Project:
    """A project whose small study has run; not to be changed."""
    folder, output = shared_run(
        tmp_path_factory, "finished", lambda folder: copy_project(folder).run()
    )
    project = Project(folder)
    project.output = output
    return project


@pytest.fixture
def project(finished, tmp_path) -> Project:
    """A copy of the finished project, to be changed."""
    shutil.copytree(finished.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


@pytest.fixture
def fresh(tmp_path) -> Project:
    """A project in which nothing has run."""
    return copy_project(tmp_path / "project")


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A real browser without a window."""
    if not (Path(BROWSER).exists() and Path(DRIVER).exists()):
        pytest.skip(
            "Chromium (Debian: chromium, chromium-driver) is not installed; "
            ".ci/system-packages installs it"
        )
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    profile = tmp_path_factory.mktemp("browser")
    options = Options()
    options.binary_location = BROWSER
    for option in (*BROWSER_OPTIONS, f"--user-data-dir={profile}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.get("about:blank")
    yield driver
    driver.quit()
    shutil.rmtree(profile, ignore_errors=True)


@pytest.fixture
def visit(browser):
    """Open an address; at the end of the test nothing may have gone wrong or over the network.

    A page may load itself alone, or files below a folder that is given as `beside`.
    """
    opened, folders = [], []

    def open_address(address: str, place: str = "", *, width: int = 1100, beside: str = ""):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get("about:blank")
        browser.get(address + place)
        opened.append(address)
        folders.extend([beside] if beside else [])
        return browser

    for kind in ("browser", "performance"):
        browser.get_log(kind)
    yield open_address
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    requests = [
        m["params"]["request"]["url"]
        for m in messages
        if m["method"] == "Network.requestWillBeSent"
    ]
    assert len(requests) >= len(opened), "requests are seen"
    others = {url.partition("#")[0] for url in requests} - {*opened, "about:blank"}
    # The browser's own first tab may still be loading its parts.
    others = {url for url in others if not url.startswith(("chrome://", "chrome-untrusted://"))}
    assert all(url.startswith(tuple(folders)) for url in others), others
