"""Columns that look like the id of what several rows belong to are proposed as groups."""

import json
import os
import shlex
from pathlib import Path
from types import SimpleNamespace

import advised
import numpy as np
import page_cases
import pandas as pd
import pytest
from parsed_page import Parsed

from steadfast import StabilityReport
from steadfast.advice.words.next_command import groups_command
from steadfast.api.data import to_table
from steadfast.command import advise
from steadfast.command.main import main
from steadfast.command.running import write_settings
from steadfast.core.config import read_yaml
from steadfast.data.ids import find_ids
from steadfast.data.understand import understand
from steadfast.page.document import _with_next, study_page
from steadfast.study.plan import Plan
from steadfast.study.run import load_run, over_default

PATIENTS = advised.ROOT / "docs/examples/patients.csv"
ROWS = 200
DRAW = np.random.default_rng(1)  # of the values below, in the order of this file


def draw(seed: int) -> np.random.Generator:
    """For draws inside a test: the same, whichever tests ran before."""
    return np.random.default_rng(seed)


def write(folder: Path, name: str, values, classes, shuffled: bool = False) -> Path:
    """A table of a column beside two of noise."""
    noise = draw(2).normal(size=(len(classes), 2))
    lines = [
        f"{value},{a:.4f},{b:.4f},{label}"
        for value, (a, b), label in zip(values, noise, classes, strict=True)
    ]
    if shuffled:
        lines = [lines[row] for row in draw(3).permutation(len(lines))]
    (folder / "t.csv").write_text("\n".join([f'"{name}",a,b,y', *lines]) + "\n")
    return folder / "t.csv"


def by_value(values) -> list[str]:
    """The same class for all rows of a value."""
    names = dict.fromkeys(values)
    label = dict(zip(names, draw(4).choice(["no", "yes"], size=len(names)), strict=True))
    return [label[value] for value in values]


def at_random(n_rows: int = ROWS) -> list[str]:
    return draw(5).choice(["no", "yes"], size=n_rows).tolist()


def proposed(about) -> list[str]:
    return [one["column"] for one in about.get("proposed_groups", [])]


def reason_of(about, column: str) -> str | None:
    return {one["column"]: one["reason"] for one in about.get("left_out", [])}.get(column)


def test_patients_are_proposed_and_left_out_with_the_option_to_add():
    table, about = advised.read(PATIENTS, target="diagnosis")
    assert about["proposed_groups"] == [
        {
            "column": "patient",
            "values": 120,
            "rows_each": [1, 3],
            "one_class": True,
            "adjacent": True,
        }
    ]
    assert "patient" not in table.features
    assert reason_of(about, "patient") == (
        "120 different texts in 227 rows, 1 to 3 rows each: looks like the id of what rows belong "
        "to; if so, add --groups patient"
    )


@pytest.mark.parametrize("key", ["keep", "categories"])
def test_what_the_user_declares_a_feature_stays_one(key):
    table, about = advised.read(PATIENTS, target="diagnosis", **{key: ["patient"]})
    assert "patient" in table.features
    assert "proposed_groups" not in about


def test_nothing_is_proposed_where_groups_are_named():
    _, about = advised.read(PATIENTS, target="diagnosis", groups="patient")
    assert about["groups"] == 120
    assert "proposed_groups" not in about


def test_an_id_is_no_feature_where_other_groups_are_named(tmp_path):
    subjects = np.repeat(np.arange(40), 5)
    path = write(tmp_path, "subject", subjects, by_value(subjects))
    lines = path.read_text().splitlines()
    homes = ["home", *(f"h{row // 20}" for row in range(ROWS))]
    path.write_text("\n".join(f"{home},{line}" for home, line in zip(homes, lines)))
    table, about = advised.read(path, groups="home")
    assert table.features == ("a", "b")
    assert reason_of(about, "subject").endswith("5 rows each: looks like an id")
    assert "proposed_groups" not in about


@pytest.mark.parametrize("name", ["subject", "patient_id", "Animal No", "StudyID", "pid"])
def test_numbers_with_the_name_of_an_id_and_adjacent_rows_are_proposed(name, tmp_path):
    subjects = np.repeat(np.arange(1, 41), 5)
    table, about = advised.read(write(tmp_path, name, subjects, at_random()))
    assert table.features == ("a", "b")
    assert about["proposed_groups"] == [
        {"column": name, "values": 40, "rows_each": [5, 5], "one_class": False, "adjacent": True}
    ]
    assert reason_of(about, name).startswith("40 different whole numbers in 200 rows, 5 rows each")


