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
    if use == TUNED or not isinstance(use, str):
        return use, params
    left = [key for key, value in params.items() if isinstance(value, str) and value == AUTO]
    if tuned is None and not left:
        return use, params
    over = dict((tuned or {}).get("over") or {})
    for key in left:
        if key != SIZE:
            over.setdefault(key, _grid(use, key))
    base = {key: value for key, value in params.items() if key not in (SIZE, *over)}
    size = {SIZE: params[SIZE]} if SIZE in params else {}
    return TUNED, {"base": use, "base_params": base, **size, **(tuned or {}), "over": over}


def _grid(use: str, key: str) -> list[float]:
    if key not in GRIDS.get(use, {}):
        raise UserError(
            f"{key}: auto: no values are known for it; name them: tuned: {{over: {{{key}: […]}}}}"
        )
    return GRIDS[use][key]
