"""A study's file, read, completed, and checked against what exists."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from steadfast.accuracy import classifiers
from steadfast.core import registry
from steadfast.core.config import check_schema, merge, read_yaml
from steadfast.core.errors import UserError, suggest
from steadfast.core.keys import check_entry, named_values, text
from steadfast.data.sources.scenario import SCENARIO, refuse_contradictions
from steadfast.measures import declarations as measures
from steadfast.resampling import schemes
from steadfast.study import checks
from steadfast.study.costs import minutes
from steadfast.study.declaration import Bins, Study
from steadfast.study.renamed import refuse_renamed
from steadfast.study.selectors import after_transforms, complete_selector, complete_transform


def load_study(
    path: Path,
    schema: Mapping[str, Any],
    datasets: Collection[str],
    *,
    name: str = "",
    changes: Mapping[str, Any] | None = None,
    has_published: bool = True,
) -> Study:
    """Read a study file, apply the run's changes, fill in defaults and check every name.

    Parameters
    ----------
    path, schema
        The study file and the schema that its general part must follow.
    datasets
        Names of the data sets that can be had.
    name
        The study's name; that of the file if left out.
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
    study = _declare(check_schema(content, schema, source), name or path.stem, source)
    checks.check_compared(study)
    _complete_entries(study)
    _check_names(study, set(datasets), declared_tables)
    checks.check_study(study)
    for where, kind, entry in entries(study):
        kind.check(study, entry, f"{source}: {where}")
    _leave_out_absent(study, has_published)
    return study


def _declare(content: dict[str, Any], name: str, source: str) -> Study:
    """The study with its general part completed; entries of outputs are still as they stand."""
    limit = {"time_limit": content["time_limit"]} if "time_limit" in content else {}
    selectors = {
        id_: complete_selector(id_, {**limit, **entry}, f"{source}: selectors.{id_}")
        for id_, entry in content["selectors"].items()
    }
    transforms = {
        id_: complete_transform(id_, entry, f"{source}: transforms.{id_}")
        for id_, entry in content["transforms"].items()
    }
    sizes = content["sizes"]
    if isinstance(sizes, dict):
        sizes = list(range(1, sizes["largest"] + 1))
    stability, accuracy = content["stability"], content["accuracy"]
    scoring = accuracy["scoring"]
    return Study(
        name=name,
        source=source,
        title=content["title"],
        asks=content.get("asks", ""),
        paper=content.get("paper", ""),
        datasets=content["datasets"],
        published=content.get("published", name),
        stand_ins=content["stand_ins"],
        readings=content["readings"],
        published_means=content["published_means"],
        bins=Bins(**content["discretise"]),
        resample=schemes.complete(content["resample"], source),
        selectors=after_transforms(selectors, transforms, source),
        transforms=transforms,
        families={id_: one.label for id_, one in selectors.items()},
        probes=content["probes"],
        trust=content["trust"],
        advice=content["advice"],
        margin=content["margin"],
        budget=minutes(content.get("budget")),
        precision=content.get("precision"),
        recovery=_complete_recovery(content.get("recovery"), content["selectors"], source),
        alpha=content.get("alpha"),
        runs=content["runs"],
        sizes=sizes,
        ties=stability["ties"],
        measures=_complete_measures(stability, source),
        accuracy_features=accuracy["features"],
        scoring=(scoring,) if isinstance(scoring, str) else tuple(scoring),
        classifiers={
            id_: classifiers.complete(id_, entry, source, f"accuracy.classifiers.{id_}")
            for id_, entry in accuracy["classifiers"].items()
        },
        tables=content["tables"],
        figures=content["figures"],
        claims=content["claims"],
    )


def _complete_recovery(
    given: dict[str, Any] | None, selectors: Collection[str], source: str
) -> dict[str, Any] | None:
    """Scenarios with all their settings; all selectors of the study if it names none."""
    if given is None:
        return None
    keys = {"label": text("Name in print."), **SCENARIO}
    del keys["seed"]  # that of the run
    scenarios = {}
    for name, entry in given["scenarios"].items():
        at = f"recovery.scenarios.{name}"
        scenarios[name] = {"label": name, **check_entry(entry, keys, source, at, of="a scenario")}
        refuse_contradictions(scenarios[name], f"{source}: {at}")
    return {"selectors": list(selectors), **given, "scenarios": scenarios}


def _complete_measures(stability: Mapping[str, Any], source: str) -> list[dict[str, str]]:
    """Measures as `measure` and `compare`, which an entry may leave to the study."""
    complete: list[dict[str, str]] = []
    for entry in stability["measures"]:
        own = {"measure": entry} if isinstance(entry, str) else entry
        given = {"compare": stability["compare"], **own}
        if given in complete:
            raise UserError(
                f"{source}: stability.measures: {given['measure']} by {given['compare']} stands "
                "there twice; take one out"
            )
        complete.append(given)
    return complete