def test_a_shuffled_id_of_one_class_for_each_value_is_proposed(tmp_path):
    subjects = np.repeat(np.arange(1, 41), 5)
    path = write(tmp_path, "subject", subjects, by_value(subjects), shuffled=True)
    (one,) = advised.read(path)[1]["proposed_groups"]
    assert (one["one_class"], one["adjacent"]) == (True, False)


@pytest.mark.parametrize("n_values", [60, 120])
def test_a_shuffled_id_in_text_is_proposed(n_values, tmp_path):
    people = [f"P{value}" for value in (*range(n_values), *draw(6).integers(n_values, size=80))]
    path = write(tmp_path, "participant", people, at_random(len(people)), shuffled=True)
    table, about = advised.read(path)
    assert proposed(about) == ["participant"]
    assert table.features == ("a", "b")


def test_text_that_marks_runs_of_one_class_is_proposed_under_any_name(tmp_path):
    who = [f"w{value}" for value in np.repeat(np.arange(40), 5)]
    assert proposed(advised.read(write(tmp_path, "who", who, by_value(who)))[1]) == ["who"]


FEATURES = {
    "age in years": ("age", DRAW.integers(20, 80, size=ROWS)),
    "age of a patient": ("age_patient", DRAW.integers(20, 80, size=ROWS)),
    "sorted ages": ("age", np.sort(DRAW.integers(20, 80, size=ROWS))),
    "sorted index of body mass": ("body mass index", np.sort(DRAW.integers(18, 45, size=ROWS))),
    "children": ("number of children", DRAW.integers(0, 12, size=ROWS)),
    "refractive index": ("index", DRAW.normal(size=ROWS).round(2)),
    "site of three levels": ("site", DRAW.choice(["north", "south", "west"], size=ROWS)),
    "batch of eight levels": ("batch", np.repeat([f"b{i}" for i in range(8)], 25)),
    "many levels": ("job", [f"job {i}" for i in DRAW.integers(25, size=ROWS)]),
    "sorted levels": ("job", sorted(f"job {i}" for i in DRAW.integers(25, size=ROWS))),
}


@pytest.mark.parametrize("case", FEATURES)
def test_features_stay_features(case, tmp_path):
    name, values = FEATURES[case]
    table, about = advised.read(write(tmp_path, name, values, at_random()))
    assert table.features == (name, "a", "b")
    assert not {"proposed_groups", "noticed", "left_out"} & about.keys()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("no", DRAW.integers(50, size=ROWS)),
        ("site", [f"s{i}" for i in DRAW.integers(30, size=200)]),
    ],
)
def test_what_may_be_an_id_by_its_name_alone_stays_a_feature_and_is_mentioned(
    name, values, tmp_path
):
    table, about = advised.read(write(tmp_path, name, values, at_random()))
    assert name in table.features
    assert not proposed(about)
    (sentence,) = about["noticed"]
    assert f"'{name}' has the name of an id" in sentence
    assert "`groups`" in sentence


def test_remarks_that_hardly_repeat_are_free_text(tmp_path):
    remarks = ["as usual"] * 60 + [f"remark {row}" for row in range(140)]
    _, about = advised.read(write(tmp_path, "remark", remarks, at_random()))
    assert reason_of(about, "remark") == "141 different texts in 200 rows: names or free text"
    assert not proposed(about)


def test_text_that_repeats_in_part_is_left_out_with_the_option_for_groups(tmp_path):
    """200 barcodes in 227 rows were dropped as free text without a word on groups."""
    codes = [f"BC-{row}" for row in (*range(200), *range(18), *range(9))]
    path = write(tmp_path, "bar code", codes, at_random(len(codes)), shuffled=True)
    table, about = advised.read(path)
    assert table.features == ("a", "b")
    assert reason_of(about, "bar code") == (
        "200 different texts in 227 rows: names or free text; if rows of one value belong "
        "together, add --groups 'bar code'"
    )
    assert not proposed(about)
    path.write_text(path.read_text().replace('"bar code"', '"home"'))
    lines = path.read_text().splitlines()
    homes = ["patient", *(f"p{row // 2}" for row in range(len(codes)))]
    path.write_text("\n".join(f"{home},{line}" for home, line in zip(homes, lines, strict=True)))
    _, about = advised.read(path, groups="patient")
    assert reason_of(about, "home").endswith("names or free text")


