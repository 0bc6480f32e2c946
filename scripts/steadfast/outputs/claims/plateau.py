"""Claims that accuracy no longer grows beyond some number of features."""

from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, whole
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import Interval, marked_interval, resampled_interval
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.verdict import EXPECT, Case, claims_absence, judge, rule_of_cases
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Accuracy this close to the highest counts as level with it.
_LEVEL = 0.01

_GROWS = {"above": "more than {:g}", "below": "less than {:g}", "within": "{:g} at most"}

#: What a score does that gets better: where large values are good, and where small ones are.
_UP, _DOWN = ("grows", "Growth", "Highest"), ("falls", "Fall", "Lowest")


@claim("plateau")
class Plateau(ClaimKind):
    """Whether accuracy is as high with some number of features as with any larger one."""

    keys: ClassVar[Keys] = {
        "classifier": keys.CLASSIFIER,
        "ratio": keys.RATIO,
        "size": whole("Number of features that is said to be enough.", required=True),
        "selectors": keys.SELECTORS.but(required=True),
        "expect": EXPECT.but(
            description="What is claimed of the growth since: `above: x`, `below: x` or "
            "`within: m`.",
            default={"below": _LEVEL},
        ),
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

    def build(self, view: View, published: ByTable) -> Outcome:
        """Accuracy at the size and beyond, and from where on it is level with the best."""
        entry, size = view.entry, view.entry["size"]
        cases, rows = [], []
        for dataset in view.datasets:
            if view.about(dataset)["features"] <= size:
                continue
            for selector in entry["selectors"]:
                query = {**entry, "of": "accuracy", "dataset": dataset}
                growth, row = _growth(view, query, selector)
                name = f"{view.selectors[selector]}, {view.title(dataset)}"
                cases.append(Case(name, judge(entry["expect"], growth), growth.mean))
                rows.append(row)
        ((condition, limit),) = entry["expect"].items()
        score = view.score
        grows, growth, best = _UP if score.larger_is_better else _DOWN
        within = f"{_LEVEL:.0%}" if score.percent else f"{_LEVEL:g}"
        header = ["Dataset", "Selector", f"At {size}", "At the largest size", f"{growth} since"]
        header += [best, f"Within {within} of it from"]
        unit = "a selector and a data set"
        number = f"the {growth.lower()} of {score.noun} beyond {size} features"
        amount = _GROWS[condition].format(limit)
        return Outcome(
            cases=cases,
            statement=f"{score.label} {grows} by {amount} beyond {size} features",
            unit=unit,
            rule=rule_of_cases(unit, number, entry["expect"]),
            absence=claims_absence(entry["expect"]),
            details=markdown_rows(header, rows),
            reason=f"no data set has more than {size} features",
        )


def _growth(view: View, query: dict[str, Any], selector: str) -> tuple[Interval, list[str]]:
    """The growth beyond the size, and the row."""
    curve = view.curves.read(query, selector)
    sign = view.direction(query)
    values = sign * curve.values
    at, last, best = curve.place(query["size"]), len(curve.sizes) - 1, int(values.argmax())
    share = view.test_share(query["dataset"], query["ratio"])
    growth = resampled_interval(sign * (curve.units[:, last] - curve.units[:, at]), share)
    level = curve.sizes[values >= values[best] - _LEVEL].min()
    row = [
        *(view.title(query["dataset"]), view.selectors[selector], f"{curve.values[at]:.3f}"),
        f"{curve.values[last]:.3f} ({curve.sizes[last]})",
        marked_interval(growth, distance=False),
        f"{curve.values[best]:.3f} ({curve.sizes[best]})",
        str(level),
    ]
    return growth, row
