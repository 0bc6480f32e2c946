"""What several runs of a selector prefer among the same features, as measures read it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Runs:
    """L runs over m features.

    Attributes
    ----------
    n_features
        m; features are numbered 0, 1, …
    sequences
        The features that each run lists, best first (in any order where `ranked` is False).
    ranked
        Whether the order of a sequence means something.
    keys
        What the features are ranked by, one row per run, the larger the better; equal keys are
        ties, NaN where nothing is known of a feature. None: no ties.
    weights
        What the selector says each feature is worth, in the same form; None: nothing.
    names
        How messages call the runs.
    """

    n_features: int
    sequences: Sequence[np.ndarray]
    ranked: bool = True
    keys: np.ndarray | None = None
    weights: np.ndarray | None = None
    names: Sequence[str] = field(default=())

    def __len__(self) -> int:
        return len(self.sequences)

    def name(self, run: int) -> str:
        """What a message calls a run."""
        return self.names[run] if self.names else str(run + 1)

    def top(self, k: int) -> "Runs":
        """These runs cut after their first k features; what is tied across the cut stays tied."""
        return replace(self, sequences=[sequence[:k] for sequence in self.sequences])

    def take(self, runs: Sequence[int]) -> "Runs":
        """Some of the runs."""
        rows = list(runs)
        keys = None if self.keys is None else self.keys[rows]
        weights = None if self.weights is None else self.weights[rows]
        sequences = [self.sequences[run] for run in runs]
        names = [self.name(run) for run in runs]
        return Runs(self.n_features, sequences, self.ranked, keys, weights, names)

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many features each run lists."""
        return np.array([sequence.size for sequence in self.sequences], dtype=np.int64)

    @property
    def depth(self) -> int:
        """The largest size that every run reaches."""
        return int(self.sizes.min(initial=self.n_features))

    @cached_property
    def positions(self) -> np.ndarray:
        """Where each run (row) lists each feature, from 0; m for features that it does not list."""
        positions = np.full((len(self), self.n_features), self.n_features, dtype=np.int64)
        if len(self):
            rows = np.repeat(np.arange(len(self)), self.sizes)
            starts = np.repeat(np.cumsum(self.sizes) - self.sizes, self.sizes)
            positions[rows, np.concatenate(self.sequences)] = np.arange(rows.size) - starts
        return positions

    @cached_property
    def members(self) -> np.ndarray:
        """Whether each run (row) lists each feature, as 0.0 and 1.0."""
        return (self.positions < self.n_features).astype(np.float64)

    def keys_of(self, run: int) -> np.ndarray:
        """What a run ranks the features by; its positions, where it states no keys."""
        return -self.positions[run] if self.keys is None else self.keys[run]

    @cached_property
    def tie_groups(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Each run's sequence (row), where the ties at each place begin and end, and all places.

        A cut through ties leaves them tied: features after the last that have its key follow it in
        the sequence. Rows shorter than the longest are filled with −1; the place of a feature that
        is not in the sequence is m.
        """
        rows, starts, ends = [], [], []
        for run, sequence in enumerate(self.sequences):
            keys = self.keys_of(run)
            if sequence.size:
                after = self.positions[run] == self.n_features
                beyond = np.flatnonzero(after & (keys == keys[sequence[-1]]))
                sequence = np.concatenate([sequence, beyond])
            keys = keys[sequence]
            new = np.append(True, keys[1:] != keys[:-1])[: keys.size]
            firsts, group = np.flatnonzero(new), np.cumsum(new) - 1
            rows.append(sequence)
            starts.append(firsts[group])
            ends.append(np.append(firsts[1:], keys.size)[group])
        shape = len(self), max((row.size for row in rows), default=0)
        filled = [np.full(shape, -1, dtype=np.int64) for _ in range(3)]
        places = np.full((len(self), self.n_features), self.n_features, dtype=np.int64)
        for run, parts in enumerate(zip(rows, starts, ends, strict=True)):
            for table, part in zip(filled, parts, strict=True):
                table[run, : part.size] = part
            places[run, rows[run]] = np.arange(rows[run].size)
        return *filled, places

    def overlaps_with(self, run: int, others: Sequence[int], depth: int) -> np.ndarray:
        """|A_k ∩ B_k| of one run with others (rows) for k = 1..depth (columns).

        A feature joins the intersection at the later of its two positions.
        """
        first = self.sequences[run][:depth]
        joined = np.maximum(self.positions[np.asarray(others)[:, None], first], np.arange(depth))
        return running_totals(joined, depth)

    def pairs(self) -> Iterator[tuple[int, np.ndarray]]:
        """Every run with all those after it."""
        for run in range(len(self) - 1):
            yield run, np.arange(run + 1, len(self))


def running_totals(joined: np.ndarray, depth: int, terms: np.ndarray | None = None) -> np.ndarray:
    """How many have joined in each row by k = 1..depth (columns), or the sum of their terms.

    `joined` are positions from 0; what joins at `depth` or later does not count.
    """
    n, width = len(joined), depth + 1
    place = np.minimum(joined, depth) + width * np.arange(n)[:, None]
    weights = None if terms is None else terms.ravel()
    sums = np.bincount(place.ravel(), weights=weights, minlength=width * n)
    return np.cumsum(sums.reshape(n, width)[:, :depth], axis=1)


@dataclass(frozen=True)
class System:
    """Counts of a system of subsets; arrays broadcast, e.g. over sizes k or over runs left out.

    Attributes
    ----------
    runs, n_features
        L and m.
    total
        N = Σ F_f = Σ k_i, the number of features selected in all runs together.
    squares
        Σ F_f², with F_f the number of runs that select feature f.
    used
        |X|, the number of features that some run selects.
    """

    runs: int
    n_features: int
    total: np.ndarray
    squares: np.ndarray
    used: np.ndarray


@dataclass(frozen=True)
class SystemParts:
    """A system and what each run (rows) has in it, by size (columns).

    Attributes
    ----------
    sizes
        k_i.
    shared
        Σ_f z_if·F_f = Σ_j |A_i ∩ A_j|, the run itself included.
    alone
        Features that no other run selects.
    """

    whole: System
    sizes: np.ndarray
    shared: np.ndarray
    alone: np.ndarray

    def without_each(self) -> System:
        """The systems (rows) that remain when one run is left out."""
        whole = self.whole
        return System(
            whole.runs - 1,
            whole.n_features,
            whole.total - self.sizes,
            whole.squares - 2 * self.shared + self.sizes,
            whole.used - self.alone,
        )


def subset_system(runs: Runs) -> SystemParts:
    """The system of all that the runs list."""
    members = runs.members
    frequencies = members.sum(axis=0)
    sizes = runs.sizes[:, None]
    whole = System(
        len(runs),
        runs.n_features,
        sizes.sum(axis=0),
        np.array([frequencies @ frequencies]),
        np.array([np.count_nonzero(frequencies)]),
    )
    shared = (members @ frequencies)[:, None]
    return SystemParts(whole, sizes, shared, (members @ (frequencies == 1))[:, None])


def prefix_systems(runs: Runs, depth: int) -> SystemParts:
    """The systems of the first k features of every run, k = 1..depth, from positions.

    A feature belongs to |X| from its smallest position on, and to one run alone from there to its
    second smallest.
    """
    n_runs, sizes = len(runs), np.arange(1, depth + 1)
    shared = np.tile(sizes, (n_runs, 1))
    for run, others in runs.pairs():
        overlaps = runs.overlaps_with(run, others, depth)
        shared[run] += overlaps.sum(axis=0)
        shared[others] += overlaps
    first = runs.positions.argmin(axis=0)
    ordered = np.sort(np.minimum(runs.positions, depth), axis=0)
    starts, ends = ordered[0], ordered[1] if n_runs > 1 else np.full(runs.n_features, depth)
    used = np.cumsum(np.bincount(starts, minlength=depth + 1)[:depth])
    steps = np.zeros((n_runs, depth + 1), dtype=np.int64)
    np.add.at(steps, (first, starts), 1)
    np.add.at(steps, (first, ends), -1)
    whole = System(n_runs, runs.n_features, n_runs * sizes, shared.sum(axis=0), used)
    alone = np.cumsum(steps, axis=1)[:, :depth]
    return SystemParts(whole, np.tile(sizes, (n_runs, 1)), shared, alone)


@dataclass(frozen=True)
class InformedSystem(System):
    """A system with its `information`, Σ F_f log₂ F_f."""

    information: np.ndarray


@dataclass(frozen=True)
class InformedParts(SystemParts):
    """Such a system, and what it loses of its information without each run."""

    whole: InformedSystem
    lost: np.ndarray

    def without_each(self) -> InformedSystem:
        """The systems (rows) that remain when one run is left out."""
        left = self.whole.information - self.lost
        return InformedSystem(**vars(super().without_each()), information=left)


def times_log(most: int) -> np.ndarray:
    """F log₂ F for F = 0..most."""
    counts = np.arange(most + 1)
    return counts * np.log2(np.maximum(counts, 1))


def informed_system(runs: Runs) -> InformedParts:
    """The system of all that the runs list, with its information."""
    parts, terms = subset_system(runs), times_log(len(runs))
    frequencies = runs.members.sum(axis=0).astype(np.int64)
    lost = np.append(0, np.diff(terms))[frequencies]
    return _informed(parts, np.array([terms[frequencies].sum()]), (runs.members @ lost)[:, None])


def prefix_informed_systems(runs: Runs, depth: int) -> InformedParts:
    """The systems of the first k features of every run, k = 1..depth, with their information.

    F_f grows by one at each of the positions of f, in their order; a run that has f by then loses
    what the last step has given.
    """
    n_runs = len(runs)
    gains = np.diff(times_log(n_runs))
    steps = np.append(gains[0], np.diff(gains))
    order = np.argsort(runs.positions, axis=0, kind="stable")
    times = np.take_along_axis(runs.positions, order, axis=0).reshape(1, -1)
    given = np.broadcast_to(gains[:, None], order.shape).reshape(1, -1)
    information = running_totals(times, depth, given)[0]
    lost = np.empty((n_runs, depth))
    for run in range(n_runs):
        own = np.argmax(order == run, axis=0)
        place = np.arange(n_runs)[:, None]
        terms = np.where(place > own, steps[:, None], np.where(place == own, gains[:, None], 0.0))
        lost[run] = running_totals(times, depth, terms.reshape(1, -1))[0]
    return _informed(prefix_systems(runs, depth), information, lost)


def _informed(parts: SystemParts, information: np.ndarray, lost: np.ndarray) -> InformedParts:
    whole = InformedSystem(**vars(parts.whole), information=information)
    return InformedParts(whole, parts.sizes, parts.shared, parts.alone, lost)
