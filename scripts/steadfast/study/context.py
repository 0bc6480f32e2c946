"""What one output needs to know of its study, as JSON for its job.

Kept as small as possible: what is not in a context can change without a rerun of its output.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from steadfast.study.declaration import Study
from steadfast.study.kind import Kind
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
        "published": {stand_ins.get(name, name): row for name, row in published.items()},
        **more_context(study, kind, entry, folds_per_job=folds_per_job),
    }


def more_context(
    study: Study, kind: Any, entry: Mapping[str, Any], *, folds_per_job: int
) -> Context:
    """What a kind needs to know of the study besides what all do."""
    found = kind.context(study, entry)
    if "selections" in kind.source.reads:
        found["batches"] = _batches(study, study.datasets, study.selectors, folds_per_job)
    return found


def output_context(
    study: Study,
    kind: Kind,
    entry: Mapping[str, Any],
    *,
    published: Mapping[str, Any],
    folds_per_job: int,
    seed: int,
) -> Context:
    """The context of a table or figure.

    Of a selector's method, figures know which of its settings this is: 0 for the study's first.

    Parameters
    ----------
    published
        What the paper prints under the entry's name: row to column to value.
    folds_per_job, seed
        The run's, for kinds that read selections or draw.
    """
    selectors = kind.selectors(study, entry)
    datasets = kind.datasets(study, entry)
    context: Context = {
        "study": study.name,
        "entry": dict(entry),
        "datasets": datasets,
        "ratios": study.ratios,
        "selectors": {name: study.selectors[name].label for name in selectors},
        "methods": {name: _method(study, name) for name in selectors},
        "classifiers": study.classifier_labels,
        "measures": study.measure_infos(kind.measures(study, entry)),
        "random": kind.random_selector(study, entry),
        "ties": study.ties,
        **kind.context(study, entry, published),
    }
    context |= _not_run(study, datasets) | _first_score(study)
    if "size" in kind.keys and not kind.any_size:
        context["sizes"] = study.measured_sizes
    if kind.reads_of(entry).selections:
        context["batches"] = _batches(study, datasets, selectors, folds_per_job)
    if kind.reads_of(entry).selections or kind.draws:
        context["seed"] = seed
    return context


def _method(study: Study, selector: str) -> tuple[str, int]:
    """What a selector runs, and how many selectors of the study run it before this one."""
    method = study.selectors[selector].use
    same = [name for name, one in study.selectors.items() if one.use == method]
    return method, same.index(selector)


def _batches(
    study: Study, datasets: Iterable[str], selectors: Iterable[str], folds_per_job: int
) -> dict[str, dict[str, int]]:
    """In how many batches the folds of each selector come, by data set."""
    return {
        dataset: {name: len(study.batches(dataset, name, folds_per_job)) for name in selectors}
        for dataset in datasets
    }


def _not_run(study: Study, datasets: Sequence[str]) -> Context:
    """Selectors that are not run on some data set, where there are any."""
    found = study.not_run(datasets)
    return {"not_run": found} if found else {}


def _first_score(study: Study) -> Context:
    """What accuracy is measured by, where a study says."""
    return {} if study.scored_usually else {"scoring": study.scoring[0]}


def _scoring(study: Study) -> Context:
    """All that accuracy is measured by, where a study says."""
    return {} if study.scored_usually else {"scoring": list(study.scoring)}


def summary_context(
    study: Study, *, folds_per_job: int, seed: int, verdicts: Mapping[str, float]
) -> Context:
    """The context of a summary, and of all claims in it.

    `verdicts` are the run's shares of cases that must speak for a claim.
    """
    kinds = [(kind_of("claim", claim), claim) for claim in study.claims]
    functions = [(kind, claim) for kind, claim in kinds if hasattr(kind, "source")]
    kinds = [(kind, claim) for kind, claim in kinds if not hasattr(kind, "source")]
    wanted: list[Mapping[str, Any]] | None = []
    for kind, claim in kinds:
        own = kind.measures(study, claim)
        wanted = None if wanted is None or own is None else [*wanted, *own]
    readers = [(kind, claim) for kind, claim in kinds if kind.reads_of(claim).selections]
    selectors = {name for kind, claim in readers for name in kind.selectors(study, claim)}
    more: Context = {"classifiers": study.classifier_labels}
    more |= _not_run(study, study.datasets) | _first_score(study)
    for kind, claim in kinds:
        more |= kind.context(study, claim, {})
    if readers:
        more["batches"] = _batches(study, study.datasets, sorted(selectors), folds_per_job)
        more["ties"] = study.ties
    if readers or any(kind.draws for kind, _ in kinds):
        more["seed"] = seed
    new = study_context(study, seed=seed)
    for kind, claim in functions:
        new |= more_context(study, kind, claim, folds_per_job=folds_per_job)
    more["new"] = new
    return {
        **more,
        "study": study.name,
        "title": study.title,
        "paper": study.paper,
        "claims": study.claims,
        "untested": study.untested,
        "verdicts": dict(verdicts),
        "datasets": study.datasets,
        "left_out": study.left_out,
        "selectors": {name: one.label for name, one in study.selectors.items()},
        "measures": study.measure_infos(wanted),
        "tables": {name: entry["title"] for name, entry in study.tables.items()},
        "table_datasets": {name: entry.get("dataset") for name, entry in study.tables.items()},
        "ratios": study.ratios,
        "families": study.families,
        "transforms": study.transform_infos,
        "sizes": study.measured_sizes,
    }


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
