"""Snakemake, run by a command: in the working folder, on the project's workflow."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from steadfast.command import locks
from steadfast.command.failures import ending, trouble
from steadfast.command.progress import Progress, ProgressDisplay
from steadfast.core.cli import INTERRUPTED
from steadfast.core.config import put_over, read_yaml
from steadfast.core.environment import memory_for_jobs
from steadfast.core.errors import NO_ROOM, STOPPED, UserError, plain
from steadfast.core.files import write_atomically
from steadfast.core.home import project_folder
from steadfast.study.foreign import announcement
from steadfast.study.run import SOURCE, Run, load_run, over_default


def number_of_cores(text: str) -> int:
    """The number that `--cores` stands for."""
    if text == "all":
        known = hasattr(os, "sched_getaffinity")
        return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    if not text.isdigit() or int(text) < 1:
        raise UserError(f"--cores: {text!r} is neither a whole number of at least 1 nor all")
    return int(text)


def read_settings(files: Sequence[Path]) -> dict[str, Any]:
    """What config files of the user's set, the later ones over the earlier."""
    settings: dict[str, Any] = {}
    for file in files:
        settings = put_over(settings, read_yaml(file))
    return settings


def snakemake_call(targets: Sequence[str], cores: str, settings: Path) -> list[str]:
    """Snakemake as a command: what is asked for, on the project's workflow.

    A config/config.yaml in the working folder may be that of another workflow: it does not count.
    """
    call = ["snakemake", *targets, "--cores", cores]
    call += ["--resources", f"mem_mb={memory_for_jobs()}"]
    call += ["--snakefile", os.path.relpath(project_folder() / "Snakefile")]
    return [*call, "--configfile", str(settings), "--replace-workflow-config"]


def load_asked(settings: Mapping[str, Any]) -> Run:
    """The run of these settings over the project's; a mistake is one of the command line."""
    root = project_folder()
    try:
        whole = over_default(settings, root)
        if line := announcement(whole, root):
            print(plain(line), file=sys.stderr, flush=True)
        return load_run(whole, root)
    except UserError as error:
        raise UserError(str(error).replace(SOURCE, "the command line, or --config")) from None


def write_settings(path: Path, settings: Mapping[str, Any]) -> Path:
    """Keep what a run was asked for beside its results."""
    text = yaml.safe_dump(dict(settings), allow_unicode=True, sort_keys=False)
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        raise UserError(
            f"results: {path.parent} cannot be written ({error.strerror}); go to a folder of your "
            "own, or name one under `results` in a file for --config"
        ) from None
    return path


def run_snakemake(call: Sequence[str], cores: int, quiet: bool) -> list[str]:
    """Run Snakemake and show how far it is; what it printed.

    All of it is shown where it fails, from the first trouble on. Interrupted, it ends its jobs
    itself, and the command ends with one line.
    """
    if importlib.util.find_spec("snakemake") is None:
        raise ModuleNotFoundError("no module named snakemake", name="snakemake")
    display = ProgressDisplay(Progress(cores), quiet=quiet)
    said: list[str] = []
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    command = [sys.executable, "-m", *call]
    with subprocess.Popen(command, errors="replace", **streams) as process:
        try:
            for line in process.stdout:
                said.append(line)
                if line.startswith(locks.KILLED):
                    print(line, end="", flush=True)
                display.read(line)
        except KeyboardInterrupt:
            display.close()
            _end(process)
            print(f"steadfast: {STOPPED}")
            sys.exit(INTERRUPTED)
    display.close()
    if process.returncode:
        if any("LockException" in line for line in said):
            raise UserError(_locked(said, call))
        if shown := "".join(trouble(said)).strip("\n"):
            print(shown, file=sys.stderr)
        raise UserError(ending(said))
    return said


def _end(process: subprocess.Popen) -> None:
    """Wait for Snakemake, which was interrupted too and ends its jobs; a second time, kill it."""
    try:
        process.communicate()
    except KeyboardInterrupt:
        process.kill()


def _locked(said: Sequence[str], call: Sequence[str]) -> str:
    """Who is at work, as the workflow itself found out; where it could not, what to do."""
    held = [line for line in said if line.startswith(locks.HELD)]
    if held:
        return held[0].removeprefix("steadfast: ").strip()
    unlock = locks.unlock_command(call)
    return f"another run is at work in this folder; if none is: {unlock}"
