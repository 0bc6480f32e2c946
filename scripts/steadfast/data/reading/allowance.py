"""How much memory a table may take while it is read."""

from steadfast.core.environment import memory_mb
from steadfast.core.errors import UserError

#: The part of the machine's memory that one table may take.
SHARE = 0.5

#: Bytes of a cell once it is a number, and of a copy of it.
NUMBER = 16

#: Bytes of a short text or a number as Python keeps it, and of the list that holds it.
OBJECT = 64


class Allowance:
    """What is left of the memory that a table may take; reading stops as soon as it is spent.

    Parameters
    ----------
    where : what error messages call the file
    limit : bytes; without it, half of the memory of the machine, or of what a job may have of it
    """

    def __init__(self, where: str, limit: int | None = None) -> None:
        self.where = where
        self.limit = int(SHARE * memory_mb() * 1e6) if limit is None else limit
        self.spent = 0

    def spend(self, size: int) -> None:
        """Note that so many bytes more are held."""
        self.check(size)
        self.spent += size

    def check(self, size: int) -> None:
        """Refuse what would go beyond the limit, before it is held."""
        if self.spent + size > self.limit:
            raise UserError(
                f"{self.where}: too large to read: it takes more than {in_words(self.limit)}, half "
                "of the memory here; save the rows and columns that you need, or take a machine "
                "with more memory"
            )


def in_words(size: int) -> str:
    """A number of bytes in print."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"
