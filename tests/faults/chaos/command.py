"""Disturb runs in every way, and compare what comes out with runs that nothing disturbed."""

import argparse
import itertools
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

from chaos import damages, disks, figures, kills
from chaos.study import SIDES, openml_server
from chaos.trial import DEAD_END, Trial, Undisturbed


class Kind(NamedTuple):
    """A kind of trial: what it does, how often it is drawn, and how many disturbances it makes."""

    do: Callable[[Trial, int], None]
    weight: int
    fewest: int
    most: int
    counts_as: str


KINDS = {
    "kill": Kind(kills.kill, 10, 1, 6, "kills"),
    "kept folds": Kind(kills.kept_folds, 3, 1, 3, "damages"),
    "damage, then verify": Kind(damages.verified, 5, 10, 30, "damages"),
    "damage, then go on": Kind(damages.read, 6, 1, 3, "damages"),
    "full disk": Kind(disks.full, 3, 1, 1, "disks"),
    "two at once": Kind(kills.two_at_once, 3, 1, 1, "doubles"),
}
#: Repeating a trial is as a step of it: the draw is the same, moments of kills are near.
REPEAT = "make chaos only={number} seed={given.seed} sides={given.sides}"


class Planned(NamedTuple):
    """A trial before it is made: all of it follows from the seed and its number."""

    number: int
    kind: str
    side: str
    times: int
    draw: random.Random


def planned(seed: int, number: int, sides: list[str]) -> Planned:
    """The trial of a number."""
    draw = random.Random(f"{seed}/{number}")
    kind = draw.choices(list(KINDS), [one.weight for one in KINDS.values()])[0]
    side = sides[0] if kind == "kept folds" else draw.choice([sides[0], sides[0], *sides])
    times = draw.randint(KINDS[kind].fewest, KINDS[kind].most)
    return Planned(number, kind, side, times, draw)


def enough(seed: int, wanted: dict[str, int], sides: list[str]) -> Iterator[Planned]:
    """Trials, by their numbers, until each sort of disturbance is there as often as is wanted."""
    left = dict(wanted)
    for number in itertools.count(1):
        if all(count <= 0 for count in left.values()):
            return
        one = planned(seed, number, sides)
        sort = KINDS[one.kind].counts_as
        if left[sort] > 0:
            one = one._replace(times=min(one.times, left[sort]))
            left[sort] -= one.times if sort in ("kills", "damages") else 1
            yield one


def until(seed: int, minutes: float, sides: list[str]) -> Iterator[Planned]:
    """Trials until the time is over."""
    end = time.monotonic() + 60 * minutes
    for number in itertools.count(1):
        if time.monotonic() > end:
            return
        yield planned(seed, number, sides)


def make_trial(one: Planned, wholes: dict[str, Undisturbed], folder: Path) -> Trial:
    """Make a trial in a folder that is gone afterwards."""
    trial = Trial(one.number, one.kind, one.draw, wholes[one.side], folder / f"trial{one.number}")
    began = time.monotonic()
    try:
        KINDS[one.kind].do(trial, one.times)
    except OSError as error:
        trial.fault(DEAD_END, f"the trial itself failed: {error}")
    finally:
        trial.seconds = time.monotonic() - began
        shutil.rmtree(trial.folder, ignore_errors=True)
    return trial


def make_trials(
    plan: Iterator[Planned],
    wholes: dict[str, Undisturbed],
    folder: Path,
    given: argparse.Namespace,
) -> list[Trial]:
    """Make trials, some at a time, and say how each went."""
    trials: list[Trial] = []
    with ThreadPoolExecutor(given.workers) as pool:
        waiting = set()
        for one in itertools.chain(plan, [None]):
            if one is not None:
                waiting.add(pool.submit(make_trial, one, wholes, folder))
            while waiting and (one is None or len(waiting) >= given.workers):
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    trials.append(future.result())
                    tell(trials[-1], given)
    return sorted(trials, key=lambda trial: trial.number)


def tell(trial: Trial, given: argparse.Namespace) -> None:
    """A line on a trial, and all of it where there is a fault, or where it was asked for."""
    outcome = ", ".join(trial.faults) or "fine"
    print(
        f"{trial.number:4} {trial.kind} ({trial.whole.side.name}): {outcome}, {trial.seconds:.0f} s"
    )
    if trial.noted or given.only:
        for sort, what in trial.noted:
            print(f"     {sort.upper()}: {what}")
        print("     " + "\n     ".join(trial.steps))
        print(f"     again: {REPEAT.format(number=trial.number, given=given)}", flush=True)


def chaos(given: argparse.Namespace) -> list[Trial]:
    """Make the undisturbed runs, then the trials."""
    sides = given.sides.split(",")
    wanted = {"kills": given.kills, "damages": given.damages}
    wanted |= {"disks": given.disks, "doubles": given.doubles}
    if given.only:
        plan = iter([planned(given.seed, number, sides) for number in given.only])
    elif any(wanted.values()):
        plan = enough(given.seed, wanted, sides)
    else:
        plan = until(given.seed, given.minutes, sides)
    folder = Path(tempfile.mkdtemp(prefix="chaos-", dir=given.folder))
    try:
        with openml_server():
            wholes = {name: Undisturbed(SIDES[name], folder / name) for name in sides}
            for whole in wholes.values():
                whole.make()
            return make_trials(plan, wholes, folder, given)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def parser() -> argparse.ArgumentParser:
    """How long or how much, and of what."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long, if no number is given")
    parser.add_argument("--kills", type=int, default=0, help="so many, and no limit of time")
    parser.add_argument("--damages", type=int, default=0, help="so many damaged files")
    parser.add_argument("--disks", type=int, default=0, help="so many full disks")
    parser.add_argument("--doubles", type=int, default=0, help="so many times two runs at once")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn")
    parser.add_argument("--only", type=int, nargs="+", default=[], help="numbers of trials")
    parser.add_argument("--sides", default="study,advise", help="which runs are disturbed")
    parser.add_argument("--workers", type=int, default=2, help="trials at a time")
    parser.add_argument("--folder", help="where; a temporary folder if left out")
    parser.add_argument("--keep", action="store_true", help="the figures, in docs/reliability.md")
    return parser


def main() -> None:
    """Print the figures; exit code 1 where there was a fault."""
    given = parser().parse_args()
    began = time.monotonic()
    trials = chaos(given)
    rows = figures.rows(trials)
    print(f"\n{figures.as_markdown(figures.HEADER, rows)}\n")
    print(f"{(time.monotonic() - began) / 60:.0f} minutes, seed {given.seed}")
    if given.keep:
        figures.keep(rows)
    raise SystemExit(any(trial.faults for trial in trials))
