"""What a path that a user names leads to: a file, a folder, nothing, or something else."""

import errno
import os
import stat
from pathlib import Path

from steadfast.core.errors import UserError, cut, shorten

_SPECIAL = {
    stat.S_IFIFO: "a fifo (a pipe with a name)",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
_FAULTS = {
    errno.ELOOP: "its links lead round in a loop; name the file itself",
    errno.ENAMETOOLONG: "the name is too long for a file; give a shorter one",
    errno.EACCES: "permission is denied to the folder that it lies in; ask its owner",
}


def kind_of_path(path: Path, where: str) -> str:
    """ "file", "folder" or, where nothing is there, ""; what is none of them is a `UserError`.

    `where` is what error messages call the path.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            there = shorten(os.readlink(path))
            raise UserError(f"{where}: a link to {there}, which is not there; mend it") from None
        return ""
    except ValueError:  # a name with a zero byte
        return ""
    except OSError as error:
        fault = _FAULTS.get(error.errno, f"cannot be looked at ({error.strerror})")
        raise UserError(f"{cut(where, 300)}: {fault}") from None
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    what = _SPECIAL.get(stat.S_IFMT(mode), "something else")
    raise UserError(f"{where}: {what}, not a file; save what it gives as a file, and name that")


def read_text(path: Path) -> str:
    """The text of a file that a person wrote; a fifo is not waited for."""
    kind_of_path(path, str(path))
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        fix = "allow reading it (chmod u+r)" if error.errno == errno.EACCES else "name a text file"
        raise UserError(f"{path}: cannot be read ({error.strerror}); {fix}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text; save it as such, or unpack it") from None
