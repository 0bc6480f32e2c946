"""What kinds of outputs take from an entry of a study, and how that is completed and checked.

An argument declares one key or several, under the parameter's name unless it says otherwise. Use
them as annotations: `ratio: Ratio`, `selectors: Selectors`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from steadfast.accuracy.scores import USUAL
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, list_of, text
from steadfast.outputs.results import Measure, Results, Score
from steadfast.outputs.verdict import EXPECT, Expect

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Argument:
    """One parameter of a kind: one key, whose value the function gets, or None if left out."""

    key: Key

    def with_default(self, default: Any, description: str) -> "Argument":
        """The argument as a signature has it: with its default, and described in the docstring."""
        key = self.key.but(description=description) if description else self.key
        if default is Parameter.empty:
            return replace(self, key=key)
        if default is None:
            return replace(self, key=key.but(required=False))
        return replace(self, key=key.but(required=False, default=default))

    def keys(self, name: str) -> Keys:
        """The keys of the entry, by name."""
        return {name: self.key}

    def complete(self, study: "Study", entry: dict[str, Any], name: str) -> None:
        """Fill in what the entry leaves to the study."""

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        """Refuse what the study cannot give; `where` is where the entry stands."""

    def names(self, entry: Entry, name: str, at: str) -> Iterator[tuple[str, str, Any]]:
        """Names inside nested parts: where each stands, what sort of thing it names, the name."""
        yield from ()

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        """Take out what this run does not have; the reason, if nothing is left."""
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
        return entry.get(name)


class Plain(Argument):
    """A key of a plain type; required if the signature has no default."""

    def with_default(self, default: Any, description: str) -> Argument:
        if default is Parameter.empty:
            return Plain(self.key.but(description=description, required=True))
        return super().with_default(default, description)


# Data sets


class OneDataset(Argument):
    """The name of a data set."""

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        return "" if entry.get(name) in {None, *study.datasets} else entry[name]


class DatasetOrAll(OneDataset):
    """The key `dataset`, given as a list: that data set, or all of the study."""

    def keys(self, name: str) -> Keys:
        return {"dataset": self.key}

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        return super().prune(study, entry, "dataset")

    def value(self, results: Results, entry: Entry, name: str) -> list[str]:
        return [entry["dataset"]] if "dataset" in entry else results.datasets


class SomeDatasets(Argument):
    """A list of data sets; all of the study if left out."""

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        if name not in entry:
            return ""
        entry[name] = [each for each in entry[name] if each in study.datasets]
        return "" if entry[name] else "none of its data sets"

    def value(self, results: Results, entry: Entry, name: str) -> list[str]:
        return entry.get(name, results.datasets)


class GroupsOfDatasets(Argument):
    """Lists of data sets by the name of their group; groups of absent ones are left out."""

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        kept = {
            group: [each for each in names if each in study.datasets]
            for group, names in entry[name].items()
        }
        entry[name] = {group: names for group, names in kept.items() if names}
        return "" if entry[name] else "none of its data sets"


Dataset = Annotated[str, OneDataset(text("Data set.", names="dataset", required=True))]
Datasets = Annotated[list[str], DatasetOrAll(text("Data set; all if left out.", names="dataset"))]
DatasetList = Annotated[
    list[str],
    SomeDatasets(list_of("Data sets; all if left out.", {"type": "string"}, names="dataset")),
]
DatasetGroups = Annotated[
    dict[str, list[str]],
    GroupsOfDatasets(
        Key(
            "Data sets by the name of their group.",
            {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {
                    "type": "array",
                    "minItems": 1,
                    "items": {"type": "string"},
                },
            },
            required=True,
            names="dataset",
        )
    ),
]

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


_SELECTORS = list_of("Selectors; all if left out.", {"type": "string"}, names="selector")
_SEVERAL = _SELECTORS.but(schema={"minItems": 2, "uniqueItems": True})

Selector = Annotated[str, Argument(text("Selector.", names="selector", required=True))]
AnySelector = Annotated[str | None, Argument(text("Selector.", names="selector"))]
Selectors = Annotated[list[str], SomeSelectors(_SELECTORS)]
SeveralSelectors = Annotated[list[str], SomeSelectors(_SEVERAL)]
NamedSelectors = Annotated[list[str], SomeSelectors(_SEVERAL.but(required=True))]
TwoSelectors = Annotated[
    list[str],
    SomeSelectors(
        _SEVERAL.but(
            description="The two selectors that are compared.",
            schema={"maxItems": 2},
            required=True,
        )
    ),
]
SelectorsToTest = Annotated[
    list[str],
    TestedSelectors(_SEVERAL.but(description="Selectors; all but random selection if left out.")),
]

_PAIR = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}}
PairsOfSelectors = Annotated[
    list[list[str]],
    Argument(list_of("Pairs of selectors.", _PAIR, names="selector", required=True)),
]
TwoNames = Annotated[list[str], Argument(Key("Two names in print.", _PAIR))]

# Measures, classifiers, ratios


def fill_from_study(study: "Study", entry: dict[str, Any], keys: Sequence[str]) -> None:
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


def require_accuracy(study: "Study", where: str) -> None:
    """There must be a classifier at all."""
    if not study.classifiers:
        raise UserError(f"{where}: is about accuracy; accuracy.classifiers names none")


def require_rates(study: "Study", entry: Entry, where: str) -> None:
    """Accuracy must be what it says, and no other score."""
    if study.classifiers and study.scoring[0] not in USUAL:
        raise UserError(
            f"{where}: is about rates; accuracy.scoring must name accuracy first, and others after"
        )


def require_scored(study: "Study", classifier: str, ratios: set[float], where: str) -> None:
    """A classifier must be scored at the ratios that an entry names."""
    scored = study.classifiers.get(classifier, {}).get("ratios", ratios)
    for ratio in sorted(ratios - set(scored)):
        raise UserError(f"{where}: {classifier} is not scored at ratio {ratio:g}")


class ByKeys(Argument):
    """An argument of keys with names of their own, filled in from the study."""

    described: ClassVar[Keys] = {}

    def with_default(self, default: Any, description: str) -> Argument:
        return self

    def keys(self, name: str) -> Keys:
        return self.described

    def complete(self, study: "Study", entry: dict[str, Any], name: str) -> None:
        fill_from_study(study, entry, list(self.described))


_MEASURE = text("Stability measure; the first of the study if left out.", names="measure")
_COMPARE = text("How selections are compared; as the measure first is, if left out.")
_CLASSIFIER = text("Classifier; the first of the study if left out.", names="classifier")
RATIO = Key("Ratio; may be left out where the study has one.", {"type": "number"}, names="ratio")


class MeasureArgument(ByKeys):
    """The keys `measure` and `compare`, given as a `Measure`."""

    described: ClassVar[Keys] = {"measure": _MEASURE, "compare": _COMPARE}

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        require_measured(study, entry, where)

    def value(self, results: Results, entry: Entry, name: str) -> Measure:
        return results.measure(entry)


class SomeMeasures(Argument):
    """A list of stability measures, given as every use of them in the study; all if left out."""

    def value(self, results: Results, entry: Entry, name: str) -> list[Measure]:
        return [one for one in results.measures if one.measure in entry.get(name, [one.measure])]


class ClassifierArgument(ByKeys):
    """The key `classifier`, given as a `Score` of it."""

    described: ClassVar[Keys] = {"classifier": _CLASSIFIER}

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        require_accuracy(study, where)
        ratios = {*(entry.get("ratios") or []), *([entry["ratio"]] if "ratio" in entry else [])}
        require_scored(study, entry["classifier"], ratios, where)

    def value(self, results: Results, entry: Entry, name: str) -> Score:
        return results.scored(entry["classifier"])


class QuantityArgument(ByKeys):
    """The keys `of`, `measure`, `compare` and `classifier`, given as a `Measure` or a `Score`."""

    described: ClassVar[Keys] = {
        "of": Key("What it is about.", {"enum": ["stability", "accuracy"]}, required=True),
        **MeasureArgument.described,
        **ClassifierArgument.described,
    }

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        part = MeasureArgument if entry["of"] == "stability" else ClassifierArgument
        part(self.key).check(study, entry, name, where)

    def value(self, results: Results, entry: Entry, name: str) -> Measure | Score:
        return results.quantity(entry)


class RatioArgument(Argument):
    """The key `ratio`, which may be left out where the study has one."""

    def complete(self, study: "Study", entry: dict[str, Any], name: str) -> None:
        fill_from_study(study, entry, [name])

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        if self.key.required and name not in entry:
            raise UserError(f"{where}: {name}: is missing; the study has several")

    def keys(self, name: str) -> Keys:
        return {name: self.key.but(required=False)}


_OF_MEASURE = Key("Stability measure.")
MeasureUsed = Annotated[Measure, MeasureArgument(_OF_MEASURE)]
Classifier = Annotated[Score, ClassifierArgument(_OF_MEASURE)]
Measures = Annotated[
    list[Measure],
    SomeMeasures(list_of("Measures; all if left out.", {"type": "string"}, names="measure")),
]
Classifiers = Annotated[
    list[str],
    Argument(list_of("Classifiers; all if left out.", {"type": "string"}, names="classifier")),
]
Quantity = Annotated[Measure | Score, QuantityArgument(_OF_MEASURE)]
Ratio = Annotated[float, RatioArgument(RATIO.but(required=True))]
Ratios = Annotated[
    list[float], Argument(list_of("Ratios.", {"type": "number"}, names="ratio", required=True))
]

# Sizes

#: Number of features, share of them, or their square root.
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

    @property
    def schema(self) -> dict[str, Any]:
        """Its part of a JSON schema."""
        return {"minimum": self.minimum}


Count = Annotated[int, AtLeast(1)]

#: Lowest and highest value.
RANGE = list_of("Lowest and highest value.", {"type": "number"}, least=2).but(
    schema={"maxItems": 2}
)


def check_range(ends: Sequence[float], where: str) -> None:
    """The lowest value of a range must be below its highest."""
    if ends[0] >= ends[1]:
        raise UserError(f"{where}: {ends[0]:g} is not below {ends[1]:g}; name the lowest first")


# Claims

Expected = Annotated[Expect, Argument(EXPECT)]


class TableArgument(Argument):
    """The name of a table of the study, which must be in the run; its files are read."""

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        return "" if entry.get(name) in {None, *study.tables} else entry[name]


class ReadTable(TableArgument):
    """A table of the study whose files are read."""

    def files(self, entry: Entry, name: str, place: Callable[..., str]) -> list[str]:
        return [place("table", ending, table=entry[name]) for ending in ("csv", "md", "sha256")]


TableName = Annotated[str, TableArgument(text("The table.", names="table", required=True))]
PrintedTable = Annotated[str, ReadTable(text("The table.", names="table", required=True))]

# Legends


@dataclass(frozen=True)
class Words(Argument):
    """Words of a figure's legend, by the name of what they stand for.

    Attributes
    ----------
    named
        What they stand for: `transform` or `classifier`.
    """

    named: str

    def names(self, entry: Entry, name: str, at: str) -> Iterator[tuple[str, str, Any]]:
        for each in entry.get(name, {}):
            yield f"{at}.{name}.{each}", self.named, each

    def value(self, results: Results, entry: Entry, name: str) -> dict[str, str]:
        return results.shown(entry.get(name, {}))


_WORDS = {"type": "object", "additionalProperties": {"type": "string"}}
_IN_WORDS = "Words of the legend, by the name of a {}; its label if left out."
TransformWords = Annotated[
    dict[str, str], Words(Key(_IN_WORDS.format("transform"), _WORDS), "transform")
]
ClassifierWords = Annotated[
    dict[str, str], Words(Key(_IN_WORDS.format("classifier"), _WORDS), "classifier")
]
DatasetWords = Annotated[
    dict[str, str], Words(Key(_IN_WORDS.format("data set"), _WORDS), "dataset")
]

# Published numbers


class PublishedRows(Argument):
    """The key `published_as`, given as the paper's rows of a table: row to column to value."""

    def keys(self, name: str) -> Keys:
        return {"published_as": self.key}

    def value(self, results: Results, entry: Entry, name: str) -> Mapping[str, Mapping[str, float]]:
        return results.context["published"]


Published = Annotated[
    Mapping[str, Mapping[str, float]],
    PublishedRows(
        text(
            "The paper's table that stands beside it; the one of its own name if left out.",
            names="table",
        )
    ),
]
