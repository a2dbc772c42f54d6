"""Canonical noise for counts: continuous noise that one count costs (ln k, δ), and no less."""

from collections.abc import Callable
from fractions import Fraction

from provedp.theory.counting.release import COUNTS, RATIO, SLACK
from provedp.theory.domain import SquareMatrix, argument_error, domain, reals
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Number, field_of, lift, rational

__all__ = [
    "canonical_cdf",
    "canonical_cells",
    "canonical_cuts",
    "canonical_edge",
    "canonical_integer_law",
    "canonical_quantile",
    "canonical_reach",
    "canonical_thresholds",
]

ANY = reals()
MOST_STEPS = 1 << 17  # so far noise reaches at ε = 10⁻⁴ and δ = 10⁻⁸
PROBABILITY = reals(0, 1)


def _require_noise(where: str, k: Number, delta: Number) -> None:
    if k == 1 and delta == 0:
        allowed = "above 1, or δ above 0: there is no noise that tells nothing"
        raise argument_error(f"counting.{where}", "k", allowed, k)


@domain(k=RATIO, delta=SLACK)
def canonical_edge(k: Number, delta: Number) -> Number:
    """Probability that canonical noise is below −1/2, where its trade-off function is the identity.

    c = (1 − δ)/(1 + k)

    Returns
    -------
    A number in (0, 1/2].

    Source: Awan and Vadhan, Canonical Noise Distributions and Private Hypothesis Tests (2023).

    >>> from fractions import Fraction as F
    >>> canonical_edge(F(2), F(1, 10))
    Fraction(3, 10)
    """
    return (1 - delta) / (1 + k)


@domain(x=ANY, k=RATIO, delta=SLACK)
def canonical_cdf(x: Number, k: Number, delta: Number) -> Number:
    """Distribution function of canonical noise for (ln k, δ) and counts that differ by one.

    F is linear from c at −1/2 to 1 − c at 1/2, F(x) = max(0, (F(x + 1) − δ)/k) below, which is
    max(0, (F(x + n) − t_n)/k^n) with t_n of `canonical_reach`, and F(x) = 1 − F(−x): two-sided
    geometric noise plus a uniform number in [−1/2, 1/2], conditioned on |noise| ≤ S.

    Parameters
    ----------
    x
        A real number.

    Returns
    -------
    A probability.

    Raises
    ------
    ValueError
        If k = 1 and δ = 0.

    Source: Awan and Slavković (2018), the Tulap distribution; recalled, and proved to fit by
    `counting.canonical_noise_meets_its_trade_off`.

    >>> from fractions import Fraction as F
    >>> canonical_cdf(F(0), F(2), F(1, 10)), canonical_cdf(F(-3, 2), F(2), F(1, 10))
    (Fraction(1, 2), Fraction(1, 10))
    """
    _require_noise("canonical_cdf", k, delta)
    if x > 0:
        return 1 - canonical_cdf(-x, k, delta)
    steps = _first(lambda n: 2 * (x + n) >= -1) if 2 * x < -1 else 0
    edge = canonical_edge(k, delta)
    value = edge + (1 - 2 * edge) * (2 * (x + steps) + 1) / 2
    if delta > 0 and steps and _is_spent(value, k, delta, steps):
        return 0 * value
    return (value - _level(k, delta, steps)) / k**steps


def _is_spent(value: Number, k: Number, delta: Number, steps: int) -> bool:
    """Whether t_n is at least a value for some n up to `steps`: no power is larger than needed."""
    tried = 1
    while tried < steps and _level(k, delta, tried) < value:
        tried *= 2
    return bool(_level(k, delta, min(tried, steps)) >= value)


@domain(k=RATIO, delta=reals(0, 1, open_low=True, open_high=True))
def canonical_reach(k: Number, delta: Number) -> Number:
    """Largest value of canonical noise; without end at δ = 0.

    S = 1/2 + n − (t_n − c)/(1 − 2c), t_0 = 0, t_(i+1) = k t_i + δ, n the first with t_n ≥ c

    Returns
    -------
    A positive number: F(−S) = 0 and F(S) = 1.

    Source: ours, from the recursion of `canonical_cdf`.

    >>> from fractions import Fraction as F
    >>> canonical_reach(F(3, 2), F(1, 10))
    Fraction(173, 56)
    """
    edge = canonical_edge(k, delta)
    steps = _first(lambda n: _level(k, delta, n) >= edge, MOST_STEPS)
    level = _level(k, delta, steps)
    return (1 + 2 * steps) * k**0 / 2 - (level - edge) / (1 - 2 * edge)


def _level(k: Number, delta: Number, steps: int) -> Number:
    """Return t_n = δ (1 + k + … + k^(n−1))."""
    return steps * delta if k == 1 else delta * (k**steps - 1) / (k - 1)


