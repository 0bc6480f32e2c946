"""Selectors after transforms: their values side by side, and what an entry about them needs."""

from collections import Counter
from typing import TYPE_CHECKING

from steadfast.core.errors import UserError
from steadfast.core.paths import name_after
from steadfast.outputs.kind import Entry
from steadfast.outputs.view import View
from steadfast.study.treatments import wanted_transforms

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Selector, whatever the transform, and data set to transform to stability or accuracy.
TreatedValues = dict[tuple[str, str], dict[str, float]]


def check_treated(study: "Study", entry: Entry, where: str) -> None:
    """Some selector must be run after all transforms that an entry names."""
    if not study.transforms:
        raise UserError(f"{where}: {entry['kind']} is about transforms; the study has none")
    wanted = wanted_transforms(entry)
    counts = Counter(study.family(name) for name in study.treated_selectors(entry))
    if len(wanted) not in counts.values():
        raise UserError(
            f"{where}: no selector is run after all of {', '.join(wanted)}; see its transforms"
        )


def treated_values(view: View) -> TreatedValues:
    """Value at the entry's size of every selector that is run after all of its transforms."""
    entry = view.entry
    values: TreatedValues = {}
    for family in entry.get("families", view.context["families"]):
        members = {name: name_after(family, name) for name in wanted_transforms(entry)}
        if not all(member in view.selectors for member in members.values()):
            continue
        for dataset in view.datasets:
            k, query = view.size(dataset), {**entry, "dataset": dataset}
            values[family, dataset] = {
                name: view.curves.value(query, member, k) for name, member in members.items()
            }
    return values
