"""The optimal consistent release of a count in {1, …, M}: its error and its matrix."""

from flint import arb

from provedp.theory.domain import SquareMatrix, argument_error, domain, integers, reals
from provedp.theory.matrices import Matrix, circulant, least_diagonal
from provedp.theory.numbers import Count, Field, Number, certainly, field_of, minimum

__all__ = [
    "alpha",
    "alpha_closed_form",
    "cyclic_distance",
    "error",
    "error_limit",
    "release_entry",
    "release_matrix",
    "worst_case_error",
]

COUNTS = integers(2)
ANY_COUNTS = integers(2, symbolic=True)
RATIO = reals(1)
SLACK = reals(0, 1, open_high=True)


@domain(m=ANY_COUNTS, i=integers(1, symbolic=True), j=integers(1, symbolic=True))
def cyclic_distance(m: Count, i: Count, j: Count) -> Number:
    """Distance of two counts around a circle of m points (d_M).

    d_M(i, j) = min(|i − j|, m − |i − j|)

    Parameters
    ----------
    i, j
        Counts in {1, …, m}.

    Returns
    -------
    An integer in {0, …, ⌊m/2⌋}.

    Raises
    ------
    ValueError
        If a count is outside {1, …, m}.

    Source: counting paper, eq. (7).

    >>> cyclic_distance(5, 1, 5)
    1
    """
    for name, value in (("i", i), ("j", j)):
        if certainly(value > m):
            allowed = f"an integer in the range [1, {m}]"
            raise argument_error("counting.cyclic_distance", name, allowed, value)
    change: Number = i - j
    gap = abs(change)
    return minimum(gap, m - gap)


MANY = 1000  # counts


