"""Which rule should choose selector and size? What each loses on rows that it has not seen.

`python bench/choice.py [WORD …] [--local-data FOLDER] [--part I/N] [--keep]` halves the data sets
of the study of α, and those of a folder, whose names have one of the words (all if none is given),
measures what `choice_data.py` says into results/choice/, and compares rules. What is there already
is not measured again; `--part` leaves some data sets to other processes. `--keep` writes
docs/choice/.

A rule chooses among selections of fewer than all features. Its loss is the score of the best
selection of any size less that of the rule's choice, both trained on one half. The best is found on
one part of the other half and scored on the second part, so that it is not the luckiest one.
Stability is that of the choice on the other half.
"""

import argparse
import csv
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import choice_data
import environment
import numpy as np
from shown import as_markdown, show

from steadfast.advice.recommendation import (
    Best,
    candidates,
    largest_size,
    measured_selections,
    most_accurate,
    recommend,
)
from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.data.loader import load, local_files
from steadfast.statistics.intervals import resampled_half_width, t_half_width

ROOT = environment.ROOT
DOCUMENT = ROOT / "docs" / "choice.md"
DATA, KEPT = ROOT / "results" / "choice", ROOT / "docs" / "choice"
HEADER = (
    *("rule", "given up", "at most", "over 3 points", "stability", "over random"),
    *("significantly below random", "size"),
)
OF_EACH = ("given up", "stability", "over random", "size")
ERROR = "standard error of given up, now"

#: The rule that pages went by before, and the one that they go by now.
FORMER, TAKEN = "not significantly worse", "best balance within 2 points"

#: Scores are compared one-sided at 5%; what a loss of stability may be before it counts.
LEVEL, NEGLIGIBLE = 0.9, 0.05


class Selections(NamedTuple):
    """Selections of a half that a rule may choose: their scores run by run, and their stability.

    `best` holds the scores of the most accurate selection of any size, run by run.
    """

    made: list[Best]
    units: np.ndarray
    stability: np.ndarray
    best: np.ndarray

    @property
    def lost(self) -> np.ndarray:
        """What each loses against the most accurate of any size, run by run."""
        return self.best - self.units

    @property
    def top(self) -> int:
        """The most accurate of those that may be chosen; of equals the smallest."""
        return self.made.index(most_accurate(self.made, "svm"))

    def most_stable(self, kept: np.ndarray, n_features: int) -> Best:
        """The most stable of those that are kept; of equals the smallest.

        Those of more than half of the features only where no other is kept; where none is kept at
        all, the most accurate.
        """
        if not kept.any():
            return self.made[self.top]
        sizes = np.array([one.size for one in self.made])
        small = kept & (sizes <= largest_size(n_features))
        order = np.lexsort((sizes, -self.stability.round(9), ~(small if small.any() else kept)))
        return self.made[int(order[0])]


def selections_of(half: choice_data.Half) -> Selections:
    """Every selector at every size but that of all features, and the best score of any size."""
    measured = [
        found
        for one in half.witnesses
        if not one.baseline
        for found in measured_selections(one, "svm")
    ]
    made = candidates(measured, half.n_features)
    units = np.array([one.accuracy_units("svm") for one in made])
    best = most_accurate(measured, "svm").accuracy_units("svm")
    return Selections(made, units, np.array([one.stability() for one in made]), best)


def former(found: Selections, half: choice_data.Half) -> Best:
    """Each selector's smallest size not significantly worse; of these the most stable.

    Of sizes up to half of the features.
    """
    bests = []
    for one in half.witnesses:
        most = largest_size(half.n_features)
        own = [best for best in found.made if best.witness is one and best.size <= most]
        if own:
            own = _not_below(own, [best.accuracy_units("svm") for best in own], half.share)
            places = [one.stability.place(best.size) for best in own]
            own = _not_below(own, [one.stability.units[:, place] for place in places])
            bests.append(own[0])
    kept = _not_below(bests, [best.accuracy_units("svm") for best in bests], half.share)
    return max(kept, key=lambda best: round(best.stability(), 9))


