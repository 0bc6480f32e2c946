"""The entry of a selector or transform in a study, completed and checked."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.core import registry
from steadfast.core.errors import UserError, suggest
from steadfast.core.paths import name_after
from steadfast.selectors.running.auto import GRIDS, SIZE, TUNED, expand
from steadfast.selectors.running.grid import require_rule
from steadfast.study.declaration import NONE, RULE, Selector, Transform
from steadfast.transforms.running import ALL, FROZEN, TRAINING

#: Keys of an entry that are not parameters of the selector, or of the transform.
_OF_SELECTOR = ("use", "label", "params", "time_limit", "transforms", "rows", "page", TUNED)
_OF_TRANSFORM = ("use", "label", "params", "learn")

#: What the label of a transform says of the rows that it learns from.
_LEARNT_IN_LABELS = {ALL: " (as published)", FROZEN: " (frozen)"}


def complete_selector(name: str, entry: Mapping[str, Any], where: str) -> Selector:
    """A selector with its parameters checked; one that chooses those that are left to the data."""
    use, params = entry.get("use", name), _parameters(entry, _OF_SELECTOR)
    try:
        use, params = expand(use, params, entry.get(TUNED))
    except UserError as error:
        raise UserError(f"{where}.{error}") from None
    made = Selector(
        name,
        use,
        entry.get("label", name),
        params,
        time_limit=entry.get("time_limit"),
        family=name,
        on_page=entry.get("page", True),
        transforms=tuple(entry["transforms"]) if "transforms" in entry else None,
        rows=entry.get("rows", "training"),
    )
    if made.is_rule:
        _check_rule(made, where)
    if "." in use or made.is_rule:
        return made
    if made.declared is None:
        known = [*registry.declared("selector"), RULE]
        raise UserError(f"{where}: unknown selector {use!r}; {suggest(use, known)}")
    for key, value in params.items():
        check_parameter(key, value, made.declared, where)
    if made.declared.runs:
        _check_base(made, where)
    discrete = (made.base or made.declared).discrete
    return Selector(**{**made.__dict__, "discrete": discrete})


def _parameters(entry: Mapping[str, Any], reserved: Sequence[str]) -> dict[str, Any]:
    """The keys of an entry that are parameters, and those under `params`."""
    own = {key: value for key, value in entry.items() if key not in reserved}
    return own | entry.get("params", {})


def _check_rule(selector: Selector, where: str) -> None:
    """Whatever a rule runs is said in the rule."""
    limit = [] if selector.time_limit is None else ["time_limit"]
    rows = ["rows"] if selector.sees_all_rows else []
    for key in (*selector.params, *limit, *rows):
        raise UserError(f"{where}.{key}: use: rule has no such setting; write it into the rule")


def _check_base(selector: Selector, where: str) -> None:
    """The selector inside another must exist, run no other itself, and take its parameters."""
    named, known = selector.parameters, registry.declared("selector")
    parameter = selector.declared.runs
    base, where = named[parameter], f"{where}.{parameter}"
    if not isinstance(base, str):
        raise UserError(f"{where}: must be the name of a selector, got {base!r}")
    tried = _values_to_try(selector, where.removesuffix(f".{parameter}"))
    if "." in base:
        return
    if base not in known:
        raise UserError(f"{where}: unknown selector {base!r}; {suggest(base, known)}")
    if known[base].runs:
        raise UserError(f"{where}: {base} runs another selector itself; name that one")
    for key, value in (named.get(f"{parameter}_params") or {}).items():
        check_parameter(key, value, known[base], f"{where}_params")
    for at, key, value in tried:
        check_parameter(key, value, known[base], at)


def _values_to_try(selector: Selector, where: str) -> list[tuple[str, str, Any]]:
    """Where each value stands that is tried, of which parameter, and the value."""
    grid, named = selector.declared.grid, selector.parameters
    if not grid:
        return []
    over, at = named[grid], f"{where}.{grid}"
    over = GRIDS.get(named[selector.declared.runs], {}) if over is None else over
    if not isinstance(over, Mapping):
        raise UserError(f"{at}: must be parameters with lists of values, got {over!r}")
    for key, values in over.items():
        if key == SIZE:
            raise UserError(f"{at}.{key}: is no parameter to try; set {SIZE}: auto")
        if not isinstance(values, list) or not values:
            raise UserError(f"{at}.{key}: must be a list of values, got {values!r}")
    try:
        require_rule(named["by"], named["weight"], named["prefer"], over)
    except ValueError as error:
        raise UserError(f"{where}.{error}") from None
    return [(at, key, value) for key, values in over.items() for value in values]


def check_parameter(key: str, value: Any, declaration: registry.Declaration, where: str) -> None:
    """A selector or transform must have the parameter, and of this type."""
    if declaration.discrete and key == "bins":
        raise UserError(f"{where}.bins: it gets the study's bins; set discretise.bins instead")
    if key not in declaration.parameters:
        raise UserError(
            f"{where}.{key}: {declaration.name} has no such parameter; "
            f"{suggest(key, declaration.parameters)}"
        )
    default = declaration.parameters[key]
    numeric = isinstance(default, (int, float)) and not isinstance(default, bool)
    if numeric and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise UserError(f"{where}.{key}: must be a number, got {value!r}")
    if isinstance(default, bool) and not isinstance(value, bool):
        raise UserError(f"{where}.{key}: must be true or false, got {value!r}")
    if isinstance(default, str) and not isinstance(value, str):
        raise UserError(f"{where}.{key}: must be text, got {value!r}")


def complete_transform(name: str, entry: Mapping[str, Any], where: str) -> Transform:
    """A transform with its parameters checked."""
    use, params = entry.get("use", name), _parameters(entry, _OF_TRANSFORM)
    learn = entry.get("learn", TRAINING)
    label = entry.get("label", name) + _LEARNT_IN_LABELS.get(learn, "")
    made = Transform(name, use, label, params, learn)
    if "." in use:
        return made
    known = registry.declared("transform")
    if use not in (NONE, *known):
        raise UserError(f"{where}: unknown transform {use!r}; {suggest(use, [NONE, *known])}")
    if made.is_none and (params or made.before_folds):
        raise UserError(f"{where}: none has no parameters, and nothing that it could learn")
    for key, value in params.items():
        check_parameter(key, value, known[use], where)
    return made


def after_transforms(
    selectors: Mapping[str, Selector], transforms: Mapping[str, Transform], source: str
) -> dict[str, Selector]:
    """Every selector after each transform, or after those that it names."""
    if not transforms:
        for name, one in selectors.items():
            if one.transforms is not None:
                raise UserError(
                    f"{source}: selectors.{name}.transforms: the study has no transforms"
                )
        return dict(selectors)
    found = {}
    for name, one in selectors.items():
        for transform in one.transforms or transforms:
            about = _transform(one, transform, transforms, f"{source}: selectors.{name}.transforms")
            own = name_after(name, transform)
            found[own] = Selector(
                **{
                    **one.__dict__,
                    "name": own,
                    "label": f"{one.label}, {about.label}",
                    "transform": None if about.is_none else about,
                }
            )
    return found


def _transform(
    selector: Selector, name: str, transforms: Mapping[str, Transform], where: str
) -> Transform:
    if name not in transforms:
        raise UserError(f"{where}: unknown transform {name!r}; {suggest(name, transforms)}")
    if selector.is_rule and not transforms[name].is_none:
        raise UserError(
            f"{where}: a rule reads the rows as they are, not after {name}; name the transforms "
            "that it is run after: only `none`"
        )
    return transforms[name]


def without_rule(where: str, selector: str, path: str, files: Sequence[str]) -> str:
    """What to say where no rule of the files writes a ranking that is needed."""
    among = ", ".join(files) or "the config names no file under rules"
    return (
        f"{where}: selectors.{selector}: use: rule, but no rule ({among}) has an output for {path}"
        f"; write it as {{results}}/{{study}}/rankings/{{dataset}}/{selector}/{{fold}}.tsv "
        "(docs/add-a-selector.md)"
    )
