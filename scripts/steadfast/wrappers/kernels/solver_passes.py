"""The two passes over all rows that each step of the solver takes, eight rows at a time.

numba does not turn a search for the highest value into instructions on several numbers, so both
are written for LLVM. Rows t of equal t mod 8 are a lane: each lane keeps its best value and the row
that has it, the last one on ties, and at the end the lanes are compared.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.cgutils import ir
from numba.extending import intrinsic

from steadfast.core.compiled.vectors import INDEX, LANES, array, equal, every, load, splat, store

#: The least curvature: libsvm's.
TAU = 1e-12

_ROWS = ir.VectorType(INDEX, LANES)


@intrinsic
def move(typing, slope, up, down, own, other, first, second):
    """slope −= own·first + other·second.

    Then the highest slope + up, the last row that has it, and the lowest slope + down.
    """
    number = types.float64
    found = types.Tuple((number, types.intp, number))
    return found(slope, up, down, own, other, number, number), _move


def _move(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    slope, up, down, own, other = (
        array(context, builder, signature, args, at).data for at in range(5)
    )
    first, second = splat(builder, args[5], LANES), splat(builder, args[6], LANES)
    highest, lowest = _Best(builder, float("-inf")), _variable(builder, equal(float("inf")))
    with _rows(context, builder, signature, args) as (at, rows):
        change = builder.fadd(
            builder.fmul(load(builder, own, at), first),
            builder.fmul(load(builder, other, at), second),
        )
        changed = builder.fsub(load(builder, slope, at), change)
        store(builder, changed, slope, at)
        highest.keep(builder.fadd(changed, load(builder, up, at)), rows)
        low, before = builder.fadd(changed, load(builder, down, at)), builder.load(lowest)
        lower = builder.fcmp_ordered("<", low, before)
        builder.store(builder.select(lower, low, before), lowest)
    low = builder.load(lowest)
    for size in _halves():
        one, two = _half(builder, low, size, 0), _half(builder, low, size, size)
        low = builder.select(builder.fcmp_ordered("<", one, two), one, two)
    found = [*highest.of_all(), builder.extract_element(low, _at(0))]
    return context.make_tuple(builder, signature.return_type, found)


@intrinsic
def find_best_gain(typing, slope, down, own, highest):
    """The row that gains the most by moving down with the chosen one, by second-order information.

    d²/(2 − 2·own) with d = highest − (slope + down), where d is above 0: the most, below 0 where
    there is none, and the last row that has it.
    """
    found = types.Tuple((types.float64, types.intp))
    return found(slope, down, own, types.float64), _find_best_gain


def _find_best_gain(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    slope, down, own = (array(context, builder, signature, args, at).data for at in range(3))
    highest, most = splat(builder, args[3], LANES), _Best(builder, -1.0)
    two, least, zero, none = (equal(value) for value in (2.0, TAU, 0.0, -1.0))
    with _rows(context, builder, signature, args) as (at, rows):
        reached = builder.fadd(load(builder, slope, at), load(builder, down, at))
        difference = builder.fsub(highest, reached)
        gains_some = builder.fcmp_ordered(">", difference, zero)
        # Half of the rows may not move down, most of them side by side; a division takes long.
        some = builder.bitcast(gains_some, ir.IntType(LANES))
        with builder.if_then(builder.icmp_unsigned("!=", some, ir.Constant(some.type, 0))):
            curvature = builder.fsub(two, builder.fmul(two, load(builder, own, at)))
            bends = builder.fcmp_ordered(">", curvature, zero)
            curvature = builder.select(bends, curvature, least)
            gain = builder.fdiv(builder.fmul(difference, difference), curvature)
            most.keep(builder.select(gains_some, gain, none), rows)
    return context.make_tuple(builder, signature.return_type, most.of_all())


@contextmanager
def _rows(
    context: Any, builder: ir.IRBuilder, signature: Any, args: Any
) -> Iterator[tuple[ir.Value, ir.Value]]:
    """A loop over all rows: the first of each eight, and their numbers."""
    (size,) = cgutils.unpack_tuple(builder, array(context, builder, signature, args, 0).shape)
    lanes = ir.Constant(_ROWS, list(range(LANES)))
    with every(builder, size) as start:
        yield start, builder.add(splat(builder, start, LANES), lanes)


class _Best:
    """The highest value of each lane so far, and its row."""

    def __init__(self, builder: ir.IRBuilder, least: float):
        self._builder = builder
        self._values = _variable(builder, equal(least))
        self._rows = _variable(builder, ir.Constant(_ROWS, [0] * LANES))

    def keep(self, values: ir.Value, rows: ir.Value) -> None:
        """Take the values that are as high as those before, or higher."""
        builder, before = self._builder, self._builder.load(self._values)
        better = builder.fcmp_ordered(">=", values, before)
        builder.store(builder.select(better, values, before), self._values)
        builder.store(builder.select(better, rows, builder.load(self._rows)), self._rows)

    def of_all(self) -> list[ir.Value]:
        """The highest value of all, and the last row that has it."""
        builder = self._builder
        values, rows = builder.load(self._values), builder.load(self._rows)
        for size in _halves():
            one, two = _half(builder, values, size, 0), _half(builder, values, size, size)
            row, other = _half(builder, rows, size, 0), _half(builder, rows, size, size)
            later = builder.and_(
                builder.fcmp_ordered("==", one, two), builder.icmp_signed(">", row, other)
            )
            better = builder.or_(builder.fcmp_ordered(">", one, two), later)
            values, rows = builder.select(better, one, two), builder.select(better, row, other)
        return [builder.extract_element(found, _at(0)) for found in (values, rows)]


def _variable(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    return cgutils.alloca_once_value(builder, value)


def _at(place: int) -> ir.Constant:
    return ir.Constant(ir.IntType(32), place)


def _halves() -> list[int]:
    """4, 2, 1 of 8 lanes."""
    return [LANES >> step for step in range(1, LANES.bit_length())]


def _half(builder: ir.IRBuilder, vector: ir.Value, size: int, start: int) -> ir.Value:
    places = ir.Constant(ir.VectorType(ir.IntType(32), size), list(range(start, start + size)))
    return builder.shuffle_vector(vector, vector, places)
