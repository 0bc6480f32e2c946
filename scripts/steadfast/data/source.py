"""What a source of data sets is, and what every entry of the catalogue may say."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, list_of, one_of, schema_of, text, whole
from steadfast.data.frame import Columns, Frame
from steadfast.data.table import Table

#: Keys that the entry of every data set may have, beside `source`.
COMMON: Keys = {
    "title": text("The name that tables and figures print.", required=True).but(
        schema={"minLength": 1}
    ),
    "missing": one_of(
        'What happens to missing values: "refuse" the data set; "median": a number gets the median '
        "of its column in the training rows of each fold, a missing category is one of its own, "
        'rows without a class are left out; or "drop_rows" that have any.',
        *("refuse", "median", "drop_rows"),
        default="refuse",
    ),
    "without_rows_of": text(
        "Another data set of the catalogue: rows that stand in it too are left out, once for each "
        "time they stand there, unless the file comes from the folder local_data.",
        names="dataset",
    ),
    "feature_groups": Key(
        "Features that count as one, such as probes of one gene: a mapping of each group to its "
        "features, or a file with the columns feature and group; others are groups of their own.",
        {
            "type": ["string", "object"],
            "additionalProperties": {
                "type": "array",
                "minItems": 1,
                "items": {"type": ["string", "number"]},
            },
        },
    ),
    "expect": Key(
        "What is counted after loading; another number is an error.",
        schema_of(
            {
                "rows": whole("Number of rows.", least=4),
                "features": whole("Number of features, without the class."),
                "classes": whole("Number of classes.", least=2),
            }
        ),
    ),
    "licence": text("The licence of the data."),
    "citation": text("What to cite, and who gave the data."),
}


def _column_names(description: str) -> Key:
    return list_of(description, {"type": "string"}, least=0).but(schema={"uniqueItems": True})


#: Keys of entries whose source is a table with columns to choose from.
TABLE: Keys = {
    "target": text("The column that holds the class; the one that the source names, or the last."),
    "drop": _column_names("Columns that are no features, such as names of samples; left out."),
    "columns": one_of(
        '"numbers": every feature must be a number; "any": columns of text are categories, and '
        "ids, dates, constant and empty columns are noticed, left out and named.",
        *("numbers", "any"),
        default="numbers",
    ),
    "categories": _column_names("Columns that are categories, even where they hold numbers."),
    "keep": _column_names("Columns that are features, even where they look like an id."),
    "groups": text(
        "A column whose rows of one value (one patient, say) stay together in every split; it is "
        "no feature."
    ),
}

#: The SHA-256 that an entry may pin.
SHA256 = text("The SHA-256 of the file, checked on every read.").but(
    schema={"pattern": "^[0-9a-f]{64}$"}
)


@dataclass(frozen=True)
class Origin:
    """A table as its source gave it, what to call that source, and the SHA-256 of its content."""

    frame: Frame
    text: str
    sha256: str


class Place(NamedTuple):
    """Where a source looks and what it reports to.

    Attributes
    ----------
    root : folder that paths in the catalogue are relative to
    cache : folder of downloads
    progress : is given a line when something is downloaded
    load_other : the table of another data set of the catalogue
    """

    root: Path
    cache: Path
    progress: Callable[[str], None]
    load_other: Callable[[str], Table]


class Source(ABC):
    """Where data sets come from.

    Attributes
    ----------
    keys
        What an entry may say, beside the keys that all entries have.
    is_table
        Whether it is a table with columns to choose from; its keys then include `TABLE`.
    """

    keys: ClassVar[Keys] = {}
    is_table: ClassVar[bool] = True

    def files(self, entry: Mapping[str, Any], root: Path) -> list[Path]:
        """Files of the user's or the project's that an entry is read from: a change is noticed."""
        return []

    @abstractmethod
    def read(self, name: str, entry: Mapping[str, Any], place: Place) -> Origin:
        """The table of the data set `name`, whose entry may lack what has a default."""


def require(name: str, entry: Mapping[str, Any], key: str) -> Any:
    """The value of a key that an entry must have."""
    if key not in entry:
        raise UserError(f"{name}: its catalogue entry has no `{key}`; add it")
    return entry[key]


def digest_of(X: np.ndarray, labels: Sequence[str]) -> str:
    """The SHA-256 of numbers and class names that come from no file."""
    numbers = np.ascontiguousarray(X, dtype="<f8").tobytes()
    return hashlib.sha256(numbers + "\n".join(labels).encode()).hexdigest()


def columns_of(entry: Mapping[str, Any], **own: Any) -> Columns:
    """What an entry says of its table's columns; `own` is what its source says."""
    said = {key: entry[key] for key in ("drop", "groups", "categories", "keep") if key in entry}
    return Columns(
        **{"target": entry.get("target"), **said, "any_kind": entry.get("columns") == "any", **own}
    )
