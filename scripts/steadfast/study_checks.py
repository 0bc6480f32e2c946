"""What kinds of tables and figures ask of the rest of a study."""

from collections.abc import Mapping
from typing import Any

from steadfast.errors import UserError, nearest
from steadfast.measures import declarations
from steadfast.profiles import PROFILE
from steadfast.selections import ZERO_WEIGHTS

#: Columns of a table whose means can be put beside the paper's.
_MEAN_COLUMNS = {
    "profile": (*PROFILE, ZERO_WEIGHTS, "expected_overlap"),
    "tradeoff": ("error", "stability"),
}


def check_bins(study: Mapping[str, Any], source: str) -> None:
    """Bins that look at the classes must not see the rows that test."""
    bins, features = study["discretise"], study["accuracy"]["features"]
    if bins["method"] == "mdl" and bins["fit_on"] == "all":
        raise UserError(
            f"{source}: discretise.fit_on: mdl looks at the classes, so that bins from all rows "
            "would know those of the test rows; use fit_on: train"
        )
    if features == "bins" and bins["fit_on"] == "train":
        raise UserError(
            f"{source}: accuracy.features: bins of each fold are not kept for classifiers; use "
            "features: raw, or discretise.fit_on: all"
        )


def check_entry(study: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    """One table or figure."""
    kind = entry["kind"]
    if kind == "tradeoff":
        _check_tradeoff(study, entry, where)
    knots = kind == "knots" or entry.get("knots")
    for asked in (entry, *entry.get("panels", [])):
        name = asked.get("measure")
        if knots and name and declarations()[name].distance:
            raise UserError(f"{where}: {name} is a distance; knots are those of a similarity")
    if kind == "published" and study["published_means"]:
        raise UserError(f"{where}: draws ranks of the paper's data sets, which are not these")


def _check_tradeoff(study: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    classifier = study["accuracy"]["classifiers"][entry["classifier"]]
    if not classifier.get("outcomes"):
        raise UserError(
            f"{where}.classifier: McNemar's test needs the rows that {entry['classifier']} was "
            f"wrong on; set accuracy.classifiers.{entry['classifier']}.outcomes: true (svm)"
        )
    for sizes in (classifier.get("sizes"), study["sizes"]):
        missing = set(entry["sizes"]) - set(sizes) if isinstance(sizes, list) else set()
        if missing:
            raise UserError(f"{where}.sizes: {min(missing)} is not among the sizes that are scored")


def check_means(study: Mapping[str, Any], source: str) -> None:
    """Means beside the paper's must be of tables and columns that there are."""
    for table, columns in study["published_means"].items():
        where = f"{source}: published_means.{table}"
        if table not in study["tables"]:
            raise UserError(f"{where}: unknown table; {nearest(table, study['tables'])}")
        known = _MEAN_COLUMNS.get(study["tables"][table]["kind"], ())
        for column in columns:
            if column not in known:
                raise UserError(f"{where}: unknown column {column!r}; {nearest(column, known)}")
