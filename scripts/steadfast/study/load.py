"""A study's declaration: read, completed, and checked against what exists."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from steadfast.core import registry
from steadfast.core.config import check_schema, merge, read_yaml
from steadfast.core.errors import UserError, nearest
from steadfast.measures import declarations
from steadfast.resampling import schemes
from steadfast.selectors.running.fold_file import CHOSEN
from steadfast.statistics.friedman import FEWEST_DATASETS
from steadfast.study.checks import (
    OF_ACCURACY,
    OF_ONE_RATIO,
    OF_STABILITY,
    check_bins,
    check_chosen,
    check_compared,
    check_complete,
    check_entry,
    check_means,
    check_pairs,
    check_runs,
    check_scored,
    entries,
)
from steadfast.study.context import ACROSS_DATASETS, random_selector
from steadfast.study.experiments import check_experiments
from steadfast.study.page import check_probes
from steadfast.study.selectors import complete_selector
from steadfast.study.transforms import with_transforms

Study = dict[str, Any]

#: Subset size of a table, figure or claim that names none, but for those over all sizes.
_SIZE = 10

#: Parameters that each kind of classifier has.
_CLASSIFIERS = {
    "knn": {"k", "scale"},
    "svm": {"kernel", "C", "scale", "outcomes", "tune"},
    "gaussian": {"ridge"},
    "kmeans": {"clusters", "scale", "truth"},
}


def load_study(
    path: Path,
    schema: Mapping[str, Any],
    datasets: Collection[str],
    *,
    changes: Mapping[str, Any] | None = None,
    has_published: bool = True,
) -> Study:
    """Read a study file, apply the run's changes, fill in defaults and check every name.

    Parameters
    ----------
    path, schema
        The study file and the schema it must follow.
    datasets
        Names of the data sets that can be had.
    changes
        What the run's `overrides` say about this study.
    has_published
        Whether the paper's printed numbers are at hand.
    """
    source = str(path)
    content = read_yaml(path)
    declared_tables = set(content.get("tables") or {})
    if changes:
        check_schema(content, schema, source)
        content = merge(content, changes, f"overrides.{path.stem}")
        source = f"{source} with the config's overrides"
    study = check_schema(content, schema, source)
    if isinstance(study["sizes"], dict):
        study["sizes"] = list(range(1, study["sizes"]["largest"] + 1))
    study["selectors"] = {
        name: complete_selector(name, entry, f"{source}: selectors.{name}")
        for name, entry in study["selectors"].items()
    }
    with_transforms(study, source)
    _check_resampling(study, source)
    _complete_measures(study)
    _name_methods(study)
    for number, claim in enumerate(study["claims"], start=1):
        claim["number"] = number
    _check_measured_once(study, source)
    _check_names(study, set(datasets), declared_tables, source)
    check_bins(study, source)
    check_runs(study, source)
    check_means(study, source)
    check_chosen(study, source)
    check_pairs(study, source)
    check_experiments(study, source)
    check_probes(study, source)
    _check_kinds(study, source)
    _leave_out_absent(study, has_published)
    return study


def _check_resampling(study: Study, source: str) -> None:
    """The scheme must have the settings it is given, and folds to compare with if that is asked."""
    try:
        scheme = schemes.create(study["resample"])
    except UserError as error:
        raise UserError(f"{source}: {error}") from None
    asked = [study["stability"]["compare"]] + [
        entry["compare"] for entry in study["stability"]["measures"] if not isinstance(entry, str)
    ]
    if "reference" in asked and not isinstance(scheme, schemes.ShrinkingBootstrap):
        raise UserError(
            f"{source}: stability.compare: {study['resample']['scheme']} has no reference to "
            "compare with; use compare: all_pairs"
        )


def _complete_measures(study: Study) -> None:
    """Measures as `measure` and `compare`, which an entry may leave to the study."""
    asked = study["stability"]
    asked["measures"] = [
        {"compare": asked["compare"], **({"measure": entry} if isinstance(entry, str) else entry)}
        for entry in asked["measures"]
    ]


def _name_methods(study: Study) -> None:
    """Name the measure or classifier wherever an entry leaves it to the study's first one."""
    measured = study["stability"]["measures"]
    classifier = next(iter(study["accuracy"]["classifiers"]), None)
    entries = [*study["tables"].values(), *study["figures"].values(), *study["claims"]]
    ratios = schemes.create(study["resample"]).ratios()
    for entry in entries:
        if entry["kind"] == "stability_test":
            own_size = all(given["compare"] == CHOSEN for given in measured)
            entry.setdefault("compare", CHOSEN if own_size else "all_pairs")
        if entry["kind"] not in ACROSS_DATASETS:
            entry.setdefault("size", _SIZE)
        for asked in (entry, *entry.get("panels", [])):
            if len(ratios) == 1 and ("of" in asked or asked.get("kind") in OF_ONE_RATIO):
                asked.setdefault("ratio", ratios[0])
            if asked.get("kind") in OF_ACCURACY:
                asked.setdefault("classifier", classifier)
            if asked.get("of") == "stability" or asked.get("kind") in OF_STABILITY:
                asked.setdefault("measure", measured[0]["measure"])
                same = [given for given in measured if given["measure"] == asked["measure"]]
                asked.setdefault("compare", (same or measured)[0]["compare"])
            elif asked.get("of") == "accuracy":
                asked.setdefault("classifier", classifier)


