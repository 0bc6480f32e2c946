"""What kinds of outputs take from an entry of a study, and how that is completed and checked.

An argument declares one key or several, under the parameter's name unless it says otherwise. Use
them as annotations: `ratio: Ratio`, `selectors: Selectors`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

from steadfast.accuracy.scores import USUAL
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, list_of, text
from steadfast.outputs.results import Measure, Results, Score
from steadfast.outputs.verdict import EXPECT, Expect

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]

_NO_KEY = Key("")


@dataclass(frozen=True)
class Argument:
    """One parameter of a kind: one key, whose value the function gets, or None if left out.

    The key has the parameter's name, or `name` if there is one.
    """

    key: Key = _NO_KEY
    name: str = ""

    def with_default(self, default: Any, description: str) -> "Argument":
        """The argument as a signature has it: with its default, and described in the docstring."""
        key = self.key.but(description=description) if description else self.key
        if default is not Parameter.empty:
            key = key.but(required=False, **({} if default is None else {"default": default}))
        return replace(self, key=key)

    def keys(self, name: str) -> Keys:
        """The keys of the entry, by name."""
        return {self.name or name: self.key}

    def complete(self, study: "Study", entry: dict[str, Any], name: str) -> None:
        """Fill in what the entry leaves to the study."""

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        """Refuse what the study cannot give; `where` is where the entry stands."""

    def names(self, entry: Entry, name: str, at: str) -> Iterator[tuple[str, str, Any]]:
        """Names inside nested parts: where each stands, what sort of thing it names, the name."""
        yield from ()

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        """Take out data sets that this run does not have; the reason, if none is left."""
        for key, about in self.keys(name).items():
            if about.names == "dataset" and entry.get(key):
                left = _present(entry[key], study.datasets)
                if not left:
                    return entry[key] if isinstance(entry[key], str) else "none of its data sets"
                entry[key] = left
        return ""

    def context(self, study: "Study", entry: Entry, name: str) -> dict[str, Any]:
        """What the job needs to know of the study to give the value."""
        return {}

    def files(self, entry: Entry, name: str, place: Callable[..., str]) -> list[str]:
        """Files of results that it reads, besides those of the kind's source."""
        return []

    def project_files(self, entry: Entry, name: str) -> list[str]:
        """Files of the project that it reads, from its folder on."""
        return []

    def value(self, results: Results, entry: Entry, name: str) -> Any:
        """What the function gets."""
        return entry.get(self.name or name)


def _present(value: Any, known: Collection[str]) -> Any:
    """A name if it is known; the known ones of a list, or of lists by the name of their group."""
    if isinstance(value, str):
        return value if value in known else ""
    if isinstance(value, list):
        return [each for each in value if each in known]
    kept = {group: _present(names, known) for group, names in value.items()}
    return {group: names for group, names in kept.items() if names}


def _list(description: str, names: str) -> Key:
    """A key that is a list of names."""
    return list_of(description, {"type": "string"}, names=names)


# Data sets


class SomeDatasets(Argument):
    """Names of data sets, or one name as a list; all of the study if left out."""

    def value(self, results: Results, entry: Entry, name: str) -> list[str]:
        named = entry.get(self.name or name, results.datasets)
        return [named] if isinstance(named, str) else named


_DATASET = text("Data set; all if left out.", names="dataset")
_GROUPS = Key(
    "Data sets by the name of their group.",
    {"type": "object", "minProperties": 1, "additionalProperties": _list("", "").schema},
    required=True,
    names="dataset",
)

Dataset = Annotated[str, Argument(_DATASET.but(description="Data set.", required=True))]
Datasets = Annotated[list[str], SomeDatasets(_DATASET, "dataset")]
DatasetList = Annotated[list[str], SomeDatasets(_list("Data sets; all if left out.", "dataset"))]
DatasetGroups = Annotated[dict[str, list[str]], Argument(_GROUPS)]

# Selectors


class SomeSelectors(Argument):
    """A list of selectors; where it is left out, all that are run on the entry's data set.

    Without random selection where that is drawn as chance (`chance: true`).
    """

    def value(self, results: Results, entry: Entry, name: str) -> list[str]:
        random = results.random if entry.get("chance") else None
        every = [one for one in results.selectors if one != random]
        dataset = entry.get("dataset")
        named = entry.get(name, every)
        return [one for one in named if dataset is None or results.is_run(dataset, one)]


class TestedSelectors(Argument):
    """A list of selectors that are tested; all but random selection if left out."""

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        chosen = [key for key, one in study.selectors.items() if not one.at_random]
        names = entry.get(name, chosen)
        if len({*names, *([entry["reference"]] if "reference" in entry else [])}) < 2:
            shown = names[0] if names else "none"
            raise UserError(f"{where}.{name}: {shown}; a test needs two")

    def value(self, results: Results, entry: Entry, name: str) -> list[str]:
        named = entry.get(name, [one for one in results.selectors if not results.at_random(one)])
        reference = [entry["reference"]] if "reference" in entry else []
        return list(dict.fromkeys([*reference, *named]))


