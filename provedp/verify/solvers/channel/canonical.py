"""P* and its multipliers by their structure: three numbers, whatever the number of counts."""

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from provedp.theory.counting import alpha_closed_form, dual_weights, release_matrix
from provedp.theory.counting.release import COUNTS
from provedp.theory.domain import domain
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import rational
from provedp.verify.solvers.channel.bracket import Bracket, Dual, RationalReals
from provedp.verify.solvers.check import check_circulant, check_peak

__all__ = ["BY_STRUCTURE", "Canonical", "canonical_dual", "least_error_by_structure"]

BY_STRUCTURE = "undisturbed optimum"


@dataclass(frozen=True, eq=False)
class Canonical:
    """P* of m counts at (ln k, δ), and the closed multipliers, perhaps at a larger k.

    Parameters
    ----------
    m, k, delta
        The problem.
    dual_k
        The k of the multipliers; None stands for `k`.
    """

    m: int
    k: Fraction
    delta: Fraction
    dual_k: Fraction | None = None

    @property
    def primal(self) -> Matrix:
        """Return P*, m × m."""
        return release_matrix(self.m, self.k, self.delta)

    @property
    def dual(self) -> Dual:
        """Return the multipliers, entry by entry."""
        return canonical_dual(self.m, self.k if self.dual_k is None else self.dual_k)

    @property
    def middle(self) -> int:
        """Return the count at which y is largest."""
        return (self.m + 1) // 2

    @property
    def weight(self) -> Fraction:
        """Return α_m, the largest y; P* has δ more than (1 − δ) α_m on its diagonal."""
        ratio = fmpq(self.k.numerator, self.k.denominator)
        return rational(alpha_closed_form(self.m, ratio))


def canonical_dual(m: int, k: Fraction) -> Dual:
    """Return the multipliers that prove the closed form of the least error.

    Source: ours; see `theory.counting.dual_weights`.
    """
    weights = tuple(rational(weight) for weight in dual_weights(m, k))
    middle, zero = (m + 1) // 2, Fraction(0)
    multipliers = {}
    for i, weight in enumerate(weights, start=1):
        if i < middle:
            multipliers[i, i + 1] = (weight,) * i + (zero,) * (m - i)
        if i > middle:
            multipliers[i, i - 1] = (zero,) * (i - 1) + (weight,) * (m - i + 1)
    return Dual(weights, multipliers)


@domain(m=COUNTS, k=RationalReals(1), delta=RationalReals(0, 1, open_high=True))
def least_error_by_structure(m: int, k: Fraction, delta: Fraction) -> Bracket:
    """Optimum of (6), enclosed by P* and by the closed dual certificate, for any number of counts.

    As `least_error`, but the points are checked by their structure, as `verify.solvers.check`
    explains: a few products of numbers that have as many digits as there are counts.

    Returns
    -------
    A bracket, of width 0 if P* is optimal.

    Raises
    ------
    CertificateError
        If a point fails its check.

    Source: counting paper, eq. (6) and Theorem 1; the dual point is ours.

    >>> best = least_error_by_structure(8, 2, 0)
    >>> best.lower, best.gap
    (Fraction(29, 45), Fraction(0, 1))
    """
    points = Canonical(m, k, delta)
    upper = check_circulant(m, k, delta, delta, (1 - delta) * points.weight)
    lower = check_peak(m, k, delta, points.middle, points.weight)
    return Bracket(lower, upper, points, BY_STRUCTURE)
