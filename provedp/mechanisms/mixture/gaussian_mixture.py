"""A Gaussian mixture over features and labels: what is released, and what can be done with it."""

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_triangular
from scipy.special import logsumexp

from provedp.theory.arrays import Floats
from provedp.theory.domain import argument_error, check_argument, integers
from provedp.theory.matrices import ROW_SUM_TOLERANCE

Label = int | str
ASYMMETRY = 1e-9  # of a covariance that was computed, relative to its diagonal


@dataclass(frozen=True, eq=False)
class LabelledMixture:
    """The joint law of a label y and features x: P(y = k) = π_k and x | y = k ~ N(μ_k, Σ_k).

    Parameters
    ----------
    classes
        The K labels, distinct integers or texts.
    weights
        π, K numbers ≥ 0 that sum to 1.
    means
        K × d array of the μ_k.
    covariances
        K × d × d array of the Σ_k, symmetric and positive definite.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: mixture paper, eq. (1), (7).

    >>> mixture = LabelledMixture(("a", "b"), [0.5, 0.5], [[0.0], [4.0]], [[[1.0]], [[1.0]]])
    >>> mixture.predict([[1.0], [3.0]]).tolist()
    ['a', 'b']
    """

    classes: tuple[Label, ...]
    weights: Floats
    means: Floats
    covariances: Floats

    def __post_init__(self) -> None:
        labels = tuple(_label(label) for label in self.classes)
        count = len(labels)
        _require(count >= 1, "classes", "at least one label", f"{labels}")
        _require(len(set(labels)) == count, "classes", "distinct labels", f"{labels}")
        _require(len(set(map(type, labels))) == 1, "classes", "labels of one type", f"{labels}")
        weights = _array("weights", self.weights, (count,))
        _require_weights(weights)
        means = _array("means", self.means, (count, None))
        size = means.shape[1]
        covariances = _array("covariances", self.covariances, (count, size, size))
        covariances = np.stack(
            [_covariance(matrix, label) for matrix, label in zip(covariances, labels, strict=True)]
        )
        for name, value in (("weights", weights), ("means", means), ("covariances", covariances)):
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "classes", labels)

    @property
    def dimension(self) -> int:
        """Number of features d."""
        return int(self.means.shape[1])

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[Any]]:
        """Return n independent draws: an n × d array of features and the n labels."""
        count = check_argument("LabelledMixture.sample", "n", integers(1), n)
        which = rng.choice(len(self.classes), size=count, p=self.weights / self.weights.sum())
        noise = rng.standard_normal((count, self.dimension))
        factors = np.linalg.cholesky(self.covariances)
        features = self.means[which] + np.einsum("nij,nj->ni", factors[which], noise)
        return features, np.asarray(self.classes)[which]

    def log_joint(self, features: ArrayLike) -> Floats:
        """Return ln(π_k N(x; μ_k, Σ_k)) as an array of one row for each x; −∞ where π_k = 0."""
        table = _array("features", features, (None, self.dimension))
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights)
        columns = [
            log + _log_density(table, mean, covariance)
            for log, mean, covariance in zip(logs, self.means, self.covariances, strict=True)
        ]
        return np.stack(columns, axis=1)

    def score_samples(self, features: ArrayLike) -> Floats:
        """Return the log-density of x, whatever its label, for each row x."""
        scores: Floats = logsumexp(self.log_joint(features), axis=1)
        return scores

    def predict(self, features: ArrayLike) -> NDArray[Any]:
        """Return the label of the largest posterior probability for each row x."""
        labels: NDArray[Any] = np.asarray(self.classes)[self.log_joint(features).argmax(axis=1)]
        return labels

    def kl_to(self, other: "LabelledMixture") -> float:
        """Kullback–Leibler divergence to another mixture with the same classes, in closed form.

        KL(p ‖ q) = Σ_k π_k (ln(π_k/ρ_k) + KL(N(μ_k, Σ_k) ‖ N(ν_k, T_k)))

        Returns
        -------
        The divergence in nats; ∞ if a class with π_k > 0 has ρ_k = 0.

        Raises
        ------
        ValueError
            If the classes or the dimensions differ.

        Source: mixture paper, eq. (8).
        """
        same = self.classes == other.classes and self.dimension == other.dimension
        found = f"{other.classes} and {other.dimension} features"
        _require(same, "other", f"a mixture of {self.classes}, {self.dimension} features", found)
        terms = []
        for k, weight in enumerate(self.weights):
            if weight == 0:
                continue
            if other.weights[k] == 0:
                return math.inf
            inner = gaussian_kl(
                self.means[k], self.covariances[k], other.means[k], other.covariances[k]
            )
            terms.append(weight * (math.log(weight / other.weights[k]) + inner))
        return math.fsum(terms)

    def to_json(self) -> str:
        """Return the mixture as a JSON object; floats come back as they were."""
        return json.dumps(
            {
                "classes": list(self.classes),
                "weights": self.weights.tolist(),
                "means": self.means.tolist(),
                "covariances": self.covariances.tolist(),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> "LabelledMixture":
        """Return the mixture that `to_json` wrote; raise `ValueError` for any other text."""
        try:
            read = json.loads(text)
            parts = (read["classes"], read["weights"], read["means"], read["covariances"])
        except (TypeError, KeyError, json.JSONDecodeError) as error:
            raise ValueError(f"This is no mixture in JSON: {error!r}.") from None
        return cls(tuple(parts[0]), *parts[1:])


def gaussian_kl(mean: Floats, covariance: Floats, mean_to: Floats, covariance_to: Floats) -> float:
    """Kullback–Leibler divergence of two Gaussian laws.

    KL(N(μ, Σ) ‖ N(ν, T)) = ½ (tr(T⁻¹Σ) − d + (ν − μ)ᵀT⁻¹(ν − μ) + ln(|T|/|Σ|))

    Parameters
    ----------
    mean, covariance
        μ and Σ, positive definite.
    mean_to, covariance_to
        ν and T, positive definite.

    Returns
    -------
    The divergence in nats. With L the factor of T and x the eigenvalues of L⁻¹ΣL⁻ᵀ, it is summed
    from x − 1 − ln x, which keeps its digits when the laws are close.
    """
    factor = np.linalg.cholesky(covariance_to)
    half = solve_triangular(factor, np.linalg.cholesky(covariance), lower=True)
    moved = solve_triangular(factor, mean_to - mean, lower=True)
    excess = np.linalg.eigvalsh(half @ half.T) - 1
    return 0.5 * (float(np.sum(excess - np.log1p(excess))) + float(moved @ moved))


def _log_density(features: Floats, mean: Floats, covariance: Floats) -> Floats:
    factor = np.linalg.cholesky(covariance)
    white = solve_triangular(factor, (features - mean).T, lower=True)
    constant = len(mean) * math.log(2 * math.pi) / 2 + float(np.log(np.diag(factor)).sum())
    density: Floats = -0.5 * np.einsum("ij,ij->j", white, white) - constant
    return density


def _label(label: Any) -> Label:
    plain = label.item() if isinstance(label, np.generic) else label
    known = isinstance(plain, (int, str)) and not isinstance(plain, bool)
    _require(known, "classes", "integers or texts", repr(plain))
    found: Label = plain
    return found


def _array(name: str, value: Any, shape: tuple[int | None, ...]) -> Floats:
    """Return a copy of `value` as floats of this shape (None: any positive number)."""
    wanted = "an array of finite numbers of shape " + "×".join(
        "any" if length is None else str(length) for length in shape
    )
    try:
        found = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    fits = found.ndim == len(shape) and all(
        length > 0 if want is None else length == want
        for length, want in zip(found.shape, shape, strict=True)
    )
    _require(fits, name, wanted, f"one of shape {'×'.join(map(str, found.shape)) or 'none'}")
    _require(bool(np.isfinite(found).all()), name, wanted, "one with nan or inf")
    return found


def _require_weights(weights: Floats) -> None:
    total = math.fsum(weights)
    fits = bool((weights >= 0).all()) and abs(total - 1) <= ROW_SUM_TOLERANCE
    _require(fits, "weights", "numbers ≥ 0 that sum to 1", f"{weights.tolist()}")


def _covariance(matrix: Floats, label: Label) -> Floats:
    """Return a covariance, made symmetric to the last digit; raise `ValueError` if it is none."""
    roots = np.sqrt(np.abs(np.diag(matrix)))
    symmetric = bool(
        (np.abs(matrix - matrix.T) <= ASYMMETRY * np.multiply.outer(roots, roots)).all()
    )
    wanted = "symmetric positive definite matrices"
    _require(symmetric, "covariances", wanted, f"an asymmetric one for class {label!r}")
    found: Floats = matrix / 2 + matrix.T / 2
    try:
        np.linalg.cholesky(found)
    except np.linalg.LinAlgError:
        _require(False, "covariances", wanted, f"one that is not for class {label!r}")
    return found


def _require(fits: bool, name: str, wanted: str, got: str) -> None:
    if not fits:
        raise argument_error("LabelledMixture", name, wanted, got)
