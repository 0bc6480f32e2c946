"""Scenarios of known truth: how the relevant features tell the classes apart is the kind's."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, flag, list_of, one_of, schema_of, whole
from steadfast.core.registry import source
from steadfast.core.seeds import generator
from steadfast.data.frame import Frame
from steadfast.data.source import Origin, Place, Source, digest_of, require

_SHARE = {"type": "number", "minimum": 0, "exclusiveMaximum": 1}

#: Settings of a scenario.
SCENARIO: Keys = {
    "kind": one_of(
        'What a relevant feature is: "shift", its mean differs; "blocks", it is one of a block '
        'whose common factor is shifted; "means", each class has a mean of its own; "spread", its '
        'standard deviation differs; "pairs", two of them tell the class together, none alone; '
        '"categories", it is a category whose frequencies differ.',
        *("shift", "blocks", "means", "spread", "pairs", "categories"),
        default="shift",
    ),
    "rows": whole("Number of rows.", least=4, required=True),
    "features": whole("Number of features.", required=True),
    "relevant": whole("Number of relevant features.", least=0, default=0),
    "effect": Key(
        "How much a relevant feature tells, one number or [first, last] and evenly between: "
        "standard deviations between a class and the next (shift, blocks); that of the class means "
        "(means); that of the values in the second class (spread); weight of the product (pairs); "
        "logarithm of how many times as frequent the class's own category is (categories).",
        {
            "oneOf": [
                {"type": "number"},
                {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}},
            ]
        },
        default=1.0,
    ),
    "block": whole("Features of a block.", default=4),
    "correlation": Key(
        "Correlation inside classes: of the features of a block, and of a correlated noise feature "
        "with its relevant one.",
        _SHARE,
        default=0.5,
    ),
    "correlated": whole("Noise features that are correlated with a relevant one.", 0, default=0),
    "categories": whole("Noise features that are categories, of 3 to 5 levels.", 0, default=0),
    "leaks": whole("Features that are the class up to `leak_noise`.", 0, default=0),
    "leak_noise": Key(
        "Share of the rows in which a leak shows another class.",
        {"type": "number", "minimum": 0, "maximum": 1},
        default=0.05,
    ),
    "tails": Key(
        "Degrees of freedom of Student's t, which numbers then follow; 0 for normal numbers.",
        {"type": "number", "minimum": 0},
        default=0,
    ),
    "missing": Key("Share of the numbers that is missing.", _SHARE, default=0.0),
    "classes": whole("Number of classes.", least=2, default=2),
    "class_rows": list_of(
        "Rows of each class (groups of each class, where there are groups); equal shares if empty.",
        {"type": "integer", "minimum": 2},
        least=0,
        default=[],
    ),
    "label_noise": Key(
        "Share of the rows (of the groups, where there are groups) whose class is another one than "
        "the features were made with, drawn at random.",
        {"type": "number", "minimum": 0, "maximum": 1},
        default=0.0,
    ),
    "groups": whole(
        "Groups of rows, all of one class; numbers are that of the group plus that of the row. 0: "
        "rows are independent.",
        least=0,
        default=0,
    ),
    "group_noise": Key(
        "Standard deviation of the row's part beside that of the group, which is 1.",
        {"type": "number", "minimum": 0},
        default=0.5,
    ),
    "named": flag("Whether the table says which group a row belongs to.", default=True),
    "seed": Key("Another seed gives other data.", {"type": "integer"}, default=1),
}


@source("scenario")
class Scenario(Source):
    """A scenario of known truth: signal of a chosen kind, correlated noise, groups, gaps."""

    keys: ClassVar[Keys] = {
        "scenario": Key(
            "The size of the data and what is in them.", schema_of(SCENARIO), required=True
        )
    }
    is_table = False

    def read(self, name: str, entry: Mapping[str, Any], place: Place) -> Origin:
        frame = scenario(name, require(name, entry, "scenario"))
        return Origin(frame, "scenario", digest_of(frame.X, frame.labels))


class Truth(NamedTuple):
    """What is known of columns, by their names.

    Attributes
    ----------
    relevant, noise : masks; a leak is neither
    block : the number of a relevant column's block, its own where it is in none; 0 for others
    """

    relevant: np.ndarray
    noise: np.ndarray
    block: np.ndarray


def truth(features: Sequence[str]) -> Truth:
    """What the names of a scenario's features say."""
    block = [int(name.split("_")[-1]) if name.startswith("relevant_") else 0 for name in features]
    noise = [name.startswith("noise_") for name in features]
    return Truth(np.array(block) > 0, np.array(noise, dtype=bool), np.array(block))


