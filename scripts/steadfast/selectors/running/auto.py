"""Parameters that the data are to choose: `auto`, and `tuned`, in the settings of a selector."""

from collections.abc import Mapping
from typing import Any

from steadfast.core.errors import UserError

AUTO = "auto"

#: The selector that chooses parameters of another one.
TUNED = "tuned"

#: How many features to select; any selector may leave that to the data.
SIZE = "n_features_to_select"

#: Values that `auto` stands for, by selector and parameter.
GRIDS: dict[str, dict[str, list[float]]] = {
    "mid_alpha": {"alpha": [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]}
}

#: Parameters with which a selector is the same as another one, and the name of that one.
SAME_AS: dict[str, tuple[dict[str, float], str]] = {"mid_alpha": ({"alpha": 0.5}, "mid")}


def expand(use: Any, params: Mapping[str, Any], tuned: Mapping[str, Any] | None) -> tuple:
    """`use` and `params` of the selector that chooses what these leave to the data.

    As they are where that is nothing.

    Parameters
    ----------
    use, params
        Of a selector.
    tuned
        What its entry says under `tuned`: `over` and other parameters of the selector `tuned`.
    """
    if use == TUNED and tuned is not None:
        raise UserError(f"{TUNED}: stands beside another selector; its keys go beside use: {TUNED}")
    if use == TUNED or not isinstance(use, str):
        return use, params
    if tuned is not None and not isinstance(tuned, Mapping):
        raise UserError(f"{TUNED}: must be keys with values, got {tuned!r}")
    left = [] if "." in use else [key for key, value in params.items() if _is_auto(value)]
    if tuned is None and not left:
        return use, params
    over = _over(use, params, tuned)
    for key in left:
        if key != SIZE:
            over.setdefault(key, _grid(use, key))
    if not over and not _is_auto(params.get(SIZE)):
        raise UserError(
            f"{TUNED}: names nothing to choose; name values, over: {{PARAMETER: […]}}, or set "
            f"{SIZE}: auto"
        )
    base = {key: value for key, value in params.items() if key not in (SIZE, *over)}
    size = {SIZE: params[SIZE]} if SIZE in params else {}
    return TUNED, {"base": use, "base_params": base, **size, **(tuned or {}), "over": over}


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == AUTO


def _over(use: str, params: Mapping[str, Any], tuned: Mapping[str, Any] | None) -> dict[str, Any]:
    """Values to try; where an entry is tuned and names none, those that `auto` stands for."""
    if tuned is None:
        return {}
    if "over" not in tuned:
        return {key: values for key, values in GRIDS.get(use, {}).items() if key not in params}
    if not isinstance(tuned["over"], Mapping):
        raise UserError(
            f"{TUNED}.over: must be parameters with lists of values, got {tuned['over']!r}"
        )
    return dict(tuned["over"])


def _grid(use: str, key: str) -> list[float]:
    if key not in GRIDS.get(use, {}):
        raise UserError(
            f"{key}: auto: no values are known for it; name them: tuned: {{over: {{{key}: […]}}}}"
        )
    return GRIDS[use][key]
