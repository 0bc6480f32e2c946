"""What outputs about the precision on made data share: which files they read, and their rows."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, read_verified
from steadfast.core.keys import Key, Keys, list_of
from steadfast.core.paths import with_manifest
from steadfast.measuring.overlaps import size_of
from steadfast.outputs.kind import Entry, Kind
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.core.paths import Paths
    from steadfast.study.declaration import Study

#: Which of the data sets an entry is about.
CONDITIONS: Keys = {
    "features": list_of(
        "Numbers of features; those of the study's `precision` if left out.", {"type": "integer"}
    ),
    "noise": list_of("Noise of the values; all if left out.", {"type": "number"}),
}
SEVERAL_LABEL_NOISES: Key = list_of(
    "Shares of the rows with a wrong class; all if left out.", {"type": "number"}
)


class OfPrecision(Kind):
    """A kind about the study's `precision`; an entry's keys are those of `CONDITIONS` and more."""

    def datasets(self, study: "Study", entry: Entry) -> list[str]:
        """None: the data sets are made."""
        return []

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """None: those of the study's `precision` are run where the data sets are made."""
        return []

    def more_files(self, study: "Study", entry: Entry, paths: "Paths") -> list[str]:
        """One per number of features."""
        files = [paths("precision", number=number) for number in entry["features"]]
        return [path for file in files for path in with_manifest(file)]

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """Names of selectors and transforms, and how many features are relevant."""
        return {
            "families": study.families,
            "transforms": study.transform_infos,
            "relevant": study.precision["relevant"],
        }

    def complete(self, study: "Study", entry: dict[str, Any]) -> None:
        """What an entry leaves to the study's `precision`."""
        super().complete(study, entry)
        if study.precision:
            for key in ("features", "noise", "label_noise"):
                if key in self.keys and not self.keys[key].required:
                    entry.setdefault(key, study.precision[key])
            if "families" in self.keys:
                entry.setdefault("families", study.precision["selectors"])

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """All that is shown must be among what the study's `precision` runs."""
        super().check(study, entry, where)
        if not study.precision:
            raise UserError(f"{where}: the study has no `precision`")
        for key, values in self.wanted(entry).items():
            for value in values:
                if value not in study.precision[key]:
                    raise UserError(
                        f"{where}: {value} is not among the {key} of the study's precision"
                    )

    def wanted(self, entry: Entry) -> Mapping[str, Sequence[Any]]:
        """What an entry shows, by the keys of `precision`."""
        found = {key: entry[key] for key in ("features", "noise", "label_noise") if key in entry}
        return {**found, "selectors": entry["families"], "transforms": entry["transforms"]}


def precision_rows(view: View) -> dict[str, np.ndarray]:
    """Columns of the files, of an entry's conditions only; `set` tells all data sets apart."""
    entry = view.entry
    rows = _stacked(tuple(view.paths("precision", number=m) for m in entry["features"]))
    keep = np.isin(rows["noise"], entry["noise"]) & np.isin(
        rows["label_noise"], entry["label_noise"]
    )
    rows = {name: column[keep] for name, column in rows.items()}
    rows["chance"] = np.array(
        [size_of(view.context["relevant"], int(m)) / m for m in rows["features"]]
    )
    return rows


@cache
def _stacked(paths: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Columns of all files, one below the other: read once for all claims of a summary."""
    parts = [parse_table(read_verified(Path(path))) for path in paths]
    rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    for name in ("features", "set", "noise", "label_noise", "precision"):
        rows[name] = rows[name].astype(float)
    return rows


def by_data_set(rows: Mapping[str, np.ndarray], chosen: np.ndarray, column: str) -> np.ndarray:
    """Means of a column over the chosen rows of each data set, in the order of data sets."""
    keys = np.stack([rows["features"][chosen], rows["set"][chosen]])
    groups = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
    return np.bincount(groups, rows[column][chosen]) / np.bincount(groups)
