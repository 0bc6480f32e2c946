"""The file of one fold: what was selected at each step, and why."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, read_manifest, read_verified, table_to_bytes
from steadfast.core.packs import unpack
from steadfast.core.seeds import generator


def selection_to_bytes(selector: object, features: Sequence[str], note: str = "") -> bytes:
    """A fitted selector's ranking: rank, feature, weight, and what explains each step.

    A selector that chooses a subset of its own size (`support_`) also says which features are in
    it, one that searches (`search_`) every step of its search. One that iterates (`iterations_`)
    has, below the ranking, one row without a rank for each iteration, and one that chooses its
    parameters (`grid_`) a row for each that it tried. A note, such as what was done to the rows
    before, stands in the first row.
    """
    search = getattr(selector, "search_", None)
    if search is not None:
        return _add_note(*_search_rows(selector, search, features), note)
    steps: Mapping[str, np.ndarray] = getattr(selector, "steps_", {})
    sequence = selector.sequence_
    chosen = {}
    if getattr(selector, "support_", None) is not None:
        chosen = {"selected": ["yes" if selector.support_[f] else "no" for f in sequence]}
    columns = [
        range(1, sequence.size + 1),
        [features[column] for column in sequence],
        selector.scores_[sequence],
        *chosen.values(),
        *steps.values(),
    ]
    header = ["rank", "feature", "weight", *chosen, *steps]
    rows = [list(row) for row in zip(*columns, strict=True)]
    for attribute in ("iterations_", "grid_"):
        header, rows = _add_below(header, rows, getattr(selector, attribute, {}))
    return _add_note(header, rows, note)


def _add_below(
    header: list[str], rows: list[list[Any]], below: Mapping[str, Sequence[Any]]
) -> tuple[list[str], list[list[Any]]]:
    """With more columns, where they are not there yet, whose rows stand below all others."""
    wide = [*header, *(name for name in below if name not in header)]
    rows = [[*row, *[""] * (len(wide) - len(row))] for row in rows]
    for values in zip(*below.values(), strict=True):
        named = dict(zip(below, values, strict=True))
        rows.append([named.get(name, "") for name in wide])
    return wide, rows


def _add_note(header: list[str], rows: list[list[Any]], note: str) -> bytes:
    if note:
        header = [*header, "note"]
        rows = [[*row, "" if at else note] for at, row in enumerate(rows)]
    return table_to_bytes(header, rows)


def _search_rows(
    selector: object, search: Mapping[str, Sequence[Any]], features: Sequence[str]
) -> tuple[list[str], list[list[Any]]]:
    """One row per step; rank, weight and choice of a feature stand where it enters for good."""
    columns = {
        name: values for name, values in search.items() if name not in ("column", "for_good")
    }
    rows = []
    for at, column in enumerate(search["column"]):
        ranked = ["", features[column], "", ""]
        if search["for_good"][at] and selector.ranking_[column] <= selector.sequence_.size:
            chosen = "yes" if selector.support_[column] else "no"
            ranked = [selector.ranking_[column], features[column], selector.scores_[column], chosen]
        rows.append([*ranked, *(values[at] for values in columns.values())])
    return ["rank", "feature", "weight", "selected", *columns], rows


def failure_to_bytes(reason: str) -> bytes:
    """The file of a fold on which the selector did not finish: no feature, and why."""
    return table_to_bytes(["rank", "feature", "weight", "note"], [["", "", "", reason]])


#: How subsets are compared or scored that their selectors chose, and what stands for their size.
CHOSEN, OWN_SIZE = "chosen", 0

#: Columns of what was tried to choose parameters, beside these themselves.
GRID_COLUMNS = ("size", "stability", "accuracy", "accuracy_sd", "value", "choice", "note")

#: What the share of features without a weight is called, in the place of a measure.
ZERO_WEIGHTS = "zero_weights"


class Selection(NamedTuple):
    """What was selected on one fold.

    Attributes
    ----------
    sequence, weights
        Column numbers of the ranked features, best first, and their weights.
    n_chosen
        How many of them, from the first, are the subset that the selector chose; None (all) where
        it only ranks.
    note
        Why there is no selection; empty where there is one.
    iterations
        How many the selector went through, where it iterates.
    criterion
        Of the chosen subset, by the selector's own criterion; NaN where it has none.
    parameters
        Those that the selector chose on this fold; empty where it chooses none.
    """

    sequence: np.ndarray
    weights: np.ndarray
    n_chosen: int | None = None
    note: str = ""
    criterion: float = float("nan")
    iterations: int = 0
    parameters: Mapping[str, Any] = {}

    @property
    def chosen(self) -> np.ndarray:
        """The columns of the subset that the selector chose."""
        return self.sequence[: self.n_chosen]

    def first(self, k: int) -> np.ndarray:
        """The first k columns, without those of equal weight of which some would come after."""
        if k >= self.sequence.size or not self.weights_fall():
            return self.sequence[:k]
        levels = tied_levels(self.weights)
        return self.sequence[: np.searchsorted(levels, levels[k])]

    def weights_fall(self) -> bool:
        """Whether the weights order the features, so that equal ones are ties."""
        return bool((self.weights[1:] <= self.weights[:-1]).all())


def read_selection(path: Path, manifest: Path, features: Sequence[str]) -> Selection:
    """What a fold's file says, checked against its manifest."""
    return parse_selection(read_verified(path, manifest), features, path)


