"""What tables and figures of transforms, samples and synthetic data ask of the rest of a study."""

from collections.abc import Mapping
from typing import Any

from steadfast.core.errors import UserError
from steadfast.study.cells import cell_folds
from steadfast.study.checks import OF_ACCURACY, entries
from steadfast.study.context import OF_TREATMENTS, context, transform_infos
from steadfast.study.selectors import by_rule
from steadfast.study.transforms import cell_name, families, wanted_transforms

Study = Mapping[str, Any]


def check_experiments(study: Study, source: str) -> None:
    """Selectors after transforms, samples without a common row, and precision, where named."""
    if "precision" in study:
        _check_precision_study(study, f"{source}: precision")
    for where, entry in entries(study):
        _check_entry(study, entry, f"{source}: {where}")
    _check_surfaces(study, source)
    _check_rules(study, source)
    for family, members in families(study).items():
        for dataset in study["datasets"]:
            if len({len(cell_folds(study, dataset, member)) for member in members}) > 1:
                raise UserError(
                    f"{source}: runs: {family} must have the same number after all transforms"
                )


def _check_precision_study(study: Study, where: str) -> None:
    transforms = study["precision"]["transforms"]
    for selector in study["precision"]["selectors"]:
        _require_cells(study, selector, transforms, where)
    for name in transforms:
        if study["transforms"][name]["as_published"]:
            raise UserError(
                f"{where}.transforms: {name} is as_published, but here are no test rows that it "
                "could see; name one that is not"
            )


def _check_entry(study: Study, entry: Mapping[str, Any], where: str) -> None:
    kind = entry["kind"]
    if study["transforms"] and kind in ("criterion", "surface"):
        raise UserError(f"{where}: {kind} knows no transforms; put it into a study without any")
    if not study["transforms"] and kind in OF_TREATMENTS:
        raise UserError(f"{where}: {kind} is about transforms; the study has none")
    if kind in ("disjoint", "without_fold") and not study["resample"].get("disjoint"):
        raise UserError(f"{where}: needs samples without a common row; set resample.disjoint: 0.4")
    if kind in OF_TREATMENTS and not _treated_families(study, entry):
        wanted = ", ".join(wanted_transforms(entry))
        raise UserError(f"{where}: no selector is run after all of {wanted}; see its transforms")
    for published, inside in entry.get("gains", []):
        if [study["transforms"][name]["as_published"] for name in (published, inside)] != [
            True,
            False,
        ]:
            raise UserError(
                f"{where}.gains: {published} must be as_published, and {inside} must not be"
            )
    if not study["accuracy"]["classifiers"] and _about_accuracy(entry):
        raise UserError(f"{where}: is about accuracy; accuracy.classifiers names none")
    if kind == "by_rank":
        _require_cells(study, entry["family"], [entry["baseline"], *entry["transforms"]], where)
        for name in entry["transforms"]:
            if transform_infos(study)[name]["rank"] is None:
                raise UserError(f"{where}.transforms: {name} has no rank")
    if kind == "precision":
        _check_precision(study, entry, where)


def _treated_families(study: Study, entry: Mapping[str, Any]) -> list[str]:
    """Selectors that are run after all transforms of an entry."""
    named = [entry["family"]] if "family" in entry else entry.get("families", study["families"])
    wanted = wanted_transforms(entry)
    return [
        family
        for family in named
        if all(cell_name(family, transform) in study["selectors"] for transform in wanted)
    ]


def _about_accuracy(entry: Mapping[str, Any]) -> bool:
    parts = (entry, *entry.get("panels", []))
    return entry["kind"] in (*OF_ACCURACY, "classifiers") or any(
        part.get("of") == "accuracy" for part in parts
    )


def _check_surfaces(study: Study, source: str) -> None:
    """Files of surfaces are named by data set and selector."""
    seen: set[str] = set()
    for name, entry in study["figures"].items():
        if entry["kind"] == "surface":
            if entry["dataset"] in seen:
                raise UserError(
                    f"{source}: figures.{name}: there is a surface of {entry['dataset']} already"
                )
            seen.add(entry["dataset"])


def _check_rules(study: Study, source: str) -> None:
    """Experiments with data of their own run selectors themselves, which a rule is not for."""
    asked = {
        f"figures.{name}": context(study, entry)["selectors"]
        for name, entry in study["figures"].items()
        if entry["kind"] == "surface"
    }
    asked["precision"] = study.get("precision", {}).get("selectors", [])
    for where, names in asked.items():
        for name in by_rule(study):
            if {name, study["selectors"][name].get("family")} & set(names):
                raise UserError(
                    f"{source}: {where}: {name} is a rule, and this makes data that no rule sees; "
                    "name selectors that are none"
                )


def _require_cells(study: Study, selector: str, transforms: list[str], where: str) -> None:
    for transform in transforms:
        if cell_name(selector, transform) not in study["selectors"]:
            raise UserError(
                f"{where}: {selector} is not run after {transform}; add it to its transforms"
            )


def _check_precision(study: Study, entry: Mapping[str, Any], where: str) -> None:
    if "precision" not in study:
        raise UserError(f"{where}: the study has no `precision`")
    asked = study["precision"]
    wanted = {
        "selectors": [entry["family"]],
        "transforms": entry["transforms"],
        "label_noise": [entry["label_noise"]],
        "features": entry.get("features", []),
    }
    for key, values in wanted.items():
        for value in values:
            if value not in asked[key]:
                raise UserError(f"{where}: {value} is not among the {key} of the study's precision")
