"""Laws of the mechanisms for a count that the optimal release is compared with (all δ = 0)."""

from collections.abc import Callable

from provedp.theory.counting.release import ANY_COUNTS, COUNTS, RATIO
from provedp.theory.domain import Flag, domain, integers
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Count, Number

__all__ = [
    "exponential_mechanism_matrix",
    "exponential_total",
    "exponential_weight",
    "geometric_entry",
    "laplace_entry",
    "randomized_response_matrix",
    "response_entry",
    "rounded_laplace_matrix",
    "truncated_geometric_matrix",
]


GAP = integers(0, symbolic=True)


@domain(k=RATIO, gap=GAP, at_end=Flag())
def geometric_entry(k: Number, gap: Count, at_end: bool) -> Number:
    """Probability that two-sided geometric noise leads to a count that is `gap` away.

    (k − 1)/(k + 1) k^(−gap), and k/(k + 1) k^(−gap) if the count is the least or the largest

    Parameters
    ----------
    at_end
        Whether j is the least or the largest count, where the noise beyond it gathers.

    Returns
    -------
    A probability.

    Source: ours, after reference [11] of the counting paper.

    >>> geometric_entry(2, 1, at_end=False)
    Fraction(1, 6)
    """
    return (k if at_end else k - 1) / (k + 1) * k**-gap


@domain(m=ANY_COUNTS, k=RATIO, same=Flag())
def response_entry(m: Count, k: Number, same: bool) -> Number:
    """Probability that randomised response returns the true count, or one other count.

    k/(k + m − 1) or 1/(k + m − 1)

    Parameters
    ----------
    same
        Whether it is the true count.

    Returns
    -------
    A probability.

    Source: ours.

    >>> response_entry(3, 2, same=True)
    Fraction(1, 2)
    """
    return (k if same else k**0) / (k + m - 1)


@domain(r=RATIO, gap=GAP, at_end=Flag())
def laplace_entry(r: Number, gap: Count, at_end: bool) -> Number:
    """Probability that rounded Laplace noise leads to a count that is `gap` away, r = e^(ε/2).

    1 − 1/r for gap 0 and (r − 1/r)/2 · r^(−2 gap) beyond; 1 − 1/(2r) and r/2 · r^(−2 gap) at an end

    Parameters
    ----------
    r
        e^(ε/2) (ε in nats).
    at_end
        Whether j is the least or the largest count, where the noise beyond it gathers.

    Returns
    -------
    A probability.

    Source: ours.

    >>> laplace_entry(2, 1, at_end=False)
    Fraction(3, 16)
    """
    if gap == 0:
        return 1 - 1 / (2 * r) if at_end else 1 - 1 / r
    return (r if at_end else r - 1 / r) / 2 * r ** (-2 * gap)


@domain(r=RATIO, gap=GAP)
def exponential_weight(r: Number, gap: Count) -> Number:
    """Weight of a count that is `gap` away in the exponential mechanism, r = e^(ε/2).

    r^(−gap); a row divides its weights by their sum

    Parameters
    ----------
    r
        e^(ε/2) (ε in nats).

    Returns
    -------
    A number in (0, 1].

    Source: ours, after reference [17] of the counting paper.

    >>> exponential_weight(2, 3)
    Fraction(1, 8)
    """
    return r**-gap


@domain(m=ANY_COUNTS, r=RATIO, i=integers(1, symbolic=True))
def exponential_total(m: Count, r: Number, i: Count) -> Number:
    """Sum of the weights in row i of the exponential mechanism, r = e^(ε/2).

    Σ_n r^(−|i − n|) = (r + 1 − r^(1 − i) − r^(i − m)) / (r − 1), and m at r = 1

    Parameters
    ----------
    r
        e^(ε/2) (ε in nats).
    i
        A count in {1, …, m}.

    Returns
    -------
    A number in (1, m].

    Source: ours, two geometric sums.

    >>> exponential_total(3, 2, 1)
    Fraction(7, 4)
    """
    if r == 1:
        return m * r
    return (r + 1 - r ** (1 - i) - r ** (i - m)) / (r - 1)


@domain(m=COUNTS, k=RATIO)
def truncated_geometric_matrix(m: int, k: Number) -> Matrix:
    """Two-sided geometric noise, then the nearest count.

    p_ij = (k − 1)/(k + 1) k^(−|i − j|) for 1 < j < m,
    p_ij = k/(k + 1) k^(−|i − j|) for j = 1 and j = m

    Returns
    -------
    An m × m row-stochastic matrix.

    Source: ours, after reference [11] of the counting paper.

    >>> [str(p) for p in truncated_geometric_matrix(3, 2)[0]]
    ['2/3', '1/6', '1/6']
    """
    return _of_gaps(m, lambda gap, at_end: geometric_entry(k, gap, at_end))


@domain(m=COUNTS, k=RATIO)
def randomized_response_matrix(m: int, k: Number) -> Matrix:
    """The true count with probability k/(k + m − 1), otherwise any other one.

    p_ij = k^[i = j] / (k + m − 1)

    Returns
    -------
    An m × m row-stochastic matrix; any two of its rows, neighbouring or not, are (ln k, 0)-close.

    Source: ours.

    >>> [str(p) for p in randomized_response_matrix(3, 2)[0]]
    ['1/2', '1/4', '1/4']
    """
    return _of_gaps(m, lambda gap, at_end: response_entry(m, k, gap == 0))


@domain(m=COUNTS, r=RATIO)
def rounded_laplace_matrix(m: int, r: Number) -> Matrix:
    """Laplace noise of scale 1/ε, then the nearest count, with r = e^(ε/2).

    p_ii = 1 − 1/r and p_ij = (r − 1/r)/2 · r^(−2|i − j|) for 1 < j < m,
    p_ii = 1 − 1/(2r) and p_ij = r/2 · r^(−2|i − j|) for j = 1 and j = m

    Parameters
    ----------
    r
        e^(ε/2) (ε in nats); the square root of k elsewhere.

    Returns
    -------
    An m × m row-stochastic matrix.

    Source: ours.

    >>> [str(p) for p in rounded_laplace_matrix(3, 2)[0]]
    ['3/4', '3/16', '1/16']
    """
    return _of_gaps(m, lambda gap, at_end: laplace_entry(r, gap, at_end))


@domain(m=COUNTS, r=RATIO)
def exponential_mechanism_matrix(m: int, r: Number) -> Matrix:
    """Exponential mechanism with the utility −|i − j|, with r = e^(ε/2).

    p_ij = r^(−|i − j|) / Σ_n r^(−|i − n|)

    Parameters
    ----------
    r
        e^(ε/2) (ε in nats); the square root of k elsewhere.

    Returns
    -------
    An m × m row-stochastic matrix.

    Source: ours, after reference [17] of the counting paper.

    >>> [str(p) for p in exponential_mechanism_matrix(3, 2)[0]]
    ['4/7', '2/7', '1/7']
    """
    weights = _of_gaps(m, lambda gap, at_end: exponential_weight(r, gap))
    totals = [sum(row) for row in weights]
    return matrix([[weight / totals[i] for weight in weights[i]] for i in range(m)])


def _of_gaps(m: int, entry: Callable[[int, bool], Number]) -> Matrix:
    """Return the matrix of entry(|i − j|, whether j is the first or last column)."""
    inner, outer = ([entry(gap, end) for gap in range(m)] for end in (False, True))
    columns = [outer, *[inner] * (m - 2), outer]
    return matrix([[columns[j][abs(i - j)] for j in range(m)] for i in range(m)])
