"""Parquet files."""

import io
from collections.abc import Iterator
from typing import Any

from steadfast.core.errors import UserError
from steadfast.data.reading.allowance import NUMBER, Allowance
from steadfast.data.reading.sheet import Sheet

#: Cells that are taken out at once.
_BATCH = 1_000_000


def open_parquet(content: bytes, where: str, allowance: Allowance) -> Sheet:
    """The header and the rows, a part of them at a time."""
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(io.BytesIO(content))
        schema, about = file.schema_arrow, file.metadata
        names = schema.names
        # What is packed well, one value in every row say, is large only once it is unpacked.
        allowance.check(NUMBER * about.num_rows * len(names))
        for group in range(about.num_row_groups):
            allowance.check(about.row_group(group).total_byte_size)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise _unreadable(error, where) from None
    # pandas keeps the row labels of a data frame as a column of this name.
    kept = [i for i, name in enumerate(names) if not name.startswith("__index_level_")]
    if not kept:
        raise UserError(f"{where}: no columns; get it again")
    header = tuple(names[i].strip() for i in kept)
    return Sheet(header, _rows(file, kept, where), "row", where, allowance)


def _rows(file: Any, kept: list[int], where: str) -> Iterator[tuple[int, list[Any]]]:
    import pyarrow

    number = 0
    try:
        for batch in file.iter_batches(batch_size=max(_BATCH // len(kept), 1)):
            columns = [_as_text(batch.column(i)).to_pylist() for i in kept]
            for cells in zip(*columns, strict=True):
                number += 1
                yield number, list(cells)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise _unreadable(error, where) from None


def _as_text(column: Any) -> Any:
    """Texts that some programs keep as bytes; what is no text is an error of Arrow's."""
    import pyarrow

    kind = column.type
    is_bytes = pyarrow.types.is_binary(kind) or pyarrow.types.is_large_binary(kind)
    return column.cast(pyarrow.string()) if is_bytes else column


def _unreadable(error: Exception, where: str) -> UserError:
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    return UserError(f"{where}: cannot be read as Parquet ({reason}); get it again")
