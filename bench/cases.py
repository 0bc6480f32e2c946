"""What is measured: every entry of `CASES` becomes rows of the table, one for each peer.

To add rows, add a `Case` (or a `Peer` to one) and pin the package in `envs/bench.txt`. A builder
takes the inputs and the number of features wanted and returns the call that is timed: imports and
the conversion of the data into the form that a package wants happen in the builder, outside the
measurement. Nothing here imports a package at the top, so that a peer which is not installed costs
its own row alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import agreement
import inputs
import ours
import peers

Builder = Callable[[dict[str, Any], int], Callable[[], Any]]


@dataclass(frozen=True)
class Peer:
    """A package that does the same, or the closest that it has.

    Attributes
    ----------
    package
        Its name in `envs/bench.txt`, or what else the table calls it.
    build
        Builder of the call; None where the package has no such thing, which `note` explains.
    first
        How many features, where the case's number would take too long; both sides do so many.
    note
        What it does differently.
    """

    package: str
    build: Builder | None = None
    first: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Case:
    """A task of this project and the packages it is compared with.

    Attributes
    ----------
    name, size
        How the table calls it.
    inputs
        Makes the arrays; with True a few rows and columns of them, for the warm-up.
    first
        How many features are ranked, or the largest prefix.
    build
        Builder of this project's call.
    agree
        Compares this project's result with the peer's, in a few words.
    """

    name: str
    size: str
    inputs: Callable[[bool], dict[str, Any]]
    first: int
    build: Builder
    agree: Callable[[Any, Any], str]
    peers: tuple[Peer, ...]


NO_QUOTIENT = "has no quotient criterion"
NO_DIFFERENCE = "has no difference criterion"
F_STATISTIC = "F statistic / mean |correlation| of the numbers instead of information of bins"
SUM_OF_REDUNDANCY = "weighs 0.8 · the sum of the redundancies instead of their mean"
TIES = "scores within 1e-5 are tied, and the smaller redundancy wins"
NEIGHBOUR_TIES = "KNeighborsClassifier once a size; takes other rows among equally near ones"
SMALL_TERM = "adds 1e-4 to the redundancy"
OTHER_SCALE = "numbers as they are, not scaled to their range"
NEIGHBOURS = "mutual_info_classif, from nearest neighbours"
EACH_ROUND = "SVC trained on the remaining features in a loop"
PLAIN = "intersections of sets anew for every pair and size"
SEVERAL = "a tenth of the work and another criterion: the ratio is 1 / (how many times longer)"
OWN_TIES = "equal accuracies settled by rounding, so that searches part ways"
ONE_CALL = "one call on the list of subsets"
FORMER = "steadfast 1.0.0"


def _ranking(criterion: str, table: str, size: str, first: int, *compared: Peer) -> Case:
    return Case(
        f"{criterion.upper()} ranking",
        f"{table}, {size}",
        partial(inputs.binned_table, table),
        first,
        partial(ours.ranking, criterion),
        agreement.rankings,
        compared,
    )


def _former(criterion: str) -> Peer:
    return Peer(FORMER, partial(peers.former_ranking, criterion))


def _local(table: str, *cases: Case) -> tuple[Case, ...]:
    """Cases of a table that is not bundled, where it is there."""
    return cases if (inputs.LOCAL / f"{table}.csv.gz").exists() else ()


#: What `alpha: auto` tries.
ALPHAS = [at / 10 for at in range(11)]
THE_WHOLE = "all of it, resampling and naive Bayes included; 1 / ratio is what the grid costs"


def _choosing(table: str, size: str, first: int) -> Case:
    return Case(
        "α of mRMR chosen among 11",
        f"{table}, {size}",
        partial(inputs.binned_table, table),
        first,
        partial(ours.choosing, ALPHAS),
        agreement.choices,
        (
            Peer("with one α", partial(ours.choosing, [0.5]), note=THE_WHOLE),
            Peer("one by one", partial(peers.choosing_one_by_one, ALPHAS)),
        ),
    )


_MFEAT = ("mfeat", "2000 × 649")
_TOX = ("tox_171", "171 × 5748")
_SONAR = ("sonar", "208 × 60")

CASES = (
    _ranking(
        "mid",
        *_MFEAT,
        100,
        _former("mid"),
        Peer("fast-select", partial(peers.fast_select, "MID"), note=TIES),
        Peer("pymrmr", partial(peers.pymrmr, "MID"), first=10),
        Peer("skfeature-chappers", peers.skfeature, first=5, note=SUM_OF_REDUNDANCY),
        Peer("ITMO_FS", peers.itmo_fs, first=3),
        Peer("mrmr_selection", note=NO_DIFFERENCE),
    ),
    _ranking(
        "mid",
        *_MFEAT,
        649,
        _former("mid"),
        Peer("fast-select", partial(peers.fast_select, "MID"), note=TIES),
    ),
    _ranking(
        "mid",
        *_SONAR,
        60,
        Peer("fast-select", partial(peers.fast_select, "MID"), note=TIES),
        Peer("pymrmr", partial(peers.pymrmr, "MID")),
        Peer("skfeature-chappers", peers.skfeature, note=SUM_OF_REDUNDANCY),
        Peer("ITMO_FS", peers.itmo_fs, first=20),
    ),
    _ranking(
        "miq",
        *_MFEAT,
        100,
        _former("miq"),
        Peer("fast-select", partial(peers.fast_select, "MIQ"), note=TIES),
        Peer("pymrmr", partial(peers.pymrmr, "MIQ"), first=10, note=SMALL_TERM),
        Peer("mrmr_selection", peers.mrmr_selection, note=F_STATISTIC),
        Peer("skfeature-chappers", note=NO_QUOTIENT),
        Peer("ITMO_FS", note=NO_QUOTIENT),
    ),
    _ranking(
        "miq",
        *_MFEAT,
        649,
        _former("miq"),
        Peer("fast-select", partial(peers.fast_select, "MIQ"), note=TIES),
    ),
    _ranking(
        "miq",
        *_SONAR,
        60,
        Peer("fast-select", partial(peers.fast_select, "MIQ"), note=TIES),
        Peer("pymrmr", partial(peers.pymrmr, "MIQ"), note=SMALL_TERM),
        Peer("mrmr_selection", peers.mrmr_selection, note=F_STATISTIC),
    ),
    *(
        Case(
            f"{criterion.upper()} ranking",
            "171 × 5748 random numbers",
            partial(inputs.wide_bins, 171, 5748),
            100,
            partial(ours.ranking, criterion),
            agreement.rankings,
            (_former(criterion),),
        )
        for criterion in ("mid", "miq")
    ),
    *_local(
        "tox_171",
        *(
            _ranking(
                criterion,
                *_TOX,
                100,
                _former(criterion),
                Peer("fast-select", partial(peers.fast_select, criterion.upper()), note=TIES),
            )
            for criterion in ("mid", "miq")
        ),
    ),
    _choosing("musk1", "476 × 166", 166),
    _choosing(*_MFEAT, 649),
    _choosing(*_MFEAT, 100),
    *_local("tox_171", _choosing(*_TOX, 100)),
    Case(
        "symmetrical uncertainty of all pairs",
        "mfeat, 2000 × 649",
        partial(inputs.binned_table, "mfeat"),
        649,
        ours.uncertainty,
        agreement.numbers,
        (Peer(FORMER, peers.former_uncertainty),),
    ),
    Case(
        "matching at every size",
        "649 × 649 similarities of two rankings of mfeat",
        inputs.similarities,
        649,
        ours.matching,
        agreement.numbers,
        (Peer("scipy", peers.scipy_matching, note="linear_sum_assignment once a size"),),
    ),
    Case(
        "3-NN accuracy at every size",
        "mfeat, bootstrap of 2000 rows, 736 test rows",
        inputs.bootstrap,
        649,
        ours.neighbours,
        agreement.numbers,
        (Peer("scikit-learn", peers.sklearn_neighbours, note=NEIGHBOUR_TIES),),
    ),
    *(
        Case(
            "ReliefF, 10 neighbours, every row a probe",
            size,
            made,
            features,
            partial(ours.weights, "relieff"),
            agreement.correlation,
            (
                Peer("fast-select", peers.fast_select_relieff),
                Peer("skfeature-chappers", peers.skfeature_relieff, note=OTHER_SCALE),
            ),
        )
        for size, made, features in (
            ("322 × 2200 random numbers", partial(inputs.wide_table, 322, 2200), 2200),
            ("mfeat, 2000 × 649", partial(inputs.numbers, "mfeat"), 649),
        )
    ),
    Case(
        "information gain on MDL bins",
        "322 × 2200 random numbers",
        partial(inputs.wide_table, 322, 2200),
        2200,
        partial(ours.weights, "info_gain"),
        agreement.correlation,
        (Peer("scikit-learn", peers.mutual_information, note=NEIGHBOURS),),
    ),
    Case(
        "SVM-RFE, 10% a round",
        "208 × 4928 random numbers",
        partial(inputs.wide_table, 208, 4928),
        50,
        partial(ours.order, "svm_rfe"),
        agreement.rankings,
        (Peer("scikit-learn", peers.sklearn_elimination, note=EACH_ROUND),),
    ),
    Case(
        "mRSmR, 10 iterations",
        "mfeat, 1000 × 649",
        inputs.half_table,
        100,
        ours.stable_ranking,
        agreement.rankings,
        (Peer("one MID ranking of this project", peers.one_ranking, note=SEVERAL),),
    ),
    *(
        Case(
            f"{name}, {label}, 10 splits, every size",
            "80% of wdbc, 455 × 30",
            inputs.splits,
            30,
            partial(ours.wrapper, classifier, floating),
            agreement.numbers,
            (Peer("mlxtend", partial(peers.mlxtend_search, classifier, floating), note=OWN_TIES),),
        )
        for name, floating in (("SFS", False), ("SFFS", True))
        for label, classifier in (("3-NN", "knn"), ("Gaussian", "gaussian"), ("SVM", "svm"))
    ),
    Case(
        "Jaccard, Kuncheva and Nogueira at every size",
        "100 rankings of 10,000 features",
        inputs.rankings,
        1000,
        ours.measure_curves,
        agreement.numbers,
        (
            Peer("plain Python", peers.python_curves, first=100, note=PLAIN),
            Peer("plain Python", peers.python_curves, note=PLAIN),
        ),
    ),
    *(
        Case(
            f"{name} of subsets",
            "1000 subsets of 30 features",
            inputs.subsets,
            30,
            partial(ours.subset_measure, name),
            agreement.numbers,
            (
                Peer("plain Python", partial(peers.python_subsets, name), note=note),
                Peer("stabm (R)", partial(peers.stabm, function), note=ONE_CALL),
            ),
        )
        for name, function, note in (
            ("jaccard", "stabilityJaccard", PLAIN),
            ("nogueira", "stabilityNogueira", "frequencies by a Counter"),
        )
    ),
)