class _Columns(NamedTuple):
    """Columns that belong together: numbers or codes, names, and levels of categories."""

    X: np.ndarray
    names: list[str]
    levels: list[tuple[str, ...]]


Settings = Mapping[str, Any]
#: Draws so many independent columns of noise.
Noise = Callable[[int], np.ndarray]


def scenario(name: str, settings: Settings) -> Frame:
    """The table of a scenario, drawn by its seed and name.

    A number is N(0, 1) or Student's t; with groups, N(0, 1) of the group plus
    N(0, `group_noise`²) of the row. Relevant features get what their kind says. A correlated noise
    feature is ρ z + √(1 − ρ²) e with the noise z of a relevant one, each in turn: inside a class it
    goes with that one, and it tells nothing of the class. Columns stand in random order; with
    `label_noise`, some classes are replaced last, so that it changes no number. Names tell
    what they are: `relevant_3`, `relevant_2_in_5` (of block 5), `noise_17`, `noise_4_beside_3`
    (correlated with `relevant_3`), `leak_1`.
    """
    given = _complete(name, settings)
    draw = generator(given["seed"], "scenario", name)
    group = _groups(given)
    y = _classes(given, draw, group)

    def noise(columns: int) -> np.ndarray:
        return _numbers(draw, given, group, columns)

    z = noise(given["relevant"])
    signal, y = _KINDS[given["kind"]](given, draw, y, z, noise)
    rest = given["features"] - given["relevant"] - given["categories"] - given["leaks"]
    parts = [
        signal,
        _correlated(given, z, noise(given["correlated"])),
        _numbered("noise", noise(rest - given["correlated"]), given["correlated"]),
        _category_noise(given, draw, rest),
        _leaks(given, draw, y),
    ]
    return _frame(name, given, draw, parts, y, group)


def _complete(name: str, settings: Settings) -> dict[str, Any]:
    """All settings, defaults included."""
    defaults = {key: about.default for key, about in SCENARIO.items() if about.has_default}
    given = {**defaults, **settings}
    for key in (key for key in SCENARIO if key not in given):
        raise UserError(f"{name}: its scenario has no `{key}`; add it")
    refuse_contradictions(given, f"{name}: scenario")
    return given


def refuse_contradictions(given: Settings, where: str) -> None:
    """Refuse settings that do not go together, with one line that begins with `where`."""
    kind, relevant = given["kind"], given["relevant"]
    wanted = sum(given[key] for key in ("relevant", "correlated", "categories", "leaks"))
    units, sizes = given["groups"] or given["rows"], given["class_rows"]
    wrong = {
        "features": wanted > given["features"] and f"{wanted} are asked for by the other keys",
        "relevant": relevant % {"blocks": given["block"], "pairs": 2}.get(kind, 1)
        and f"{relevant} are no whole number of {kind}",
        "correlated": given["correlated"]
        and (kind in ("blocks", "categories", "spread", "pairs") or not relevant)
        and "correlated noise needs relevant features of kind shift or means",
        "groups": given["groups"]
        and (kind == "pairs" or given["rows"] % given["groups"])
        and "must divide the rows, and kind pairs has none",
        "classes": (given["classes"] > 2 or given["class_rows"])
        and kind == "pairs"
        and "pairs tell two classes apart, whose rows they settle",
        "class_rows": sizes
        and (len(sizes), sum(sizes)) != (given["classes"], units)
        and f"must be {given['classes']} numbers that add up to {units}, got {sizes}",
    }
    for key, why in wrong.items():
        if why:
            raise UserError(f"{where}: {key}: {why}")


