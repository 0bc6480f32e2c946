"""The project's configuration files, each with one thing wrong, or only other."""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml
from shown import ROOT

#: What a file is to a run, and the files.
SOURCES: dict[str, list[str]] = {
    "config": ["config/config.yaml"],
    "catalogue": ["config/datasets.yaml"],
    "advise": ["config/advise.yaml"],
    "study": sorted(
        str(path.relative_to(ROOT))
        for folder in ("config/studies", "tests/data")
        for path in (ROOT / folder).glob("*.yaml")
    ),
}

Key = str | int


class Mutated(NamedTuple):
    """A changed file.

    Attributes
    ----------
    role, file : what it is to a run, and which it was
    content : its bytes
    place : where it was changed; empty where that is no key
    token : a word that was put in, which must be refused or be found in what was loaded
    """

    role: str
    file: str
    content: bytes
    place: tuple[Key, ...] = ()
    token: str = ""


def mutate(name: str, random: Random) -> Mutated:
    """A file with one mutation."""
    role = random.choices(list(SOURCES), weights=[2, 2, 2, 6])[0]
    file = random.choice(SOURCES[role])
    text = read(file)
    if name in TEXTS:
        changed = TEXTS[name](text, random)
        return Mutated(role, file, changed if isinstance(changed, bytes) else changed.encode())
    tree = json.loads(json.dumps(yaml.safe_load(text)))  # what an anchor shares comes apart
    kind, change = VALUES[name]
    places = [place for place, value in _places(tree) if kind(value)]
    place = random.choice(places)
    token = change(tree, place, random) or ""
    dumped = yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=100)
    return Mutated(role, file, dumped.encode(), place, token)


def read(file: str) -> str:
    """A file of the project; fewer studies, and no selector of a test that must be put in first."""
    text = (ROOT / file).read_text(encoding="utf-8")
    text = re.sub(r"(?m)^studies: .*$", "studies: [gulgezen2009, trust]", text)
    return text.replace("last_columns", "fisher")


def _places(tree: Any, before: tuple[Key, ...] = ()) -> Iterator[tuple[tuple[Key, ...], Any]]:
    """Every key and list entry, with its value."""
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in inner:
        yield (*before, key), value
        if isinstance(value, (dict, list)):
            yield from _places(value, (*before, key))


def _parent(tree: Any, place: tuple[Key, ...]) -> Any:
    for key in place[:-1]:
        tree = tree[key]
    return tree


# Changes of one place in the tree

Change = Callable[[Any, tuple[Key, ...], Random], str | None]


def _set(draw: Callable[[Random, Any], Any]) -> Change:
    """Another value in its place; a text that is put in is a token."""

    def change(tree: Any, place: tuple[Key, ...], random: Random) -> str | None:
        parent = _parent(tree, place)
        value = draw(random, deepcopy(parent[place[-1]]))
        parent[place[-1]] = value
        return value if isinstance(value, str) else None

    return change


def _delete(tree: Any, place: tuple[Key, ...], random: Random) -> None:
    del _parent(tree, place)[place[-1]]


def _rename(new: Callable[[str, Random], Any]) -> Change:
    """Another key in the same place."""

    def change(tree: Any, place: tuple[Key, ...], random: Random) -> str | None:
        parent = _parent(tree, place)
        if not isinstance(parent, dict):
            parent[place[-1]] = new(str(parent[place[-1]]), random)
            return None
        key = new(place[-1], random)
        items = [(key if old == place[-1] else old, value) for old, value in parent.items()]
        parent.clear()
        parent.update(items)
        return str(key)

    return change


def _typo(word: str, random: Random) -> str:
    at = random.randrange(len(word))
    return random.choice([word[:at] + word[at + 1 :], word[:at] + "q" + word[at:], word + "s"])


def _swap(tree: Any, place: tuple[Key, ...], random: Random) -> str:
    """The values of two keys change places; a refusal may name either."""
    parent = _parent(tree, place)
    keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
    other = random.choice(keys)
    parent[place[-1]], parent[other] = parent[other], parent[place[-1]]
    return str(other)


