"""Selectors after transforms: their values side by side, and what an entry about them needs."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from steadfast.core.errors import UserError
from steadfast.core.paths import name_after
from steadfast.outputs.kind import Entry, Kind
from steadfast.outputs.view import View
from steadfast.study.treatments import wanted_transforms

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Selector, whatever the transform, and data set to transform to stability or accuracy.
TreatedValues = dict[tuple[str, str], dict[str, float]]


class OfTreated(Kind):
    """A kind about selectors after a baseline and other transforms."""

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return study.treated_selectors(entry)

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        return {"families": study.families, "transforms": study.transform_infos}

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """Some selector must be run after all transforms that an entry names."""
        super().check(study, entry, where)
        if not study.transforms:
            raise UserError(f"{where}: {entry['kind']} is about transforms; the study has none")
        wanted = wanted_transforms(entry)
        counts = Counter(study.family(name) for name in study.treated_selectors(entry))
        if len(wanted) not in counts.values():
            raise UserError(
                f"{where}: no selector is run after all of {', '.join(wanted)}; see its transforms"
            )


def treated_members(view: View) -> Iterator[tuple[str, dict[str, str]]]:
    """Selectors that are run after all of the entry's transforms, with their names after each."""
    entry = view.entry
    for family in entry.get("families", view.context["families"]):
        members = {name: name_after(family, name) for name in wanted_transforms(entry)}
        if all(member in view.selectors for member in members.values()):
            yield family, members


def treated_values(view: View) -> TreatedValues:
    """Value at the entry's size of every selector that is run after all of its transforms."""
    values: TreatedValues = {}
    for family, members in treated_members(view):
        for dataset in view.datasets:
            k, query = view.size(dataset), {**view.entry, "dataset": dataset}
            values[family, dataset] = {
                name: view.curves.value(query, member, k) for name, member in members.items()
            }
    return values
