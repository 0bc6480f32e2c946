"""Code that a configuration brings along: rules, and classes of other packages."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from steadfast.core.config import read_yaml
from steadfast.data.own_tables import STUDY_FILE
from steadfast.study.run import study_paths

#: Parts of a study that name classes, and packages whose classes are no surprise.
_PARTS = ("selectors", "transforms", "accuracy")
_USUAL = ("steadfast", "sklearn")

_CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")


def announcement(config: Mapping[str, Any], root: Path) -> str:
    """One line that names what code a run brings along; empty where it brings none.

    It is said before any of it is imported, so the config may still be wrong in other ways.
    """
    found = foreign_code(config, root)
    if not found:
        return ""
    return f"This configuration runs code of {', '.join(found)}: only run it if you trust that."


def foreign_code(config: Mapping[str, Any], root: Path) -> list[str]:
    """Files of rules, and `package.module.Class` of what studies use, as they are named."""
    studies = config.get("studies", [])
    if config.get("data"):
        files = [root / STUDY_FILE]
    else:
        named = isinstance(studies, list) and all(isinstance(one, str) for one in studies)
        files = list(study_paths(studies, root).values()) if named else []
    overrides = config.get("overrides")
    contents = [read_yaml(file) for file in files]
    contents += overrides.values() if isinstance(overrides, Mapping) else []
    rules = config.get("rules")
    found = [str(rule) for rule in rules] if isinstance(rules, list) else []
    for content in contents:
        parts = content if isinstance(content, Mapping) else {}
        found += [name for part in _PARTS for name in _classes(parts.get(part))]
    return list(dict.fromkeys(found))


def _classes(content: Any) -> Iterator[str]:
    """Names of classes anywhere in a part of a study: one selector may run another."""
    if isinstance(content, Mapping):
        for key, value in content.items():
            if key != "label":
                yield from _classes(value)
    elif isinstance(content, list):
        for value in content:
            yield from _classes(value)
    elif isinstance(content, str) and _CLASS.fullmatch(content) and not _is_usual(content):
        yield content


def _is_usual(name: str) -> bool:
    return name.partition(".")[0] in _USUAL