def distance_powers(m: int, q: Number) -> list[Number]:
    """Return [q^d(1, 1), …, q^d(1, m)] for the cyclic distance d."""
    powers = [q**0]
    for _ in range(m // 2):
        powers.append(powers[-1] * q)
    return [powers[min(gap, m - gap)] for gap in range(m)]


@domain(m=COUNTS, k=RATIO)
def alpha(m: int, k: Number) -> Number:
    """Weight of the diagonal of the pure-DP optimum (α_M).

    α_M = 1 / Σ_j k^(−d_M(1, j))

    Returns
    -------
    A number in (0, 1); 1/m at k = 1.

    Source: counting paper, eq. (8).

    >>> alpha(8, 2)
    Fraction(16, 45)
    """
    if m > MANY and field_of(k) <= Field.FLINT:
        return alpha_closed_form(m, k)  # a sum of exact numbers takes time that grows with m²
    q = 1 / k
    half = q**0
    for _ in range((m - 1) // 2):  # q + … + q^⌊(m − 1)/2⌋, from its innermost factor on
        half = q * half + 1
    total = 2 * half - 1
    return 1 / (total if m % 2 else total + q ** (m // 2))


@domain(m=ANY_COUNTS, k=RATIO)
def alpha_closed_form(m: Count, k: Number) -> Number:
    """Closed form of `alpha`, with h = ⌊m/2⌋; floats near k = 1 lose digits, `alpha` does not.

    α_M = (k − 1) k^h / (k^h (k + 1) − k^[m even] − 1), and 1/m at k = 1

    Returns
    -------
    The same number as `alpha`.

    Raises
    ------
    ValueError
        If k is a ball about 1 with a positive radius.

    Source: counting paper, eq. (9).

    >>> alpha_closed_form(5, 2)
    Fraction(2, 5)
    """
    if k == 1:
        return k / m
    if isinstance(k, arb) and k.contains(1):
        raise ValueError(f"The quotient is 0/0 on the ball {k}; use counting.alpha.")
    power = k ** (m // 2)
    return (k - 1) * power / (power * (k + 1) - k ** (1 - m % 2) - 1)


def weight(m: Count, k: Number) -> Number:
    """Return α_M: by its closed form for exact numbers and a symbol m, else by the sum.

    The quotient cancels for floats and balls near k = 1; the sum of many exact numbers is slow.
    """
    if isinstance(m, int) and field_of(k) > Field.FLINT:
        return alpha(m, k)
    return alpha_closed_form(m, k)


def _weight_elsewhere(m: Count, k: Number) -> Number:
    """Return 1 − α_M, which cancels for floats and balls with a large k; the sum does not."""
    if field_of(k) <= Field.FLINT or not isinstance(m, int):
        return 1 - alpha_closed_form(m, k)
    powers = distance_powers(m, 1 / k)[1:]
    rest = sum(powers[1:], start=powers[0])
    return rest / (1 + rest)


@domain(m=ANY_COUNTS, k=RATIO, delta=SLACK)
def error(m: Count, k: Number, delta: Number) -> Number:
    """Least worst-case error of a consistent (ln k, δ)-private release of a count (p_e*).

    p_e* = (1 − δ)(1 − α_M)

    Returns
    -------
    A probability in (0, 1).

    Source: counting paper, Theorem 1, eq. (10). At δ = 0 the diagonal α_M is that of the explicit
    fair mechanism of Cormode, Kulkarni and Srivastava (2018); noise modulo M, of which P* is a
    case, is the subject of Kadam and others (2024) and, under uniform priors, of Alvim and others
    (2011, 2015).

    >>> error(8, 2, 0)
    Fraction(29, 45)
    """
    return (1 - delta) * _weight_elsewhere(m, k)


@domain(k=RATIO, delta=SLACK)
def error_limit(k: Number, delta: Number) -> Number:
    """Limit of `error` for many counts.

    lim p_e* = 2(1 − δ)/(1 + k) for M → ∞

    Returns
    -------
    A probability.

    Source: counting paper, Corollary 1.1.

    >>> error_limit(3, 0)
    Fraction(1, 2)
    """
    return 2 * (1 - delta) / (1 + k)


@domain(top=reals(0), k=RATIO, delta=SLACK, distance=integers(0, symbolic=True))
def release_entry(top: Number, k: Number, delta: Number, distance: Count) -> Number:
    """Entry of the canonical optimal mechanism at a given cyclic distance (p*_ij).

    p(d) = (1 − δ) α k^(−d) + δ [d = 0]

    Parameters
    ----------
    top
        α, see `alpha`.
    distance
        d in {0, …, ⌊m/2⌋}.

    Returns
    -------
    A probability.

    Source: counting paper, Theorem 1, eq. (11).

    >>> release_entry(alpha(2, 2), 2, 0, 1)
    Fraction(1, 3)
    """
    kernel = (1 - delta) * top * k**-distance
    return kernel + delta if distance == 0 else kernel


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def release_matrix(m: int, k: Number, delta: Number) -> Matrix:
    """The canonical optimal mechanism (P*): a mixture of the identity and a cyclic kernel.

    p_ij = (1 − δ) α_M k^(−d_M(i, j)) + δ [i = j]

    Returns
    -------
    An m × m row-stochastic, symmetric circulant matrix.

    Source: counting paper, Theorem 1, eq. (11).

    >>> release_matrix(2, 2, 0).tolist()
    [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]]
    """
    top = alpha(m, k)
    entries = [release_entry(top, k, delta, distance) for distance in range(m // 2 + 1)]
    return circulant([entries[min(gap, m - gap)] for gap in range(m)])


@domain(mechanism=SquareMatrix())
def worst_case_error(mechanism: Matrix) -> Number:
    """Largest error probability of a mechanism over all counts (p_e).

    max_w p_e(w, P) = 1 − γ(P), with γ the least diagonal entry

    Returns
    -------
    A probability if the matrix is stochastic.

    Source: counting paper, eq. (5).

    >>> from fractions import Fraction as F
    >>> worst_case_error([[F(2, 3), F(1, 3)], [F(1, 2), F(1, 2)]])
    Fraction(1, 2)
    """
    return 1 - least_diagonal(mechanism)
