"""Means and products of the columns of some rows, eight columns at a time.

Rows are short, and numba's loops over them spend more time on their ends than on what is between.
So both passes are written for LLVM, with what they sum up in registers. Sums run over the rows in
their order, as they would in a plain loop.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.cgutils import ir
from numba.extending import intrinsic

from steadfast.core.compiled.vectors import (
    INDEX,
    LANES,
    NUMBERS,
    array,
    equal,
    every,
    load,
    splat,
    store,
)

#: Sums that run side by side: each addition has to wait for the one before it in its own sum.
_CHAINS = 4


@intrinsic
def centre(typing, table, rows, n_rows, mean, centred):
    """The mean of some rows of a table, and these rows without it into the first of `centred`."""
    return types.void(table, rows, types.intp, mean, centred), _centre


def _centre(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    table, rows, mean, centred = (
        array(context, builder, signature, args, at) for at in (0, 1, 3, 4)
    )
    width = cgutils.unpack_tuple(builder, table.shape)[1]
    n_rows, count = args[2], builder.sitofp(args[2], ir.DoubleType())

    def row_at(i: ir.Value, start: ir.Value) -> ir.Value:
        row = builder.load(builder.gep(rows.data, [i]))
        return load(builder, table.data, builder.add(builder.mul(row, width), start))

    with every(builder, width) as start:
        total = cgutils.alloca_once(builder, NUMBERS)
        builder.store(equal(0.0), total)
        with cgutils.for_range(builder, n_rows) as loop:
            builder.store(builder.fadd(builder.load(total), row_at(loop.index, start)), total)
        means = builder.fdiv(builder.load(total), splat(builder, count, LANES))
        store(builder, means, mean.data, start)
        with cgutils.for_range(builder, n_rows) as loop:
            place = builder.add(builder.mul(loop.index, width), start)
            store(builder, builder.fsub(row_at(loop.index, start), means), centred.data, place)
    return context.get_dummy_value()


@intrinsic
def sum_products(typing, rows, n_rows, products):
    """Σ_i x_ia·x_ib over the first rows i, for columns b <= a; other places are undefined."""
    return types.void(rows, types.intp, products), _sum_products


def _sum_products(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    rows, products = (array(context, builder, signature, args, at) for at in (0, 2))
    width = cgutils.unpack_tuple(builder, rows.shape)[1]
    with every(builder, width) as start, every(builder, width, _CHAINS, start) as first:
        columns = [builder.add(first, ir.Constant(INDEX, step)) for step in range(_CHAINS)]
        totals = [cgutils.alloca_once(builder, NUMBERS) for _ in columns]
        for total in totals:
            builder.store(equal(0.0), total)
        with cgutils.for_range(builder, args[1]) as loop:
            row = builder.mul(loop.index, width)
            others = load(builder, rows.data, builder.add(row, start))
            for column, total in zip(columns, totals, strict=True):
                value = builder.load(builder.gep(rows.data, [builder.add(row, column)]))
                product = builder.fmul(splat(builder, value, LANES), others)
                builder.store(builder.fadd(builder.load(total), product), total)
        for column, total in zip(columns, totals, strict=True):
            place = builder.add(builder.mul(column, width), start)
            store(builder, builder.load(total), products.data, place)
    return context.get_dummy_value()
