"""Claims about what transforms gain as published, and what remains inside the training fold."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.treated import check_treated, treated_values
from steadfast.outputs.view import View
from steadfast.statistics.intervals import t_half_width

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("gain")
class Gain(ClaimKind):
    """How much of what a transform gains as published remains inside the training fold."""

    keys: ClassVar[Keys] = {
        **keys.EITHER,
        "size": keys.SIZE,
        "gains": keys.pairs_of(
            "transform", "Pairs of transforms, the one as published first.", required=True
        ),
        "baseline": keys.BASELINE.but(description="Transform that gains are counted from."),
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return study.treated_selectors(entry)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        check_treated(study, entry, where)
        for published, inside in entry["gains"]:
            learnt = [study.transforms[name].as_published for name in (published, inside)]
            if learnt != [True, False]:
                raise UserError(
                    f"{where}.gains: {published} must be as_published, and {inside} must not be"
                )

    def build(self, view: View, published: ByTable) -> list[str]:
        """Gains over the baseline, mean over selectors and data sets, both ways of learning."""
        entry = view.entry
        values = treated_values(view)
        base = np.array([row[entry["baseline"]] for row in values.values()])
        rows, remainders = [], []
        for pair in entry["gains"]:
            gains = [np.array([row[name] for row in values.values()]) - base for name in pair]
            label = view.context["transforms"][pair[1]]["label"]
            remainder = _remainder(*gains)
            remainders.append(f"{label}: {remainder}")
            rows.append([label, *(_gain_text(gain) for gain in gains), remainder])
        header = ["Transform", "Gain as published", "Gain with test rows kept out", "What remains"]
        return [
            f"As measured: mean {entry['of']} over {len(base)} pairs of selector and data set is "
            f"{base.mean():.3f} on the rows as they are. What remains of the gain as published "
            f"when the test rows are kept out: {'; '.join(remainders)}.",
            "",
            *markdown_rows(header, rows),
            "",
            "Gain: difference to the rows as they are, mean ± half of the 95% interval over the "
            "pairs.",
            "",
        ]


def _remainder(published: np.ndarray, inside: np.ndarray) -> str:
    """In words: there may be no gain to begin with, or a loss in its place."""
    if published.mean() - _half_width(published) <= 0:
        return "no gain as published that its interval tells from 0"
    if inside.mean() <= 0:
        return f"nothing, there is a loss of {-inside.mean():.3f}"
    return f"{inside.mean() / published.mean():.0%}"


def _gain_text(gain: np.ndarray) -> str:
    up = np.count_nonzero(gain > 0)
    return f"{gain.mean():+.3f} ± {_half_width(gain):.3f} ({up} of {gain.size} up)"


def _half_width(values: np.ndarray) -> float:
    return float(t_half_width(values))
