"""Laws of the mechanisms for a count that the optimal release is compared with (all δ = 0)."""

from provedp.theory.counting.release import COUNTS, RATIO
from provedp.theory.domain import domain
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Number

__all__ = [
    "exponential_mechanism_matrix",
    "randomized_response_matrix",
    "rounded_laplace_matrix",
    "truncated_geometric_matrix",
]


@domain(m=COUNTS, k=RATIO)
def truncated_geometric_matrix(m: int, k: Number) -> Matrix:
    """Two-sided geometric noise, then the nearest count.

    p_ij = (k − 1)/(k + 1) k^(−|i − j|) for 1 < j < m,
    p_ij = k/(k + 1) k^(−|i − j|) for j = 1 and j = m

    Parameters
    ----------
    m
        Number of counts, at least 2.
    k
        e^ε, at least 1 (ε in nats).

    Returns
    -------
    An m × m row-stochastic matrix.

    Raises
    ------
    ValueError
        If m < 2 or k < 1.

    Source: ours, after reference [11] of the counting paper.

    >>> [str(p) for p in truncated_geometric_matrix(3, 2)[0]]
    ['2/3', '1/6', '1/6']
    """
    return _clamped(m, (k - 1) / (k + 1), k / (k + 1), k)


@domain(m=COUNTS, k=RATIO)
def randomized_response_matrix(m: int, k: Number) -> Matrix:
    """The true count with probability k/(k + m − 1), otherwise any other one.

    p_ij = k^[i = j] / (k + m − 1)

    Parameters
    ----------
    m
        Number of counts, at least 2.
    k
        e^ε, at least 1 (ε in nats).

    Returns
    -------
    An m × m row-stochastic matrix; any two of its rows, neighbouring or not, are (ln k, 0)-close.

    Raises
    ------
    ValueError
        If m < 2 or k < 1.

    Source: ours.

    >>> [str(p) for p in randomized_response_matrix(3, 2)[0]]
    ['1/2', '1/4', '1/4']
    """
    other = 1 / (k + m - 1)
    return matrix([[k * other if i == j else other for j in range(m)] for i in range(m)])


@domain(m=COUNTS, r=RATIO)
def rounded_laplace_matrix(m: int, r: Number) -> Matrix:
    """Laplace noise of scale 1/ε, then the nearest count, with r = e^(ε/2).

    p_ii = 1 − 1/r and p_ij = (r − 1/r)/2 · r^(−2|i − j|) for 1 < j < m,
    p_ii = 1 − 1/(2r) and p_ij = r/2 · r^(−2|i − j|) for j = 1 and j = m

    Parameters
    ----------
    m
        Number of counts, at least 2.
    r
        e^(ε/2), at least 1 (ε in nats); the square root of k elsewhere.

    Returns
    -------
    An m × m row-stochastic matrix.

    Raises
    ------
    ValueError
        If m < 2 or r < 1.

    Source: ours.

    >>> [str(p) for p in rounded_laplace_matrix(3, 2)[0]]
    ['3/4', '3/16', '1/16']
    """
    rows = _clamped(m, (r - 1 / r) / 2, r / 2, r**2)
    for count in range(m):
        rows[count, count] = 1 - 1 / r
    rows[0, 0] = rows[m - 1, m - 1] = 1 - 1 / (2 * r)
    return rows


@domain(m=COUNTS, r=RATIO)
def exponential_mechanism_matrix(m: int, r: Number) -> Matrix:
    """Exponential mechanism with the utility −|i − j|, with r = e^(ε/2).

    p_ij = r^(−|i − j|) / Σ_n r^(−|i − n|)

    Parameters
    ----------
    m
        Number of counts, at least 2.
    r
        e^(ε/2), at least 1 (ε in nats); the square root of k elsewhere.

    Returns
    -------
    An m × m row-stochastic matrix.

    Raises
    ------
    ValueError
        If m < 2 or r < 1.

    Source: ours, after reference [17] of the counting paper.

    >>> [str(p) for p in exponential_mechanism_matrix(3, 2)[0]]
    ['4/7', '2/7', '1/7']
    """
    powers = [r**-gap for gap in range(m)]
    weights = [[powers[abs(i - j)] for j in range(m)] for i in range(m)]
    totals = [sum(row) for row in weights]
    return matrix([[weight / totals[i] for weight in weights[i]] for i in range(m)])


def _clamped(m: int, inner: Number, outer: Number, k: Number) -> Matrix:
    """Return c_j k^(−|i − j|) with c_j = outer at the two ends and inner between them."""
    scales = [outer, *[inner] * (m - 2), outer]
    powers = [k**-gap for gap in range(m)]
    return matrix([[scales[j] * powers[abs(i - j)] for j in range(m)] for i in range(m)])
