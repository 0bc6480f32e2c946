"""Tables of the data sets."""

from typing import TYPE_CHECKING, Any

from steadfast.core.registry import table
from steadfast.outputs.kind import Entry, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.study.published import with_stand_ins

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

SIZES = ("features", "instances", "classes")


@table("datasets")
class Datasets(TableKind):
    """The size of each data set, beside the paper's where it prints them."""

    all_selectors = False

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        if not published:
            return {}
        stand_ins = study.stand_ins
        return {"published": with_stand_ins(published, stand_ins), "stand_ins": stand_ins}

    def build(self, view: View) -> Result:
        published = view.context.get("published")
        header = ["dataset", "title", *SIZES, "smallest_class", "origin"]
        header += [f"published_{name}" for name in SIZES] if published else []
        result = Result(header, [], ["Dataset", *map(str.capitalize, SIZES), "Source"])
        for name in view.datasets:
            about, title = view.about(name), view.title(name)
            sizes = [about["features"], about["rows"], len(about["classes"])]
            smallest = min(about["classes"].values())
            row, texts = [name, title, *sizes, smallest, about["origin"]], list(map(str, sizes))
            if published:
                theirs = [published.get(name, {}).get(size, float("nan")) for size in SIZES]
                row += [f"{size:g}" for size in theirs]
                texts = [_beside(*pair) for pair in zip(sizes, theirs, strict=True)]
            result.rows.append(row)
            result.printed.append([title, *texts, about["origin"]])
        if published:
            result.notes += _notes(view, published)
        return result


def _beside(ours: int, theirs: float) -> str:
    """Ours, and in brackets the paper's where it differs."""
    return str(ours) if ours == theirs or theirs != theirs else f"{ours} (published: {theirs:g})"


def _notes(view: View, published: Entry) -> list[str]:
    """What stands in for what, and what the paper has and this run has not."""
    notes = ["Numbers without brackets are the paper's too."]
    for theirs, name in view.context["stand_ins"].items():
        if name in view.datasets:
            notes.append(f"{view.title(name)} stands in for the paper's {theirs}.")
    absent = [
        f"{name}: " + ", ".join(f"{row[size]:g} {size}" for size in SIZES)
        for name, row in published.items()
        if name not in view.datasets
    ]
    if absent:
        notes.append(f"In the paper, but not in this run: {'; '.join(absent)}.")
    return notes
