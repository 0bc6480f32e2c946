"""What a report is told to run: selectors, splits and classifiers, in the forms people write."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.accuracy import classifiers as known_classifiers
from steadfast.accuracy.scores import SCORES, USUAL
from steadfast.advice.evidence import page_folds
from steadfast.api import defaults
from steadfast.core.errors import UserError, look_up
from steadfast.core.registry import shown_name
from steadfast.data.table import Table
from steadfast.resampling import schemes
from steadfast.resampling.draws import ALL
from steadfast.resampling.folds import Fold
from steadfast.resampling.grouped import draw
from steadfast.study.declaration import Selector
from steadfast.study.selectors import complete_selector


def _by_name(given: Any, usual: Mapping[str, Any], what: str) -> dict[str, Any]:
    """What was given by name: one thing, several, a mapping, or the usual ones if None."""
    if given is None:
        return dict(usual)
    if isinstance(given, Mapping):
        return {str(name): one for name, one in given.items()}
    if isinstance(given, str) or not isinstance(given, Iterable):
        given = [given]
    found: dict[str, Any] = {}
    for one in given:
        if isinstance(one, Mapping):
            raise UserError(f"{what}: settings need a name: give a mapping of names to settings")
        name = base = shown_name(one)
        while name in found:
            name = f"{base}_{len(found) + 1}"
        found[name] = one
    return found


def _entry(name: str, one: Any, usual: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The entry of something as a study would have it."""
    if isinstance(one, str):
        entry = {"use": one, "label": one, **usual.get(one, {})}
        return entry if name == one else {**entry, "label": name}
    if isinstance(one, Mapping):
        return dict(one)
    if not hasattr(one, "fit"):
        raise UserError(f"{what} {name}: must be a name, an estimator or settings, got {one!r}")
    return {"use": one, "label": name}


# Selectors


def to_selectors(given: Any, largest: int) -> dict[str, Selector]:
    """Selectors as a study has them, by id."""
    found = {}
    for name, one in _by_name(given, defaults.SELECTORS, "selector").items():
        entry = _entry(name, one, defaults.LABELS | defaults.SELECTORS, "selector")
        found[name] = _selector(name, entry, largest)
    if not found:
        raise UserError("selector: give at least one")
    return found


def _selector(name: str, entry: dict[str, Any], largest: int) -> Selector:
    if not isinstance(entry.get("use", name), str):
        return Selector(name, entry["use"], entry.get("label", name), {}, family=name)
    made = complete_selector(name, entry, f"selector {name}")
    if made.is_rule or not made.runs_are_independent:
        raise UserError(
            f"selector {name}: its runs are not independent, so a report cannot judge it"
        )
    declared = made.declared
    ranks = declared and not declared.wraps and "n_features_to_select" in declared.parameters
    if ranks and "n_features_to_select" not in made.params:
        params = {**made.params, "n_features_to_select": largest}
        made = Selector(**{**made.__dict__, "params": params})
    return made


def baseline_of(selectors: Mapping[str, Selector]) -> str | None:
    """The first selector that chooses at random."""
    return next((name for name, one in selectors.items() if one.at_random), None)


# Classifiers


def to_classifiers(given: Any) -> dict[str, dict[str, Any]]:
    """Settings of classifiers by id, their names in print under `label`."""
    found = {}
    for name, one in _by_name(given, defaults.CLASSIFIERS, "classifiers").items():
        entry = _entry(name, one, defaults.CLASSIFIERS, "classifier")
        entry.setdefault("use", name)
        if not isinstance(entry["use"], str):
            entry.setdefault("sizes", defaults.SIZES)
        known_classifiers.create(entry)
        found[name] = entry
    return found


