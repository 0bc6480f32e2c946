"""The data sets of a run, with what is to be known of each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from steadfast.page import text
from steadfast.page.text import Markup, name, tag
from steadfast.reports.links import link

if TYPE_CHECKING:
    from steadfast.reports.index_study import StudyPart


def data_section(parts: Sequence["StudyPart"]) -> Markup:
    """One row per data set, and which studies use it."""
    abouts: dict[str, Mapping[str, Any]] = {}
    users: dict[str, list[str]] = {}
    for part in parts:
        for dataset, about in part.data.items():
            abouts[dataset] = about
            users.setdefault(dataset, []).append(part.name)
    header = ["Data set", "Rows", "Features", "Classes", "Origin", "Licence", "Studies"]
    rows = [_row(dataset, about, users[dataset]) for dataset, about in sorted(abouts.items())]
    table = text.table(header, rows, [1, 2, 3], class_="data stack")
    return tag("section", tag("h2", "The data"), table, id="data")


def _row(dataset: str, about: Mapping[str, Any], users: Sequence[str]) -> list[object]:
    heading = tag(
        "span",
        name(about.get("title") or dataset),
        tag("small", link(dataset, "data", "json", dataset=dataset), class_="id"),
        id=f"data-{dataset}",
    )
    studies = text.join([tag("a", user, href=f"#study-{user}") for user in users], ", ")
    counts = [f"{about['rows']:,}", f"{about['features']:,}", str(len(about["classes"]))]
    origin = about.get("origin") or text.NONE
    return [heading, *counts, origin, about.get("licence") or text.NONE, studies]
