"""The Gaussian classifier, one mean and one full covariance per class, by elimination."""

from collections.abc import Sequence

import numpy as np

from steadfast.wrappers.base import FixedCriterion, Split


class GaussianCriterion(FixedCriterion):
    """argmax_c log p_c − ½ [ log|Σ_c| + (x − μ_c)ᵀ Σ_c⁻¹ (x − μ_c) ], on the subset's features.

    p_c are the training rows' shares, μ_c and S_c a class's mean and covariance (denominator n_c).
    **Near-singular covariances**: Σ_c = (1 − r)·S_c + r·I with a small r, always. As features range
    from 0 to 1, r = 1e-6 is an error of measurement of a thousandth of that range: no covariance is
    singular, none depends on the order of the features, and where S_c is well conditioned it makes
    no difference. (scikit-learn's QuadraticDiscriminantAnalysis has the same rule as `reg_param`.)
    A class without training rows is never predicted.

    One step of Gaussian elimination per feature keeps, for every class and split, what the features
    of the subset leave unexplained of all others: their residual covariances C and the residuals R
    of the test rows. The subset with f has the determinant |Σ|·C_ff and the squared distance
    q + R_f²/C_ff. Without f it has |Σ|·G_ff and q − w_f²/G_ff, with G = Σ⁻¹, w = G(x − μ).

    Parameters
    ----------
    ridge
        r.
    mean
        `own`, or `first_class`: the mean of the first class (of code 0) is taken for μ_c of every
        class. That is no Gaussian classifier, but gives the rates that Somol and Novovicova (2008)
        print for theirs.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        splits: Sequence[Split],
        ridge: float = 1e-6,
        mean: str = "own",
    ):
        super().__init__(X, y, splits)
        n_classes = int(y.max()) + 1
        own_mean = mean == "own"
        self._parts = [_Part(X, y, split, n_classes, ridge, own_mean) for split in splits]

    def log_joint_with(self, feature: int) -> list[np.ndarray]:
        """What the class is the argmax of, by class and test row of each split, with a feature."""
        return [part.log_joint_with([feature])[:, 0] for part in self._parts]

    def hits_with(self, candidates: list[int]) -> np.ndarray:
        return np.array([part.hits(part.log_joint_with(candidates)) for part in self._parts])

    def hits_without(self, candidates: list[int]) -> np.ndarray:
        return np.array([part.hits(part.log_joint_without(candidates)) for part in self._parts])

    def update(self, feature: int, *, added: bool) -> None:
        for part in self._parts:
            if added:
                part.eliminate(feature)
            else:
                part.start_from(self.subset)


class _Part:
    """The classes (first axis) of one split."""

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        split: Split,
        n_classes: int,
        ridge: float,
        own_mean: bool,
    ):
        m = X.shape[1]
        counts = np.bincount(y[split.train], minlength=n_classes)
        with np.errstate(divide="ignore"):
            self.log_shares = np.log(counts / split.train.size)
        self.covariance = np.empty((n_classes, m, m))
        # Features before rows: what is done with one feature lies side by side.
        self.centred = np.empty((n_classes, m, split.test.size))
        means = np.zeros((n_classes, m))
        for label in range(n_classes):
            rows = X[split.train[y[split.train] == label]]
            mean = means[label] = rows.mean(axis=0) if len(rows) else np.zeros(m)
            own = (rows - mean).T @ (rows - mean) / max(1, len(rows))
            self.covariance[label] = (1 - ridge) * own + ridge * np.eye(m)
            self.centred[label] = (X[split.test] - means[label if own_mean else 0]).T
        self.truth = y[split.test]
        self.start_from([])

    def start_from(self, subset: Sequence[int]) -> None:
        """Eliminate the features of a subset, in their order, from scratch."""
        self.rest, self.residual = self.covariance.copy(), self.centred.copy()
        self.log_determinant = np.zeros((len(self.rest), 1))
        self.squared = np.zeros((len(self.rest), self.truth.size))
        for feature in subset:
            self.eliminate(feature)

    def eliminate(self, feature: int) -> None:
        pivot = self.rest[:, feature, feature].copy()[:, None]
        own = self.residual[:, feature].copy()
        share = self.rest[:, :, feature] / pivot
        self.log_determinant += np.log(pivot)
        self.squared += own**2 / pivot
        self.residual -= share[:, :, None] * own[:, None, :]
        self.rest -= share[:, :, None] * self.rest[:, feature].copy()[:, None, :]

    def log_joint_with(self, candidates: list[int]) -> np.ndarray:
        """By class, candidate and test row."""
        variance = self.rest[:, candidates, candidates]
        own = self.residual[:, candidates]
        squared = self.squared[:, None, :] + own * own / variance[:, :, None]
        return self._log_joint(squared, self.log_determinant + np.log(variance))

    def log_joint_without(self, candidates: list[int]) -> np.ndarray:
        among = np.ix_(range(len(self.covariance)), candidates, candidates)
        inverse = np.linalg.inv(self.covariance[among])
        weighted = inverse @ self.centred[:, candidates]
        own = np.diagonal(inverse, axis1=1, axis2=2)
        squared = self.squared[:, None, :] - weighted**2 / own[:, :, None]
        return self._log_joint(squared, self.log_determinant + np.log(own))

    def _log_joint(self, squared: np.ndarray, log_determinant: np.ndarray) -> np.ndarray:
        """Of distances (class, candidate, test row) and determinants (class, candidate)."""
        offset = self.log_shares[:, None] - log_determinant / 2
        return offset[:, :, None] - squared / 2

    def hits(self, log_joint: np.ndarray) -> np.ndarray:
        """Correct predictions with each candidate."""
        return np.count_nonzero(log_joint.argmax(axis=0) == self.truth, axis=1)