def _check_names(study: Study, datasets: set[str], tables: set[str], source: str) -> None:
    """Every data set, selector, measure, classifier, ratio and table that is named must exist.

    `tables` are those of the study file; overrides may have taken some of them out.
    """
    known = {
        "dataset": datasets,
        "selector": set(study["selectors"]),
        "declared": set(declarations()),
        "measure": {given["measure"] for given in study["stability"]["measures"]},
        "classifier": set(study["accuracy"]["classifiers"]),
        "ratio": set(schemes.create(study["resample"]).ratios()),
        "table": {*tables, *study["tables"]},
        "family": set(study["families"]),
        "transform": set(study["transforms"]),
    }
    for where, kind, name in _named(study):
        if name not in known[kind]:
            word = {"dataset": "data set", "declared": "measure"}.get(kind, kind)
            options = {str(option) for option in known[kind]}
            hint = nearest(name, options)
            if kind == "dataset":
                hint += " (a file of your own needs --config local_data=FOLDER)"
            raise UserError(f"{source}: {where}: unknown {word} {name!r}; {hint}")
    for name, entry in study["accuracy"]["classifiers"].items():
        kind = entry.setdefault("use", name)
        if kind not in _CLASSIFIERS:
            raise UserError(
                f"{source}: accuracy.classifiers.{name}.use: unknown classifier {kind!r}; "
                f"{nearest(kind, _CLASSIFIERS)}"
            )
        if {"tune", "C"} <= entry.keys():
            raise UserError(
                f"{source}: accuracy.classifiers.{name}.C: tune chooses it; take one of them out"
            )
        for key in entry.keys() & (set.union(*_CLASSIFIERS.values()) - _CLASSIFIERS[kind]):
            raise UserError(
                f"{source}: accuracy.classifiers.{name}.{key}: {kind} has no such parameter"
            )


def _named(study: Study) -> Iterator[tuple[str, str, Any]]:
    """Where a name stands, what kind of thing it names, and the name."""
    lists = [("datasets", "dataset", study["datasets"])]
    lists.append(("stand_ins", "dataset", study["stand_ins"].values()))
    measures = [given["measure"] for given in study["stability"]["measures"]]
    lists.append(("stability.measures", "declared", measures))
    for at, cells in enumerate(study["runs"]):
        for kind in ("selector", "dataset"):
            lists.append((f"runs.{at}.{kind}s", kind, cells.get(f"{kind}s", [])))
    for where, kind, names in lists:
        yield from ((where, kind, name) for name in names)
    for name, entry in study["accuracy"]["classifiers"].items():
        yield from (
            (f"accuracy.classifiers.{name}.ratios", "ratio", ratio)
            for ratio in entry.get("ratios", [])
        )
    asked = study.get("precision", {})
    for key, kind in (("selectors", "family"), ("transforms", "transform")):
        yield from ((f"precision.{key}", kind, name) for name in asked.get(key, []))
    for where, entry in entries(study):
        yield from _named_in(where, entry)


