"""The command to run next, to be copied into a shell."""

import shlex
from collections.abc import Mapping
from typing import Any


def groups_command(typed: Mapping[str, Any], column: str) -> str:
    """The command that gives advice on the same table with groups of rows kept together.

    Parameters
    ----------
    typed : values of the options by key, such as `target` or `drop`, as the user typed them, and
        the table as `data`; one that is empty, or that no command line can hold, is left out
    column : the column that names the group of each row
    """
    data = str(typed.get("data") or "DATA")
    words = ["steadfast", "advise", f"./{data}" if data.startswith("-") else data]
    others = {key: value for key, value in typed.items() if key not in ("data", "groups")}
    for key, value in {**others, "groups": column}.items():
        option = f"--{key.replace('_', '-')}"
        for text in _texts(key, value):
            words += [f"{option}={text}"] if text.startswith("-") else [option, text]
    return shlex.join(words)


def _texts(key: str, value: Any) -> list[str]:
    """The values of an option on the command line: config files one by one, columns in one."""
    if value is None or value in ("", []) or isinstance(value, Mapping):
        return []
    if not isinstance(value, list):
        return [str(value)]
    return [str(one) for one in value] if key == "config" else [",".join(map(str, value))]