def _twice(tree: Any, place: tuple[Key, ...], random: Random) -> None:
    own = _parent(tree, place)[place[-1]]
    own.append(deepcopy(random.choice(own)) if own else "odd")


def _is(*types: type) -> Callable[[Any], bool]:
    """Whether a value is of these types; a truth value is no number."""
    return lambda value: isinstance(value, types) and not isinstance(value, bool)


def _any(value: Any) -> bool:
    return True


_NUMBER = _is(int, float)
#: What may be changed, and how.
VALUES: dict[str, tuple[Callable[[Any], bool], Change]] = {
    "key_deleted": (_any, _delete),
    "key_misspelt": (_any, _rename(_typo)),
    "key_in_capitals": (_any, _rename(lambda word, r: word.upper())),
    "key_a_number": (_any, _rename(lambda word, r: r.choice([1, 2.5, True]))),
    "key_null": (_any, _rename(lambda word, r: None)),
    "key_with_dots": (_any, _rename(lambda word, r: f"../{word}")),
    "key_with_signs": (
        _any,
        _rename(lambda word, r: word + r.choice(["{x}", " ", "/", "\n", "*", "+", "é", "%s", "|"])),
    ),
    "key_very_long": (_any, _rename(lambda word, r: word * 600)),
    "negative": (_NUMBER, _set(lambda r, v: -abs(v) - 1)),
    "zero": (_NUMBER, _set(lambda r, v: 0)),
    "huge": (_NUMBER, _set(lambda r, v: r.choice([10**9, 10**18, 10**400, 1e308]))),
    "not_a_number": (_NUMBER, _set(lambda r, v: float(r.choice(["nan", "inf", "-inf"])))),
    "a_fraction": (_NUMBER, _set(lambda r, v: v + 0.5)),
    "number_as_text": (_NUMBER, _set(lambda r, v: str(v))),
    "tiny": (_NUMBER, _set(lambda r, v: 1e-300)),
    "null": (_any, _set(lambda r, v: None)),
    "truth_value": (_any, _set(lambda r, v: r.choice([True, False]))),
    "a_date": (_any, _set(lambda r, v: date(2026, 1, 2))),
    "a_number": (_is(str, list, dict), _set(lambda r, v: r.choice([7, 0.5]))),
    "a_text": (_any, _set(lambda r, v: "odd_text")),
    "empty_text": (_is(str), _set(lambda r, v: "")),
    "blank_text": (_is(str), _set(lambda r, v: "  ")),
    "text_with_dots": (_is(str), _set(lambda r, v: r.choice(["../../../x", "/etc/passwd", ".."]))),
    "text_very_long": (_is(str), _set(lambda r, v: "odd" * 2000)),
    "text_with_control_characters": (
        _is(str),
        _set(lambda r, v: v + r.choice(["\n", "\t", "\x07", "\x1b[31m", "\u2028"]) + "x"),
    ),
    "text_with_signs": (
        _is(str),
        _set(lambda r, v: r.choice(["{x}", "{", "%(x)s", "$HOME", "; rm x", "*", "a\\b", "<b>"])),
    ),
    "a_class_to_run": (_is(str), _set(lambda r, v: r.choice(["os.system", "no.such.Class"]))),
    "empty_list": (_any, _set(lambda r, v: [])),
    "empty_mapping": (_any, _set(lambda r, v: {})),
    "list_around": (_any, _set(lambda r, v: [v])),
    "mapping_around": (_any, _set(lambda r, v: {"odd_key": v})),
    "list_for_mapping": (_is(dict), _set(lambda r, v: list(v))),
    "mapping_for_list": (_is(list), _set(lambda r, v: {str(one)[:20]: {} for one in v})),
    "nested_deeply": (_any, _set(lambda r, v: _nested(v, 60))),
    "long_list": (_is(list), _set(lambda r, v: v * 2000)),
    "entry_twice": (_is(list), _twice),
    "values_swapped": (_any, _swap),
}


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = {"odd_key": [value]}
    return value


# Changes of the text


