"""Claims that one of several selectors is the best."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from steadfast.accuracy.scores import USUAL
from steadfast.core.keys import Keys, text
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import turn
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.against import Against, difference_texts, hold_against, told_of_losses
from steadfast.outputs.verdict import AGAINST, FOR, OPEN, Case, judge
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


_ABOVE = {"above": 0}


@claim("highest")
class Highest(ClaimKind):
    """Whether one of several selectors is the most stable, and the most accurate."""

    keys: ClassVar[Keys] = {
        **keys.STABILITY_AND_ACCURACY,
        "selectors": keys.SEVERAL_SELECTORS.but(
            description="Selectors that are compared.", required=True
        ),
        "best": text("The one said to be the best.", names="selector", required=True),
    }
    reads = Reads(stability=True, accuracy=True, rows=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return list(dict.fromkeys([*entry["selectors"], entry["best"]]))

    def build(self, view: View, published: ByTable) -> Outcome:
        """The mean over sizes of each, and its difference to that of the one said to be best."""
        entry, rows, words, cases = view.entry, [], [], []
        claimed, distance = view.selectors[entry["best"]], view.measure()["distance"]
        for dataset in view.datasets:
            found = {
                name: hold_against(view, dataset, name, entry["best"])
                for name in entry["selectors"]
            }
            sign, loss = -1 if distance else 1, view.score.direction < 0
            stable = max(found, key=lambda name: sign * found[name].stability.mean)
            accurate = max(found, key=lambda name: view.score.direction * found[name].accuracy)
            words.append(_winners(view, dataset, stable, accurate))
            others = [one for name, one in found.items() if name != entry["best"]]
            above = [judge(_ABOVE, turn(one.stability_difference, distance)) for one in others]
            cases.append(Case(f"stability on {view.title(dataset)}", _best_of(above)))
            above = [judge(_ABOVE, turn(one.accuracy_difference, loss)) for one in others]
            cases.append(Case(f"{view.score.noun} on {view.title(dataset)}", _best_of(above)))
            rows += [_row(view, dataset, name, found[name]) for name in found]
        what = f"stability or {view.score.noun}"
        header = ["Dataset", "Selector", view.measure()["label"], f"Minus {claimed}"]
        header += [view.score.label, f"Minus {claimed}"]
        note = "Means over all subset sizes; differences with 95% intervals, ▲ above 0, ▼ below."
        note += told_of_losses(view.score)
        return Outcome(
            cases=cases,
            statement=f"{claimed} is ahead of all others",
            unit=f"{what} on a data set",
            rule=(
                f"A case is {what} on a data set, mean over the subset sizes. It "
                "speaks for the claim where the 95% intervals put the one said to be best ahead of "
                "all others, against it where they put another ahead of it; else it is open."
            ),
            more=f"By the means, {'; '.join(words)}.",
            details=[*markdown_rows(header, rows), "", note],
        )


def _winners(view: View, dataset: str, stable: str, accurate: str) -> str:
    begin = f"on {view.title(dataset)} {view.selectors[stable]} is the most stable"
    most = "the most accurate" if view.score.name in USUAL else f"the best by {view.score.noun}"
    if stable == accurate:
        return f"{begin} and {most}"
    return f"{begin}, {view.selectors[accurate]} {most}"


def _best_of(others_above: Sequence[int]) -> int:
    """Whether one is the best, by which side the others are on."""
    if set(others_above) == {AGAINST}:
        return FOR
    return AGAINST if FOR in others_above else OPEN


def _row(view: View, dataset: str, selector: str, found: Against) -> list[str]:
    is_best = selector == view.entry["best"]
    differences = ("–", "–") if is_best else difference_texts(view, found)
    cells = [view.title(dataset), view.selectors[selector]]
    cells += [f"{found.stability.mean:.3f}", differences[0]]
    return [*cells, f"{found.accuracy:.3f}", differences[1]]
