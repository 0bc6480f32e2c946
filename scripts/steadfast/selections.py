"""The file of one fold: what was selected at each step, and why."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from steadfast.errors import UserError
from steadfast.files import parse_table, read_manifest, read_verified, table_to_bytes
from steadfast.seeds import generator


def selection_to_bytes(selector: object, features: Sequence[str]) -> bytes:
    """A fitted selector's ranking: rank, feature, weight, and what explains each step."""
    steps: Mapping[str, np.ndarray] = getattr(selector, "steps_", {})
    sequence = selector.sequence_
    columns = [
        range(1, sequence.size + 1),
        [features[column] for column in sequence],
        selector.scores_[sequence],
        *steps.values(),
    ]
    return table_to_bytes(["rank", "feature", "weight", *steps], zip(*columns, strict=True))


#: What the share of features without a weight is called, in the place of a measure.
ZERO_WEIGHTS = "zero_weights"


class Selection(NamedTuple):
    """Column numbers of the ranked features of one fold, best first, and their weights."""

    sequence: np.ndarray
    weights: np.ndarray

    def weights_fall(self) -> bool:
        """Whether the weights order the features, so that equal ones are ties."""
        return bool((self.weights[1:] <= self.weights[:-1]).all())


def read_selection(path: Path, manifest: Path, features: Sequence[str]) -> Selection:
    """What a fold's file says."""
    column_of = {name: column for column, name in enumerate(features)}
    table = parse_table(read_verified(path, manifest))
    try:
        sequence = [column_of[name] for name in table["feature"]]
    except KeyError as error:
        raise UserError(f"{path}: feature: {error} is no feature of the data set") from None
    if len(set(sequence)) != len(sequence):
        raise UserError(f"{path}: feature: a feature stands in more than one row")
    try:
        weights = np.array(table["weight"], dtype=float)
    except (KeyError, ValueError):
        raise UserError(f"{path}: weight: must be a number in every row") from None
    return Selection(np.array(sequence, dtype=np.int64), weights)


def _shuffle_ties(selection: Selection, seed: int, fold: str) -> Selection:
    """Features of equal weight in random order, unless the weights do not fall along the ranks."""
    if not selection.weights_fall():
        return selection
    sequence, weights = selection
    draw = generator(seed, "order of ties", fold).permutation(sequence.size)
    return Selection(sequence[np.lexsort((draw, -weights))], weights)


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
        manifest_of.update(dict.fromkeys(read_manifest(manifest), manifest))
    selections = {}
    for fold in folds:
        manifest = manifest_of.get(f"{fold}.tsv")
        if manifest is None:
            raise UserError(
                f"{fold}.tsv: no manifest of its selector lists it; run snakemake again"
            )
        selection = read_selection(manifest.parent / f"{fold}.tsv", manifest, features)
        selections[fold] = _shuffle_ties(selection, seed, fold) if ties == "random" else selection
    return selections
