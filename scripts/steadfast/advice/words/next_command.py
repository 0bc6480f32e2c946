"""The command to run next, to be copied into a shell."""

import shlex
from collections.abc import Mapping
from typing import Any


def groups_command(data: str, target: str | None, column: str, others: Mapping[str, Any]) -> str:
    """The command that gives advice on the same table with groups of rows kept together.

    Parameters
    ----------
    data, target : the table and its class column, as the user named them
    column : the column that names the group of each row
    others : values of further options by key, such as `drop` or `feature_groups`; one that is
        empty, or that no command line can hold, is left out
    """
    data = f"./{data}" if data.startswith("-") else data
    words = ["steadfast", "advise", data]
    for key, value in {"target": target, **others, "groups": column}.items():
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
