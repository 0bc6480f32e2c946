"""Resampling schemes, one family in a file; the name of a scheme is that of its decorator."""

from collections.abc import Mapping
from typing import Any

from steadfast.core import registry
from steadfast.core.errors import UserError, look_up, suggest
from steadfast.core.keys import Key, Keys, check_entry, one_of
from steadfast.resampling.scheme import Scheme

#: Where the settings of a scheme stand in a study.
_AT = "resample"


def scheme_key() -> Key:
    """The key that names the scheme."""
    return one_of("How the folds are drawn.", *registry.declared("scheme"), required=True)


def keys_of(name: str) -> Keys:
    """What a study may set of a scheme: the keys of its class that its name leaves open."""
    fixed = look_up("scheme", name, registry.declared("scheme")).fixed
    own = registry.load("scheme", name).keys
    return {key: about for key, about in own.items() if key not in fixed}


def file_of(name: str) -> str:
    """The file of a scheme, relative to the import root."""
    return look_up("scheme", name, registry.declared("scheme")).file


def create(settings: Mapping[str, Any]) -> Scheme:
    """The scheme that a study's `resample` names; a setting that it does not have is refused."""
    name = settings["scheme"]
    keys = keys_of(name)
    _check_names(settings, keys)
    defaults = {key: about.default for key, about in keys.items() if about.has_default}
    given = {key: value for key, value in settings.items() if key != "scheme"}
    fixed = registry.declared("scheme")[name].fixed
    return registry.load("scheme", name)({**defaults, **given, **fixed})


def complete(settings: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The settings with defaults filled in; a mistake is one line that begins with `source`."""
    named = {key: value for key, value in settings.items() if key == "scheme"}
    check_entry(named, {"scheme": scheme_key()}, source, _AT)
    keys = keys_of(settings["scheme"])
    _check_names(settings, keys, f"{source}: ")
    filled = check_entry(settings, {"scheme": scheme_key(), **keys}, source, _AT)
    try:
        create(filled)
    except UserError as error:
        raise UserError(f"{source}: {error}") from None
    return filled


def _check_names(settings: Mapping[str, Any], keys: Keys, begin: str = "") -> None:
    for key in settings:
        if key not in ("scheme", *keys):
            name = settings["scheme"]
            raise UserError(f"{begin}{_AT}.{key}: {name} has no such setting; {suggest(key, keys)}")
