"""Classifiers, one in a file, and those of other packages, as a study names them."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.accuracy.classifier import COMMON, Classifier
from steadfast.accuracy.scores import SCORES, USUAL, needs_of
from steadfast.core import registry
from steadfast.core.errors import UserError, suggest
from steadfast.core.keys import Keys, check_entry


def class_of(use: Any) -> type[Classifier]:
    """The class of a classifier; a path, or an estimator, is one of another package."""
    if not isinstance(use, str) or "." in use:
        from steadfast.accuracy.external import External

        return External
    return registry.load("classifier", use)


def file_of(use: str) -> str | None:
    """The file of a classifier, relative to the import root; None for one of another package."""
    declared = registry.declared("classifier").get(use)
    return declared.file if declared else None


def needs_seed(settings: Mapping[str, Any]) -> bool:
    """Whether results of a classifier depend on the seed."""
    return class_of(settings["use"]).draws


def create(
    settings: Mapping[str, Any], place: Sequence[Any] = (0,), scoring: Sequence[str] = USUAL
) -> Classifier:
    """The classifier that settings name under `use`; a key that it does not have is refused.

    So is a score that it cannot have: one of `scoring`, the names of those that are asked for.
    """
    use = settings["use"]
    keys = keys_of(use)
    for key in settings:
        if key not in keys:
            raise UserError(f"{key}: {use} has no such key; {suggest(key, keys)}")
    defaults = {key: about.default for key, about in keys.items() if about.has_default}
    made = class_of(use)({**defaults, **settings, **_fixed_settings(use)}, place)
    for name in scoring:
        if SCORES[name].needs not in {None, *made.gives}:
            needed = f"{name} needs {SCORES[name].needs}"
            raise UserError(f"scoring: {needed}, which {use} does not give; take one of them out")
    made.wanted = needs_of(scoring)
    return made


def without_labels(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What classifiers are run with: all but their names in print."""
    return {
        name: {key: value for key, value in entry.items() if key != "label"}
        for name, entry in entries.items()
    }


def complete(name: str, entry: Mapping[str, Any], source: str, at: str) -> dict[str, Any]:
    """The entry of a classifier with `use` and defaults filled in; a mistake is one line.

    Parameters
    ----------
    name
        The id, which is the name of the classifier if the entry has no `use`.
    source, at
        The file, and where in it the entry stands.
    """
    settings = {"use": name, **entry}
    check_entry({"use": settings["use"]}, {"use": COMMON["use"]}, source, at)
    try:
        keys = keys_of(settings["use"])
    except UserError as error:
        raise UserError(f"{source}: {at}.use: {error}") from None
    filled = check_entry(settings, keys, source, at, of=settings["use"])
    try:
        create(filled)
    except UserError as error:
        raise UserError(f"{source}: {at}.{error}") from None
    return filled


def keys_of(use: str) -> Keys:
    """What the entry of a classifier may have: common keys, and those that its name leaves open."""
    fixed = _fixed_settings(use)
    own = {key: about for key, about in class_of(use).keys.items() if key not in fixed}
    return {**COMMON, **own}


def _fixed_settings(use: str) -> dict[str, Any]:
    declared = registry.declared("classifier").get(use)
    return declared.fixed if declared else {}
