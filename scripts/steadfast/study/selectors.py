"""The entry of a selector in a study, completed and checked."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.core import registry
from steadfast.core.errors import UserError, nearest
from steadfast.selectors.running.fold_file import CHOSEN
from steadfast.wrappers import DEFAULTS

#: Keys of a selector's entry that are not parameters of the selector.
_RESERVED = ("use", "label", "params", "time_limit", "transforms")

#: What a selector uses whose rankings a Snakemake rule of the user's writes.
RULE = "rule"


def complete_selector(name: str, entry: Mapping[str, Any], where: str) -> dict[str, Any]:
    """An entry as `use`, `label`, `discrete` and `params`, its parameters checked."""
    use = entry.get("use", name)
    params = given_parameters(entry, _RESERVED)
    selector = {"use": use, "label": entry.get("label", name), "discrete": False, "params": params}
    selector |= {key: entry[key] for key in ("time_limit", "transforms") if key in entry}
    if use == RULE:
        _check_rule(selector, where)
    if "." in use or use == RULE:
        return selector
    known = registry.declared("selector")
    if use not in known:
        raise UserError(f"{where}: unknown selector {use!r}; {nearest(use, [*known, RULE])}")
    selector["discrete"] = (_base(selector) or known[use]).discrete
    for key, value in params.items():
        check_parameter(key, value, known[use], where)
    if _runs_another(known[use]):
        _check_base(parameters(selector), where)
    return selector


def _check_rule(selector: Mapping[str, Any], where: str) -> None:
    """Whatever a rule runs is said in the rule."""
    for key in (*selector["params"], *(key for key in ("time_limit",) if key in selector)):
        raise UserError(f"{where}.{key}: use: rule has no such setting; write it into the rule")


def by_rule(study: Mapping[str, Any]) -> list[str]:
    """Selectors of a study whose rankings a rule of the user's writes."""
    return [name for name, entry in study["selectors"].items() if entry["use"] == RULE]


def without_rule(where: str, selector: str, path: str, files: Sequence[str]) -> str:
    """What to tell where no rule of the files writes a ranking that is asked for."""
    among = ", ".join(files) or "the config names no file under rules"
    return (
        f"{where}: selectors.{selector}: use: rule, but no rule ({among}) has an output for {path}"
        f"; write it as {{results}}/{{study}}/rankings/{{dataset}}/{selector}/{{fold}}.tsv "
        "(docs/add-a-selector.md)"
    )


def given_parameters(entry: Mapping[str, Any], reserved: Sequence[str]) -> dict[str, Any]:
    """The keys of an entry that are parameters, and those under `params`."""
    own = {key: value for key, value in entry.items() if key not in reserved}
    return own | entry.get("params", {})


def _check_base(named: Mapping[str, Any], where: str) -> None:
    """The selector inside another must exist, run no other itself, and take its parameters."""
    known, base = registry.declared("selector"), named["base"]
    if not isinstance(base, str):
        raise UserError(f"{where}.base: must be the name of a selector, got {base!r}")
    if "." in base:
        return
    if base not in known:
        raise UserError(f"{where}.base: unknown selector {base!r}; {nearest(base, known)}")
    if _runs_another(known[base]):
        raise UserError(f"{where}.base: {base} runs another selector itself; name that one")
    for key, value in (named.get("base_params") or {}).items():
        check_parameter(key, value, known[base], f"{where}.base_params")


def parameters(entry: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a study's selector, defaults included where it is the project's own."""
    return registry.parameters(entry, registry.declared("selector"))


def base_files(entry: Mapping[str, Any]) -> list[str]:
    """The file of the selector that a selector runs, if it is one of the project's own."""
    base = _base(entry)
    return [base.file] if base else []


def _base(entry: Mapping[str, Any]) -> registry.Declaration | None:
    """The selector that a selector runs, where it is one of the project's own."""
    base = parameters(entry).get("base")
    return registry.declared("selector").get(base) if isinstance(base, str) else None


def _runs_another(declaration: registry.Declaration) -> bool:
    return "base" in {**declaration.parameters, **declaration.fixed}


def passes(entry: Mapping[str, Any]) -> dict[str, float]:
    """How many rankings a selection computes, unless its files tell, and the share of rows of each.

    Samples of the rows are bootstraps, as large as the whole, where they have no share.
    """
    named = parameters(entry)
    share = named.get("ratio") or named.get("share") or 1.0
    return {"rankings": named.get("n_samples", 1) if "base" in named else 1, "share": share}


def check_parameter(key: str, value: Any, declaration: registry.Declaration, where: str) -> None:
    """A selector or transform must have the parameter, and of this type."""
    if declaration.discrete and key == "bins":
        raise UserError(f"{where}.bins: it gets the study's bins; set discretise.bins instead")
    if key not in declaration.parameters:
        raise UserError(
            f"{where}.{key}: {declaration.name} has no such parameter; "
            f"{nearest(key, declaration.parameters)}"
        )
    default = declaration.parameters[key]
    numeric = isinstance(default, (int, float)) and not isinstance(default, bool)
    if numeric and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise UserError(f"{where}.{key}: must be a number, got {value!r}")
    if isinstance(default, bool) and not isinstance(value, bool):
        raise UserError(f"{where}.{key}: must be true or false, got {value!r}")
    if isinstance(default, str) and not isinstance(value, str):
        raise UserError(f"{where}.{key}: must be text, got {value!r}")


def scored_by(study: Mapping[str, Any]) -> dict[str, str]:
    """Wrappers to the classifier of the study that is their own and scores their chosen subsets."""
    found = {}
    for selector, entry in study["selectors"].items():
        for name, classifier in study["accuracy"]["classifiers"].items():
            if classifier.get("sizes") == CHOSEN and _is_own(entry["params"], classifier):
                found.setdefault(selector, name)
    return found


def _is_own(wrapper: Mapping[str, Any], classifier: Mapping[str, Any]) -> bool:
    """Whether a study's classifier is the one inside a wrapper, features from 0 to 1 and all."""
    use = classifier["use"]
    if wrapper.get("classifier") != use or classifier.get("tune"):
        return False
    inside = {**DEFAULTS[use], **(wrapper.get("classifier_params") or {})}
    if use == "gaussian":
        return classifier.get("ridge", DEFAULTS[use]["ridge"]) == inside["ridge"]
    if classifier.get("scale") != "unit":
        return False
    if use == "knn":
        return classifier.get("k", DEFAULTS[use]["n_neighbors"]) == inside["n_neighbors"]
    same_cost = classifier.get("C", DEFAULTS[use]["C"]) == inside["C"]
    return same_cost and inside["gamma"] == "scale" and classifier.get("kernel") != "linear"
