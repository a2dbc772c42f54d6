"""The log-determinant expectation of the published covariance noise, by the best method known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb

from provedp.theory.domain import RealVector, domain, reals, require
from provedp.theory.estimate import Estimate, certified
from provedp.theory.matrices import Matrix, entries
from provedp.theory.mixture.laguerre import isotropic_log_determinant
from provedp.theory.mixture.planar import planar_log_determinant
from provedp.theory.mixture.symmetric import Definite
from provedp.theory.mixture.wishart_shapes import sampled_log_determinants
from provedp.theory.numbers import Number, ball

__all__ = [
    "log_determinant_expectation",
    "log_determinant_expectations",
]

EXACT_SIZE = 100  # up to which the coefficients for a multiple of the identity are computed


@dataclass(frozen=True)
class PositiveVector(RealVector):
    """Vectors of positive numbers."""

    def read(self, value: object) -> Matrix:
        """Return `value` as a vector."""
        vector = super().read(value)
        require(not any(entry <= 0 for entry in entries(vector)), "an entry that is not positive")
        return vector

    def __str__(self) -> str:
        return "a vector of positive numbers"


@domain(covariance=Definite(), gamma=reals(0, open_low=True))
def log_determinant_expectation(covariance: Matrix, gamma: Number) -> Estimate:
    """Expected log-determinant of the published covariance noise.

    E ln |I + Σ^(−1/2) W Σ^(−1/2)|, W ~ W_d(I/γ, d + 1)

    A certified ball for d ≤ 2 (exponential integrals, one integral) and for Σ = σ²I in any
    dimension (`isotropic_log_determinant`); else randomised quadrature of the shape of W, with the
    mean over its trace in closed form.

    Parameters
    ----------
    covariance
        Σ, a symmetric positive definite d × d matrix.

    Returns
    -------
    An `Estimate`: the value with a certified radius or a 99.9 % half-width.

    Source: ours; mixture paper, Proposition 1, 'can be evaluated numerically'.

    >>> found = log_determinant_expectation([[1.0, 0.0], [0.0, 4.0]], 3.0)
    >>> found.method, round(float(found.value), 10)
    ('certified', 0.8076132457)
    """
    return _expectations(covariance, [gamma])[0]


@domain(covariance=Definite(), gammas=PositiveVector())
def log_determinant_expectations(covariance: Matrix, gammas: Matrix) -> tuple[Estimate, ...]:
    """Expected log-determinants for one Σ and several γ, from the same draws where drawn.

    E ln |I + Σ^(−1/2) W Σ^(−1/2)|, W ~ W_d(I/γ, d + 1), for each γ

    Parameters
    ----------
    covariance
        Σ, a symmetric positive definite d × d matrix.
    gammas
        Values of γ.

    Returns
    -------
    An `Estimate` for each γ (see `log_determinant_expectation`).

    Source: ours; mixture paper, eq. (24), where a grid of γ is tried.

    >>> [round(float(e.value), 6) for e in log_determinant_expectations([[1.0]], [2.0, 4.0])]
    [0.596347, 0.361329]
    """
    return tuple(_expectations(covariance, list(gammas)))


def _expectations(covariance: Matrix, gammas: Sequence[Number]) -> list[Estimate]:
    size = len(covariance)
    if size <= EXACT_SIZE and _is_multiple_of_identity(covariance):
        ratios = [ball(covariance[0, 0]) * ball(gamma) for gamma in gammas]
        return [certified(ball(isotropic_log_determinant(size, ratio))) for ratio in ratios]
    if size == 2:
        return [certified(planar_log_determinant(covariance, gamma)) for gamma in gammas]
    middles = np.array([_middle(gamma) for gamma in gammas])
    return sampled_log_determinants(_float_eigenvalues(covariance), middles)


def _is_multiple_of_identity(covariance: Matrix) -> bool:
    diagonal = covariance.diagonal()
    if len(diagonal) == 1:
        return True
    same = all(bool(entry == diagonal[0]) for entry in diagonal)
    return same and not any(bool(entry != 0) for entry in _off_diagonal(covariance))


def _off_diagonal(covariance: Matrix) -> list[Number]:
    size = len(covariance)
    return [covariance[i, j] for i in range(size) for j in range(i)]


def _float_eigenvalues(covariance: Matrix) -> Matrix:
    middles = [[_middle(entry) for entry in row] for row in covariance]
    found: Matrix = np.linalg.eigvalsh(np.array(middles))
    if found[0] <= 0:
        raise ValueError("The 'covariance' parameter of mixture is singular in floating point.")
    return found


def _middle(value: Number) -> float:
    return float(value.mid()) if isinstance(value, arb) else float(value)
