"""What the documents say is so: links, anchors, targets of make, declarations."""

import re
from copy import deepcopy

import pytest
import yaml
from documents import ROOT, blocks, documents, slugs

from steadfast.core.config import check_schema, read_yaml
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

SCHEMAS = ROOT / "workflow" / "schemas"
CATALOGUE = read_yaml(ROOT / "config" / "datasets.yaml")
TEXTS = {path: path.read_text() for path in documents()}
LINKS = [
    pytest.param(path, target, id=f"{path.relative_to(ROOT)}: {target}")
    for path, text in TEXTS.items()
    for target in re.findall(r"\]\(([^)\s]+)\)", text)
    if not re.match(r"\w+:", target)
]
#: Those that are files are run by tests/workflow/test_docs.py.
DECLARATIONS = [
    pytest.param(block, id=str(block))
    for path in TEXTS
    for block in blocks(path, "yaml")
    if not block.file
]
#: What a part of a study is put into.
STUDY = {
    "title": "A study to put parts into",
    "datasets": ["mine"],
    "resample": {"scheme": "shrinking_bootstrap", "ratios": [0.5]},
    "selectors": {"mid": {}, "fisher": {}},
}


def loaded(declared: dict, folder) -> dict:
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump(declared))
    return load_study(path, study_schema(SCHEMAS), {*CATALOGUE, "mine"})


@pytest.mark.parametrize(("path", "target"), LINKS)
def test_a_link_leads_somewhere(path, target):
    file, _, anchor = target.partition("#")
    found = (path.parent / file).resolve() if file else path
    assert found.exists()
    if anchor:
        assert anchor in slugs(found), f"{target}: no such heading among {sorted(slugs(found))}"


@pytest.mark.parametrize("block", DECLARATIONS)
def test_a_declaration_is_a_right_one(block, tmp_path):
    declared = yaml.safe_load(block.text)
    study, config, entry = (
        read_yaml(SCHEMAS / f"{name}.schema.yaml") for name in ("study", "config", "datasets")
    )
    if set(declared) <= set(study["properties"]):
        whole = declared if "title" in declared else deepcopy(STUDY)
        for key, value in declared.items():
            if isinstance(value, dict) and isinstance(whole.get(key), dict):
                whole[key] = whole[key] | value
            else:
                whole[key] = value
        loaded(whole, tmp_path)
    elif set(declared) <= set(config["properties"]):
        usual = read_yaml(ROOT / "config" / "config.yaml")
        check_schema(usual | declared, config, str(block))
    else:
        check_schema(declared, entry, str(block))


def test_a_study_with_transforms_runs_every_selector_after_each(tmp_path):
    parts = [yaml.safe_load(block.values[0].text) for block in DECLARATIONS]
    part = next(part for part in parts if "smooth" in part.get("transforms", {}))
    selectors = loaded(STUDY | part, tmp_path)["selectors"]
    assert "fisher+smooth" in selectors
    assert selectors["mid+ranks"]["transform"]["params"] == {"n_quantiles": 20}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_targets_of_make_that_are_named_exist(path):
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:^|`)make ([a-z-]+)", TEXTS[path], re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"make {target}"


def test_the_index_names_every_document():
    index = TEXTS[ROOT / "docs" / "README.md"]
    for path in (ROOT / "docs").rglob("*.md"):
        name = path.relative_to(ROOT / "docs").as_posix()
        assert name == "README.md" or f"]({name})" in index, name


def test_the_citation_file_is_of_this_version():
    from steadfast import __version__

    cited = read_yaml(ROOT / "CITATION.cff")
    assert cited["version"] == __version__
    noted = " ".join(entry["notes"] for entry in cited["references"])
    papers = {path.stem.partition("_")[0] for path in (ROOT / "config/studies").glob("*.yaml")}
    assert {paper for paper in papers if paper not in noted} == set()
