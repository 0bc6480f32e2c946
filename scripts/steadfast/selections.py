"""The file of one fold: what was selected at each step, and why."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from steadfast.errors import UserError
from steadfast.files import parse_table, read_manifest, read_verified, table_to_bytes


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


def read_sequence(path: Path, manifest: Path, features: Sequence[str]) -> np.ndarray:
    """Column numbers of the ranked features of one fold, best first."""
    column_of = {name: column for column, name in enumerate(features)}
    table = parse_table(read_verified(path, manifest))
    try:
        sequence = [column_of[name] for name in table["feature"]]
    except KeyError as error:
        raise UserError(f"{path}: feature: {error} is no feature of the data set") from None
    if len(set(sequence)) != len(sequence):
        raise UserError(f"{path}: feature: a feature stands in more than one row")
    return np.array(sequence)


def read_sequences(
    manifests: Sequence[Path], folds: Sequence[str], features: Sequence[str]
) -> dict[str, np.ndarray]:
    """The sequences of all folds of a selector; each manifest vouches for one batch beside it."""
    manifest_of = {}
    for manifest in manifests:
        manifest_of.update(dict.fromkeys(read_manifest(manifest), manifest))
    sequences = {}
    for fold in folds:
        manifest = manifest_of.get(f"{fold}.tsv")
        if manifest is None:
            raise UserError(
                f"{fold}.tsv: no manifest of its selector lists it; run snakemake again"
            )
        sequences[fold] = read_sequence(manifest.parent / f"{fold}.tsv", manifest, features)
    return sequences
