"""Seeds that depend on names, never on the order in which jobs run."""

import hashlib
from typing import Any

import numpy as np


def derive_seed(seed: int, *names: object) -> int:
    """A 64-bit seed from the configured seed and the names of what is drawn.

    The names are joined by a character that no name holds, so that ("ab", "c") and ("a", "bc")
    differ.
    """
    text = "\x1f".join(str(part) for part in (seed, *names))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def generator(seed: int, *names: object) -> np.random.Generator:
    """A random generator for exactly this draw; see `derive_seed`."""
    return np.random.default_rng(derive_seed(seed, *names))


def random_generator(random_state: Any) -> np.random.Generator:
    """The generator that scikit-learn's `random_state` (None, seed or generator) stands for."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)