def _not_below(
    bests: list[Best], units: list[np.ndarray], share: float | None = None
) -> list[Best]:
    """Those whose values are not significantly below the highest; `share` as for accuracies."""
    values = np.array(units)
    lost = (values[values.mean(axis=1).argmax()] - values).T
    allowed = np.fmax(t_half_width(lost, LEVEL), NEGLIGIBLE)
    if share is not None:
        allowed = np.nan_to_num(resampled_half_width(lost, share, LEVEL))
    kept = lost.mean(axis=0) <= allowed + 1e-12
    return [best for best, stays in zip(bests, kept, strict=True) if stays]


def taken(found: Selections, half: choice_data.Half) -> Best:
    """What pages recommend."""
    return recommend(half.witnesses, "svm", half.n_features).best


def within(margin: float) -> Callable[[Selections, choice_data.Half], Best]:
    """The most stable of all that lose at most a margin on average."""
    return lambda found, half: found.most_stable(
        found.lost.mean(axis=1) <= margin + 1e-12, half.n_features
    )


def surely_within(found: Selections, half: choice_data.Half) -> Best:
    """That lose at most 2 points, by the end of an interval over the runs at most 4."""
    lost = found.lost
    ends = lost.mean(axis=1) + np.nan_to_num(t_half_width(lost.T, LEVEL))
    kept = (lost.mean(axis=1) <= 0.02 + 1e-12) & (ends <= 0.04)
    return found.most_stable(kept, half.n_features)


def one_error(found: Selections, half: choice_data.Half) -> Best:
    """That lose at most one standard error of the most accurate."""
    error = found.best.std(ddof=1) / np.sqrt(found.best.size)
    return found.most_stable(found.lost.mean(axis=1) <= error + 1e-12, half.n_features)


def utility(found: Selections, half: choice_data.Half) -> Best:
    """The highest mean of accuracy plus half of the stability, over the runs."""
    return found.made[int(np.argmax(found.units.mean(axis=1) + 0.5 * found.stability))]


def ten(found: Selections, half: choice_data.Half) -> Best:
    """The most accurate selector with ten features, or with half of fewer than twenty."""
    size = max(one.size for one in found.made if one.size <= min(10, largest_size(half.n_features)))
    return most_accurate([one for one in found.made if one.size == size], "svm")


def top_candidate(found: Selections, half: choice_data.Half) -> Best:
    return found.made[found.top]


RULES = {
    FORMER: former,
    "most accurate": top_candidate,
    "2 points": within(0.02),
    "2 points, by an interval": surely_within,
    "1 standard error": one_error,
    TAKEN: taken,
    "expected utility": utility,
    "always 10 features": ten,
}


class Judged(NamedTuple):
    """A rule's choice on one half, on rows that it has not seen; scores as shares."""

    lost: float
    stability: float
    over_random: float
    size: float
    optimism: float


def judge(rule: Callable, own: choice_data.Half, other: choice_data.Half) -> Judged:
    """What a rule loses that looks at one half only."""
    best = rule(selections_of(own), own)
    at = own.sizes.index(best.size)
    names = [one.id for one in own.witnesses if not one.baseline]
    scores = {name: np.nan_to_num(own.outside[name], nan=-1.0) for name in names}
    lost = []
    for look, part in ((0, 1), (1, 0)):
        top = max(names, key=lambda name: scores[name][look].max())
        place = int(scores[top][look].argmax())
        lost.append(scores[top][part][place] - own.outside[best.witness.id][part][at])
    again = next(one for one in other.witnesses if one.id == best.witness.id)
    outside = own.outside[best.witness.id][:, at]
    gain = outside - own.outside["random"][:, at]
    return Judged(
        *(float(np.nanmean(lost)), again.stability.at(best.size)),
        *(float(np.nanmean(gain)), best.size, best.accuracy("svm") - float(np.nanmean(outside))),
    )


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--local-data", type=Path)
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    pairs = dict(measure(given.words, given.local_data, *map(int, given.part.split("/"))))
    seen = [[two for pair in found for two in (pair, pair[::-1])] for found in pairs.values()]
    by_rule = {
        rule: [[judge(of, *two) for two in found] for found in seen] for rule, of in RULES.items()
    }
    rows = [summary(rule, found) for rule, found in by_rule.items()]
    print(as_markdown(HEADER, rows))
    print(f"{len(pairs)} data sets; scores in points")
    if given.keep:
        keep(rows, pairs, by_rule)


