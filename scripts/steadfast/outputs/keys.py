"""Keys that several kinds of tables, figures and claims have."""

from collections.abc import Sequence

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, flag, list_of, one_of, text, whole

TITLE = text("Printed above it.", required=True)
KIND = text("What it shows.", required=True)

OF = one_of("What it is about.", "stability", "accuracy", required=True)
MEASURE = text("Stability measure; the first of the study if left out.", names="measure")
COMPARE = text("How selections are compared; as the measure first is, if left out.")
CLASSIFIER = text("Classifier; the first of the study if left out.", names="classifier")
RATIO = Key("Ratio; may be left out where the study has one.", {"type": "number"}, names="ratio")
RATIOS = list_of("Ratios.", {"type": "number"}, names="ratio", required=True)
DATASET = text("Data set.", names="dataset")
ONE_DATASET = DATASET.but(description="Data set; all if left out.")
THE_DATASET = DATASET.but(required=True)
DATASETS = list_of("Data sets; all if left out.", {"type": "string"}, names="dataset")
SELECTOR = text("Selector.", names="selector", required=True)
SELECTORS = list_of(
    "Selectors; all but random selection if left out.", {"type": "string"}, names="selector"
)
ALL_SELECTORS = SELECTORS.but(description="Selectors; all if left out.")
SEVERAL_SELECTORS = ALL_SELECTORS.but(schema={"minItems": 2, "uniqueItems": True})
TESTED_SELECTORS = SEVERAL_SELECTORS.but(description=SELECTORS.description)
SELECTORS_BESIDE_CHANCE = SELECTORS.but(
    description="Selectors; all if left out, but for random selection where `chance` shows it."
)
TWO_SELECTORS = SELECTORS.but(
    description="The two selectors that are compared.",
    schema={"minItems": 2, "maxItems": 2, "uniqueItems": True},
    required=True,
)
PUBLISHED_AS = text(
    "The paper's table that stands beside it; the one of its own name if left out.", names="table"
)
BETTER = text("Selector said to be better.", names="selector", required=True)
THAN = text("Selector it is compared with.", names="selector", required=True)

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
SIZE = ANY_SIZE.but(default=10)
WHOLE_SIZE = whole("Subset size.", default=10)
LARGEST = whole("Largest subset size; all if left out.")
SMALLEST = whole("Smallest size that may be a knot.", default=10)
MARKED = list_of(
    "Sizes that are marked on the lines.",
    {"type": "integer", "minimum": 1},
    least=0,
    default=[5, 10, 20, 50, 100],
)
RANGE = list_of("Lowest and highest value.", {"type": "number"}, least=2).but(
    schema={"maxItems": 2}
)
CHANCE = flag(
    "Whether random selection is shown too: the expected value of the measure, and the accuracy "
    "of the study's selector `random`."
)

DATASET_GROUPS = Key(
    "Data sets by the name of their group.",
    {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {"type": "array", "minItems": 1, "items": {"type": "string"}},
    },
    required=True,
    names="dataset",
)
FAMILY = text("Selector, whatever the transform.", names="family", required=True)
FAMILIES = list_of(
    "Selectors, whatever the transform; all if left out.",
    {"type": "string"},
    names="family",
).but(schema={"uniqueItems": True})
TRANSFORMS = list_of("Transforms.", {"type": "string"}, names="transform", required=True).but(
    schema={"uniqueItems": True}
)
BASELINE = text("Transform that the others are compared with.", names="transform", required=True)

#: Stability under one measure at one ratio; the same beside accuracy.
STABILITY = {"measure": MEASURE, "compare": COMPARE, "ratio": RATIO}
STABILITY_AND_ACCURACY = {**STABILITY, "classifier": CLASSIFIER}
EITHER = {"of": OF, **STABILITY_AND_ACCURACY}


def check_range(ends: Sequence[float], where: str) -> None:
    """The lowest value of a range must be below its highest."""
    if ends[0] >= ends[1]:
        raise UserError(f"{where}: {ends[0]:g} is not below {ends[1]:g}; name the lowest first")


def pairs_of(sort: str, description: str, **settings: object) -> Key:
    """A key whose value is a list of pairs of names."""
    pair = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}}
    return list_of(description, pair, names=sort, **settings)
