"""Claims about what transforms gain as published, and what remains inside the training fold."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.treated import OfTreated, treated_values
from steadfast.outputs.view import View
from steadfast.statistics.intervals import t_half_width
from steadfast.transforms.running import ALL, FROZEN, TRAINING

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


#: The two ways to keep test rows out: the perturbation reaches the transform, or it does not.
_LEARNT_ANEW, _FROZEN = "learnt anew in each training fold", "learnt once from other rows"


@claim("gain")
class Gain(OfTreated, ClaimKind):
    """How much of what a transform gains as published remains by what else it learns from."""

    keys: ClassVar[Keys] = {
        **keys.EITHER,
        "size": keys.SIZE,
        "gains": list_of(
            "Transforms that differ in what they learn from: as published, in the training fold, "
            "and, where there is one, frozen.",
            {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "string"}},
            names="transform",
            required=True,
        ),
        "baseline": keys.BASELINE.but(description="Transform that gains are counted from."),
    }

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        wanted = (ALL, TRAINING, FROZEN)
        for names in entry["gains"]:
            for name, learn in zip(names, wanted):
                if study.transforms[name].learn != learn:
                    raise UserError(f"{where}.gains: {name} must be one with learn: {learn}")

    def build(self, view: View, published: ByTable) -> list[str]:
        """Gains over the baseline, mean over selectors and data sets, all ways of learning."""
        entry = view.entry
        values = treated_values(view)
        base = np.array([row[entry["baseline"]] for row in values.values()])
        rows, remainders = [], []
        most = max(map(len, entry["gains"]))
        for names in entry["gains"]:
            gains = [np.array([row[name] for row in values.values()]) - base for name in names]
            label = view.context["transforms"][names[1]]["label"]
            remaining = [_remainder(gains[0], other) for other in gains[1:]]
            remainders.append(f"{label}: {_LEARNT_ANEW}, {remaining[0]}")
            if remaining[1:]:
                remainders[-1] += f"; {_FROZEN}, {remaining[1]}"
            cells = [_gain_text(gains[0])]
            for gain, remainder in zip(gains[1:], remaining, strict=True):
                cells += [_gain_text(gain), remainder]
            rows.append([label, *cells, *["–"] * (2 * most - 1 - len(cells))])
        header = ["Transform", "Gain as published", f"Gain, {_LEARNT_ANEW}", "What remains"]
        header += [f"Gain, {_FROZEN}", "What remains"] if most == 3 else []
        return [
            f"As measured: mean {entry['of']} over {len(base)} pairs of selector and data set is "
            f"{base.mean():.3f} on the rows as they are. What remains of the gain as published "
            f"for a transform that does not know the test rows: {'; '.join(remainders)}.",
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