def _a_line(text: str, random: Random) -> int:
    lines = text.splitlines()
    return random.choice([i for i, line in enumerate(lines) if line.strip()])


def _with_lines(change: Callable[[list[str], int, Random], None]) -> Callable[[str, Random], str]:
    def changed(text: str, random: Random) -> str:
        lines = text.splitlines()
        change(lines, _a_line(text, random), random)
        return "\n".join(lines) + "\n"

    return changed


def _replace_line(lines: list[str], at: int, new: str) -> None:
    lines[at] = new


def _some_bytes(text: str, random: Random) -> bytes:
    content = text.encode()
    at = random.randrange(len(content))
    return content[:at] + random.choice([b"\xff\xfe", b"\x80", b"\x00"]) + content[at:]


def _flipped(text: str, random: Random) -> bytes:
    content = bytearray(text.encode())
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    return bytes(content)


TEXTS: dict[str, Callable[[str, Random], str | bytes]] = {
    "cut": lambda text, r: text[: r.randrange(1, len(text))],
    "empty": lambda text, r: r.choice(["", "\n\n", "# nothing\n", "---\n", "null\n"]),
    "a_list": lambda text, r: r.choice(["- a\n- b\n", "[1, 2]\n", "just text\n", "3\n"]),
    "two_documents": lambda text, r: text + "---\n" + text,
    "whole_twice": lambda text, r: text + text,
    "byte_order_mark": lambda text, r: text.encode("utf-8-sig"),
    "utf16": lambda text, r: text.encode("utf-16"),
    "windows_lines": lambda text, r: text.replace("\n", "\r\n"),
    "odd_bytes": _some_bytes,
    "flipped_bit": _flipped,
    "tab": _with_lines(lambda lines, at, r: _replace_line(lines, at, "\t" + lines[at])),
    "line_lost": _with_lines(lambda lines, at, r: lines.pop(at)),
    "line_twice": _with_lines(lambda lines, at, r: lines.insert(at, lines[at])),
    "line_indented": _with_lines(lambda lines, at, r: _replace_line(lines, at, "   " + lines[at])),
    "open_quote": _with_lines(lambda lines, at, r: _replace_line(lines, at, lines[at] + ' "')),
    "open_bracket": _with_lines(lambda lines, at, r: _replace_line(lines, at, lines[at] + " [")),
    "unknown_anchor": lambda text, r: text + "odd_key: *nowhere\n",
    "contains_itself": lambda text, r: (
        text
        + r.choice(["odd_key: &a [*a]\n", "odd_key: &a {b: *a}\n", "overrides: &a {advise: *a}\n"])
    ),
    "bomb_of_anchors": lambda text, r: text + _bomb(),
    "merged_into_itself": lambda text, r: text + "odd_key: &a\n  <<: *a\n  b: 1\n",
    "merged_text": lambda text, r: text + "odd_key:\n  <<: text\n",
    "a_tag_that_runs_code": lambda text, r: (
        text + "odd_key: !!python/object/apply:os.system ['touch odd_file']\n"
    ),
    "unknown_tag": lambda text, r: text + "odd_key: !odd 3\n",
    "nested_beyond_measure": lambda text, r: text + "odd_key: " + "[" * 3000 + "]" * 3000 + "\n",
    "number_of_many_digits": lambda text, r: text + "odd_key: " + "9" * 5000 + "\n",
    "a_list_as_key": lambda text, r: text + "? [a, b]\n: 1\n",
    "key_of_the_end": lambda text, r: text + "__proto__: {}\n",
}


def _bomb() -> str:
    lines = ["odd0: &b0 [x, x, x, x, x, x, x, x, x, x]"]
    for i in range(1, 10):
        lines.append(f"odd{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 10)}]")
    return "\n".join(lines) + "\n"


MUTATIONS = [*VALUES, *TEXTS]


def write(mutated: Mutated, folder: Path) -> Path:
    """Write the changed file where a run of that role finds it."""
    own = folder / "config" if mutated.role == "advise" else folder
    own.mkdir(exist_ok=True)
    path = own / Path(mutated.file).name
    path.write_bytes(mutated.content)
    return path
