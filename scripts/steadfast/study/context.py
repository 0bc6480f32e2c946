"""What one output needs to know of its study, as JSON for its job.

Kept as small as possible: what is not in a context can change without a rerun of its output.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from steadfast.study.declaration import Study
from steadfast.study.load import kind_of

Context = dict[str, Any]


def study_context(study: Study, *, seed: int) -> Context:
    """What all tables, figures and claims know of their study."""
    return {
        "study": study.name,
        "datasets": study.datasets,
        "ratios": study.ratios,
        "sizes": study.measured_sizes,
        "selectors": {name: _selector(study, name) for name in study.selectors},
        "families": study.families,
        "transforms": study.transform_infos,
        "classifiers": study.classifier_labels,
        "scoring": study.scoring[0],
        "measures": study.measure_infos(None),
        "scenarios": {name: one["label"] for name, one in study.scenarios.items()},
        "not_run": study.not_run(study.datasets),
        "ties": study.ties,
        "seed": seed,
    }


def _selector(study: Study, name: str) -> Context:
    """A selector: its name in print, its method, and how many of the study run that before it."""
    one = study.selectors[name]
    same = [other for other, each in study.selectors.items() if each.use == one.use]
    return {
        "label": one.label,
        "method": [one.use, same.index(name)],
        "random": one.at_random,
    }


def entry_context(
    study: Study,
    kind: Any,
    entry: Mapping[str, Any],
    *,
    published: Mapping[str, Any],
    folds_per_job: int,
    seed: int,
) -> Context:
    """The context of a table or figure.

    Parameters
    ----------
    published
        What the paper prints under the entry's name: row to column to value.
    """
    stand_ins = study.stand_ins
    return {
        **study_context(study, seed=seed),
        "entry": dict(entry),
        "published": {_in_this_run(name, stand_ins): row for name, row in published.items()},
        **more_context(study, kind, entry, folds_per_job=folds_per_job),
    }


def _in_this_run(row: str, stand_ins: Mapping[str, str]) -> str:
    """The name of a paper's row, `ovarian 10` say, with the data set that stands in for its own."""
    dataset, blank, size = row.partition(" ")
    return stand_ins.get(dataset, dataset) + blank + size


def more_context(
    study: Study, kind: Any, entry: Mapping[str, Any], *, folds_per_job: int
) -> Context:
    """What a kind needs to know of the study besides what all do."""
    found = kind.context(study, entry)
    if "selections" in kind.source.reads:
        found["batches"] = _batches(study, study.datasets, study.selectors, folds_per_job)
    return found


def _batches(
    study: Study, datasets: Iterable[str], selectors: Iterable[str], folds_per_job: int
) -> dict[str, dict[str, int]]:
    """In how many batches the folds of each selector come, by data set."""
    return {
        dataset: {name: len(study.batches(dataset, name, folds_per_job)) for name in selectors}
        for dataset in datasets
    }


def _scoring(study: Study) -> Context:
    """All that accuracy is measured by, where a study says."""
    return {} if study.scored_usually else {"scoring": list(study.scoring)}


def summary_context(
    study: Study, *, folds_per_job: int, seed: int, verdicts: Mapping[str, float]
) -> Context:
    """The context of a summary, and of all claims in it.

    `verdicts` are the run's shares of cases that must support a claim.
    """
    context = {
        **study_context(study, seed=seed),
        "title": study.title,
        "paper": study.paper,
        "claims": study.claims,
        "untested": study.untested,
        "verdicts": dict(verdicts),
        "left_out": study.left_out,
        "tables": {name: entry["title"] for name, entry in study.tables.items()},
    }
    for claim in study.claims:
        kind = kind_of("claim", claim)
        context |= more_context(study, kind, claim, folds_per_job=folds_per_job)
    return context


def evidence_context(study: Study, dataset: str, *, folds_per_job: int, seed: int) -> Context:
    """What the page looks at on a data set."""
    ratio = study.scheme.page_ratio()
    return {
        "study": study.name,
        "dataset": dataset,
        "selectors": {
            name: {
                "label": one.label,
                "baseline": name == study.random_selector,
                "note": one.transform.note if one.transform else "",
                **({"barred": one.barred} if one.barred else {}),
                "probes": has_probes(study, name),
                "batches": len(study.batches(dataset, name, folds_per_job)),
            }
            for name, one in study.judged_selectors(dataset).items()
        },
        "classifiers": study.classifier_labels,
        "measures": study.measures,
        "all_sizes": not isinstance(study.measured_sizes, list),
        "ratio": ratio,
        "runs": study.scheme.describe(ratio),
        **({"independent": True} if study.scheme.independent_draws else {}),
        "ties": study.ties,
        "seed": seed,
        "largest": 10**6 if study.sizes == "all" else max(study.sizes),
        **({"trust": True} if study.trust else {}),
        **({"halves": study.scheme.halves} if study.scheme.halves else {}),
        "margin": study.margin,
        **({} if study.advice else {"advice": False}),
        **_scoring(study),
    }


def has_probes(study: Study, selector: str) -> bool:
    """Whether a selector is also run with shuffled copies of the features."""
    one = study.selectors[selector]
    fits = one.runs_are_independent and not one.is_rule
    return study.probes and fits and selector != study.random_selector


def page_context(study: Study, *, seed: int, command: str) -> Context:
    """What the page says beside its evidence."""
    labels = list(study.classifier_labels.values())
    return {
        "study": study.name,
        "title": study.title,
        "paper": study.paper,
        "seed": seed,
        "command": command,
        "runs": study.scheme.describe(study.scheme.page_ratio()),
        "bins_inside_folds": study.bins.inside_folds,
        "classifier": labels[0] if labels else None,
        **({"margin": study.margin} if labels and study.advice else {}),
        "probes": study.probes,
        **({"trust": True} if study.trust else {}),
        "has_rules": bool(study.rule_selectors),
        "dependent": [
            one.label for one in study.selectors.values() if not one.runs_are_independent
        ],
        "mere_readings": [
            one.label
            for one in study.selectors.values()
            if one.runs_are_independent and not one.on_page
        ],
        **_scoring(study),
    }


def index_context(study: Study, *, has_published: bool, has_times: bool) -> Context:
    """What the page of the whole run says of a study beside its claims and numbers."""
    named: Context = {}
    if has_published:
        readings = [name for names in study.readings.values() for name in names[1:]]
        named = {
            "selectors": {name: one.label for name, one in study.selectors.items()},
            "families": study.families,
            "transforms": {name: {"label": one.label} for name, one in study.transforms.items()},
            "further_readings": readings,
        }
    return {
        "study": study.name,
        "title": study.title,
        "asks": study.asks,
        "paper": study.paper,
        "datasets": study.datasets,
        "tables": {name: entry["title"] for name, entry in study.tables.items()},
        "figures": {name: entry["title"] for name, entry in study.figures.items()},
        "left_out": study.left_out,
        "has_published": has_published,
        "has_times": has_times,
        **named,
    }
