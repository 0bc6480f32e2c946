"""Run the example of README.md and update its printed answer, its evidence and its picture."""

import argparse
import contextlib
import gzip
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from picture_of_page import PICTURE, find_browser, take_picture
from steadfast.command.advise import _print_answer
from steadfast.core import cli
from steadfast.core.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DATASET = "wdbc"
COMMAND = f"steadfast advise {DATASET}"
#: The evidence of the run that README.md shows.
EVIDENCE = ROOT / "docs" / "advise" / f"{DATASET}.json.gz"
BLOCK = re.compile(r"^```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def read_kept_evidence() -> dict[str, Any]:
    """The evidence that was kept of the run."""
    return json.loads(gzip.decompress(EVIDENCE.read_bytes()))


def printed_answer(evidence: dict[str, Any]) -> str:
    """The answer as the command prints it."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        _print_answer(evidence)
    return printed.getvalue().lstrip("\n")


def shown_answer(document: str) -> str:
    """The answer that a document shows, in its only block of text."""
    (block,) = BLOCK.findall(document)
    return block


def run_example(folder: Path, cores: str) -> tuple[bytes, Path]:
    """Run the example in a folder; the evidence and the page that it wrote."""
    call = [sys.executable, "-m", "steadfast", *COMMAND.split()[1:], "--cores", cores]
    done = subprocess.run(call, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise UserError(f"{COMMAND}: stopped with exit code {done.returncode}")
    results = folder / "results" / "advice" / DATASET
    evidence = (results / "evidence" / f"{DATASET}.json").read_bytes()
    if printed_answer(json.loads(evidence)) not in done.stdout:
        raise UserError(f"{COMMAND}: the printed answer is not the one of its evidence")
    return evidence, results / "page.html"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", default="1", help="cores of the run (1)")
    given = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        evidence, page = run_example(Path(folder), given.cores)
        answer = printed_answer(json.loads(evidence))
        EVIDENCE.parent.mkdir(exist_ok=True)
        EVIDENCE.write_bytes(gzip.compress(evidence, mtime=0))
        text = README.read_text(encoding="utf-8")
        README.write_text(BLOCK.sub(lambda _: f"```text\n{answer}```", text), encoding="utf-8")
        print(f"README.md: {len(answer.split())} words of answer; {EVIDENCE.relative_to(ROOT)}")
        browser = find_browser()
        if browser is None:
            print("docs/advise.png was not changed: Chromium is not installed (Debian: chromium)")
        else:
            print(f"docs/advise.png: {take_picture(browser, page, PICTURE) / 1000:.0f} kB")


if __name__ == "__main__":
    cli.run(main)
