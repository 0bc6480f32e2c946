"""Data sets of OpenML."""

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

from steadfast.core.keys import Key, Keys, list_of
from steadfast.core.registry import source
from steadfast.data import openml_cache
from steadfast.data.frame import join, to_frame
from steadfast.data.readers import open_sheet
from steadfast.data.source import TABLE, Origin, Place, Source, columns_of, require

_ID = {"type": "integer", "minimum": 1}


@source("openml")
class OpenML(Source):
    """A download from OpenML, kept in a cache."""

    keys: ClassVar[Keys] = {
        "id": Key(
            "The id of the data set, or a list of ids whose columns are joined, in this order.",
            {"oneOf": [_ID, {"type": "array", "items": _ID, "minItems": 2, "uniqueItems": True}]},
            required=True,
        ),
        "prefixes": list_of(
            "With a list of ids: a short name for each, put before its feature names with an "
            "underscore, which tables that share feature names need.",
            {"type": "string", "pattern": "^[A-Za-z0-9]+$"},
            least=2,
        ).but(schema={"uniqueItems": True}),
        **TABLE,
    }

    def read(self, name: str, entry: Mapping[str, Any], place: Place) -> Origin:
        stated = require(name, entry, "id")
        numbers = stated if isinstance(stated, list) else [stated]
        frames, digest = [], hashlib.sha256()
        for number in numbers:
            download = openml_cache.fetch(name, number, place.cache, place.progress)
            sheet = open_sheet(download.content, ".csv.gz", f"OpenML {number}")
            drop = entry.get("drop", ())
            columns = columns_of(
                entry,
                target=entry.get("target", download.target),
                drop=drop if len(numbers) == 1 else (),
                drop_if_there=(*download.ignored, *drop),
            )
            frames.append(to_frame(sheet, columns))
            digest.update(download.content)
        text = f"OpenML {', '.join(map(str, numbers))}"
        return Origin(join(frames, entry.get("prefixes", ())), text, digest.hexdigest())
