"""A selector that takes time or memory and computes nothing, for tests of schedulers."""

import time

import numpy as np

from steadfast.core.estimator import Selector
from steadfast.core.registry import selector


@selector("costly", reference="nobody would publish this")
class Costly(Selector):
    """Rank the columns from the first to the last, slowly.

    Parameters
    ----------
    seconds
        How long it waits.
    megabytes
        What it holds meanwhile.
    """

    def __init__(
        self,
        n_features_to_select: int | None = None,
        seconds: float = 0,
        megabytes: int = 0,
    ):
        self.n_features_to_select = n_features_to_select
        self.seconds = seconds
        self.megabytes = megabytes

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        held = np.ones(self.megabytes * 125_000)
        time.sleep(self.seconds)
        # Folds that took CPU time are kept when their job is killed.
        end = time.process_time() + 0.1
        while time.process_time() < end:
            pass
        del held
        self._set_sequence(np.arange(X.shape[1])[: self.n_ranked()], {})
