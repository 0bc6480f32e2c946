"""A short, seeded part of `make fuzz`; whether its machine notices faults; the kept figures."""

import csv
from dataclasses import replace
from random import Random

import pytest
from fuzz import command
from fuzz.mutated_configs import cases as configs
from fuzz.mutated_configs import mutations
from fuzz.odd_tables import cases as tables
from fuzz.odd_tables import plain_reader
from fuzz.odd_tables.damaged_files import seen_plainly
from fuzz.odd_tables.meant import make_up
from fuzz.odd_tables.right_reading import first_difference
from fuzz.odd_tables.written import Written, arff, delimited, packed, with_decimal_comma, workbook
from fuzz.verdict import FAULTS, judge_error
from fuzz.watched import Ended, watch
from shown import shown

from steadfast.core.errors import UserError

#: Kinds whose cases take seconds.
SLOW = ("bombs", "sizes")


def faults(found):
    return [(one.case.name, one.verdict) for one in found if one.verdict.is_fault]


def test_odd_tables_are_read_right_or_refused_in_one_line():
    drawn = [case for case in tables.cases(600, seed=1)[::17] if case.kind not in SLOW]
    found = list(command.run(drawn, tables.judge))
    assert faults(found) == []
    assert {one.verdict.what for one in found} == {"read right", "refused"}


def test_mutated_configs_are_refused_with_file_and_key_or_can_be_planned():
    found = list(command.run(configs.cases(300, seed=1)[::23], configs.judge))
    assert faults(found) == []


@pytest.mark.parametrize(
    "file", ["config/advise.yaml", "config/datasets.yaml", "tests/data/small.yaml"]
)
def test_a_config_without_a_mutation_is_accepted(file):
    role = next(role for role, files in mutations.SOURCES.items() if file in files)
    whole = mutations.Mutated(role, file, mutations.read(file).encode())
    assert configs.judge_mutated(whole).what == "read right"


#: Cases in which a fault was found once, by seed.
FOUND = {
    2: [
        *("one_date_among_numbers-0", "one_time_among_numbers-0", "a_date_among_numbers-0"),
        *("texts_with_a_nul-0", "bytes_for_texts-0", "no_header-0", "two_rows_of_one_number-0"),
        *("thousands_beside_decimal_commas-0", "small_dimension-0", "labels_with_NA-0"),
        *("labels_of_digits-0", "key_very_long-1", "huge-3", "odd_bytes-3"),
    ],
    100: ["list_around-2"],
    103: ["a_fraction-0", "blank_text-2"],
}


@pytest.mark.parametrize(
    ("seed", "name"), [(seed, name) for seed, names in FOUND.items() for name in names]
)
def test_a_fault_that_was_found_is_mended(seed, name):
    form, _, number = name.rpartition("-")
    module = tables if form in tables.FORMS else configs
    verdict = module.judge(module.Case(form, int(number), seed))
    assert not verdict.is_fault, verdict


# The machine itself


@pytest.fixture
def meant():
    return make_up(Random("a table"))


@pytest.mark.parametrize(
    ("suffix", "write", "how"),
    [
        (".csv", lambda meant: delimited(meant).encode(), {}),
        (".csv.gz", lambda meant: packed(delimited(meant).encode()), {}),
        (
            ".csv",
            lambda meant: delimited(meant, ";", cell=with_decimal_comma).encode(),
            {"delimiter": ";", "decimal": ","},
        ),
        (".xlsx", lambda meant: workbook(meant, inline=False), {}),
        (".arff", lambda meant: arff(meant).encode(), {}),
    ],
    ids=["csv", "gz", "decimal commas", "xlsx", "arff"],
)
def test_the_plain_reader_sees_what_was_meant(meant, suffix, write, how):
    seen = seen_plainly(write(meant), suffix, meant.target, **how)
    assert seen == meant


@pytest.mark.parametrize("text", ['a,b\n"1,2\n', "a,b\n1,2,3\n", '"a"b,c\n1,2\n', "\n"])
def test_the_plain_reader_is_not_sure_of_everything(text):
    with pytest.raises(plain_reader.Unreadable):
        plain_reader.parse_delimited(text, ",")


def other_value(meant):
    first, *rest = meant.rows
    return replace(meant, rows=(((first[0] or 0.0) + 1, *first[1:]), *rest))


WRONG = {
    "a value": other_value,
    "a row more": lambda meant: replace(meant, rows=(*meant.rows, meant.rows[0])),
    "rows in another order": lambda meant: replace(meant, rows=(*meant.rows[1:], meant.rows[0])),
    "another class": lambda meant: meant.with_labels(["other", *meant.column("class")[1:]]),
    "another name": lambda meant: meant.with_names(["other", *meant.names[1:]]),
    "a column more": lambda meant: meant.with_column("more", [1.5] * len(meant.rows)),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_reading_is_noticed(meant, wrong):
    written = Written(".csv", delimited(meant).encode(), meant, sound=True)
    assert tables.judge_written(written).what == "read right"
    verdict = tables.judge_written(replace(written, meant=WRONG[wrong](meant)))
    assert verdict.what == "wrong silently"


def test_a_column_that_is_left_out_needs_a_true_reason(meant, tmp_path):
    constant = meant.with_column("site", ["here"] * len(meant.rows))
    (tmp_path / "t.csv").write_text(delimited(constant))
    table, about = tables.read(tmp_path / "t.csv", {})
    assert first_difference(constant, table, about) == ""
    about["left_out"][0]["reason"] = "dates or times"
    assert "which is not so" in first_difference(constant, table, about)
    del about["left_out"]
    assert "features" in first_difference(constant, table, about)


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (UserError("t.csv, line 3: mend it"), "refused"),
        (UserError("mend it"), "trace"),
        (UserError("t.csv: " + "very long " * 50), "trace"),
        (KeyError("t.csv"), "trace"),
    ],
)
def test_a_refusal_is_one_line_that_names_the_file(error, what):
    assert judge_error(error, "t.csv").what == what


def test_a_case_without_an_end_is_ended():
    def work(case):
        while case == "endless":
            pass
        return case

    answers = dict(watch(work, ["endless", "quick"], seconds=0.3))
    assert isinstance(answers["endless"], Ended)
    assert answers["quick"] == "quick"


def test_a_case_is_the_same_each_time_and_another_with_another_seed():
    case = tables.Case("workbook", 0, 1)
    assert tables.make(case).content == tables.make(case).content
    assert tables.make(case).content != tables.make(case._replace(seed=2)).content
    assert configs.make(configs.Case("cut", 0, 1)) == configs.make(configs.Case("cut", 0, 1))


# What the document says


def kept():
    with command.KEPT.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_document_shows_the_kept_figures():
    assert command.table(kept()) == shown("fuzz")


def test_the_kept_run_has_the_bars_and_no_fault():
    *rows, whole = kept()
    assert [int(whole[what]) for what in FAULTS] == [0] * len(FAULTS)
    counts = {row["kind"]: int(row["cases"]) for row in rows}
    of_configs = sum(count for kind, count in counts.items() if kind.startswith("config"))
    by_commands = sum(count for kind, count in counts.items() if kind.startswith("by "))
    assert of_configs >= 200
    assert int(whole["cases"]) - of_configs - by_commands >= 300
