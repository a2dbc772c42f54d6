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
from provedp.verify.solvers.channel.grid import GridDual
from provedp.verify.solvers.channel.repair import BITS, distribution
from provedp.verify.solvers.check import check_circulant, check_peak

__all__ = [
    "BY_STRUCTURE",
    "Canonical",
    "canonical_dual",
    "canonical_dual_on_grid",
    "least_error_by_structure",
]

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
    multipliers = {
        pair: tuple(weights[pair[0] - 1] if paid else Fraction(0) for paid in row)
        for pair, row in _toward_the_middle(m).items()
    }
    return Dual(weights, multipliers)


def canonical_dual_on_grid(m: int, k: Fraction) -> GridDual:
    """Return the multipliers of `canonical_dual`, rounded down to multiples of 2^(−BITS)."""
    middle, last = (m + 1) // 2, m // 2
    powers = [k.denominator**d * k.numerator ** (last - d) for d in range(last + 1)]
    shares = [powers[abs(i - middle)] for i in range(1, m + 1)]
    total = sum(shares)
    weights = [(share << BITS) // total for share in shares]
    multipliers = {
        pair: [weights[pair[0] - 1] * paid for paid in row]
        for pair, row in _toward_the_middle(m).items()
    }
    return GridDual(distribution(weights), multipliers, 1 << BITS)


def _toward_the_middle(m: int) -> dict[tuple[int, int], list[bool]]:
    """Return for each count and the next towards the middle at which outputs μ is not 0."""
    middle, outputs = (m + 1) // 2, range(1, m + 1)
    below = {(i, i + 1): [j <= i for j in outputs] for i in range(1, middle)}
    above = {(i, i - 1): [j >= i for j in outputs] for i in range(middle + 1, m + 1)}
    return below | above


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
