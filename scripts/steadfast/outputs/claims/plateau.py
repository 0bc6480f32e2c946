"""Claims that accuracy no longer grows beyond some number of features."""

from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, whole
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.differences import marked_interval, resampled_interval
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Accuracy this close to the highest counts as level with it.
_LEVEL = 0.01


@claim("plateau")
class Plateau(ClaimKind):
    """Whether accuracy is as high with some number of features as with any larger one."""

    keys: ClassVar[Keys] = {
        "classifier": keys.CLASSIFIER,
        "ratio": keys.RATIO,
        "size": whole("Number of features that is said to be enough.", required=True),
        "selectors": keys.SELECTORS.but(required=True),
    }
    reads = Reads(accuracy=True, rows=True)
    any_size = True

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        sizes = study.classifiers[entry["classifier"]].get("sizes", study.sizes)
        known = sizes == "all" or (entry["size"] in sizes and max(sizes) > entry["size"])
        if not known:
            raise UserError(
                f"{where}.size: {entry['classifier']} must be scored at {entry['size']} features "
                "and at more; add them to its sizes"
            )

    def measures(self, study: "Study", entry: Entry) -> list[Entry]:
        return []

    def build(self, view: View, published: ByTable) -> list[str]:
        """Accuracy at the size and beyond, and from where on it is level with the highest."""
        entry, size = view.entry, view.entry["size"]
        cases = [
            _case(view, {**entry, "of": "accuracy", "dataset": dataset}, selector)
            for dataset in view.datasets
            if view.about(dataset)["features"] > size
            for selector in entry["selectors"]
        ]
        grown = sum(low > 0 for low, _ in cases)
        header = ["Dataset", "Selector", f"At {size}", "At the largest size", "Growth since"]
        header += ["Highest", f"Within {_LEVEL:.0%} of it from"]
        return [
            f"As measured: accuracy at the largest size is above that at {size} features, with an "
            f"interval that excludes 0, in {grown} of {len(cases)} cases.",
            "",
            *markdown_rows(header, [row for _, row in cases]),
            "",
        ]


def _case(view: View, query: dict[str, Any], selector: str) -> tuple[float, list[str]]:
    """The lower end of the growth beyond the size, and the row."""
    curve = view.curves.read(query, selector)
    at, last, best = curve.place(query["size"]), len(curve.sizes) - 1, int(curve.values.argmax())
    share = view.test_share(query["dataset"], query["ratio"])
    growth = resampled_interval(curve.units[:, last] - curve.units[:, at], share)
    level = curve.sizes[curve.values >= curve.values[best] - _LEVEL].min()
    row = [
        *(view.title(query["dataset"]), view.selectors[selector], f"{curve.values[at]:.3f}"),
        f"{curve.values[last]:.3f} ({curve.sizes[last]})",
        marked_interval(growth, distance=False),
        f"{curve.values[best]:.3f} ({curve.sizes[best]})",
        str(level),
    ]
    return growth.low, row
