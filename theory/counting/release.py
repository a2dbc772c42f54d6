"""The optimal consistent release of a count in {1, …, M}: its error, its matrix, its spectrum."""

from typing import Any

import sympy

from provedp.theory.domain import domain, integers, reals
from provedp.theory.matrices import Matrix, circulant
from provedp.theory.numbers import Number

__all__ = [
    "alpha",
    "alpha_closed_form",
    "cyclic_distance",
    "eigenvalues",
    "eigenvalues_as_printed",
    "error",
    "error_limit",
    "release_matrix",
]

COUNTS = integers(2)
RATIO = reals(1)
SLACK = reals(0, 1, open_high=True)


@domain(m=COUNTS, i=integers(1), j=integers(1))
def cyclic_distance(m: int, i: int, j: int) -> int:
    """Distance of two counts around a circle of m points (d_M).

    d_M(i, j) = min(|i − j|, m − |i − j|)

    Parameters
    ----------
    m
        Number of counts, at least 2.
    i, j
        Counts in {1, …, m}.

    Returns
    -------
    An integer in {0, …, ⌊m/2⌋}.

    Raises
    ------
    ValueError
        If m < 2 or a count is outside {1, …, m}.

    Source: counting paper, eq. (7).

    >>> cyclic_distance(5, 1, 5)
    1
    """
    for name, value in (("i", i), ("j", j)):
        if value > m:
            raise ValueError(
                f"The '{name}' parameter of counting.cyclic_distance must be an integer in the "
                f"range [1, {m}]. Got {value} instead."
            )
    gap = abs(i - j)
    return min(gap, m - gap)


