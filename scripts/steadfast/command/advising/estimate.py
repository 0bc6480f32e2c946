"""What advice on a table will cost, before it is run, and how the run is made to fit a budget."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.advice.words.fewer import fewer_in_words
from steadfast.command.progress import duration
from steadfast.study.budget import Budget
from steadfast.study.costs import shape_of
from steadfast.study.declaration import Study
from steadfast.study.plan.budget import fewer
from steadfast.study.plan.memory import stage_mb

#: Stages in print, and the rule whose memory is theirs.
_STAGES = {
    "load": ("reading", "load_data"),
    "select": ("selection", "select"),
    "probes": ("shuffled copies", "probes"),
    "accuracy": ("accuracy", "accuracy"),
    "trust": ("q-values", "trust"),
    "start and print": ("starting and printing", "evidence"),
}


def budgets(study: Study, abouts: Mapping[str, Mapping[str, Any]]) -> list[Budget]:
    """What each data set costs, with fewer subsamples where fewer rows are not enough.

    `abouts` are descriptions of the data sets by name.
    """
    costs = [
        Budget(study, name, shape_of(about), 1 / len(abouts)) for name, about in abouts.items()
    ]
    if costs[0].runs is None or all(one.fits for one in costs):
        return costs
    runs = min(one.fewer_runs() for one in costs)
    return [one.with_runs(runs) for one in costs]


def tell_costs(costs: Sequence[Budget], usual: int | None, cores: int) -> list[str]:
    """Estimated time by stage, and what is made smaller to keep within the budget.

    `usual` is how many subsamples there would be if there were time.
    """
    seconds: dict[str, float] = {}
    for one in costs:
        for stage, value in one.seconds().items():
            seconds[stage] = seconds.get(stage, 0.0) + value
    cored = "1 core" if cores == 1 else f"{cores} cores"
    total = duration(sum(seconds.values()) / cores)
    lines = [f"estimated: {total} on {cored}; by stage, with the memory of a job:"]
    for stage, value in seconds.items():
        name, rule = _STAGES[stage]
        memory = max(stage_mb(rule, one) for one in costs) / 1000
        lines.append(f"  {name:<22} {duration(value / cores):>8} {memory:6.1f} GB")
    for one in costs:
        told = fewer(one, usual)
        if told:
            limit = f"{told['minutes']:g} min on 2 cores"
            lines.append(f"to end within {limit}:" if one.fits else f"{limit} are too few even so:")
            lines += [f"  {sentence}" for sentence in fewer_in_words(told)]
    return lines