def parse_selection(content: bytes, features: Sequence[str], path: Path) -> Selection:
    """What a fold's file says; rows without a rank are steps of a search, or a note."""
    column_of = {name: column for column, name in enumerate(features)}
    table = parse_table(content)
    ranked = _ranked_rows(path, table.get("rank", ()))
    if not ranked:
        notes = [note for note in table.get("note", ()) if note]
        nothing = np.empty(0)
        return Selection(nothing.astype(np.int64), nothing, 0, "; ".join(notes) or "it is empty")
    try:
        sequence = [column_of[table["feature"][row]] for row in ranked]
    except KeyError as error:
        raise UserError(f"{path}: feature: {error} is no feature of the data set") from None
    if len(set(sequence)) != len(sequence):
        raise UserError(f"{path}: feature: a feature stands in more than one row")
    try:
        weights = np.array([table["weight"][row] for row in ranked], dtype=float)
    except (KeyError, ValueError):
        raise UserError(f"{path}: weight: must be a number in every row") from None
    n_chosen = None
    if set(table.get("selected", ())) & {"yes", "no"}:
        chosen = [table["selected"][row] == "yes" for row in ranked]
        n_chosen = sum(chosen)
        if not all(chosen[:n_chosen]):
            raise UserError(f"{path}: selected: the selected features must have the first ranks")
    criterion = float(table["best"][-1]) if "action" in table else float("nan")
    iterations = sum(bool(cell) for cell in table.get("iteration", ()))
    sequence = np.array(sequence, dtype=np.int64)
    parameters = _chosen_parameters(table) if "choice" in table else {}
    return Selection(sequence, weights, n_chosen, "", criterion, iterations, parameters)


def _chosen_parameters(table: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Parameters in the row below the ranking that was chosen (`steadfast.selectors.tuned`)."""
    below = zip(table["rank"], table["choice"], strict=True)
    row = next((at for at, (rank, word) in enumerate(below) if not rank and word == CHOSEN), None)
    if row is None:
        return {}
    cells = {name: values[row] for name, values in table.items() if name not in GRID_COLUMNS}
    return {name: _number_or_text(cell) for name, cell in cells.items() if cell}


def _number_or_text(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


def _ranked_rows(path: Path, ranks: Sequence[str]) -> list[int]:
    """The rows that have a rank, best first."""
    try:
        ranked = [(int(rank), row) for row, rank in enumerate(ranks) if rank]
    except ValueError:
        raise UserError(f"{path}: rank: must be a whole number, or empty") from None
    return [row for _, row in sorted(ranked)]


def shuffle_ties(selection: Selection, seed: int, fold: str) -> Selection:
    """Features of equal weight in random order, unless the weights do not fall along the ranks.

    Weights that differ by rounding alone are equal: low matrix rank makes features equal up to it.
    """
    if not selection.weights_fall():
        return selection
    sequence, weights = selection.sequence, selection.weights
    draw = generator(seed, "order of ties", fold).permutation(sequence.size)
    return selection._replace(sequence=sequence[np.lexsort((draw, tied_levels(weights)))])


#: Weights whose relative difference is less are equal.
ROUNDING = 1e-10


def tied_levels(falling: np.ndarray) -> np.ndarray:
    """The number of the level, from 0, on which each of falling weights lies; equals share one."""
    above, below = falling[:-1], falling[1:]
    same = above == below
    finite = np.isfinite(above)
    same[finite] |= above[finite] - below[finite] <= ROUNDING * np.abs(above[finite])
    return np.concatenate([[0], np.cumsum(~same)])[: falling.size].astype(np.int64)


def by_selector(manifests: Sequence[Path]) -> dict[str, list[Path]]:
    """Manifests of batches by the selector whose folder they lie in; packs beside them aside."""
    found: dict[str, list[Path]] = {}
    for manifest in manifests:
        if manifest.suffix == ".sha256":
            found.setdefault(manifest.parent.name, []).append(manifest)
    return found


def read_selections(
    manifests: Sequence[Path],
    folds: Sequence[str],
    features: Sequence[str],
    *,
    ties: str = "column",
    seed: int = 0,
) -> dict[str, Selection]:
    """The selections of all folds of a selector; each manifest vouches for one batch beside it.

    Features of equal weight stand as the file has them, in the order of their columns; with `ties`
    `random` in a random one, drawn by the seed and the name of the fold.
    """
    manifest_of = {}
    for manifest in manifests:
        unpack(manifest)
        manifest_of.update(dict.fromkeys(read_manifest(manifest), manifest))
    selections = {}
    for fold in folds:
        manifest = manifest_of.get(f"{fold}.tsv")
        if manifest is None:
            raise UserError(
                f"{fold}.tsv: no manifest of its selector lists it; run the same command again"
            )
        selection = read_selection(manifest.parent / f"{fold}.tsv", manifest, features)
        selections[fold] = shuffle_ties(selection, seed, fold) if ties == "random" else selection
    return selections


def read_folds(
    manifests: Sequence[Path], features: Sequence[str], **ties: Any
) -> dict[str, Selection]:
    """The selections of all folds that some manifests list; `ties` as in `read_selections`."""
    names = [Path(name).stem for manifest in manifests for name in read_manifest(manifest)]
    return read_selections(manifests, names, features, **ties)
