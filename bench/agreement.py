"""How far two results agree, in a few words."""

from collections.abc import Sequence

#: Rankings that differ are compared in their first so many features.
TOP = 10


def rankings(ours: Sequence[int], theirs: Sequence[int]) -> str:
    """Whether two rankings are identical; else from where they differ and what they share."""
    ours, theirs = [int(i) for i in ours], [int(i) for i in theirs]
    if ours == theirs:
        return "identical"
    pairs = zip(ours, theirs)
    same = next((at for at, (mine, other) in enumerate(pairs) if mine != other), len(theirs))
    top = min(TOP, len(ours))
    shared = len({*ours[:top]} & {*theirs[:top]})
    return f"first {same} in order, {shared} of the first {top} shared"


def numbers(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """The largest absolute difference of two curves."""
    largest = max(abs(float(mine) - float(other)) for mine, other in zip(ours, theirs, strict=True))
    return f"differ by at most {largest:.2g}"


def correlation(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """The rank correlation of two lists of weights."""
    import numpy as np

    ranks = [np.argsort(np.argsort(np.asarray(weights, dtype=float))) for weights in (ours, theirs)]
    return f"rank correlation {np.corrcoef(ranks)[0, 1]:.3f}"


def choices(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Of what was tried; where the other side tries less, there is nothing to compare."""
    return numbers(ours, theirs) if len(ours) == len(theirs) else "–"
