"""Tables of subsets that look as if they were drawn at random from some of the features."""

from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import table
from steadfast.measures.chance import overlap_probabilities
from steadfast.outputs import keys
from steadfast.outputs.kind import Entry, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.profiles import OfProfile, profile_of
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_NAN = float("nan")


@table("pool")
class Pool(OfProfile, TableKind):
    """S_S beside that of a random choice among the features without weight, and as printed."""

    keys: ClassVar[Keys] = {
        "dataset": keys.ONE_DATASET,
        "ratio": keys.RATIO,
        "selector": keys.SELECTOR.but(
            description="Selector whose weights are 0, and whose stability the paper prints."
        ),
        "selectors": keys.SEVERAL_SELECTORS.but(description="Selectors shown.", required=True),
        "sizes": list_of("Subset sizes.", {"type": "integer", "minimum": 1}, required=True),
    }
    has_published_cells = True

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return list(dict.fromkeys([entry["selector"], *entry["selectors"]]))

    def profile_measures(self, entry: Entry) -> list[str]:
        return ["jaccard"]

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """The printed stability, by our data set and size."""
        column, found = f"{entry['selector']} stability", {}
        for row, cells in published.items():
            theirs, _, k = row.partition(" ")
            if column in cells:
                found[f"{study.stand_ins.get(theirs, theirs)} {k}"] = cells[column]
        return {"published": found}

    def build(self, view: View) -> Result:
        entry = view.entry
        shown = {name: view.selectors[name] for name in entry["selectors"]}
        header = ["dataset", "k", "zero_weights", "others"]
        header += [f"{name} {what}" for name in shown for what in ("stability", "pool")]
        header += ["random_of_zero", "random_of_all", "published", "published_pool"]
        printed = ["Dataset", "N", "Zero weights", "Others", *shown.values()]
        printed += ["Random of zero", "Random of all", "Printed", "Pool as printed"]
        result = Result(header, [], printed)
        for dataset in view.datasets:
            every = view.about(dataset)["features"]
            zero = every * view.zero_weights(dataset, entry["ratio"], entry["selector"])
            for k in dict.fromkeys([*entry["sizes"], round(zero)]):
                self._add(view, dataset, k, (zero, every), result)
        result.notes.append(
            "S_S of the first N features. Zero weights: features that "
            f"{view.selectors[entry['selector']]} gives none, mean over the folds; others: the "
            "rest. Random of zero, of all: expected S_S of two random choices of N among so many. "
            "Pool: the number of features P among which a random choice has the S_S, "
            "P = N(1 + S)/(2S). The last N of a data set is the number without weight."
        )
        return result

    def _add(
        self, view: View, dataset: str, k: int, counts: tuple[float, int], result: Result
    ) -> None:
        """One row; `counts` are those of the features without weight, and of all."""
        entry, (zero, every) = view.entry, counts
        published = view.context["published"].get(f"{dataset} {k}", _NAN)
        at_size = {**entry, "size": k}
        own = [
            profile_of(view, dataset, name, at_size, ["jaccard"])[0][0]
            for name in entry["selectors"]
        ]
        by_chance = [random_choice(round(zero), k), random_choice(every, k)]
        pools = [cell for value in own for cell in (value, pool_size(value, k))]
        theirs = [published, pool_size(published, k)]
        result.rows.append([dataset, k, zero, every - zero, *pools, *by_chance, *theirs])
        cells = [view.title(dataset), str(k), f"{zero:.0f}", f"{every - zero:.0f}"]
        cells += [plus_minus(value, digits=4) for value in (*own, *by_chance)]
        cells += [plus_minus(published), plus_minus(theirs[1], digits=0)]
        result.printed.append(cells)


def random_choice(features: int, k: int) -> float:
    """Expected S_S of two random subsets of k of some features; NaN where there are fewer.

    About k / (2·features − k).
    """
    if k > features:
        return _NAN
    shared, probabilities = overlap_probabilities(features, k, k)
    return float(probabilities @ (shared / (2 * k - shared)))


def pool_size(tanimoto: float, k: int) -> float:
    """The number of features P of which two random subsets of k share r = k²/P: S = r / (2k − r).

    P = k(1 + S) / (2S); NaN where they share nothing.
    """
    return k * (1 + tanimoto) / (2 * tanimoto) if tanimoto > 0 else _NAN
