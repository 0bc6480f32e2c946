"""The list of odd forms: each makes a file from a random generator."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from fuzz.odd_tables.written import Written

Make = Callable[[Random], Written]


class Form(NamedTuple):
    """A way in which a table can be odd, and the kind under which the figures count it."""

    kind: str
    make: Make


FORMS: dict[str, Form] = {}


def form(kind: str, name: str = "") -> Callable[[Make], Make]:
    """Put a form into the list, under the name of its function or another one."""

    def register(make: Make) -> Make:
        own = name or make.__name__
        assert own not in FORMS, own
        FORMS[own] = Form(kind, make)
        return make

    return register