def test_the_clearest_proposal_comes_first():
    ids = np.repeat(np.arange(60), 3)
    labels = [f"class {value % 2}" for value in ids]
    mixed = [str(value) for value in draw(7).permutation(ids)]
    cells = {"donor": [f"D{value}" for value in mixed], "patient": [f"P{value}" for value in ids]}
    rows = [f"line {row}" for row in range(len(ids))]
    columns = {name: understand(name, texts, rows, "t") for name, texts in cells.items()}
    assert [one.column for one in find_ids(columns, labels)] == ["patient", "donor"]


def test_a_data_frame_keeps_its_columns_and_proposes_groups_in_words_of_python():
    frame = pd.read_csv(PATIENTS).drop(columns=["sample", "ward"])
    y = frame.pop("diagnosis")
    table, about = to_table(frame, y, name="patients", title="Patients")
    assert "patient" in table.features
    assert proposed(about) == ["patient"]
    (sentence,) = about["noticed"]
    assert "pass the column as groups= and leave it out of X" in sentence
    assert "--groups" not in sentence
    _, about = to_table(frame, y, frame["patient"], name="patients", title="Patients")
    assert not {"proposed_groups", "noticed"} & about.keys()


def test_a_report_on_a_data_frame_tells_of_the_proposal():
    frame = pd.read_csv(PATIENTS)[["patient", "crp", "esr", "age", "diagnosis"]]
    report = StabilityReport("fisher", cv=3, classifiers=[], probes=False, trust=False)
    report.fit(frame, frame.pop("diagnosis"))
    (sentence,) = report.evidence_["dataset"]["noticed"]
    assert "'patient' looks like an id with several rows each (120 in 227 rows)" in sentence


def forget_options(monkeypatch) -> None:
    """Options that other tests may have left in the environment."""
    for key in [key for key in os.environ if key.startswith("ADVISE_")]:
        monkeypatch.delenv(key)


def printed(arguments, monkeypatch, capsys) -> str:
    """The line of the proposal."""
    forget_options(monkeypatch)
    main(["advise", "--check", *arguments])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "looks like an id" in line]
    return line.strip()


def test_the_printed_line_ends_with_the_command_to_paste(monkeypatch, capsys):
    monkeypatch.chdir(advised.ROOT)
    path = "docs/examples/patients.csv"
    line = printed([path, "--target", "diagnosis"], monkeypatch, capsys)
    assert line in (advised.ROOT / "docs/use-your-data.md").read_text()
    assert line == (
        "! patient looks like an id with several rows each (120 in 227 rows). If these rows belong "
        f"together: steadfast advise {path} --target diagnosis --groups patient"
    )
    more = ["--target=diagnosis", "--drop", "bmi,pulse", "--seed", "3"]
    assert printed([path, *more], monkeypatch, capsys).endswith(
        "--target diagnosis --drop bmi,pulse --seed 3 --groups patient"
    )


def test_names_with_spaces_are_quoted_in_the_printed_command(tmp_path, monkeypatch, capsys):
    people = [f"P{row // 3}" for row in range(ROWS)]
    write(tmp_path, "study patient id", people, by_value(people)).rename(tmp_path / "my table.csv")
    monkeypatch.chdir(tmp_path)
    line = printed(["my table.csv"], monkeypatch, capsys)
    assert line.endswith("steadfast advise 'my table.csv' --groups 'study patient id'")
    main(["advise", "--check", *shlex.split(line.partition("steadfast advise ")[2])])
    assert "rows of 67 groups stay together" in capsys.readouterr().out


def test_a_table_of_a_folder_is_named_in_its_command(tmp_path, monkeypatch, capsys):
    people = [f"P{row // 3}" for row in range(ROWS)]
    write(tmp_path, "patient", people, by_value(people)).rename(tmp_path / "one.csv")
    write(tmp_path, "age", range(ROWS, 0, -1), at_random()).rename(tmp_path / "two.csv")
    monkeypatch.chdir(tmp_path)
    assert printed([".", "--target=y"], monkeypatch, capsys).endswith(
        "steadfast advise one.csv --target y --groups patient"
    )


