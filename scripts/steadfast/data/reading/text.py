"""The lines of a text file, packed or not, in the encoding that it is in."""

import gzip
import io
import zlib
from collections.abc import Iterator

from steadfast.core.errors import UserError
from steadfast.data.reading.allowance import NUMBER, OBJECT, Allowance

#: Characters of a line that is looked at before it is split.
_LONG_LINE = 1_000_000

_SAMPLE = 4096

_CHUNK = 1 << 20

#: What may stand between columns.
_DELIMITERS = (b",", b";", b"\t", b"|")


class TextFile:
    """A text file in memory, whose lines are decoded one after the other.

    Attributes
    ----------
    encoding : what its bytes say it is in

    Parameters
    ----------
    content : the bytes of the file
    packed : whether they are packed with gzip
    allowance : what unpacking may take
    """

    def __init__(self, content: bytes, packed: bool, allowance: Allowance) -> None:
        self._content, self._packed, self._allowance = content, packed, allowance
        self.where = allowance.where
        self.encoding = _encoding(self._open().read(_SAMPLE))
        self._weigh()

    def _weigh(self) -> None:
        """Refuse at once what would be too large once it is split into cells and numbers."""
        stream, weight = self._open(), Allowance(self.where, self._allowance.limit)
        while chunk := stream.read(_CHUNK):
            cells = max(map(chunk.count, _DELIMITERS))
            weight.spend(len(chunk) + NUMBER * cells + OBJECT * chunk.count(b"\n"))

    def lines(self, delimiters: str) -> Iterator[str]:
        """Lines with their ends; one that would make too many cells is refused unsplit."""
        stream = io.TextIOWrapper(self._open(self._allowance), self.encoding, newline="")
        try:
            for line in stream:
                if len(line) > _LONG_LINE:
                    cells = max(line.count(sign) for sign in delimiters)
                    self._allowance.check(OBJECT * cells)
                yield line
        except UnicodeDecodeError:
            raise self._not_text() from None

    def text(self) -> str:
        """All of it."""
        return "".join(self.lines(","))

    def _open(self, allowance: Allowance | None = None) -> io.BufferedReader:
        """The bytes, unpacked; those are spent from an allowance, if there is one."""
        if self._packed:
            return io.BufferedReader(_Unpacked(self._content, self.where, allowance), 1 << 16)
        return io.BufferedReader(io.BytesIO(self._content))

    def _not_text(self) -> UserError:
        """Which byte is wrong; reading in pieces does not tell."""
        hint, at = "save it as UTF-8 text", ""
        try:
            self._open().read().decode(self.encoding)
        except UnicodeDecodeError as error:
            at = f" (byte {error.start + 1})"
        if self._content.startswith(b"\x1f\x8b") and not self._packed:
            hint = "it is packed with gzip: add .gz to its name"
        name = "UTF-8" if self.encoding == "utf-8-sig" else self.encoding.upper()
        return UserError(f"{self.where}: not {name} text{at}; {hint}")


class _Unpacked(io.RawIOBase):
    """What gzip packed; each byte is spent from an allowance as it comes out."""

    def __init__(self, content: bytes, where: str, allowance: Allowance | None) -> None:
        self._stream = gzip.GzipFile(fileobj=io.BytesIO(content))
        self._where, self._allowance = where, allowance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        try:
            count = self._stream.readinto(buffer)
        except (OSError, EOFError, zlib.error) as error:
            raise UserError(
                f"{self._where}: cannot be unpacked, it is damaged or not a gzip file "
                f"({error}); get it again"
            ) from None
        if self._allowance is not None:
            self._allowance.spend(count)
        return count


def _encoding(start: bytes) -> str:
    """By the first bytes: UTF-16 has a mark, or a zero byte beside each sign of plain English."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    half = len(start) // 2
    zeros = [start[place : 2 * half : 2].count(0) for place in (0, 1)]
    for name, many, few in (("utf-16-le", zeros[1], zeros[0]), ("utf-16-be", *zeros)):
        if many > 0.2 * half and few < 0.1 * half:
            return name
    return "utf-8-sig"
