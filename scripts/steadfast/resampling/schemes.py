"""Ways to perturb a data set: which folds there are, and how each is drawn.

A scheme knows the names of its folds before there are any data. Each draw has a generator of its
own, named after what is drawn, so that another repeat or fold leaves the rest as it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from steadfast.core.errors import UserError, look_up, nearest
from steadfast.core.seeds import generator
from steadfast.resampling.folds import Fold

#: Name of the only group of schemes whose folds are all compared with each other.
ALL = "all"

#: Samples of which the last has no row in common with the others.
DISJOINT = [f"d{number:02d}" for number in range(1, 12)]


@dataclass(frozen=True)
class Scheme(ABC):
    """Settings are the fields of a scheme, with their defaults."""

    @abstractmethod
    def names(self) -> list[str]:
        """Names of the folds, in their order."""

    @abstractmethod
    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        """The folds for rows of classes `y`; every draw derives from the seed and these names."""

    @abstractmethod
    def runs(self) -> int:
        """How many folds are compared with each other."""

    def ratios(self) -> list[float]:
        """The ratios that the folds have."""
        return [1.0]


@dataclass(frozen=True)
class ShrinkingBootstrap(Scheme):
    """Bootstraps of all rows, and ever smaller draws from each of them.

    Each repeat draws n of n rows with replacement (training); rows never drawn are the test part.
    For each ratio r, r·n of the drawn rows are drawn again without replacement; the full bootstrap
    (ratio 1) is always there, as the reference of the others.

    References
    ----------
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009), section 5.2.
    """

    repeats: int = 10
    ratios_kept: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 1.0)

    def ratios(self) -> list[float]:
        return sorted({float(ratio) for ratio in self.ratios_kept} | {1.0})

    def names(self) -> list[str]:
        return [_bootstrap(i, r) for i in range(1, self.repeats + 1) for r in self.ratios()]

    def runs(self) -> int:
        return self.repeats

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        n = len(y)
        for repeat in range(1, self.repeats + 1):
            drawn = generator(seed, *names, "bootstrap", repeat).integers(n, size=n)
            test = np.setdiff1d(np.arange(n), drawn)
            for ratio in self.ratios():
                size = int(ratio * n + 0.5)
                if size < 2:
                    raise UserError(
                        f"{'/'.join(names)}: resample.ratios: {ratio:g} of {n} rows leaves fewer "
                        f"than two rows; use at least {2 / n:.2g}"
                    )
                order = generator(seed, *names, "reduce", repeat, f"{ratio:g}").permutation(n)
                train = np.sort(drawn if ratio == 1 else drawn[order[:size]])
                reference = _bootstrap(repeat, 1)
                yield Fold(_bootstrap(repeat, ratio), repeat, ratio, train, test, reference, ALL)


def _bootstrap(repeat: int, ratio: float) -> str:
    return f"b{repeat:02d}_r{ratio:g}"


@dataclass(frozen=True)
class CrossValidation(Scheme):
    """Rows dealt to folds, classes in equal shares; each fold tests, the others train.

    With `repeats`, dealt anew each time; folds of one repeat are compared with each other. With
    `disjoint`, a share of the rows, come eleven samples of that share more, `d01` to `d11`, of
    which the last has no row in common with the others: for figures that ask for them.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), section 4.5 (the samples).
    """

    folds_: int = 10
    repeats: int = 1
    small_classes: str = "refuse"
    disjoint: float | None = None

    def names(self) -> list[str]:
        repeats, folds = range(1, self.repeats + 1), range(1, self.folds_ + 1)
        own = [self._name(repeat, fold) for repeat in repeats for fold in folds]
        return own + (DISJOINT if self.disjoint else [])

    def runs(self) -> int:
        return self.folds_

    def _name(self, repeat: int, fold: int) -> str:
        return f"f{fold:02d}" if self.repeats == 1 else f"r{repeat:02d}_f{fold:02d}"

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        every = np.arange(len(y))
        for repeat in range(1, self.repeats + 1):
            draw = generator(seed, *names, "cv", repeat)
            dealt = deal(y, self.folds_, draw, classes, self.small_classes, names)
            for fold in range(1, self.folds_ + 1):
                test = dealt == fold - 1
                name, group = self._name(repeat, fold), f"r{repeat:02d}"
                yield Fold(name, repeat, 1.0, every[~test], every[test], "", group)
        if self.disjoint:
            yield from self._disjoint_samples(y, seed, names)

    def _disjoint_samples(self, y: np.ndarray, seed: int, names: Sequence[str]) -> Iterator[Fold]:
        every = np.arange(len(y))
        last = draw_share(y, self.disjoint, generator(seed, *names, "disjoint", DISJOINT[-1]))
        rest = np.setdiff1d(every, last)
        if self.disjoint > 0.5 or min(last.size, rest.size) < 2:
            raise UserError(
                f"{'/'.join(names)}: resample.disjoint: {self.disjoint:g} of {len(y)} rows must be "
                "at least two rows, and at most half of all"
            )
        for number, name in enumerate(DISJOINT, start=1):
            draw = generator(seed, *names, "disjoint", name)
            train = last if name == DISJOINT[-1] else draw_of_classes(rest, y, y[last], draw)
            yield Fold(name, number, 1.0, train, np.setdiff1d(every, train), "", "", False)


@dataclass(frozen=True)
class RepeatedCrossValidation(CrossValidation):
    """The same, dealt anew ten times."""

    repeats: int = 10


@dataclass(frozen=True)
class NestedCrossValidation(Scheme):
    """Cross-validation inside the training part of each fold of a cross-validation.

    The outer folds `o01`, … are for classifiers; the inner ones `o01_i01`, … of one outer fold are
    compared with each other.

    References
    ----------
    Kalousis, Prados, Hilario, Stability of feature selection algorithms (2005), section 2.
    """

    folds_: int = 10
    inner: int = 10
    small_classes: str = "refuse"

    def names(self) -> list[str]:
        outer = [f"o{fold:02d}" for fold in range(1, self.folds_ + 1)]
        return [
            name
            for fold in outer
            for name in (fold, *(f"{fold}_i{inner:02d}" for inner in range(1, self.inner + 1)))
        ]

    def runs(self) -> int:
        return self.inner

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        every = np.arange(len(y))
        draw = generator(seed, *names, "outer")
        dealt = deal(y, self.folds_, draw, classes, self.small_classes, names)
        for fold in range(1, self.folds_ + 1):
            name = f"o{fold:02d}"
            train, test = every[dealt != fold - 1], every[dealt == fold - 1]
            yield Fold(name, fold, 1.0, train, test)
            draw = generator(seed, *names, "inner", fold)
            own = deal(y[train], self.inner, draw, classes, self.small_classes, (*names, name))
            for inner in range(1, self.inner + 1):
                kept = own != inner - 1
                own_name = f"{name}_i{inner:02d}"
                yield Fold(own_name, fold, 1.0, train[kept], train[~kept], "", name, False)


@dataclass(frozen=True)
class Subsample(Scheme):
    """A share of the rows, drawn without replacement, trains; the rest tests."""

    repeats: int = 10
    share: float = 0.8
    stratified: bool = True

    def names(self) -> list[str]:
        return [f"s{repeat:03d}" for repeat in range(1, self.repeats + 1)]

    def runs(self) -> int:
        return self.repeats

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        every = np.arange(len(y))
        for repeat, name in enumerate(self.names(), start=1):
            draw = generator(seed, *names, "subsample", repeat)
            train = draw_share(y if self.stratified else np.zeros_like(y), self.share, draw)
            _require_both_parts(train, len(y), self.share, names)
            yield Fold(name, repeat, 1.0, train, np.setdiff1d(every, train), "", ALL)


def draw_share(y: np.ndarray, share: float, draw: np.random.Generator) -> np.ndarray:
    """A share of the rows of every class, rounded half up, at least one of each."""
    labels, counts = np.unique(y, return_counts=True)
    wanted = np.repeat(labels, [max(1, int(share * count + 0.5)) for count in counts])
    return draw_of_classes(np.arange(len(y)), y, wanted, draw)


def draw_of_classes(
    rows: np.ndarray, y: np.ndarray, wanted: np.ndarray, draw: np.random.Generator
) -> np.ndarray:
    """As many of the rows of each class as `wanted` names it, or all of them if they are fewer."""
    chosen = [np.empty(0, dtype=np.int64)]
    for label, count in zip(*np.unique(wanted, return_counts=True), strict=True):
        chosen.append(draw.permutation(rows[y[rows] == label])[:count])
    return np.sort(np.concatenate(chosen))


def _require_both_parts(train: np.ndarray, n_rows: int, share: float, names: Sequence[str]) -> None:
    if train.size < 2 or train.size == n_rows:
        raise UserError(
            f"{'/'.join(names)}: resample.share: {share:g} of {n_rows} rows leaves fewer than two "
            "rows to train on, or none to test on"
        )


@dataclass(frozen=True)
class Halves(Subsample):
    """Random halves: one trains, the other tests."""

    share: float = 0.5

    def names(self) -> list[str]:
        return [f"h{repeat:02d}" for repeat in range(1, self.repeats + 1)]


@dataclass(frozen=True)
class Perturbed(Scheme):
    """Samples that differ in a controlled share of their rows.

    The first sample is a share of the rows of every class; each of the others keeps all but a share
    α of these, and draws as many anew from the rows that it did not keep. So at least 1 − α of each
    sample are rows of the first: with α = 0 all samples are the same, with α = 1 independent draws.
    A fold's `ratio` is its α; rows that a sample leaves out test.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), section 3.3.
    """

    repeats: int = 10
    share: float = 0.25
    perturbations: Sequence[float] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

    def __post_init__(self) -> None:
        names = [f"{alpha:g}" for alpha in self.ratios()]
        if len(set(names)) < len(names):
            raise UserError("resample.perturbations: two of them are equal to six digits")

    def ratios(self) -> list[float]:
        return sorted({float(alpha) for alpha in self.perturbations})

    def names(self) -> list[str]:
        samples = range(1, self.repeats + 1)
        return [_perturbed(alpha, sample) for alpha in self.ratios() for sample in samples]

    def runs(self) -> int:
        return self.repeats

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        every = np.arange(len(y))
        first = draw_share(y, self.share, generator(seed, *names, "perturbed"))
        _require_both_parts(first, len(y), self.share, names)
        for alpha in self.ratios():
            for sample in range(1, self.repeats + 1):
                draw = generator(seed, *names, "perturbed", f"{alpha:g}", sample)
                train = first if sample == 1 else _redraw(first, y, alpha, draw)
                test = np.setdiff1d(every, train)
                yield Fold(_perturbed(alpha, sample), sample, alpha, train, test, "", ALL)


def _perturbed(alpha: float, sample: int) -> str:
    return f"a{alpha:g}_s{sample:02d}"


def _redraw(
    first: np.ndarray, y: np.ndarray, alpha: float, draw: np.random.Generator
) -> np.ndarray:
    """The sample with a share of its rows, rounded half up, drawn anew in their classes."""
    order = draw.permutation(first)
    gone = int(alpha * first.size + 0.5)
    removed, kept = order[:gone], order[gone:]
    free = np.setdiff1d(np.arange(len(y)), kept)
    return np.sort(np.concatenate([kept, draw_of_classes(free, y, y[removed], draw)]))


def deal(
    y: np.ndarray,
    n_folds: int,
    draw: np.random.Generator,
    classes: Sequence[str],
    small_classes: str,
    names: Sequence[str],
) -> np.ndarray:
    """The fold of each row: rows in random order, class after class, dealt like cards.

    The folds' sizes differ by at most one, and so do the rows of a class in them. A class with
    fewer rows than folds is refused, or, with `spread`, missing in some folds.
    """
    if n_folds > len(y):
        raise UserError(
            f"{'/'.join(names)}: resample: {len(y)} rows cannot be dealt to {n_folds} folds"
        )
    counts = np.bincount(y, minlength=len(classes))
    small = np.flatnonzero((counts > 0) & (counts < n_folds))
    if small.size and small_classes == "refuse":
        raise UserError(
            f"{'/'.join(names)}: resample: class {classes[small[0]]!r} has {counts[small[0]]} "
            f"rows {'in the training part ' if len(names) > 2 else ''}to deal to {n_folds} folds; "
            "use fewer folds, or small_classes: spread"
        )
    order = np.concatenate(
        [draw.permutation(np.flatnonzero(y == label)) for label in np.flatnonzero(counts)]
    )
    folds = np.empty(len(y), dtype=np.int64)
    folds[order] = np.arange(len(y)) % n_folds
    return folds


#: What a study may name under `resample: {scheme: …}`, and settings that the name settles.
SCHEMES: dict[str, tuple[type[Scheme], dict[str, Any]]] = {
    "shrinking_bootstrap": (ShrinkingBootstrap, {}),
    "cv": (CrossValidation, {"repeats": 1}),
    "repeated_cv": (RepeatedCrossValidation, {"disjoint": None}),
    "nested_cv": (NestedCrossValidation, {}),
    "subsample": (Subsample, {}),
    "halves": (Halves, {"share": 0.5}),
    "perturbed": (Perturbed, {}),
}

#: Fields that have another name in a study, because a method has theirs.
_NAMES = {"folds_": "folds", "ratios_kept": "ratios"}


def create(settings: Mapping[str, Any]) -> Scheme:
    """The scheme that a study's `resample` asks for; a setting that it does not have is refused."""
    made, fixed = look_up("scheme", settings["scheme"], SCHEMES)
    given = {key: value for key, value in settings.items() if key != "scheme"}
    known = {_NAMES.get(field.name, field.name): field.name for field in fields(made)}
    for key in given:
        if key not in known or key in fixed:
            own = [name for name in known if name not in fixed]
            raise UserError(
                f"resample.{key}: {settings['scheme']} has no such setting; {nearest(key, own)}"
            )
    return made(**{known[key]: value for key, value in given.items()}, **fixed)