def test_each_table_of_a_folder_has_its_command_after_the_run_and_on_the_page(
    tmp_path, monkeypatch, capsys
):
    """Of several tables, no command was printed."""
    people = [f"P{row // 3}" for row in range(ROWS)]
    (tmp_path / "my tables").mkdir()
    for column, file in (("patient", "one.csv"), ("donor id", "two.csv"), ("age", "three.csv")):
        values = range(ROWS, 0, -1) if column == "age" else people
        write(tmp_path, column, values, by_value(people)).rename(tmp_path / "my tables" / file)
    monkeypatch.chdir(tmp_path)
    forget_options(monkeypatch)
    written = {}
    monkeypatch.setattr(advise, "tell_costs", lambda *_: [])
    monkeypatch.setattr(advise, "budgets", lambda *_: [SimpleNamespace(runs=30)])
    monkeypatch.setattr(advise, "advise", lambda run, settings, *_: written.update(settings))
    main(["advise", "my tables", "--target=y", "--margin=3"])
    lines = capsys.readouterr().out.splitlines()
    start = "steadfast advise 'my tables/{}.csv' --target y --margin 3 --groups {}"
    commands = [start.format("one", "patient"), start.format("two", "'donor id'")]
    checked = [line.partition("together: ")[2] for line in lines if "together: " in line]
    assert sorted(checked) == commands
    assert "If rows of one patient in one.csv belong together, run:" in lines
    assert sorted(line.strip() for line in lines[-5:] if "steadfast" in line) == commands
    evidences = []
    for file, column in (("one.csv", "patient"), ("two.csv", "donor id")):
        found = page_cases.good_case()
        found["dataset"] |= {"title": file, "proposed_groups": [{"column": column}]}
        evidences.append(found)
    parsed = Parsed(study_page(evidences, page_cases.context(False) | {"typed": written["typed"]}))
    assert [e["text"] for e in parsed.all("code") if "--groups" in e["text"]] == commands
    assert "If rows of one donor id belong together, run:" in "".join(
        e["text"] for e in parsed.all("p")
    )


def page_command(folder, monkeypatch, capsys, *typed):
    """The next command of the page, by the settings that the command writes for its run."""
    line = printed(list(typed), monkeypatch, capsys).partition("together: ")[2]
    written = {}
    monkeypatch.setattr(advise, "tell_costs", lambda *_: [])
    monkeypatch.setattr(advise, "advise", lambda run, settings, *_: written.update(settings))
    main(["advise", *typed])
    assert capsys.readouterr().out.splitlines()[-1] == f"  {line}"
    file = write_settings(folder / "results" / "asked.yaml", written)
    run = load_run(over_default(read_yaml(file), advised.ROOT), advised.ROOT)
    (study,) = run.studies
    context = json.loads(Plan(run, "scripts").page_context(study))
    found = {**page_cases.good_case()}
    found["dataset"] = {**found["dataset"], "proposed_groups": [{"column": "patient"}]}
    column, command = _with_next(found, context)["next_command"]
    assert column == "patient"
    return line, command


def test_the_page_prints_the_command_that_the_terminal_prints(tmp_path, monkeypatch, capsys):
    """It had lost --margin, --within, --budget and --config, and the folder of the table."""
    people = [f"P{row // 3}" for row in range(ROWS)]
    (tmp_path / "tables").mkdir()
    table = write(tmp_path, "patient", people, by_value(people)).rename(
        tmp_path / "tables/my t.csv"
    )
    (tmp_path / "my.yaml").write_text("folds_per_job: 20\n")
    monkeypatch.chdir(tmp_path)
    options = ["--target=y", "--margin", "3", "--within=0.2", "--budget", "5 min", "--seed", "2"]
    options += ["--config", "my.yaml"]
    line, shown = page_command(tmp_path, monkeypatch, capsys, "tables/my t.csv", *options)
    assert shown == line
    assert shown == (
        "steadfast advise 'tables/my t.csv' --target y --seed 2 --within 0.2 --budget '5 min' "
        "--margin 3 --config my.yaml --groups patient"
    )
    _, shown = page_command(tmp_path, monkeypatch, capsys, str(table), "--target=y")
    assert shown == "steadfast advise 'tables/my t.csv' --target y --groups patient"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    _, shown = page_command(tmp_path, monkeypatch, capsys, str(table), "--target=y")
    assert shown == "steadfast advise 'my t.csv' --target y --groups patient"


@pytest.mark.parametrize(
    ("others", "end"),
    [
        ({"drop": ["a b", "c"], "keep": [], "missing": None}, "--drop 'a b,c' --groups g"),
        ({"feature_groups": {"x": ["a"]}}, "t.csv --groups g"),
        ({"config": ["one.yaml", "two.yaml"]}, "--config one.yaml --config two.yaml --groups g"),
        ({"drop": "-x"}, "--drop=-x --groups g"),
    ],
)
def test_further_options_are_repeated_as_typed(others, end):
    assert groups_command({"data": "t.csv", **others}, "g").endswith(end)