_SELECTOR = text("Selector.", names="selector")
_SELECTORS = _list("Selectors; all if left out.", "selector")
_SEVERAL = _SELECTORS.but(schema={"minItems": 2, "uniqueItems": True})
_TWO = _SEVERAL.but(description="The two selectors that are compared.", schema={"maxItems": 2})
_TESTED = _SEVERAL.but(description="Selectors; all but random selection if left out.")
_PAIR = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}}
_PAIRS = list_of("Pairs of selectors.", _PAIR, names="selector", required=True)

Selector = Annotated[str, Argument(_SELECTOR.but(required=True))]
AnySelector = Annotated[str | None, Argument(_SELECTOR)]
Selectors = Annotated[list[str], SomeSelectors(_SELECTORS)]
SeveralSelectors = Annotated[list[str], SomeSelectors(_SEVERAL)]
NamedSelectors = Annotated[list[str], SomeSelectors(_SEVERAL.but(required=True))]
TwoSelectors = Annotated[list[str], SomeSelectors(_TWO.but(required=True))]
SelectorsToTest = Annotated[list[str], TestedSelectors(_TESTED)]
PairsOfSelectors = Annotated[list[list[str]], Argument(_PAIRS)]
TwoNames = Annotated[list[str], Argument(Key("Two names in print.", _PAIR))]

# Measures, classifiers, ratios


def fill_from_study(study: "Study", entry: dict[str, Any], keys: Collection[str]) -> None:
    """Ratio, measure and classifier where an entry, or a panel of one, leaves them out."""
    of = entry.get("of")
    if "ratio" in keys and len(study.ratios) == 1:
        entry.setdefault("ratio", study.ratios[0])
    if "classifier" in keys and of != "stability" and study.classifiers:
        entry.setdefault("classifier", next(iter(study.classifiers)))
    if "measure" in keys and of != "accuracy":
        entry.setdefault("measure", study.measures[0]["measure"])
        same = [given for given in study.measures if given["measure"] == entry["measure"]]
        entry.setdefault("compare", (same or study.measures)[0]["compare"])


def require_measured(study: "Study", entry: Entry, where: str) -> None:
    """A measure must be measured in the way that an entry names."""
    given = {key: entry.get(key) for key in ("measure", "compare")}
    if given not in study.measures:
        raise UserError(
            f"{where}: {given['measure']} is not measured by {given['compare']}; add "
            f"{{measure: {given['measure']}, compare: {given['compare']}}} to stability.measures"
        )


def require_similarity(study: "Study", entry: Entry, where: str) -> None:
    """Knots are those of a similarity, not of a distance."""
    if any(info["distance"] for info in study.measure_infos([entry])):
        raise UserError(
            f"{where}: {entry['measure']} is a distance; knots are those of a similarity"
        )


def require_rates(study: "Study", entry: Entry, where: str) -> None:
    """Accuracy must be what it says, and no other score."""
    if study.classifiers and study.scoring[0] not in USUAL:
        raise UserError(
            f"{where}: is about rates; accuracy.scoring must name accuracy first, and others after"
        )


def require_scored(study: "Study", entry: Entry, where: str) -> None:
    """There must be a classifier, and those that an entry names be scored at its ratios."""
    if not study.classifiers:
        raise UserError(f"{where}: is about accuracy; accuracy.classifiers names none")
    ratios = {*(entry.get("ratios") or []), *([entry["ratio"]] if "ratio" in entry else [])}
    named = entry.get("classifiers", study.classifiers)
    for name in [entry["classifier"]] if "classifier" in entry else named:
        scored = study.classifiers.get(name, {}).get("ratios", ratios)
        for ratio in sorted(ratios - set(scored)):
            raise UserError(f"{where}: {name} is not scored at ratio {ratio:g}")


def require_quantity(study: "Study", entry: Entry, where: str) -> None:
    """What an entry, or a panel of it, is about must be measured."""
    require = require_measured if entry["of"] == "stability" else require_scored
    require(study, entry, where)


@dataclass(frozen=True)
class FromStudy(Argument):
    """Keys with names of their own (`described`) that an entry may leave to the study.

    `require` refuses what the study does not measure; `read` gives what the function gets.
    """

    described: Keys = field(default_factory=dict)
    require: Callable[["Study", Entry, str], None] = require_quantity
    read: Callable[[Results, Entry], Any] = Results.quantity

    def with_default(self, default: Any, description: str) -> Argument:
        return self

    def keys(self, name: str) -> Keys:
        return self.described

    def complete(self, study: "Study", entry: dict[str, Any], name: str) -> None:
        fill_from_study(study, entry, self.described)

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        self.require(study, entry, where)

    def value(self, results: Results, entry: Entry, name: str) -> Any:
        return self.read(results, entry)


