"""Kinds of tables and figures: what they declare to a study, and how they are built."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Keys
from steadfast.outputs.keys import KIND, TITLE
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.study.kind import (
    Entry,
    Kind,
    Reads,
    check_from_study,
    fill_from_study,
    require_accuracy,
    require_measured,
    require_rates,
    require_scored,
    run_there,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "Entry",
    "FigureKind",
    "Kind",
    "Reads",
    "TableKind",
    "check_from_study",
    "fill_from_study",
    "require_accuracy",
    "require_measured",
    "require_rates",
    "require_scored",
    "run_there",
]


class TableKind(Kind, ABC):
    """A kind of table."""

    common: ClassVar[Keys] = {"kind": KIND, "title": TITLE}

    @abstractmethod
    def build(self, view: View) -> Result:
        """The table."""


class FigureKind(Kind, ABC):
    """A kind of figure."""

    common: ClassVar[Keys] = {"kind": KIND, "title": TITLE}

    @abstractmethod
    def build(self, view: View) -> "Figure":
        """The figure."""
