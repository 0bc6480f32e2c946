"""Joint counts by bit planes: AND and population count instead of an addition for every row.

A plane is a string of bits, bit i set where row i falls into the bin. Of two features, the rows in
bin x of the one and bin y of the other are the ones in (plane x) AND (plane y): an instruction for
64 rows, and the processor does several planes x at a time. numba has no function for that, so the
two loops that matter are written for its compiler, LLVM, as instructions on vectors; LLVM turns
them into what the processor has.

Only bins that hold a row have a plane; those of a feature keep their order.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.cgutils import ir
from numba.extending import intrinsic

from steadfast.core.compiled import njit
from steadfast.core.compiled.vectors import INDEX, array, load, splat, store

#: Planes whose counts stand in one register. Of the sizes that processors have it is the fastest
#: here: with eight, a feature of ten bins would leave six places empty instead of two.
VECTOR = 4

#: Registers that one pass over the words fills.
MOST_VECTORS = 4

#: Words of a feature that are counted at a time: those of two features stay in the nearest cache.
BLOCK = 1536

_COUNTS = ir.VectorType(INDEX, VECTOR)
_BYTES = ir.VectorType(ir.IntType(8), 64)


class Planes(NamedTuple):
    """Bit planes of features.

    Attributes
    ----------
    bits
        Features by words by lanes: word w of the plane of each used bin, for 64 rows.
    counts
        Features by lanes: rows in each used bin, 0 in lanes without a bin.
    used
        Number of used bins of each feature.
    """

    bits: np.ndarray
    counts: np.ndarray
    used: np.ndarray


def lanes_for(n_bins: int) -> int:
    """Room for so many planes, in whole vectors."""
    return -(-n_bins // VECTOR) * VECTOR


def bit_planes(bins: np.ndarray, n_bins: int) -> Planes:
    """The planes of bins (unsigned bytes, one row per feature)."""
    return Planes(*_build(bins, n_bins, lanes_for(n_bins)))


def no_planes() -> Planes:
    """Of no feature: what stands for the planes where rows are counted one by one."""
    return Planes(*_build(np.empty((0, 0), np.uint8), 0, 0))


def _ones_in(builder: ir.IRBuilder, vector: ir.Value) -> ir.Value:
    """The number of ones in each element."""
    kind = ir.FunctionType(vector.type, [vector.type])
    name = f"llvm.ctpop.v{VECTOR}i64"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [vector])


@intrinsic
def _equal_bits(typing, row, start, value):
    """A word whose bit i says whether row[start + i] is the value; 64 bytes must be there."""

    def code(context, builder, signature, args):
        data = array(context, builder, signature, args, 0).data
        values = load(builder, data, args[1], _BYTES)
        equal = builder.icmp_unsigned("==", values, splat(builder, args[2], 64))
        return builder.bitcast(equal, INDEX)

    return types.uint64(row, types.intp, types.uint8), code


@intrinsic
def _ones(typing, word):
    """The number of ones in a word."""
    return types.uint64(types.uint64), lambda context, builder, signature, args: builder.ctpop(
        args[0]
    )


@njit()
def _build(bins, n_bins, lanes):
    m, n = bins.shape
    n_words = (n + 63) // 64
    bits = np.zeros((m, n_words, lanes), np.uint64)
    counts = np.zeros((m, lanes), np.uint64)
    used = np.zeros(m, np.int64)
    row = np.zeros(64 * n_words, np.uint8)
    behind = np.uint64(64 * n_words - n)  # bits of the last word that stand for no row
    for feature in range(m):
        for i in range(n):
            row[i] = bins[feature, i]
        lane = 0
        for value in range(n_bins):
            count = np.uint64(0)
            for word in range(n_words):
                equal = _equal_bits(row, 64 * word, np.uint8(value))
                if word == n_words - 1:
                    equal = (equal << behind) >> behind
                bits[feature, word, lane] = equal
                count += _ones(equal)
            if count:
                counts[feature, lane] = count
                lane += 1
        used[feature] = lane
    return bits, counts, used


def _counter(vectors: int) -> Callable:
    """A function that counts `vectors`·VECTOR bins of one feature against those of another."""

    @intrinsic
    def count(
        typing, first, feature, second, other, begin, end, left, left_at, lane, n_y, room, at
    ):
        """c_xy for the bins x from `lane` on and the first n_y bins y, into room[at, y·lanes + x].

        In the words from `begin` to `end`. The last of the n_y rows of cells is not counted: it is
        what the others leave of the counts in `left`, from `left_at` on.
        """
        whole = types.intp
        pairs = (first, whole, second, whole, whole, whole)
        return types.void(*pairs, left, whole, whole, whole, room, whole), code

    def code(context, builder, signature, args):
        _, feature, _, other, begin, end, _, left_at, lane, n_y, _, at = args
        first, second, counts, room = (
            array(context, builder, signature, args, at) for at in (0, 2, 6, 10)
        )
        n_words, lanes = cgutils.unpack_tuple(builder, first.shape)[1:]
        second_lanes = cgutils.unpack_tuple(builder, second.shape)[2]
        mul, add = builder.mul, builder.add
        planes = add(mul(mul(feature, n_words), lanes), lane)
        others = mul(mul(other, n_words), second_lanes)
        cells = add(mul(at, cgutils.unpack_tuple(builder, room.shape)[1]), lane)
        places = [ir.Constant(INDEX, VECTOR * i) for i in range(vectors)]
        left = [
            cgutils.alloca_once_value(builder, load(builder, counts.data, index, _COUNTS))
            for index in [add(add(left_at, lane), place) for place in places]
        ]
        sums = [cgutils.alloca_once(builder, _COUNTS) for _ in places]
        last = builder.sub(n_y, ir.Constant(INDEX, 1))
        with cgutils.for_range(builder, last) as y:
            for total in sums:
                builder.store(ir.Constant(_COUNTS, None), total)
            with cgutils.for_range(builder, end, start=begin) as word:
                index = add(add(others, y.index), mul(word.index, second_lanes))
                plane = splat(builder, builder.load(builder.gep(second.data, [index])), VECTOR)
                start = add(planes, mul(word.index, lanes))
                for place, total in zip(places, sums):
                    both = builder.and_(
                        load(builder, first.data, add(start, place), _COUNTS), plane
                    )
                    builder.store(add(builder.load(total), _ones_in(builder, both)), total)
            row = add(cells, mul(y.index, lanes))
            for place, total, rest in zip(places, sums, left):
                found = builder.load(total)
                store(builder, found, room.data, add(row, place))
                builder.store(builder.sub(builder.load(rest), found), rest)
        row = add(cells, mul(last, lanes))
        for place, rest in zip(places, left):
            store(builder, builder.load(rest), room.data, add(row, place))
        return context.get_dummy_value()

    return count


_count_1, _count_2, _count_3, _count_4 = (_counter(size + 1) for size in range(MOST_VECTORS))


@njit(inline="always")
def _count_block(first, feature, second, other, begin, end, left, left_at, n_x, n_y, room, at):
    """Rows in bin x < n_x of a feature and bin y < n_y of another, in some of the words."""
    one, two = first.bits, second.bits
    for lane in range(0, n_x, VECTOR * MOST_VECTORS):
        vectors = (n_x - lane + VECTOR - 1) // VECTOR
        if vectors == 1:
            _count_1(one, feature, two, other, begin, end, left, left_at, lane, n_y, room, at)
        elif vectors == 2:
            _count_2(one, feature, two, other, begin, end, left, left_at, lane, n_y, room, at)
        elif vectors == 3:
            _count_3(one, feature, two, other, begin, end, left, left_at, lane, n_y, room, at)
        else:
            _count_4(one, feature, two, other, begin, end, left, left_at, lane, n_y, room, at)


@njit()
def _count_by_blocks(first, feature, second, other, n_x, n_y, room):
    """c_xy in all words into room[0], a block after the other in room[1].

    What is left for the last row of cells goes from each block to the next.
    """
    n_words, lanes = first.bits.shape[1], first.bits.shape[2]
    size, last = max(1, BLOCK // lanes), (n_y - 1) * lanes
    total, block = room[0], room[1]
    for cell in range(last):
        total[cell] = 0
    for lane in range(lanes):
        total[last + lane] = first.counts[feature, lane]
    for begin in range(0, n_words, size):
        end = min(begin + size, n_words)
        _count_block(first, feature, second, other, begin, end, room, last, n_x, n_y, room, 1)
        for cell in range(last):
            total[cell] += block[cell]
        for cell in range(last, last + lanes):
            total[cell] = block[cell]


@njit(inline="always")
def _sum_one(room, n_x, n_y, lanes, table):
    total = 0.0
    cells = room[0]
    for y in range(np.uint64(n_y)):
        row = y * np.uint64(lanes)
        for x in range(np.uint64(n_x)):
            total += table[cells[row + x]]
    return total


@njit(inline="always")
def _sum_four(room, n_x, n_y, lanes, table):
    """Four sums side by side: each addition has to wait for the one before it in its own sum."""
    a = b = c = d = 0.0
    cells_a, cells_b, cells_c, cells_d = room[0], room[1], room[2], room[3]
    for y in range(np.uint64(n_y)):
        row = y * np.uint64(lanes)
        for x in range(np.uint64(n_x)):
            a += table[cells_a[row + x]]
            b += table[cells_b[row + x]]
            c += table[cells_c[row + x]]
            d += table[cells_d[row + x]]
    return a, b, c, d


@njit()
def _joint_sums_of_many_rows(first, firsts, second, seconds, start, stop, table, room, out):
    lanes = first.bits.shape[2]
    for pair in range(start, stop):
        feature, other = firsts[pair], seconds[pair]
        n_x, n_y = first.used[feature], second.used[other]
        _count_by_blocks(first, feature, second, other, n_x, n_y, room)
        out[pair] = _sum_one(room, n_x, n_y, lanes, table)


@njit(inline="always")
def _joint_sums_of_few_rows(first, firsts, second, seconds, start, stop, table, room, out):
    """Four pairs at a time, with as many bins as the one of them that has most."""
    n_words, lanes, counts = first.bits.shape[1], first.bits.shape[2], first.counts
    for begin in range(start, stop, 4):
        end = min(begin + 4, stop)
        n_x, n_y = first.used[firsts[begin]], second.used[seconds[begin]]
        for pair in range(begin + 1, end):
            n_x = max(n_x, first.used[firsts[pair]])
            n_y = max(n_y, second.used[seconds[pair]])
        for pair in range(begin, end):
            feature, other, at = firsts[pair], seconds[pair], pair - begin
            own = feature * lanes
            _count_block(first, feature, second, other, 0, n_words, counts, own, n_x, n_y, room, at)
        if end - begin == 1:
            out[begin] = _sum_one(room, n_x, n_y, lanes, table)
        else:
            sums = _sum_four(room, n_x, n_y, lanes, table)
            for pair in range(begin, end):
                out[pair] = sums[pair - begin]


@njit()
def joint_sums(first, firsts, second, seconds, start, stop, table, room, out):
    """Σ t(c_xy) of the pairs firsts[i], seconds[i] for start <= i < stop, into out[i].

    Summed by y, and then by x. Cells without rows add nothing: t(0) = 0. `room` has four rows of
    lanes·lanes cells.
    """
    if first.bits.shape[1] * first.bits.shape[2] > BLOCK:
        _joint_sums_of_many_rows(first, firsts, second, seconds, start, stop, table, room, out)
    else:
        _joint_sums_of_few_rows(first, firsts, second, seconds, start, stop, table, room, out)
