"""Running any selector, the project's own or a class of another package, on one fold."""

import inspect
import signal
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType, SimpleNamespace
from typing import Any

import numpy as np

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.seeds import derive_seed
from steadfast.data.encoding import Levels, category_mask, fill_gaps
from steadfast.resampling.folds import require_classes
from steadfast.selectors.running.auto import TUNED, expand
from steadfast.selectors.running.fold_file import tied_levels


def select(
    settings: Mapping[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    *,
    seed: int,
    names: Sequence[str],
    transform: Mapping[str, Any] | None = None,
    discretise: Mapping[str, Any] | None = None,
    levels: Levels = (),
    groups: np.ndarray | None = None,
    before: Any = None,
) -> Any:
    """A fitted selector with `sequence_`, `scores_` and, if it explains itself, `steps_`.

    Parameters
    ----------
    settings
        `use`: name of a selector or `package.module.Class`; `params`: its parameters; `tuned`: what
        the data are to choose (`steadfast.selectors.running.auto`);
        `time_limit`: seconds after which `TimeLimitError` is raised, none if left out.
    X, y
        Training rows.
    seed, names
        A selector with a `random_state` that the settings leave open gets one derived from these,
        and so does the noise of `steadfast.selectors.running.category_scores`.
    transform
        What is done to these rows first; see `steadfast.transforms.running.transform_rows`.
    discretise
        Bins fitted on these rows after that, categories being numbers; None leaves `X` as it is.
    levels
        Names of the categories of each column; see `steadfast.data.table.Table`. Selectors get
        numbers in their place (`steadfast.selectors.running.category_scores`), or bins of these;
        codes if the selector's class says `calibrates_categories = True`. Missing numbers get the
        median of these rows, unless the class says `takes_gaps = True`.
    groups
        The group of each row, for categories and for selectors whose `fit` takes `groups`.
    before
        The same selector, fitted on the fold before, where it goes on from there.
    """
    selector = create(settings, derive_seed(seed, *names, "random_state") % 2**32)
    if transform or discretise or not getattr(selector, "takes_gaps", False):
        X = fill_gaps(X)
    if transform:
        if levels:
            raise UserError(
                f"transform {transform['use']} on {'/'.join(names)}: the data have categories, "
                "which no transform knows; name them under `drop`"
            )
        from steadfast.transforms.running import transform_rows

        X, y = transform_rows(transform, X, y, seed=seed, names=names)
    where = f"selector {registry.shown_name(settings['use'])} on {'/'.join(names)}"
    require_classes(y, where)
    if any(levels) and getattr(selector, "calibrates_categories", False):
        selector.discrete = np.flatnonzero(category_mask(levels, X.shape[1])).tolist()
    elif any(levels):
        from steadfast.selectors.running.category_scores import score_categories

        X = score_categories(X, y, levels, seed=seed, names=names, groups=groups)
    if discretise:
        from steadfast.data.discretise import create as create_bins

        X = create_bins(discretise).fit(X, y).transform(X)
    if before is not None:
        selector.go_on_from(before)
    try:
        with time_limit(settings.get("time_limit")):
            return _fit(selector, X, y, groups)
    except UserError:
        raise
    except (ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise UserError(f"{where}: {reason}") from None
    except Exception as error:
        error.add_note(f"This was {where}.")
        raise


def _fit(selector: Any, X: np.ndarray, y: np.ndarray, groups: np.ndarray | None) -> Any:
    known = {}
    if groups is not None and "groups" in inspect.signature(selector.fit).parameters:
        known["groups"] = groups
    return ensure_sequence(selector.fit(X, y, **known), X.shape[1])


def ensure_sequence(fitted: Any, m: int) -> Any:
    """A fitted selector as it is if it states a sequence, else what it says as one."""
    return fitted if hasattr(fitted, "sequence_") else ranking_of(fitted, m)


#: Seconds after which a limit that was reached during an import is looked at again.
_AGAIN = 0.02
#: Seconds after which it is called out again, if whatever it fell into has swallowed it.
_CALL_AGAIN = 1.0


class TimeLimitError(BaseException):
    """A selection took longer than its time limit.

    No `Exception`: some packages catch every one of those and go on.
    """


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TimeLimitError` once so many seconds of the processor's time are spent inside.

    Compiled code is left to return first, and so are imports: half a module would break whatever
    needs it next. Python drops what is raised while it collects garbage: so it is raised again, and
    at the end at the latest. Where the system has no such timer, there is no limit.
    """
    if seconds is None or not hasattr(signal, "SIGPROF"):
        yield
        return
    over = TimeLimitError(f"stopped by its time limit of {seconds:g} s")
    reached = False

    def stop(_: int, frame: FrameType | None) -> None:
        nonlocal reached
        while frame is not None:
            if frame.f_code.co_filename.startswith("<frozen importlib"):
                signal.setitimer(signal.ITIMER_PROF, _AGAIN)
                return
            frame = frame.f_back
        reached = True
        signal.setitimer(signal.ITIMER_PROF, _CALL_AGAIN)
        raise over

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if reached:
        raise over


def create(settings: Mapping[str, Any], random_state: int) -> Any:
    """The selector that settings name, not fitted; one that wants a seed and has none gets this."""
    use, params = expand(settings["use"], settings.get("params", {}), settings.get(TUNED))
    return registry.create(
        "selector",
        {"use": use, "params": params},
        registry.declared("selector"),
        random_state,
        _class_or_scores,
    )


def _class_or_scores(loaded: Any) -> Callable[..., Any]:
    return loaded if inspect.isclass(loaded) else partial(ScoreFunction, loaded)


class ScoreFunction:
    """A function that scores every column, such as scikit-learn's `f_classif`, as a selector."""

    def __init__(self, function: Callable[..., Any], **params: Any):
        self.function, self.params = function, params
        takes = inspect.signature(function).parameters
        for name in params:
            if name not in takes:
                raise TypeError(f"it has no parameter {name!r}")
        # None asks for a seed; a function without one has nothing to seed.
        self.random_state = params.get("random_state") if "random_state" in takes else 0

    def fit(self, X: np.ndarray, y: np.ndarray) -> "ScoreFunction":
        """Score the columns; of scores and p-values, the scores count."""
        params = dict(self.params)
        if "random_state" in inspect.signature(self.function).parameters:
            params["random_state"] = self.random_state
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # constant columns get NaN, and come last
            found = self.function(X, y, **params)
        self.scores_ = found[0] if isinstance(found, tuple) else found
        return self


#: Where a class of another package states what it found.
_STATED = (
    *("ranking_", "scores_", "feature_importances_", "coef_", "support_"),
    "get_support",
)


def ranking_of(fitted: Any, m: int) -> SimpleNamespace:
    """The sequence and weights that a fitted class of another package states.

    Looked for in this order: `ranking_` (1 is best), `scores_`, `feature_importances_`, `coef_`
    (absolute, summed over classes), `support_`, `get_support()`. Ties go to the lower column; NaN
    comes last, and is refused where there is nothing else. Where there is a `support_` and its
    features come first, it is the subset that was chosen.
    """
    for attribute in _STATED:
        stated = getattr(fitted, attribute, None)
        if attribute == "get_support" and stated is not None:
            stated = stated()
        if stated is None:
            continue
        weights = np.asarray(stated, dtype=np.float64)
        if attribute == "ranking_":
            weights = -weights
        elif attribute == "coef_":
            weights = np.abs(np.atleast_2d(weights)).sum(axis=0)
        if weights.shape == (m,):
            if np.isnan(weights).all():
                raise UserError(f"{type(fitted).__name__}: {attribute} is NaN for all features")
            sequence, weights = _sort_columns(np.where(np.isnan(weights), -np.inf, weights))
            chosen = stated if attribute == "get_support" else getattr(fitted, "support_", None)
            support = _leading_support(chosen, sequence)
            return SimpleNamespace(sequence_=sequence, scores_=weights, steps_={}, support_=support)
    raise UserError(
        f"{type(fitted).__name__}: after fit it has none of ranking_, scores_, "
        "feature_importances_, coef_, support_ and get_support() with one value for each of "
        f"{m} features"
    )


def _sort_columns(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns by falling weight, and the weights, those that differ by rounding made equal."""
    order = np.argsort(-weights, kind="stable")
    levels = tied_levels(weights[order])
    levelled = np.empty_like(weights)
    levelled[order] = weights[order][np.searchsorted(levels, levels)]
    return order[np.lexsort((order, levels))], levelled


def _leading_support(chosen: Any, sequence: np.ndarray) -> np.ndarray | None:
    """The mask of the chosen features, where they are the first of the sequence."""
    support = np.asarray(chosen)
    if support.dtype != bool or support.shape != sequence.shape:
        return None
    return support if support[sequence[: np.count_nonzero(support)]].all() else None
