"""Tables of the features that pass with a bound of the false ones."""

from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, one_of
from steadfast.core.registry import table
from steadfast.measuring.error_bounds import BOUNDS_OF, Bounded, bounded
from steadfast.measuring.overlaps import size_of
from steadfast.outputs.keys import ALL_SELECTORS, ANY_SIZE, ONE_DATASET
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.statistics.stability_selection import BOUND_NAMES

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Features that are named in print.
_NAMED = 5


@table("error_bounds")
class ErrorBounds(TableKind):
    """Features selected on most halves of the rows, and how many are false at most, on average."""

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "selectors": ALL_SELECTORS,
        "size": ANY_SIZE.but(
            description="Features per run of selectors that choose no number of their own: a "
            'number; below 1, a share of all; "sqrt", the square root of their number. The largest '
            "for which a threshold of 0.9 keeps the bound, if left out."
        ),
        "pfer": Key(
            "False features that may pass, on average.",
            {"type": "number", "exclusiveMinimum": 0},
            default=1,
        ),
        "bound": one_of(
            "The bound that settles the threshold; `unimodal` for complementary pairs and `mb` for "
            "other halves if left out.",
            *BOUND_NAMES,
        ),
    }
    reads = Reads(selections=True)
    any_size = True

    def measures(self, study: "Study", entry: Entry) -> list[Entry]:
        """None: it counts selections."""
        return []

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        return {"halves": study.scheme.halves}

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        halves, settings = study.scheme.halves, study.resample
        if not halves:
            named = f"the folds of {settings['scheme']}"
            if settings["scheme"] == "subsample":
                named = f"samples of {settings['share']:.0%}"
            raise UserError(
                f"{where}: error_bounds: needs halves (resample: {{scheme: pairs}}); the bounds do "
                f"not hold for {named}"
            )
        if entry.get("bound", "mb") not in BOUNDS_OF[halves]:
            raise UserError(
                f"{where}.bound: {entry['bound']} needs complementary halves (resample: "
                "{scheme: pairs}); for other halves there is mb"
            )

    def build(self, view: View) -> Result:
        bounds = BOUNDS_OF[view.context["halves"]]
        header = ["dataset", "selector", "runs", "per_run", "threshold", "passed", *bounds]
        header += ["features", "reason"]
        shown = ["Dataset", "Selector", "Per run", "Threshold", "Pass"]
        shown += [*(BOUND_NAMES[name] for name in bounds), "Features"]
        result = Result(header, [], shown)
        for dataset in view.datasets:
            names = view.features(dataset)
            for selector, label in view.selectors.items():
                if not view.is_run(dataset, selector):
                    continue
                found = _bounded(view, dataset, selector)
                features = [names[column] for column in found.passed.features]
                result.rows.append([dataset, selector, *_values(found, features, bounds)])
                printed = _cells(found, features, bounds)
                result.printed.append([view.title(dataset), label, *printed])
        result.notes += _notes(view, bounds)
        return result


def _bounded(view: View, dataset: str, selector: str) -> Bounded:
    m, wanted = len(view.features(dataset)), view.entry.get("size")
    return bounded(
        list(view.selections(dataset, selector).values()),
        m,
        view.context["halves"],
        pfer=view.entry["pfer"],
        size=None if wanted is None else size_of(wanted, m),
        bound=view.entry.get("bound"),
    )


def _values(found: Bounded, features: list[str], bounds: tuple[str, ...]) -> list[Any]:
    threshold, reason = found.passed.threshold, found.passed.reason
    return [
        *(found.n_runs, found.per_run, "" if threshold is None else threshold, len(features)),
        *(found.bounds.get(name, "") for name in bounds),
        *("; ".join(features), reason),
    ]


def _cells(found: Bounded, features: list[str], bounds: tuple[str, ...]) -> list[str]:
    threshold = found.passed.threshold
    named = ", ".join(features[:_NAMED]) + (", …" if len(features) > _NAMED else "")
    return [
        f"{found.per_run:.4g}",
        "–" if threshold is None else f"{threshold:.0%}",
        str(len(features)),
        *(f"{found.bounds[name]:.2g}" if name in found.bounds else "–" for name in bounds),
        named or f"none: {found.passed.reason}",
    ]


def _notes(view: View, bounds: tuple[str, ...]) -> list[str]:
    settles = BOUND_NAMES[view.entry.get("bound", bounds[0])]
    assumed = {
        "pairs": "Counted as false: features that are no more likely to be selected than one drawn "
        "blindly. Unimodal and r-concave hold if how often both halves of a pair select such a "
        "feature has a distribution of that shape.",
        "random": "It holds if false features are alike, and the selector is no worse than blind "
        "choice.",
    }[view.context["halves"]]
    return [
        "A feature passes if the share of the runs that select it is at least the threshold: the "
        f"lowest at which the bound of the false features that pass, on average ({settles}), is at "
        f"most {view.entry['pfer']:g}. {assumed} Rows must be independent of each other.",
    ]
