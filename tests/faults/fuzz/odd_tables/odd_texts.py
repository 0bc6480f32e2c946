"""Odd files of delimited text: separators, encodings, lines, names, classes, sizes."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from fuzz.odd_tables.forms import form
from fuzz.odd_tables.meant import Meant, draw, make_up
from fuzz.odd_tables.written import Written, delimited, packed, plain, with_decimal_comma

#: Ways to write any table as text: kind, ending, whether it must be read, and how it is written.
Writer = Callable[[Meant, Random], str | bytes]
ALWAYS: dict[str, tuple[str, str, bool, Writer]] = {
    "commas": ("separators", ".csv", True, lambda m, r: delimited(m)),
    "tabs": ("separators", ".tsv", True, lambda m, r: delimited(m, "\t")),
    "semicolons": ("separators", ".csv", True, lambda m, r: delimited(m, ";")),
    "decimal_commas": (
        *("separators", ".csv", True),
        lambda m, r: delimited(m, ";", cell=with_decimal_comma),
    ),
    "decimal_commas_and_tabs": (
        *("separators", ".tsv", False),
        lambda m, r: delimited(m, "\t", cell=with_decimal_comma),
    ),
    "decimal_commas_and_commas": (
        *("separators", ".csv", False),
        lambda m, r: delimited(m, cell=with_decimal_comma),
    ),
    "decimal_commas_unquoted": (
        *("separators", ".csv", False),
        lambda m, r: delimited(m, cell=with_decimal_comma).replace('"', ""),
    ),
    "pipes": ("separators", ".csv", False, lambda m, r: delimited(m, "|")),
    "spaces_between": ("separators", ".csv", False, lambda m, r: delimited(m, " ")),
    "tabs_in_csv": ("separators", ".csv", False, lambda m, r: delimited(m, "\t")),
    "commas_in_tsv": ("separators", ".tsv", False, lambda m, r: delimited(m)),
    "semicolons_in_tsv": ("separators", ".tsv", False, lambda m, r: delimited(m, ";")),
    "all_quoted": ("separators", ".csv", True, lambda m, r: delimited(m, quote_all=True)),
    "space_after_comma": (
        *("separators", ".csv", True),
        lambda m, r: delimited(m).replace(",", ", ") if '"' not in delimited(m) else delimited(m),
    ),
    "byte_order_mark": ("encodings", ".csv", True, lambda m, r: delimited(m).encode("utf-8-sig")),
    "utf16": ("encodings", ".csv", False, lambda m, r: delimited(m).encode("utf-16")),
    "utf16_without_mark": (
        "encodings",
        ".csv",
        False,
        lambda m, r: delimited(m).encode("utf-16-le"),
    ),
    "utf16_big": ("encodings", ".tsv", False, lambda m, r: delimited(m, "\t").encode("utf-16-be")),
    "utf32": ("encodings", ".csv", False, lambda m, r: delimited(m).encode("utf-32")),
    "carriage_return_and_line_feed": (
        *("lines", ".csv", True),
        lambda m, r: delimited(m, newline="\r\n"),
    ),
    "carriage_returns": ("lines", ".csv", True, lambda m, r: delimited(m, newline="\r")),
    "no_last_newline": ("lines", ".csv", True, lambda m, r: delimited(m)[:-1]),
    "mixed_newlines": ("lines", ".csv", True, lambda m, r: _mixed_newlines(delimited(m), r)),
    "empty_lines": ("lines", ".csv", True, lambda m, r: _between(delimited(m), r, "")),
    "blank_lines": ("lines", ".csv", True, lambda m, r: _between(delimited(m), r, "   ")),
    "lines_of_tabs": ("lines", ".csv", False, lambda m, r: _between(delimited(m), r, "\t\t")),
    "empty_lines_first": ("lines", ".csv", True, lambda m, r: "\n\n" + delimited(m)),
    "separator_line": ("lines", ".csv", False, lambda m, r: "sep=;\n" + delimited(m, ";")),
    "separator_line_of_commas": ("lines", ".csv", False, lambda m, r: "sep=,\r\n" + delimited(m)),
    "title": ("lines", ".csv", False, lambda m, r: "Results of 2026\n" + delimited(m)),
    "title_and_empty_line": ("lines", ".csv", False, lambda m, r: "Results\n\n" + delimited(m)),
    "title_with_separators": (
        *("lines", ".csv", False),
        lambda m, r: "Results" + "," * (len(m.names) - 1) + "\n" + delimited(m),
    ),
    "title_with_semicolons": (
        *("lines", ".csv", False),
        lambda m, r: "Results, 2026" + ";" * (len(m.names) - 1) + "\n" + delimited(m, ";"),
    ),
    "comments": ("lines", ".csv", False, lambda m, r: "# by me\n# 2026, again\n" + delimited(m)),
    "comments_between": ("lines", ".csv", False, lambda m, r: _between(delimited(m), r, "# hm")),
    "units_line": ("lines", ".csv", False, lambda m, r: _after_header(delimited(m), "mg", m)),
    "dashes_line": ("lines", ".csv", False, lambda m, r: _after_header(delimited(m), "---", m)),
    "header_again": (
        *("lines", ".csv", False),
        lambda m, r: _between(delimited(m), r, delimited(m).partition("\n")[0]),
    ),
    "ragged": ("lines", ".csv", False, lambda m, r: delimited(m) + "1,2\n" * (len(m.names) > 2)),
    "totals_line": ("lines", ".csv", False, lambda m, r: delimited(m) + "total\n"),
    "packed": ("packed", ".csv.gz", True, lambda m, r: packed(delimited(m).encode())),
    "packed_tabs": ("packed", ".tsv.gz", True, lambda m, r: packed(delimited(m, "\t").encode())),
    "packed_in_two": ("packed", ".csv.gz", True, lambda m, r: _packed_in_two(delimited(m))),
    "packed_with_more": (
        *("packed", ".csv.gz", False),
        lambda m, r: packed(delimited(m).encode()) + b"and more",
    ),
    "packed_twice": (
        *("packed", ".csv.gz", False),
        lambda m, r: packed(packed(delimited(m).encode())),
    ),
    "packed_as_csv": ("packed", ".csv", False, lambda m, r: packed(delimited(m).encode())),
    "csv_as_packed": ("packed", ".csv.gz", False, lambda m, r: delimited(m)),
}


def _register(name: str, kind: str, suffix: str, sound: bool, write: Writer) -> None:
    def make(random: Random) -> Written:
        meant = draw(random)
        content = write(meant, random)
        content = content.encode() if isinstance(content, str) else content
        return Written(suffix, content, meant, sound)

    form(kind, name)(make)


for _name, _entry in ALWAYS.items():
    _register(_name, *_entry)


def _mixed_newlines(text: str, random: Random) -> str:
    return "".join(line + random.choice(["\n", "\r\n"]) for line in text.splitlines())


def _between(text: str, random: Random, line: str) -> str:
    """A line put in at a few places below the header."""
    lines = text.splitlines()
    for _ in range(3):
        lines.insert(random.randint(1, len(lines)), line)
    return "\n".join(lines) + "\n"


def _after_header(text: str, word: str, meant: Meant) -> str:
    header, _, rest = text.partition("\n")
    return f"{header}\n{','.join([word] * len(meant.names))}\n{rest}"


def _packed_in_two(text: str) -> bytes:
    """Two members, as `cat a.gz b.gz` makes them."""
    content = text.encode()
    half = len(content) // 2
    return packed(content[:half]) + packed(content[half:])


@form("encodings")
def latin1(random: Random) -> Written:
    """Text in an old encoding, with letters beyond ASCII."""
    meant = draw(random)
    names = ["Größe", *(f"f{i}" for i in range(1, len(meant.names) - 1)), "Einschätzung"]
    meant = meant.with_names(names).with_labels(
        ["schön" if label == meant.rows[0][-1] else "andre" for label in meant.column(meant.target)]
    )
    return Written(".csv", delimited(meant).encode("latin-1", errors="ignore"), None)


# Separators at the ends of lines


@form("lines")
def trailing_separators(random: Random) -> Written:
    """As a spreadsheet writes columns that were emptied: nameless, and without a value."""
    meant = draw(random)
    text = delimited(meant).replace("\n", ",\n")
    options = (("target", meant.target),)
    whole = replace(meant, names=(*meant.names, ""), rows=tuple((*row, None) for row in meant.rows))
    return Written(".csv", text.encode(), whole, "\n" not in "".join(meant.names), options)


@form("lines")
def separators_below_the_header(random: Random) -> Written:
    """One separator more in every row than in the header: one would shift the columns."""
    header, _, rest = delimited(draw(random)).partition("\n")
    return Written(".csv", f"{header}\n{rest.replace(chr(10), ',' + chr(10))}".encode(), None)


@form("lines")
def lines_of_separators(random: Random) -> Written:
    """Emptied rows of a spreadsheet: rows without a value, told of as rows without a class."""
    meant = draw(random)
    nothing = (None,) * len(meant.names)
    rows = (*meant.rows, *(nothing,) * random.randint(1, 5))
    whole = replace(meant, rows=rows)
    return Written(".csv", delimited(whole).encode(), whole, True)


# Names of columns


def _named(random: Random, change: Callable[[list[str]], list[str]], **more) -> Written:
    meant = draw(random)
    changed = meant.with_names(change(list(meant.names)))
    options = (("target", changed.target),)
    return Written(".csv", delimited(changed).encode(), changed, options=options, **more)


def _begin(pair: tuple[str, str], names: list[str]) -> list[str]:
    """Names that begin with these two; none of the others is one of them."""
    return [*pair, *(f"other {name}" if name in pair else name for name in names[2:])]


@form("names")
def equal_names(random: Random) -> Written:
    one = _named(random, lambda names: [names[1], *names[1:]])
    return replace(one, meant=None)


@form("names")
def names_equal_but_for_spaces(random: Random) -> Written:
    one = _named(random, lambda names: [f" {names[1]} ", *names[1:]])
    return replace(one, meant=None)


@form("names")
def names_that_look_alike(random: Random) -> Written:
    """A sign of no width, composed or not, Greek or Latin: different names all the same."""
    pair = random.choice([("dose", "dose\u200b"), ("Größe", "Gro\u0308ße"), ("A", "Α")])
    return _named(random, lambda names: _begin(pair, names), sound=True)


@form("names")
def the_target_in_other_signs(random: Random) -> Written:
    """The target is named in composed signs, the file has them decomposed."""
    meant = draw(random)
    names = [*meant.names[:-1], unicodedata.normalize("NFD", "größe der Klasse")]
    changed = meant.with_names(names)
    options = (("target", unicodedata.normalize("NFC", "größe der Klasse")),)
    return Written(".csv", delimited(changed).encode(), changed, options=options)


@form("names")
def names_in_other_cases(random: Random) -> Written:
    return _named(random, lambda names: _begin(("Dose", "dose"), names), sound=True)


@form("names")
def nameless_columns(random: Random) -> Written:
    return _named(random, lambda names: ["", *names[1:]])


@form("names")
def names_with_signs(random: Random) -> Written:
    odd = random.sample(
        ['a"b', "a,b", "a;b", "{x}", "%s", "../../x", "$HOME", "`x`", "<b>", "=1+1", "\\n", "'"], 2
    )
    return _named(random, lambda names: [*odd, *names[2:]], sound=True)


@form("names")
def names_with_control_characters(random: Random) -> Written:
    sign = random.choice("\n\r\t\x00\x07\x1b\u2028\x85")
    return _named(random, lambda names: [f"a{sign}b", *names[1:]])


@form("names")
def a_semicolon_in_a_name(random: Random) -> Written:
    meant = draw(random)
    changed = meant.with_names(["dose; mg", *meant.names[1:]])
    return Written(".csv", delimited(changed).encode(), changed, True)


@form("names")
def a_comma_in_a_name_of_a_semicolon_file(random: Random) -> Written:
    meant = draw(random)
    changed = meant.with_names(["dose, mg", *meant.names[1:]])
    text = delimited(changed, ";", cell=random.choice([plain, with_decimal_comma]))
    return Written(".csv", text.encode(), changed)


@form("names")
def long_names(random: Random) -> Written:
    return _named(random, lambda names: ["n" * random.choice([300, 9000]), *names[1:]])


@form("names")
def numbers_as_names(random: Random) -> Written:
    """Years, say: names all the same, because the class column has a name of its own."""
    return _named(random, lambda names: [*map(str, range(2001, 2000 + len(names))), "class"])


@form("names")
def no_header(random: Random) -> Written:
    """The first row would be lost as names."""
    text = delimited(make_up(random)).partition("\n")[2]
    return Written(".csv", text.encode(), None)


@form("names")
def names_of_ours(random: Random) -> Written:
    """Names that have a meaning somewhere in the program."""
    odd = random.sample(["feature", "rank", "class", "fold", "__index_level_0__", "(other)"], 2)
    meant = draw(random)
    changed = meant.with_names([*odd, *meant.names[2:-1], "target"])
    return Written(".csv", delimited(changed).encode(), changed, True)


# Classes


def _classes(random: Random, labels: Sequence[str | None], **more) -> Written:
    meant = make_up(random)
    changed = meant.with_labels([labels[i % len(labels)] for i in range(len(meant.rows))])
    return Written(".csv", delimited(changed).encode(), changed, **more)


CLASSES: dict[str, tuple[Sequence[str | None], bool]] = {
    "labels_NA_and_none": (("NA", "none"), False),
    "labels_with_none": (("none", "mild", "severe"), False),
    "labels_with_a_dash": (("-", "+"), False),
    "labels_with_a_point": ((".", "x"), False),
    "labels_with_NA": (("EU", "NA", "SA"), False),
    "labels_null": (("null", "NULL", "x"), False),
    "labels_nan": (("nan", "x"), False),
    "rows_without_a_label": (("yes", "no", "yes", "no", "yes", "no", None), True),
    "labels_as_fractions": (("1.0", "2.0"), True),
    "labels_with_signs": (("+1", "-1"), True),
    "labels_in_other_cases": (("Yes", "yes"), True),
    "labels_that_look_alike": (("caf\u00e9", "cafe\u0301"), False),
    "labels_of_no_width": (("yes", "yes\u200b"), False),
    "labels_of_digits": (("1" * 5000, "2" * 5000), False),
    "labels_of_many_letters": (("a" * 3000, "b" * 3000), False),
    "labels_too_large": (("1e400", "-1e400"), False),
    "labels_of_truth": (("TRUE", "FALSE"), True),
    "labels_in_other_digits": (("١", "٢", "٣"), False),
    "labels_in_raised_digits": (("²", "³"), False),
    "labels_with_zeros": (("01", "1"), False),
    "labels_with_underscores": (("1_0", "10"), False),
    "labels_of_ours": (("(no value)", "(other)"), True),
    "labels_with_control_characters": (("a\x07", "b\x1b[31m"), False),
    "labels_with_a_nul": (("a\x00", "a"), False),
    "labels_with_breaks": (("a\nb", "c"), False),
    "labels_as_dates": (("2024-01-01", "2024-01-02"), True),
    "labels_with_markup": (("<b>", "a,b"), True),
    "one_class": (("yes",), False),
    "labels_beyond_unicode_planes": (("😀", "𝔸"), True),
}


def _register_classes(name: str, labels: Sequence[str | None], sound: bool) -> None:
    form("classes", name)(lambda random: _classes(random, labels, sound=sound))


for _name, (_labels, _sound) in CLASSES.items():
    _register_classes(_name, _labels, _sound)


# Sizes

SIZES: dict[str, Callable[[], str]] = {
    "empty_file": lambda: "",
    "only_newlines": lambda: "\n\n\n",
    "only_separators": lambda: ",,,\n,,,\n,,,\n",
    "one_byte": lambda: "a",
    "header_only": lambda: "a,b,class\n",
    "one_row": lambda: "a,b,class\n1,2,x\n",
    "one_column": lambda: "class\nx\ny\n" * 9,
    "one_row_of_each_class": lambda: "a,b,class\n1,2,x\n3,4,y\n",
    "one_huge_line": lambda: "1.5," * 1_000_000,
    "one_huge_cell": lambda: "a,b,class\n" + "x" * 3_000_000 + ",2,y\n",
    "many_columns": lambda: _many_columns(120_000),
    "many_short_lines": lambda: "\n".join(["a,b,class", *["1,2"] * 200_000]),
    "many_quotes": lambda: "a,b,class\n" + '"' * 2_000_001,
}


def _many_columns(n: int) -> str:
    names = ",".join(f"f{i}" for i in range(n))
    return "\n".join([f"{names},class", *(f"{'1,' * n}{row % 2}" for row in range(4))])


def _register_size(name: str, write: Callable[[], str]) -> None:
    form("sizes", name)(lambda random: Written(".csv", write().encode(), None))


for _name, _write in SIZES.items():
    _register_size(_name, _write)
