"""Sources of data sets, one in a file; the name of a source is that of its decorator."""

from steadfast.core import registry
from steadfast.core.errors import look_up
from steadfast.data.source import Source


def create(name: str) -> Source:
    """The source that an entry of the catalogue names."""
    return registry.load("source", name)()


def file_of(name: str) -> str:
    """The file of a source, relative to the import root."""
    return look_up("source", name, registry.declared("source")).file