def _first(reached: Callable[[int], object], most: int | None = None) -> int:
    """Return the least n ≥ 1 that is reached, if all after it are; there must be one."""
    high = 1
    while not reached(high):
        high *= 2
        if most is not None and high > most:
            raise ValueError(
                "The 'delta' parameter must be larger at this k: noise that reaches beyond "
                f"{most} counts is not computed."
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


@domain(p=PROBABILITY, k=RATIO, delta=SLACK)
def canonical_quantile(p: Number, k: Number, delta: Number) -> Number | None:
    """Return the x with F(x) = p; at p = 0 and p = 1 the ends −S and S, None if there are none.

    Raises
    ------
    ValueError
        If k = 1 and δ = 0.

    Source: ours, the inverse of `canonical_cdf`.

    >>> from fractions import Fraction as F
    >>> canonical_quantile(F(1, 10), F(2), F(1, 10))
    Fraction(-3, 2)
    """
    _require_noise("canonical_quantile", k, delta)
    if p in (0, 1):
        if delta == 0:
            return None
        return canonical_reach(k, delta) * (1 if p == 1 else -1)
    if 2 * p > 1:
        upper = canonical_quantile(1 - p, k, delta)
        return None if upper is None else -upper
    edge = canonical_edge(k, delta)
    steps = _first(lambda n: k**n * p + _level(k, delta, n) >= edge) if p < edge else 0
    near = k**steps * p + _level(k, delta, steps)
    return (2 * near - 1) / (2 * (1 - 2 * edge)) - steps


@domain(law=SquareMatrix(), k=RATIO, delta=SLACK)
def canonical_thresholds(law: Matrix, k: Number, delta: Number) -> list[Number | None]:
    """Thresholds τ_1, …, τ_(M−1) with P(j + N > τ_j) = P(out > j | j), N canonical noise.

    If the law is (ln k, δ)-private they ascend, and 1 + #{j : τ_j < i + N} is at most as far from
    every count i, on either side.

    Parameters
    ----------
    law
        Row-stochastic matrix of outputs 1, …, M.

    Returns
    -------
    A list of M − 1; None for an infinite one, which only δ = 0 has: −∞ if the probability is 1, and
    ∞ if it is 0.

    Raises
    ------
    ValueError
        If k = 1 and δ = 0.

    Source: ours, the proof of `counting.canonical_noise_is_universally_optimal`.

    >>> from fractions import Fraction as F
    >>> thirds = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
    >>> canonical_thresholds(thirds, F(2), F(0))
    [Fraction(3, 2)]
    """
    found: list[Number | None] = []
    for j in range(1, len(law)):
        cut = canonical_quantile(sum(law[j - 1, :j], start=0 * k), k, delta)
        found.append(None if cut is None else cut + j)
    return found


@domain(k=RATIO, delta=reals(0, 1, open_low=True, open_high=True))
def canonical_integer_law(k: Number, delta: Number) -> list[Number]:
    """Law of canonical noise that is rounded to integers: P(X = 0), P(X = 1), …; X is symmetric.

    P(X = 0) = 1 − 2 c_0 and P(X = x) = c_(x−1) − c_x, c_0 = c, c_(x+1) = max(0, (c_x − δ)/k)

    Returns
    -------
    The probabilities up to the last that is not zero.

    Source: Awan and Ramasethu (2023): the smallest integer noise; recalled.

    >>> from fractions import Fraction as F
    >>> [str(p) for p in canonical_integer_law(F(2), F(1, 10))]
    ['2/5', '1/5', '1/10']
    """
    tail = canonical_edge(k, delta)
    law = [1 - 2 * tail]
    while tail > 0:
        after = (tail - delta) / k if tail > delta else 0 * tail
        law.append(tail - after)
        tail = after
    return law


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def canonical_cells(m: int, k: Number, delta: Number) -> Matrix:
    """Law of the cell of the line in which a count plus canonical noise falls.

    The cuts are the half-integers and i ± S + ℤ, between which the density of every count is
    constant; what lies beyond the counts' half-integers at δ = 0 is one cell on either side.

    Returns
    -------
    A row for each count 1, …, m.

    Source: ours.

    >>> from fractions import Fraction as F
    >>> [str(p) for p in canonical_cells(2, F(2), F(0))[0]]
    ['2/3', '1/3']
    """
    cuts = canonical_cuts(m, k, delta)
    rows = []
    for i in range(1, m + 1):
        below = [canonical_cdf(cut - i, k, delta) for cut in cuts]
        ends = [0 * k, *below, k**0]
        rows.append([b - a for a, b in zip(ends, ends[1:], strict=False)])
    return matrix(rows)


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def canonical_cuts(m: int, k: Number, delta: Number) -> list[Number]:
    """Return the ends of the cells of `canonical_cells`, those at infinity or ±S left out.

    >>> from fractions import Fraction as F
    >>> [str(cut) for cut in canonical_cuts(3, F(2), F(0))]
    ['3/2', '5/2']
    """
    halves: list[Number] = [(2 * i + 1) * k**0 / 2 for i in range(1, m)]
    if delta == 0:
        return halves
    reach = rational(canonical_reach(k, delta))
    low, high = 1 - reach, m + reach
    steps = range(-2 * int(reach) - 2, m + 2 * int(reach) + 3)
    found = {Fraction(2 * i + 1, 2) for i in steps}
    found |= {i + side for i in steps for side in (reach, -reach)}
    return [lift(cut, field_of(k)) for cut in sorted(found) if low < cut < high]
