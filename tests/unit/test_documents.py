"""What the documents say is so: links, names in the code, targets of make, declarations, words."""

import importlib
import re
from copy import deepcopy

import pytest
import yaml
from documents import BLOCK, ROOT, blocks, documents, headings, section, slugs, table_rows
from test_layers import LAYERS

import check_documents
from steadfast.core import registry
from steadfast.core.config import check_schema, read_yaml
from steadfast.data.catalogue import check_catalogue
from steadfast.study import documentation
from steadfast.study.declaration import Study
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

SCHEMAS = ROOT / "workflow" / "schemas"
CATALOGUE = read_yaml(ROOT / "config" / "datasets.yaml")
TEXTS = {path: path.read_text() for path in documents()}
DESIGN = ROOT / "docs" / "design.md"
#: Files that readers are told to write.
WRITTEN = {block.file for path in TEXTS for block in blocks(path) if block.file}
LINKS = [
    pytest.param(path, target, id=f"{path.relative_to(ROOT)}: {target}")
    for path, text in TEXTS.items()
    for target in re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", text))
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


def loaded(declared: dict, folder) -> Study:
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
    study, config = (read_yaml(SCHEMAS / f"{name}.schema.yaml") for name in ("study", "config"))
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
        check_catalogue(declared, str(block))


def test_a_study_with_transforms_runs_every_selector_after_each(tmp_path):
    parts = [yaml.safe_load(block.values[0].text) for block in DECLARATIONS]
    part = next(part for part in parts if "smooth" in part.get("transforms", {}))
    selectors = loaded(STUDY | part, tmp_path).selectors
    assert "fisher+smooth" in selectors
    assert selectors["mid+ranks"].transform.params == {"n_quantiles": 20}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_targets_of_make_that_are_named_exist(path):
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:^|`)make ([a-z-]+)", TEXTS[path], re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"make {target}"


def test_the_index_names_every_document():
    index = TEXTS[ROOT / "docs" / "README.md"]
    for path in TEXTS:
        if path.is_relative_to(ROOT / "docs"):
            name = path.relative_to(ROOT / "docs").as_posix()
            assert name == "README.md" or f"]({name})" in index, name


def test_the_citation_file_is_of_this_version():
    from steadfast import __version__

    cited = read_yaml(ROOT / "CITATION.cff")
    assert cited["version"] == __version__
    noted = " ".join(entry["notes"] for entry in cited["references"])
    studies = {path.stem: read_yaml(path) for path in (ROOT / "config/studies").glob("*.yaml")}
    papers = {name.partition("_")[0] for name, study in studies.items() if "paper" in study}
    assert {paper for paper in papers if paper not in noted} == set()


# Names in the code


def names_in_code(path) -> list[str]:
    """Modules, classes and functions of the library that a document names, `steadfast.` left out.

    The map names them by their folder, the other documents from `steadfast` on.
    """
    quoted = re.findall(r"`([a-z_]+(?:\.\w+)+)`", TEXTS[path])
    full = [name.removeprefix("steadfast.") for name in quoted if name.startswith("steadfast.")]
    if path.name == "CHANGELOG.md":  # names that were, too
        return []
    if path != DESIGN:
        return full
    endings = ("html", "json", "csv", "md", "npz", "py", "svg", "tsv", "yaml")
    return full + [
        name
        for name in quoted
        if name.split(".")[0] in LAYERS and name.rpartition(".")[2] not in endings
    ]


NAMES = [
    pytest.param(name, id=f"{path.relative_to(ROOT)}: {name}")
    for path in TEXTS
    for name in dict.fromkeys(names_in_code(path))
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_the_code_is_there(name):
    parts = name.split(".")
    for at in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(["steadfast", *parts[:at]]))
        except ModuleNotFoundError:
            continue
        break
    for attribute in parts[at:]:
        assert hasattr(found, attribute), name
        found = getattr(found, attribute)


def test_the_walk_of_one_fold_goes_through_the_code():
    assert len(NAMES) > 50


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_of_the_project_that_is_named_is_there(path):
    if path.name == "CHANGELOG.md":
        return
    folders = "config|docs|envs|profiles|scripts|tests|workflow"
    for name in re.findall(rf"`((?:{folders})/[^`\s{{}}*]*)`", TEXTS[path]):
        lone = "NAME" in name or name.startswith("docs/examples/")
        assert lone or name in WRITTEN or (ROOT / name).exists(), name


def test_the_rules_of_the_map_are_those_of_the_workflow():
    files = [ROOT / "Snakefile", *(ROOT / "workflow").glob("Snakefile")]
    files += (ROOT / "workflow/rules").glob("*.smk")
    rules = {name for file in files for name in re.findall(r"^rule (\w+):", file.read_text(), re.M)}
    assert re.search(rf"\b{len(rules)} static rules\b", TEXTS[DESIGN]), len(rules)
    listed = {
        name
        for row in table_rows(section(DESIGN, "The files that stages hand on"))[1:]
        for name in re.findall(r"`(\w+)`", row[0])
    }
    assert listed == rules - {"all", "default", "advise", "verify"}


def test_the_folders_of_the_map_are_in_the_order_in_which_they_may_import():
    rows = table_rows(section(DESIGN, "The folders"))[1:]
    assert [row[0].strip("`/") for row in rows] == LAYERS


def test_the_map_says_how_to_add_everything_that_one_file_can_add():
    rows = table_rows(section(DESIGN, "How to add each thing"))[1:]
    decorators = [re.match(r"`@(\w+)[(`]", row[2])[1] for row in rows]
    assert sorted(decorators) == sorted([*registry.FOLDERS, "measure"])
    for row, sort in zip(rows, decorators, strict=True):
        folder = registry.FOLDERS.get(sort, "measures")
        file = row[1].strip("`")
        assert file.rpartition("/")[0] == folder
        assert f"scripts/steadfast/{file}" in WRITTEN


# Kinds


@pytest.mark.parametrize("sort", documentation.SORTS)
def test_the_tables_of_kinds_are_those_of_the_classes(sort):
    start, end = documentation.mark(sort)
    text = TEXTS[ROOT / "config" / "README.md"]
    shown = text.partition(start)[2].partition(end)[0].strip()
    assert shown == documentation.markdown(sort), "python scripts/kinds.py --into config/README.md"


@pytest.mark.parametrize(
    ("sort", "name"),
    [(sort, name) for sort in ("table", "figure", "claim") for name in registry.declared(sort)],
)
def test_every_kind_and_key_is_described(sort, name):
    assert documentation.summary(sort, name).endswith(".")
    for key, about in documentation.keys_of(sort, name).items():
        assert about.description.endswith("."), key


# Words


def test_the_glossary_has_few_words_each_once():
    words = [row[0] for row in table_rows(section(DESIGN, "Words"))[1:]]
    assert 20 <= len(words) <= 25
    every = [word for cell in words for word in cell.split(", ")]
    assert len(set(every)) == len(every)


def test_the_map_is_a_map():
    assert len(TEXTS[DESIGN].splitlines()) <= 250
    assert "chain.svg" in TEXTS[DESIGN]


#: What is said in another way: "one per fold".
PER = re.compile(
    r"\b(?:one|once|two|three|ten|fifty|files?|rows?|lines?|columns?|jobs?|folds|digits|\d+ s) an? "
    r"(?:fold|job|study|data set|selector|feature|run|step|size|category|measure|half|round|system|"
    r"fact|sample|stage|rule|family|classifier)\b"
)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_it_is_one_per_fold(path):
    text = TEXTS[path]
    for block in blocks(path):
        text = text.replace(block.text, "")
    assert PER.findall(text) == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_has_one_title_and_no_heading_twice(path):
    if path.name != "CHANGELOG.md":
        assert len(set(headings(path))) == len(headings(path))
    assert "TODO" not in TEXTS[path]


@pytest.mark.parametrize(
    "listed", sorted(check_documents.NUMBERS.glob("*.csv")), ids=lambda p: p.stem
)
def test_documents_state_the_numbers_kept_of_a_run(listed):
    """`make check-documents` compares the kept values with the results of a run."""
    assert not list(check_documents.check_text(check_documents.read_numbers(listed)))


@pytest.mark.parametrize(
    ("number", "value", "states"),
    [
        (".77", "0.7749", True),
        (".77", "0.7751", False),
        ("0.77", "0.765", True),
        ("−.02", "-0.0231", True),
        ("-.02", "0.0231", False),
        ("+.11", "0.108", True),
        ("77%", "0.7749", True),
        ("77%", "0.7651", True),
        ("77%", "0.78", False),
        ("1,460", "1460.0", True),
        ("19", "18.6", True),
        ("19", "18.4", False),
    ],
)
def test_a_number_states_what_rounds_to_it(number, value, states):
    stated = check_documents.Stated("", "", number, "", "", "", value)
    assert stated.states(value) == states
