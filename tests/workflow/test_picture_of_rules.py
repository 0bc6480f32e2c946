"""The picture of the rules in the documents is what Snakemake's own graph gives."""

import subprocess
import sys

from conftest import ROOT


def test_the_kept_picture_is_the_present_one(tmp_path):
    out = tmp_path / "rulegraph.svg"
    command = [sys.executable, ROOT / "scripts" / "rulegraph.py", "--out", out]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert out.read_text() == (ROOT / "docs" / "rulegraph.svg").read_text(), "make rulegraph"
