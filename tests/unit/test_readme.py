"""README.md: its length, its scope, and the answer and picture of its example."""

import re

import pytest
from documents import ROOT, commands
from PIL import Image

import picture_of_page
import readme_example

README = (ROOT / "README.md").read_text(encoding="utf-8")
#: Runs the example (two minutes) and updates the answer, the evidence and the picture.
UPDATE = "run: .venv/bin/python scripts/readme_example.py"


def test_it_has_at_most_900_words():
    assert len(README.split()) <= 900


def test_its_first_section_names_what_is_supported():
    first = README.partition("\n## ")[0]
    assert "classification only" in first
    assert "regression and survival are not supported" in first


def test_its_example_is_the_one_that_was_run():
    assert readme_example.COMMAND in commands(ROOT / "README.md")


def test_the_answer_is_what_the_command_prints_of_the_kept_evidence():
    """Its sentences are in the evidence: a change of their wording needs a new run."""
    evidence = readme_example.read_kept_evidence()
    assert evidence["dataset"]["name"] == readme_example.DATASET
    printed = readme_example.printed_answer(evidence)
    assert readme_example.shown_answer(README) == printed, UPDATE


def test_its_words_on_the_colour_are_those_of_the_answer():
    verdict = readme_example.read_kept_evidence()["advice"]["verdict"]
    (colour,) = re.findall(r"This answer is (\w+)", README)
    assert colour == {"trust": "green", "caution": "amber", "nothing": "red"}[verdict]


def test_its_picture_is_small():
    assert f"]({picture_of_page.PICTURE.relative_to(ROOT)})" in README
    assert picture_of_page.PICTURE.stat().st_size <= picture_of_page.LARGEST, UPDATE
    with Image.open(picture_of_page.PICTURE) as picture:
        assert picture.width == picture_of_page.WIDTH


def test_a_page_without_chromium_leaves_the_picture(monkeypatch, tmp_path, capsys):
    page = tmp_path / "page.html"
    page.write_text("<p>Page</p>")
    picture = tmp_path / "page.png"
    monkeypatch.setattr("sys.argv", ["picture_of_page", str(page), "--into", str(picture)])
    monkeypatch.setattr(picture_of_page, "find_browser", lambda: None)
    picture_of_page.main()
    assert "Chromium is not installed" in capsys.readouterr().out
    assert not picture.exists()


def test_a_picture_of_a_page_has_its_top(tmp_path):
    browser = picture_of_page.find_browser()
    if browser is None:
        pytest.skip("Chromium is not installed; .ci/system-packages installs it")
    page = tmp_path / "page.html"
    page.write_text("<body style='margin: 0'><div style='height: 400px; background: #f00'></div>")
    picture = tmp_path / "page.png"
    assert picture_of_page.take_picture(browser, page, picture, 300) == picture.stat().st_size
    with Image.open(picture) as taken:
        assert taken.size == (picture_of_page.WIDTH, 300)
        assert taken.convert("RGB").getpixel((5, 290)) == (255, 0, 0)