def measure(
    words: list[str], local: Path | None, part: int, parts: int
) -> Iterator[tuple[str, list]]:
    """Each data set's pairs of halves, from files where they are there."""
    catalogue = read_yaml(ROOT / "config" / "datasets.yaml")
    names = read_yaml(ROOT / "config" / "studies" / "alpha_from_data.yaml")["datasets"]
    files = local_files(local) if local else {}
    chosen = [*names, *(name for name in files if name not in names)]
    for number, name in enumerate(chosen):
        if (words and not any(word in name for word in words)) or number % parts != part - 1:
            continue
        entry = catalogue.get(name, {"missing": "median"})
        options = {"root": ROOT, "cache": ROOT / ".cache", "catalogue": catalogue}
        local_file = files.get(name) if name not in names else None
        try:
            table, _ = load(name, entry, local_file=local_file, **options)
        except UserError as error:  # measurements in the place of classes
            print(f"choice: left out: {error}", file=sys.stderr, flush=True)
            continue
        found = []
        for repeat in range(choice_data.repeats(len(table.y))):
            file = DATA / f"{name}.{repeat}.pickle"
            if not file.exists():
                print(f"choice: {name}, {repeat + 1}", file=sys.stderr, flush=True)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(pickle.dumps(choice_data.halve(name, table, repeat)))
            found.append(pickle.loads(file.read_bytes()))
        yield name, found


def means(found: list[list[Judged]]) -> np.ndarray:
    """The mean of each data set, one row each."""
    return np.array([np.nanmean(np.array(one), axis=0) for one in found])


def summary(rule: str, found: list[list[Judged]]) -> list[str]:
    """A row of the table: means over the data sets, and the worst."""
    lost, stability, gain, size, _ = means(found).T
    worst = (f"{100 * lost.max():.1f}", str(int((lost > 0.03).sum())))
    below = 0
    for one in found:
        gains = np.array([half.over_random for half in one])[:, None]
        below += int(gains.mean() < -t_half_width(gains, LEVEL)[0])
    others = (f"{stability.mean():.3f}", f"{100 * gain.mean():.1f}", str(below))
    return [rule, f"{100 * lost.mean():.2f}", *worst, *others, f"{size.mean():.1f}"]


def keep(rows: list[list[str]], pairs: dict, by_rule: dict[str, list]) -> None:
    """Write both tables, and what the rule in use expects too much, into files and document."""
    KEPT.mkdir(exist_ok=True)
    both = (means(by_rule[FORMER]), means(by_rule[TAKEN]))
    each = [
        [name, *(text for at in both for text in _cells(at[place])), _error(by_rule[TAKEN][place])]
        for place, name in enumerate(pairs)
    ]
    columns = ("data set", *(f"{of}, {rule}" for rule in ("before", "now") for of in OF_EACH))
    columns += (ERROR,)
    for name, header, found in (("rules", HEADER, rows), ("datasets", columns, each)):
        _write(KEPT / f"{name}.csv", header, found)
        show(name, as_markdown(header, found), DOCUMENT)
    optimism = 100 * both[1][:, 4].mean()
    told = f"it is {optimism:.1f} points higher than on the other half, on average."
    show("optimism", told, DOCUMENT)


def _error(found: list[Judged]) -> str:
    """Standard error of what is given up, over the times that a table was halved."""
    halved = np.array([half.lost for half in found]).reshape(-1, 2).mean(axis=1)
    return f"{100 * halved.std(ddof=1) / np.sqrt(halved.size):.1f}"


def _cells(row: np.ndarray) -> list[str]:
    lost, stability, gain, size, _ = row
    return [f"{100 * lost:.1f}", f"{stability:.3f}", f"{100 * gain:.1f}", f"{size:.1f}"]


def _write(path: Path, header: tuple, rows: list[list[str]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


if __name__ == "__main__":
    main()
