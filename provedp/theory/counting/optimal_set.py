"""What all optimal releases of a count share, and how far they may differ from P*."""

from provedp.theory.counting.release import ANY_COUNTS, COUNTS, RATIO, SLACK, alpha, weight
from provedp.theory.domain import argument_error, domain, integers
from provedp.theory.numbers import Count, Number, maximum, minimum

__all__ = [
    "diagonal",
    "dual_weights",
    "entry_max",
    "entry_min",
    "forced_count",
    "forced_entries",
    "radius_of_four",
    "radius_of_three",
    "radius_upper",
    "radius_upper_as_printed",
]


@domain(m=ANY_COUNTS, k=RATIO, delta=SLACK)
def diagonal(m: Count, k: Number, delta: Number) -> Number:
    """Common diagonal entry of all optimal releases (γ* = 1 − p_e*).

    γ* = δ + (1 − δ) α_M

    Returns
    -------
    A probability.

    Source: counting paper, Theorem 1, statement 3.

    >>> diagonal(8, 2, 0)
    Fraction(16, 45)
    """
    return delta + (1 - delta) * weight(m, k)


@domain(m=COUNTS, k=RATIO, row=integers(1))
def dual_weights(m: int, k: Number, row: int | None = None) -> list[Number]:
    """Multipliers of the dual certificate of P* (w), centred on a middle row.

    w_i = k^(−|i − r|) / Σ_n k^(−|n − r|), which is α_M k^(−|i − r|) for a middle row r

    Parameters
    ----------
    row
        The centre r in {1, …, m}; the lower middle row ⌊(m + 1)/2⌋ unless given.

    Returns
    -------
    w_1, …, w_m, of sum one: the multipliers of x ≤ p_ii, and of the privacy constraint of row i ≠ r
    against its neighbour towards r for the event {1, …, i} (i < r) or {i, …, m} (i > r). A row r
    that is not in the middle gives a valid but weaker bound.

    Raises
    ------
    ValueError
        If the row is outside {1, …, m}.

    Source: ours; the dual of the counting paper's eq. (6).

    >>> [str(w) for w in dual_weights(5, 2)]
    ['1/10', '1/5', '2/5', '1/5', '1/10']
    """
    centre = (m + 1) // 2 if row is None else row
    if centre > m:
        allowed = f"an integer in the range [1, {m}]"
        raise argument_error("counting.dual_weights", "row", allowed, centre)
    weights = [k ** -abs(i - centre) for i in range(1, m + 1)]
    total = sum(weights[1:], start=weights[0])
    return [weight / total for weight in weights]


@domain(m=COUNTS)
def forced_entries(m: int) -> frozenset[tuple[int, int]]:
    """Entries that all optimal releases share at δ = 0, ε > 0.

    (i, j) with min(j, ⌊(m+1)/2⌋) ≤ i ≤ max(j, ⌈(m+1)/2⌉)

    Returns
    -------
    A set of pairs (i, j), counted from 1.

    Source: counting paper, Theorem 1, eq. (12).

    >>> len(forced_entries(4))
    10
    """
    low, high = (m + 1) // 2, m // 2 + 1
    return frozenset((i, j) for j in range(1, m + 1) for i in range(min(j, low), max(j, high) + 1))


@domain(m=ANY_COUNTS)
def forced_count(m: Count) -> Count:
    """Number of entries in `forced_entries`.

    (2m² + 10m − 1 + (2m + 1)(−1)^m) / 8

    Returns
    -------
    An integer.

    Source: counting paper, Theorem 1, statement 3.

    >>> forced_count(8)
    28
    """
    numerator = 2 * m**2 + 10 * m - 1 + (2 * m + 1) * (-1) ** m
    return numerator // 8 if isinstance(numerator, int) else numerator / 8


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def entry_max(m: int, k: Number, delta: Number) -> Number:
    """Largest off-diagonal entry of P* (Φ(P*)).

    Φ = (1 − δ) α_M / k

    Returns
    -------
    A probability.

    Source: counting paper, Definition 1.

    >>> entry_max(2, 2, 0)
    Fraction(1, 3)
    """
    return (1 - delta) * alpha(m, k) / k


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def entry_min(m: int, k: Number, delta: Number) -> Number:
    """Smallest entry of P* (φ(P*)).

    φ = (1 − δ) α_M k^(−⌊m/2⌋)

    Returns
    -------
    A probability.

    Source: counting paper, Definition 1.

    >>> entry_min(5, 2, 0)
    Fraction(1, 10)
    """
    return (1 - delta) * alpha(m, k) * k ** -(m // 2)


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def radius_upper(m: int, k: Number, delta: Number) -> Number:
    """Upper bound on the radius of the optimal set around P* (R_M), k = 1 included.

    R_M = max(Φ₀ − φ, Φ − φ₀), with γ* the diagonal, s = 1 + k + … + k^(m−2),
    Φ₀ = min(k^(m−1) γ* + δ s, 1 − γ*), φ₀ = max((γ* − δ s) / k^(m−1), 0)

    Returns
    -------
    A number that no optimal release exceeds in max-norm distance from P*.

    Source: counting paper, Lemma 2, eq. (23), with the geometric sum for (1 − k^(m−1))/(1 − k).

    >>> radius_upper(4, 2, 0)
    Fraction(4, 9)
    """
    powers = [k**exponent for exponent in range(m - 1)]
    return _radius_upper(m, k, delta, sum(powers[1:], start=powers[0]))


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def radius_upper_as_printed(m: int, k: Number, delta: Number) -> Number:
    """Bound R_M as the paper prints it, with the quotient (1 − k^(m−1))/(1 − k); not for k = 1.

    Returns
    -------
    The same number as `radius_upper` for k > 1.

    Raises
    ------
    ZeroDivisionError
        At k = 1, for exact numbers.

    Source: counting paper, Lemma 2, eq. (23).

    >>> radius_upper_as_printed(4, 2, 0)
    Fraction(4, 9)
    """
    return _radius_upper(m, k, delta, (1 - k ** (m - 1)) / (1 - k))


def _radius_upper(m: int, k: Number, delta: Number, geometric: Number) -> Number:
    common = delta + (1 - delta) * alpha(m, k)
    power = k ** (m - 1)
    largest = minimum(power * common + delta * geometric, 1 - common)
    smallest = maximum((common - delta * geometric) / power, 0 * k)
    return maximum(largest - entry_min(m, k, delta), entry_max(m, k, delta) - smallest)


@domain(k=RATIO, delta=SLACK)
def radius_of_three(k: Number, delta: Number) -> Number:
    """True radius of the optimal set for three counts (Δ_3).

    Δ_3 = (1 − δ)/(k + 2) · (1 − (1 − δ′)⁺/k), with δ′ = δ (k + 2)/(1 − δ)

    Returns
    -------
    The radius, attained by an optimal release.

    Source: ours, for the counting paper's Definition 1.

    >>> radius_of_three(2, 0)
    Fraction(1, 8)
    """
    extra = delta * (k + 2) / (1 - delta)
    return (1 - delta) / (k + 2) * (1 - maximum(1 - extra, 0 * k) / k)


@domain(k=RATIO)
def radius_of_four(k: Number) -> Number:
    """True radius of the optimal set for four counts at δ = 0 (Δ_4).

    Δ_4 = (k − 1) / (k (k + 1))

    Returns
    -------
    The radius, attained by an optimal release.

    Source: ours, for the counting paper's Definition 1.

    >>> radius_of_four(2)
    Fraction(1, 6)
    """
    return (k - 1) / (k * (k + 1))