def entries(study: Study) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Tables, figures and claims: where each stands, its kind, and the entry."""
    for sort in ("table", "figure"):
        for name, entry in getattr(study, f"{sort}s").items():
            yield f"{sort}s.{name}", kind_of(sort, entry), entry
    for number, entry in enumerate(study.claims):
        yield f"claims.{number}", kind_of("claim", entry), entry


def kind_of(sort: str, entry: Mapping[str, Any]) -> Any:
    """The kind of an entry: an `outputs.kinds.Kind`."""
    return registry.load(sort, entry["kind"]).kind


def _complete_entries(study: Study) -> None:
    """Check every entry against the keys of its kind, and fill in what it leaves to the study."""
    for sort in ("table", "figure"):
        own = getattr(study, f"{sort}s")
        for name, entry in own.items():
            own[name] = _complete_entry(study, sort, entry, f"{sort}s.{name}")
    for at, entry in enumerate(study.claims):
        study.claims[at] = _complete_entry(study, "claim", entry, f"claims.{at}")
        study.claims[at]["number"] = at + 1


def _complete_entry(study: Study, sort: str, entry: Mapping[str, Any], at: str) -> dict[str, Any]:
    known = registry.declared(sort)
    refuse_renamed(sort, entry, f"{study.source}: {at}")
    if entry["kind"] not in known:
        raise UserError(
            f"{study.source}: {at}.kind: {entry['kind']!r} is not known; "
            f"{suggest(entry['kind'], known)}"
        )
    kind = kind_of(sort, entry)
    keys = {**kind.common, **kind.keys}
    complete = check_entry(entry, keys, study.source, at, of=f"kind {entry['kind']}")
    kind.complete(study, complete)
    return complete


def _check_names(study: Study, datasets: set[str], tables: set[str]) -> None:
    """Every data set, selector, measure, classifier, ratio and table that is named must exist.

    `tables` are those of the study file; overrides may have taken some of them out.
    """
    known = {
        "dataset": datasets,
        "selector": set(study.selectors),
        "declared": set(measures()),
        "measure": {given["measure"] for given in study.measures},
        "classifier": set(study.classifiers),
        "ratio": set(study.ratios),
        "table": {*tables, *study.tables},
        "family": set(study.families),
        "transform": set(study.transforms),
        "scenario": set(study.scenarios),
    }
    for where, sort, name in _names(study):
        if name not in known[sort]:
            word = {"dataset": "data set", "declared": "measure", "family": "selector"}
            options = {str(option) for option in known[sort]}
            hint = suggest(name, options)
            if sort == "dataset":
                hint += " (a file of your own needs --config local_data=FOLDER)"
            raise UserError(
                f"{study.source}: {where}: unknown {word.get(sort, sort)} {name!r}; {hint}"
            )


def _names(study: Study) -> Iterator[tuple[str, str, Any]]:
    """Where a name stands, what sort of thing it names, and the name."""
    lists: list[tuple[str, str, Collection[Any]]] = [
        ("datasets", "dataset", study.datasets),
        ("stand_ins", "dataset", study.stand_ins.values()),
        ("readings", "selector", [name for names in study.readings.values() for name in names]),
        ("stability.measures", "declared", [given["measure"] for given in study.measures]),
    ]
    for at, entry in enumerate(study.runs):
        for sort in ("selector", "dataset"):
            lists.append((f"runs.{at}.{sort}s", sort, entry.get(f"{sort}s", [])))
    for name, entry in study.classifiers.items():
        where = f"accuracy.classifiers.{name}.ratios"
        lists.append((where, "ratio", entry.get("ratios", [])))
    for key, sort in (("selectors", "family"), ("transforms", "transform")):
        lists.append((f"precision.{key}", sort, (study.precision or {}).get(key, [])))
    for key in ("selectors", "fewer"):
        lists.append((f"recovery.{key}", "selector", (study.recovery or {}).get(key, [])))
    alpha = study.alpha or {}
    for question, by_rule in alpha.get("selectors", {}).items():
        lists.append((f"alpha.selectors.{question}", "selector", by_rule.values()))
    lists.append(("alpha.classifier", "classifier", [alpha["classifier"]] if alpha else []))
    for key, groups in (("kin", alpha.get("kin", [])), ("families", alpha.get("families", {}))):
        named = groups.values() if isinstance(groups, Mapping) else groups
        lists.append((f"alpha.{key}", "dataset", [name for group in named for name in group]))
    for where, sort, names in lists:
        yield from ((where, sort, name) for name in names)
    for where, kind, entry in entries(study):
        yield from named_values(entry, kind.keys, where)
        yield from kind.names(entry, where)


def _leave_out_absent(study: Study, has_published: bool) -> None:
    """Drop what needs data sets or printed numbers that this run of the study does not have.

    Claims stay with their reason: the summary says that they cannot be tested.
    """
    for sort in ("table", "figure"):
        own = getattr(study, f"{sort}s")
        for name, entry in list(own.items()):
            reason = kind_of(sort, entry).why_absent(study, entry, has_published)
            if reason:
                study.left_out.append(f"{name} ({reason})")
                del own[name]
    for entry in list(study.claims):
        reason = kind_of("claim", entry).why_absent(study, entry, has_published)
        if reason:
            known = {key: entry[key] for key in ("number", "text")}
            study.untested.append({**known, "reason": reason})
            study.claims.remove(entry)