class SomeMeasures(Argument):
    """A list of stability measures, given as every use of them in the study; all if left out."""

    def value(self, results: Results, entry: Entry, name: str) -> list[Measure]:
        return [one for one in results.measures if one.measure in entry.get(name, [one.measure])]


class RatioArgument(Argument):
    """The key `ratio`, which may be left out where the study has one."""

    def complete(self, study: "Study", entry: dict[str, Any], name: str) -> None:
        fill_from_study(study, entry, [name])

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        if self.key.required and name not in entry:
            raise UserError(f"{where}: {name}: is missing; the study has several")

    def keys(self, name: str) -> Keys:
        return {name: self.key.but(required=False)}


_MEASURE: Keys = {
    "measure": text("Stability measure; the first of the study if left out.", names="measure"),
    "compare": text("How selections are compared; as the measure first is, if left out."),
}
_CLASSIFIER: Keys = {
    "classifier": text("Classifier; the first of the study if left out.", names="classifier")
}
_OF = Key("What it is about.", {"enum": ["stability", "accuracy"]}, required=True)

QUANTITY: Keys = {"of": _OF, **_MEASURE, **_CLASSIFIER}
RATIO = Key("Ratio; may be left out where the study has one.", {"type": "number"}, names="ratio")
_RATIOS = list_of("Ratios.", {"type": "number"}, names="ratio", required=True)

MeasureUsed = Annotated[
    Measure, FromStudy(described=_MEASURE, require=require_measured, read=Results.measure)
]
Classifier = Annotated[Score, FromStudy(described=_CLASSIFIER, require=require_scored)]
Quantity = Annotated[Measure | Score, FromStudy(described=QUANTITY)]
Measures = Annotated[list[Measure], SomeMeasures(_list("Measures; all if left out.", "measure"))]
Classifiers = Annotated[list[str], Argument(_list("Classifiers; all if left out.", "classifier"))]
Ratio = Annotated[float, RatioArgument(RATIO.but(required=True))]
Ratios = Annotated[list[float], Argument(_RATIOS)]

# Sizes

_SIZE = {
    "oneOf": [
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"type": "integer", "minimum": 1},
        {"const": "sqrt"},
    ]
}
ANY_SIZE = Key(
    'Number of features; below 1, a share of them; "sqrt", the square root of their number.', _SIZE
)
Size = Annotated[int | float | str, Argument(ANY_SIZE)]


@dataclass(frozen=True)
class AtLeast:
    """The smallest value that a number may have."""

    minimum: float


Count = Annotated[int, AtLeast(1)]

_NUMBER = {"type": "number"}

RANGE = list_of("Lowest and highest value.", _NUMBER, least=2).but(schema={"maxItems": 2})


def check_range(ends: Sequence[float], where: str) -> None:
    """The lowest value of a range must be below its highest."""
    if ends[0] >= ends[1]:
        raise UserError(f"{where}: {ends[0]:g} is not below {ends[1]:g}; name the lowest first")


# Claims


class TableArgument(Argument):
    """A table of the study, which must be in the run; its files are read."""

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        return "" if entry[name] in study.tables else entry[name]

    def files(self, entry: Entry, name: str, place: Callable[..., str]) -> list[str]:
        return [place("table", ending, table=entry[name]) for ending in ("csv", "md", "sha256")]


Expected = Annotated[Expect, Argument(EXPECT)]
PrintedTable = Annotated[str, TableArgument(text("The table.", names="table", required=True))]

# Legends


@dataclass(frozen=True)
class Words(Argument):
    """Words of a figure's legend, by the name of the transform, say, that they stand for."""

    named: str = ""

    def names(self, entry: Entry, name: str, at: str) -> Iterator[tuple[str, str, Any]]:
        for each in entry.get(name, {}):
            yield f"{at}.{name}.{each}", self.named, each

    def value(self, results: Results, entry: Entry, name: str) -> dict[str, str]:
        return results.shown(entry.get(name, {}))


def _words(named: str) -> Words:
    """Words of a legend for one sort of thing."""
    description = f"Words of the legend, by the name of a {named}; its label if left out."
    schema = {"type": "object", "additionalProperties": {"type": "string"}}
    return Words(Key(description, schema), named=named.replace(" ", ""))


TransformWords = Annotated[dict[str, str], _words("transform")]
ClassifierWords = Annotated[dict[str, str], _words("classifier")]
DatasetWords = Annotated[dict[str, str], _words("data set")]

# Published numbers


Cells = Mapping[str, Mapping[str, float]]


class PublishedRows(Argument):
    """The paper's rows of a table: row to column to value."""

    def value(self, results: Results, entry: Entry, name: str) -> Cells:
        return results.context["published"]


_PUBLISHED = text(
    "The paper's table that stands beside it; the one of its own name if left out.", names="table"
)
Published = Annotated[Cells, PublishedRows(_PUBLISHED, "published_as")]
