"""Selectors times transforms: what a study with transforms runs."""

from collections.abc import Mapping
from typing import Any

from steadfast.core import registry
from steadfast.core.errors import UserError, nearest
from steadfast.study.selectors import RULE, check_parameter, given_parameters

#: Keys of a transform's entry that are not parameters of the transform.
_RESERVED = ("use", "label", "params", "as_published")

#: The transform that leaves rows and classes as they are.
NONE = "none"


def cell_name(selector: str, transform: str) -> str:
    """The name of a selector after a transform, in paths and wherever a study names selectors."""
    return f"{selector}+{transform}"


def complete_transform(name: str, entry: Mapping[str, Any], where: str) -> dict[str, Any]:
    """An entry as `use`, `label`, `params` and `as_published`, its parameters checked."""
    use = entry.get("use", name)
    params = given_parameters(entry, _RESERVED)
    published = bool(entry.get("as_published"))
    label = entry.get("label", name) + (" (as published)" if published else "")
    found = {"use": use, "label": label, "params": params, "as_published": published}
    if "." in use:
        return found
    known = registry.declared("transform")
    if use not in (NONE, *known):
        raise UserError(f"{where}: unknown transform {use!r}; {nearest(use, [NONE, *known])}")
    if use == NONE and (params or published):
        raise UserError(f"{where}: none has no parameters, and nothing that it could learn")
    for key, value in params.items():
        check_parameter(key, value, known[use], where)
    return found


def with_transforms(study: dict[str, Any], source: str) -> None:
    """Put every selector after each transform into the place of the selectors.

    A selector may name the transforms that it is run after; `family` is the selector's own name.
    """
    study["transforms"] = {
        name: complete_transform(name, entry, f"{source}: transforms.{name}")
        for name, entry in study["transforms"].items()
    }
    plain = study["selectors"]
    study["families"] = {name: entry["label"] for name, entry in plain.items()}
    if not study["transforms"]:
        _check_none_named(plain, source)
        return
    _check_bins(study, source)
    study["selectors"] = {}
    for name, entry in plain.items():
        wanted = entry.pop("transforms", list(study["transforms"]))
        for transform in wanted:
            if transform not in study["transforms"]:
                raise UserError(
                    f"{source}: selectors.{name}.transforms: unknown transform {transform!r}; "
                    f"{nearest(transform, study['transforms'])}"
                )
            about = study["transforms"][transform]
            if entry["use"] == RULE and about["use"] != NONE:
                raise UserError(
                    f"{source}: selectors.{name}.transforms: a rule reads the rows as they are, "
                    f"not after {transform}; name the transforms that it is run after: only `none`"
                )
            cell = {**entry, "label": f"{entry['label']}, {about['label']}", "family": name}
            if about["use"] != NONE:
                cell["transform"] = {**about, "name": transform}
            study["selectors"][cell_name(name, transform)] = cell


def _check_none_named(selectors: Mapping[str, Any], source: str) -> None:
    for name, entry in selectors.items():
        if "transforms" in entry:
            raise UserError(f"{source}: selectors.{name}.transforms: the study has no transforms")


def _check_bins(study: Mapping[str, Any], source: str) -> None:
    """Bins must be those of the transformed rows."""
    if study["discretise"]["fit_on"] != "train":
        raise UserError(
            f"{source}: discretise.fit_on: bins of all rows are not those of transformed rows; use "
            "fit_on: train"
        )


def wanted_transforms(entry: Mapping[str, Any]) -> list[str]:
    """The baseline of an entry and the transforms that are compared with it."""
    named = [name for pair in entry.get("gains", []) for name in pair]
    return list(dict.fromkeys([entry["baseline"], *entry.get("transforms", []), *named]))


def families(study: Mapping[str, Any]) -> dict[str, list[str]]:
    """Selectors that are one selector after different transforms, by its name."""
    found: dict[str, list[str]] = {}
    for name, entry in study["selectors"].items():
        found.setdefault(entry.get("family", name), []).append(name)
    return found