def _named_in(where: str, entry: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    kinds = dict.fromkeys(("better", "than", "pivot", "reference"), "selector")
    kinds |= {"family": "family", "baseline": "transform"}
    for kind in ("dataset", "selector", "measure", "classifier", "ratio", "table", "transform"):
        kinds[kind] = kind
        yield from ((f"{where}.{kind}s", kind, name) for name in entry.get(f"{kind}s", []))
    yield from ((f"{where}.families", "family", name) for name in entry.get("families", []))
    for group, names in entry.get("dataset_groups", {}).items():
        yield from ((f"{where}.dataset_groups.{group}", "dataset", name) for name in names)
    for pair in entry.get("gains", []):
        yield from ((f"{where}.gains", "transform", name) for name in pair)
    for key, kind in kinds.items():
        if key in entry:
            yield f"{where}.{key}", kind, entry[key]
    for at, sweep in enumerate(entry.get("sweeps", [])):
        names = sweep["selectors"]
        yield from ((f"{where}.sweeps.{at}.selectors", "selector", name) for name in names)
    for key in ("pairs", "groups"):
        names = [name for group in entry.get(key, []) for name in group]
        yield from ((f"{where}.{key}", "selector", name) for name in names)
    for i, panel in enumerate(entry.get("panels", [])):
        yield from _named_in(f"{where}.panels.{i}", panel)


def _check_measured_once(study: Study, source: str) -> None:
    seen = []
    for given in study["stability"]["measures"]:
        if given in seen:
            raise UserError(
                f"{source}: stability.measures: {given['measure']} by {given['compare']} stands "
                "there twice; take one out"
            )
        seen.append(given)


def _check_kinds(study: Study, source: str) -> None:
    """What a kind of table, figure or claim asks of the names it is given."""
    for where, entry in entries(study):
        for asked in (entry, *entry.get("panels", [])):
            check_scored(study, asked, f"{source}: {where}")
            check_compared(study, asked, f"{source}: {where}")
            check_complete(asked, entry, f"{source}: {where}")
        if not where.startswith("claims"):
            check_entry(study, entry, f"{source}: {where}")
        draws = entry.get("chance") and any(
            panel["of"] == "accuracy" for panel in entry.get("panels", [])
        )
        if draws and random_selector(study) is None:
            raise UserError(
                f"{source}: {where}.chance: the accuracy of random selection is that of the "
                "selector random; add `random: {}` to selectors"
            )
    for name, entry in study["figures"].items():
        if entry["kind"] == "criterion":
            use = study["selectors"][entry["selector"]]["use"]
            declared = registry.declared("selector").get(use)
            if declared is None or declared.class_name != "MRMR":
                raise UserError(
                    f"{source}: figures.{name}.selector: {entry['selector']} has no relevance and "
                    "redundancy; name an mRMR selector"
                )
    for number, claim in enumerate(study["claims"]):
        if claim["kind"] == "best" and claim["table"] in study["tables"]:
            table = study["tables"][claim["table"]]
            if table.get("rows") != "dataset" or claim["pivot"] not in table["selectors"]:
                raise UserError(
                    f"{source}: claims.{number}.table: {claim['table']} must have data sets as "
                    f"rows and {claim['pivot']} among its selectors"
                )


def _keep_present(entry: dict[str, Any], present: set[str]) -> str:
    """Take out panels of absent data sets; the absent ones, where nothing of the entry is left."""
    if entry.get("dataset") not in {None, *present}:
        return entry["dataset"]
    panels = entry.get("panels", [])
    kept = [panel for panel in panels if panel.get("dataset") in {None, *present}]
    if panels and not kept:
        return ", ".join(dict.fromkeys(panel["dataset"] for panel in panels))
    if panels:
        entry["panels"] = kept
    groups = entry.get("dataset_groups", {})
    for group, names in list(groups.items()):
        groups[group] = [name for name in names if name in present]
        if not groups[group]:
            del groups[group]
    if "dataset_groups" in entry and not groups:
        return "none of its data sets"
    return ""


def _leave_out_absent(study: Study, has_published: bool) -> None:
    """Drop what needs data sets or printed numbers that this run of the study does not have."""
    present = set(study["datasets"])
    study["left_out"] = []
    for part in ("tables", "figures"):
        for name, entry in list(study[part].items()):
            reason = _keep_present(entry, present)
            if entry["kind"] in ACROSS_DATASETS and len(present) < FEWEST_DATASETS:
                reason = f"Friedman's test needs {FEWEST_DATASETS} data sets"
            if not reason and entry["kind"] == "published" and not has_published:
                reason = "no published numbers"
            if reason:
                study["left_out"].append(f"{name} ({reason})")
                del study[part][name]
    for claim in list(study["claims"]):
        if "datasets" in claim:
            claim["datasets"] = [name for name in claim["datasets"] if name in present]
            if not claim["datasets"]:
                study["left_out"].append(f"claim {claim['number']} (none of its data sets)")
                study["claims"].remove(claim)
                continue
        if claim.get("table") not in {None, *study["tables"]}:
            study["left_out"].append(f"claim {claim['number']} ({claim['table']})")
            study["claims"].remove(claim)