def distance_powers(m: int, q: Number) -> list[Number]:
    """Return [q^d(1, 1), …, q^d(1, m)] for the cyclic distance d."""
    powers = [q / q]
    for _ in range(m // 2):
        powers.append(powers[-1] * q)
    return [powers[min(gap, m - gap)] for gap in range(m)]


@domain(m=COUNTS, k=RATIO)
def alpha(m: int, k: Number) -> Number:
    """Weight of the diagonal of the pure-DP optimum (α_M).

    α_M = 1 / Σ_j k^(−d_M(1, j))

    Parameters
    ----------
    m
        Number of counts, at least 2.
    k
        e^ε, at least 1 (ε in nats).

    Returns
    -------
    A number in (0, 1); 1/m at k = 1.

    Raises
    ------
    ValueError
        If m < 2 or k < 1.

    Source: counting paper, eq. (8).

    >>> alpha(8, 2)
    Fraction(16, 45)
    """
    powers = distance_powers(m, 1 / k)
    return 1 / sum(powers[1:], start=powers[0])


@domain(m=COUNTS, k=RATIO)
def alpha_closed_form(m: Any, k: Number) -> Number:
    """Closed form of `alpha`, with h = ⌊m/2⌋.

    α_M = (k − 1) k^h / (k^h (k + 1) − k^[m even] − 1), and 1/m at k = 1

    Parameters
    ----------
    m
        Number of counts, at least 2; may be a sympy integer expression.
    k
        e^ε, at least 1 (ε in nats).

    Returns
    -------
    The same number as `alpha`.

    Raises
    ------
    ValueError
        If m < 2 or k < 1.

    Source: counting paper, eq. (9).

    >>> alpha_closed_form(5, 2)
    Fraction(2, 5)
    """
    if k == 1:
        return k / m
    power = k ** (m // 2)
    return (k - 1) * power / (power * (k + 1) - k ** (1 - m % 2) - 1)


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def error(m: Any, k: Number, delta: Number) -> Number:
    """Least worst-case error of a consistent (ln k, δ)-private release of a count (p_e*).

    p_e* = (1 − δ)(1 − α_M)

    Parameters
    ----------
    m
        Number of counts, at least 2; may be a sympy integer expression.
    k
        e^ε, at least 1 (ε in nats).
    delta
        δ in [0, 1).

    Returns
    -------
    A probability in (0, 1).

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: counting paper, Theorem 1, eq. (10).

    >>> error(8, 2, 0)
    Fraction(29, 45)
    """
    return (1 - delta) * (1 - alpha_closed_form(m, k))


@domain(k=RATIO, delta=SLACK)
def error_limit(k: Number, delta: Number) -> Number:
    """Limit of `error` for many counts.

    lim p_e* = 2(1 − δ)/(1 + k) for M → ∞

    Parameters
    ----------
    k
        e^ε, at least 1 (ε in nats).
    delta
        δ in [0, 1).

    Returns
    -------
    A probability.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: counting paper, Corollary 1.1.

    >>> error_limit(3, 0)
    Fraction(1, 2)
    """
    return 2 * (1 - delta) / (1 + k)


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def release_matrix(m: int, k: Number, delta: Number) -> Matrix:
    """The canonical optimal mechanism (P*): a mixture of the identity and a cyclic kernel.

    p_ij = (1 − δ) α_M k^(−d_M(i, j)) + δ [i = j]

    Parameters
    ----------
    m
        Number of counts, at least 2.
    k
        e^ε, at least 1 (ε in nats).
    delta
        δ in [0, 1).

    Returns
    -------
    An m × m row-stochastic, symmetric circulant matrix.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: counting paper, Theorem 1, eq. (11).

    >>> release_matrix(2, 2, 0).tolist()
    [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]]
    """
    scale = (1 - delta) * alpha(m, k)
    row = [scale * power for power in distance_powers(m, 1 / k)]
    row[0] = row[0] + delta
    return circulant(row)


UNIT = reals(0, 1, open_low=True, open_high=True)


@domain(m=COUNTS, q=UNIT)
def eigenvalues(m: int, q: Number) -> list[Number]:
    """Eigenvalues of the cyclic kernel [q^d(i, j)], as printed for odd m, corrected for even m.

    λ_j = (1 − q)(1 + q − 2 q^(h+1) cos(hθ)) / (1 − 2q cos θ + q²) for m = 2h + 1,
    λ_j = (1 − q²)(1 − (−1)^j q^h) / (1 − 2q cos θ + q²) for m = 2h, with θ = 2πj/m

    Parameters
    ----------
    m
        Number of counts, at least 2.
    q
        Base in (0, 1); e^(−ε) in the release.

    Returns
    -------
    The m eigenvalues λ_0, …, λ_(m−1); exact algebraic numbers for rational q.

    Raises
    ------
    ValueError
        If m < 2 or q is not in (0, 1).

    Source: counting paper, Appendix A (case M = 2m corrected).

    >>> eigenvalues(2, sympy.Rational(1, 2))
    [3/2, 1/2]
    """
    return [_eigenvalue(m, q, index, _even_numerator) for index in range(m)]


@domain(m=COUNTS, q=UNIT)
def eigenvalues_as_printed(m: int, q: Number) -> list[Number]:
    """Eigenvalues of [q^d(i, j)] as the paper prints them; wrong for even m.

    λ_j = (1 − q² − (1 − q)² q^h (−1)^j) / (1 − 2q cos θ + q²) for m = 2h

    Parameters
    ----------
    m
        Number of counts, at least 2.
    q
        Base in (0, 1).

    Returns
    -------
    The m printed values.

    Raises
    ------
    ValueError
        If m < 2 or q is not in (0, 1).

    Source: counting paper, Appendix A.

    >>> eigenvalues_as_printed(2, sympy.Rational(1, 2))
    [5/2, 7/18]
    """
    return [_eigenvalue(m, q, index, _even_numerator_as_printed) for index in range(m)]


def _eigenvalue(m: int, q: Number, index: int, even_numerator: Any) -> Number:
    """Return λ_index as a symbolic expression over q (rationals become sympy numbers)."""
    base = sympy.sympify(q) if isinstance(q, sympy.Expr) else sympy.Rational(str(q))
    half = m // 2
    angle = 2 * sympy.pi * index / m
    denominator = 1 - 2 * base * sympy.cos(angle) + base**2
    if m % 2 == 0:
        return even_numerator(base, half, (-1) ** index) / denominator
    tail = 2 * base ** (half + 1) * sympy.cos(half * angle)
    return (1 - base) * (1 + base - tail) / denominator


def _even_numerator(q: Number, half: int, sign: int) -> Number:
    return (1 - q**2) * (1 - sign * q**half)


def _even_numerator_as_printed(q: Number, half: int, sign: int) -> Number:
    return 1 - q**2 - (1 - q) ** 2 * q**half * sign
