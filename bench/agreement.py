"""How far two results agree, in a few words."""

from collections.abc import Sequence


def rankings(ours: Sequence[int], theirs: Sequence[int]) -> str:
    """Whether two rankings are identical; else from where they differ and what they share."""
    ours, theirs = [int(i) for i in ours], [int(i) for i in theirs]
    if ours == theirs:
        return "identical"
    pairs = zip(ours, theirs)
    same = next((at for at, (mine, other) in enumerate(pairs) if mine != other), len(theirs))
    shared = len({*ours} & {*theirs}) / len(ours)
    return f"first {same} identical, {shared:.0%} shared"


def numbers(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """The largest absolute difference of two curves."""
    largest = max(abs(float(mine) - float(other)) for mine, other in zip(ours, theirs, strict=True))
    return f"differ by at most {largest:.2g}"
