"""Instructions on several numbers at once, for loops that numba does not turn into such by itself.

They are written for its compiler, LLVM, which makes of them what the processor has.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import cgutils
from numba.core.cgutils import ir

#: Numbers of double precision at a time.
LANES = 8

INDEX = ir.IntType(64)
NUMBERS = ir.VectorType(ir.DoubleType(), LANES)

_FIRST = ir.Constant(ir.IntType(32), 0)


def padded(n: int) -> int:
    """So many places have room for n numbers in whole vectors."""
    return -(-n // LANES) * LANES


def array(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, at: int) -> Any:
    """An argument that is an array, with `data` and `shape`."""
    return context.make_array(signature.args[at])(context, builder, args[at])


@contextmanager
def every(
    builder: ir.IRBuilder, end: ir.Value, step: int = LANES, start: ir.Value | None = None
) -> Iterator[ir.Value]:
    """A loop over every so many places; `start` and `end` are multiples of the step."""
    by = ir.Constant(INDEX, step)
    first = ir.Constant(INDEX, 0) if start is None else builder.udiv(start, by)
    with cgutils.for_range(builder, builder.udiv(end, by), start=first) as loop:
        yield builder.mul(loop.index, by)


def equal(value: float) -> ir.Constant:
    """Equal numbers in all lanes, known beforehand."""
    return ir.Constant(NUMBERS, [value] * LANES)


def splat(builder: ir.IRBuilder, value: ir.Value, size: int) -> ir.Value:
    """A vector of equal values."""
    vector = ir.Constant(ir.VectorType(value.type, size), ir.Undefined)
    first = builder.insert_element(vector, value, _FIRST)
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), size), [0] * size)
    return builder.shuffle_vector(first, vector, everywhere)


def load(
    builder: ir.IRBuilder, data: ir.Value, index: ir.Value, kind: ir.VectorType = NUMBERS
) -> ir.Value:
    """A vector of what stands in an array from an index on."""
    vector = builder.load(_place(builder, data, index, kind))
    vector.align = kind.element.width // 8 if isinstance(kind.element, ir.IntType) else 8
    return vector


def store(builder: ir.IRBuilder, vector: ir.Value, data: ir.Value, index: ir.Value) -> None:
    """Put a vector of eight-byte numbers into an array from an index on."""
    builder.store(vector, _place(builder, data, index, vector.type)).align = 8


def _place(builder: ir.IRBuilder, data: ir.Value, index: ir.Value, kind: ir.Type) -> ir.Value:
    return builder.bitcast(builder.gep(data, [index]), kind.as_pointer())