def to_scoring(given: Any, classifiers: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Names of scores; by default those of `defaults.SCORING` that all classifiers can have."""
    names = [given] if isinstance(given, str) else list(given or [])
    for name in names:
        look_up("score", name, SCORES)
    for entry in classifiers.values():
        known_classifiers.create(entry, scoring=names or USUAL)
    if given is not None and not names:
        raise UserError("scoring: give at least one score")
    usual = [name for name in defaults.SCORING if _all_give(SCORES[name].needs, classifiers)]
    return names or usual


def _all_give(need: str | None, classifiers: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether no classifier lacks what a score needs; estimators are asked themselves."""
    made = [known_classifiers.create(entry) for entry in classifiers.values()]
    return need is None or all(one.can_give(need) for one in made)


def refuse_torn_groups(
    selectors: Mapping[str, Selector],
    classifiers: Mapping[str, Mapping[str, Any]],
    scoring: Sequence[str] = USUAL,
) -> None:
    """Splits inside wrappers and inside the tuning of classifiers know of no groups."""
    inside = [name for name, one in selectors.items() if one.declared and one.declared.tears_groups]
    inside += [
        name
        for name, entry in classifiers.items()
        if known_classifiers.create(entry, scoring=scoring).splits_rows
    ]
    if inside:
        raise UserError(f"groups: {inside[0]} splits rows itself, and would tear groups apart")


# Splits


class Drawn(NamedTuple):
    """The folds that a report is about, how they were drawn, in print, and on which halves.

    `independent`: whether they were drawn one by one.
    """

    folds: list[Fold]
    told: str
    halves: str = ""
    independent: bool = False


def draw_folds(cv: Any, table: Table, seed: int, names: Sequence[str], rows: Any) -> Drawn:
    """The folds that `cv` stands for; `rows` are X, y and groups for splitters of scikit-learn."""
    settings = _scheme_settings(cv)
    if settings is not None:
        scheme = schemes.create(settings)
        ratio = scheme.page_ratio()
        folds = page_folds(list(draw(scheme, table, seed, names)), ratio)
        return Drawn(folds, scheme.describe(ratio), scheme.halves, scheme.independent_draws)
    try:
        pairs = list(cv.split(*rows) if hasattr(cv, "split") else cv)
        folds = [_fold(number, *pair, len(table.y)) for number, pair in enumerate(pairs, start=1)]
    except (TypeError, ValueError) as error:
        raise UserError(f"cv: {' '.join(str(error).split())}") from None
    if len(folds) < 2:
        raise UserError("cv: one split has nothing to be compared with; give two or more")
    by = f" of {type(cv).__name__}" if hasattr(cv, "split") else ""
    return Drawn(folds, f"{len(folds)} splits{by}")


def _scheme_settings(cv: Any) -> dict[str, Any] | None:
    """Settings of a scheme of steadfast's; None where `cv` brings splits of its own."""
    if cv is None:
        return dict(defaults.RESAMPLE)
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        if cv < 2:
            raise UserError(f"cv: at least two subsamples are needed, got {cv}")
        return {**defaults.RESAMPLE, "repeats": int(cv)}
    if isinstance(cv, str):
        return {"scheme": cv}
    if isinstance(cv, Mapping):
        return {**({} if "scheme" in cv else defaults.RESAMPLE), **cv}
    if isinstance(cv, type):
        raise UserError(f"cv: is a class; give an object of it, {cv.__name__}()")
    if hasattr(cv, "split") or isinstance(cv, Iterable):
        return None
    raise UserError(f"cv: must be a number, a scheme, a splitter or splits, got {cv!r}")


def _fold(number: int, train: Any, test: Any, n_rows: int) -> Fold:
    parts = []
    for part in (train, test):
        rows = np.asarray(part)
        rows = np.flatnonzero(rows) if rows.dtype.kind == "b" else rows.astype(np.int64)
        if rows.ndim != 1 or (rows.size and not 0 <= rows.min() <= rows.max() < n_rows):
            raise UserError(f"cv: split {number}: must hold numbers of rows, 0 to {n_rows - 1}")
        parts.append(rows)
    return Fold(f"f{number:03d}", number, 1.0, *parts, "", ALL)