def _groups(given: Settings) -> np.ndarray | None:
    """The group of each row; None where rows are independent."""
    if not given["groups"]:
        return None
    return np.repeat(np.arange(given["groups"]), given["rows"] // given["groups"])


def _classes(given: Settings, draw: np.random.Generator, group: np.ndarray | None) -> np.ndarray:
    """The class of each row in random order; all rows of a group have one."""
    units, sizes = given["groups"] or given["rows"], given["class_rows"]
    codes = np.arange(units) % given["classes"]
    if sizes:
        codes = np.repeat(np.arange(len(sizes)), sizes)
    codes = draw.permutation(codes)
    return codes if group is None else codes[group]


def _numbers(
    draw: np.random.Generator, given: Settings, group: np.ndarray | None, columns: int
) -> np.ndarray:
    def drawn(rows: int) -> np.ndarray:
        if given["tails"]:
            return draw.standard_t(given["tails"], (rows, columns))
        return draw.normal(size=(rows, columns))

    if group is None:
        return drawn(given["rows"])
    return drawn(given["groups"])[group] + given["group_noise"] * drawn(given["rows"])


def _effects(given: Settings, number: int) -> np.ndarray:
    """The effect of each of so many features, blocks or pairs."""
    effect = given["effect"]
    first, last = effect if isinstance(effect, list) else (effect, effect)
    return np.linspace(first, last, number)


# The kinds of signal: relevant columns, made of their noise z, and the classes, which pairs settle

Signal = tuple[_Columns, np.ndarray]


def _shift(given: Settings, draw: Any, y: np.ndarray, z: np.ndarray, noise: Noise) -> Signal:
    """Each class is the effect above the one before it."""
    return _numbered("relevant", z + np.outer(y, _effects(given, z.shape[1]))), y


def _means(given: Settings, draw: Any, y: np.ndarray, z: np.ndarray, noise: Noise) -> Signal:
    """Each class has a mean from N(0, effect²)."""
    n = z.shape[1]
    means = draw.normal(size=(given["classes"], n)) * _effects(given, n)
    return _numbered("relevant", z + means[y]), y


def _blocks(given: Settings, draw: Any, y: np.ndarray, z: np.ndarray, noise: Noise) -> Signal:
    """√ρ (f + effect · y) + √(1 − ρ) z, with one f for each block."""
    n, size, rho = z.shape[1], given["block"], given["correlation"]
    factor = noise(n // size) + np.outer(y, _effects(given, n // size))
    X = np.sqrt(rho) * np.repeat(factor, size, axis=1) + np.sqrt(1 - rho) * z
    names = [f"relevant_{i % size + 1}_in_{i // size + 1}" for i in range(n)]
    return _Columns(X, names, [()] * n), y


def _spread(given: Settings, draw: Any, y: np.ndarray, z: np.ndarray, noise: Noise) -> Signal:
    """Equal means; the standard deviation of class c, from 0, is effect^c."""
    return _numbered("relevant", z * _effects(given, z.shape[1]) ** y[:, None]), y


def _pairs(given: Settings, draw: Any, y: np.ndarray, z: np.ndarray, noise: Noise) -> Signal:
    """The second class where Σ effect · z₁ z₂ over the pairs is above 0.

    With z₁ of each pair turned round, the class is the other one and no z₂ has changed: no feature
    tells anything alone, whatever is looked at.
    """
    if z.shape[1]:
        sums = (z[:, 0::2] * z[:, 1::2]) @ _effects(given, z.shape[1] // 2)
        y = (sums > 0).astype(np.int64)
    return _numbered("relevant", z), y


def _categories(given: Settings, draw: Any, y: np.ndarray, z: np.ndarray, noise: Noise) -> Signal:
    """Of equally frequent levels, that of the class is exp(effect) times as frequent in it."""
    columns = []
    for i, effect in enumerate(_effects(given, z.shape[1])):
        own = np.arange(given["classes"])[:, None] % _n_levels(i) == np.arange(_n_levels(i))
        odds = np.where(own, np.exp(effect), 1.0)
        upto = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
        columns.append((draw.random((len(y), 1)) > upto[y][:, :-1]).sum(axis=1))
    return _coded("relevant", columns, len(y)), y


_KINDS = {
    "shift": _shift,
    "blocks": _blocks,
    "means": _means,
    "spread": _spread,
    "pairs": _pairs,
    "categories": _categories,
}


# What stands beside the signal


def _correlated(given: Settings, z: np.ndarray, own: np.ndarray) -> _Columns:
    """Noise of its own beside that of a relevant feature, each in turn."""
    n, rho = own.shape[1], given["correlation"]
    beside = np.arange(n) % max(1, given["relevant"])
    names = [f"noise_{i + 1}_beside_{beside[i] + 1}" for i in range(n)]
    X = rho * z[:, beside] + np.sqrt(1 - rho**2) * own
    return _Columns(X, names, [()] * n)


def _category_noise(given: Settings, draw: np.random.Generator, start: int) -> _Columns:
    columns = [draw.integers(_n_levels(i), size=given["rows"]) for i in range(given["categories"])]
    return _coded("noise", columns, given["rows"], start)


def _leaks(given: Settings, draw: np.random.Generator, y: np.ndarray) -> _Columns:
    """The class itself, in some rows another one, with little noise."""
    shape = (len(y), given["leaks"])
    wrong = draw.random(shape) < given["leak_noise"]
    shown = np.where(wrong, (y[:, None] + 1) % given["classes"], y[:, None])
    return _numbered("leak", shown + draw.normal(0, 0.05, shape))


def _n_levels(column: int) -> int:
    return 3 + column % 3


def _numbered(word: str, X: np.ndarray, start: int = 0) -> _Columns:
    n = X.shape[1]
    return _Columns(X, [f"{word}_{start + i + 1}" for i in range(n)], [()] * n)


def _coded(word: str, columns: Sequence[np.ndarray], rows: int, start: int = 0) -> _Columns:
    X = np.column_stack(columns) if columns else np.empty((rows, 0))
    levels = [tuple("abcde"[: _n_levels(i)]) for i in range(len(columns))]
    return _numbered(word, X.astype(np.float64), start)._replace(levels=levels)


def _with_label_noise(
    given: Settings, draw: np.random.Generator, y: np.ndarray, group: np.ndarray | None
) -> np.ndarray:
    """Another class for that share of the rows, or of whole groups."""
    if not given["label_noise"]:
        return y
    unit = np.arange(len(y)) if group is None else group
    units = unit[-1] + 1
    wrong = draw.permutation(units)[: round(given["label_noise"] * units)]
    further = np.zeros(units, dtype=y.dtype)
    further[wrong] = draw.integers(1, given["classes"], size=len(wrong))
    return (y + further[unit]) % given["classes"]


def _frame(
    name: str,
    given: Settings,
    draw: np.random.Generator,
    parts: Sequence[_Columns],
    y: np.ndarray,
    group: np.ndarray | None,
) -> Frame:
    """Columns in random order, with gaps, as a table of one's own would be read."""
    names = [one for part in parts for one in part.names]
    levels = [one for part in parts for one in part.levels]
    order = draw.permutation(len(names))
    X = np.hstack([part.X for part in parts])[:, order]
    if given["missing"]:
        is_number = np.array([not levels[column] for column in order])
        X[(draw.random(X.shape) < given["missing"]) & is_number] = np.nan
    y = _with_label_noise(given, draw, y, group)
    named = group is not None and given["named"]
    return Frame(
        np.ascontiguousarray(X, dtype="<f8"),
        [f"class_{code + 1}" for code in y],
        tuple(names[column] for column in order),
        "target",
        [f"row {row}" for row in range(1, len(y) + 1)],
        f"scenario of {name}",
        tuple(levels[column] for column in order) if any(levels) else (),
        [f"group_{code + 1}" for code in group] if named else None,
    )
