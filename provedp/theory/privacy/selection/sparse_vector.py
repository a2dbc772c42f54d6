"""The sparse vector technique: which of many answers exceed a noisy threshold."""

from fractions import Fraction

from flint import arb

from provedp.theory.domain import RealVector, domain, integers, reals
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Count, Number, ball, dyadic, rational
from provedp.theory.privacy.functions import exp, numeric, positive_part
from provedp.theory.sharp_floats import as_asked

__all__ = [
    "noisy_threshold_between",
    "released_value_probability",
    "sparse_vector_epsilon",
    "sparse_vector_probability",
    "sparse_vector_scales",
]

GUARD_BITS = 64  # of the alternating sums
SCALE = reals(0, open_low=True)
RATE = integers(1)
LEAD = reals(0, 1, open_low=True)

Terms = dict[int, arb]  # Σ c e^(az), by a


@domain(threshold_scale=SCALE, query_scale=SCALE, cutoff=integers(1, symbolic=True))
def sparse_vector_epsilon(threshold_scale: Number, query_scale: Number, cutoff: Count) -> Number:
    """Privacy of the sparse vector technique that stops after so many answers above the threshold.

    ε = 1/b + 2c/b′

    Parameters
    ----------
    threshold_scale
        b, the scale of the Laplace noise on the threshold, in units of the sensitivity of a query.
    query_scale
        b′, that of the noise on each query.
    cutoff
        c, the number of answers above the threshold after which it stops.

    Returns
    -------
    The least ε that holds for all queries, over the field of the arguments.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique, Algorithms 1 and 4.

    >>> from fractions import Fraction as F
    >>> sparse_vector_epsilon(F(2), F(4), 1), sparse_vector_epsilon(F(4), F(4, 3), 1)
    (Fraction(1, 1), Fraction(7, 4))
    """
    return 1 / threshold_scale + 2 * cutoff / query_scale


@domain(epsilon=SCALE, cutoff=integers(1))
def sparse_vector_scales(epsilon: Number, cutoff: int) -> tuple[Number, Number]:
    """Scales of the noise of the sparse vector technique, half of ε for the threshold.

    b = 2/ε, b′ = 4c/ε

    Parameters
    ----------
    cutoff
        c, the number of answers above the threshold after which it stops.

    Returns
    -------
    The scale on the threshold and the scale on each query, in units of the sensitivity of a query.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique, Algorithm 1.

    >>> from fractions import Fraction as F
    >>> sparse_vector_scales(F(1), 3)
    (Fraction(2, 1), Fraction(12, 1))
    """
    return 2 / epsilon, 4 * cutoff / epsilon


@domain(threshold_rate=RATE, query_rate=RATE, below=RealVector(), above=RealVector())
def sparse_vector_probability(
    threshold_rate: int, query_rate: int, below: Matrix | None = None, above: Matrix | None = None
) -> Number:
    """Probability that a noisy threshold exceeds some noisy queries and none of some others.

    P = ∫ f(z) Π_{i below} F(z − m_i) Π_{i above} (1 − F(z − m_i)) dz, m_i = q_i − T, where f is the
    density of the noise on the threshold and F the distribution function of that on a query

    Parameters
    ----------
    threshold_rate, query_rate
        1/b and 1/b′ as positive integers: a unit for queries and threshold is chosen to suit.
    below, above
        Queries minus threshold, of those answered 'below' and of those answered 'above'; exact
        numbers. The order of the answers does not matter.

    Returns
    -------
    The probability: a ball, or for floats a float that is right to its last digits.

    Raises
    ------
    ValueError
        If both lists are missing, or a query is an inexact ball.

    Source: ours; between neighbouring queries and 0 the integrand is a sum of exponentials.

    >>> sparse_vector_probability(1, 1, above=[0])
    0.500000000000000
    """
    given = [vector for vector in (below, above) if vector is not None]
    if not given:
        raise ValueError("The 'below' and 'above' parameters are both missing: no query.")
    margins = [
        [_exact(margin) for margin in (() if vector is None else vector)]
        for vector in (below, above)
    ]
    numbers = (number for vector in given for number in vector)
    return as_asked(numbers, lambda: _probability(threshold_rate, query_rate, *margins), GUARD_BITS)


@domain(size=integers(0), threshold_rate=RATE, query_rate=RATE, decay=LEAD)
def released_value_probability(
    size: int, threshold_rate: int, query_rate: int, decay: Number
) -> Number:
    """Probability of n answers 'below', and then of a released noisy value at most T.

    P = a s (g/2)ⁿ / (4 (a + n s)(a + (n + 1) s)) = ∫∫_{z ≤ v ≤ 0} f′(v) f(z) F(z − m)ⁿ dz dv,
    f and f′ the densities of the noise on threshold and queries

    Parameters
    ----------
    size
        n ≥ 0 queries that are below.
    threshold_rate, query_rate
        a = 1/b and s = 1/b′ as positive integers, in units that suit.
    decay
        g = e^(−s m), where these queries are m ≥ 0 above the threshold T, and the released one
        at T.

    Returns
    -------
    The probability, over the field of the arguments: it falls by the factor e^(−s) to the power n
    when all n queries rise by 1, although the released value says nothing of them.

    Source: ours, for Lyu, Su and Li, Understanding the Sparse Vector Technique, Algorithm 3.

    >>> from fractions import Fraction as F
    >>> released_value_probability(1, 1, 1, F(1, 2))
    Fraction(1, 96)
    """
    total = threshold_rate + size * query_rate
    share = threshold_rate * query_rate * (decay / 2) ** size / 4
    return share / (total * (total + query_rate))


@domain(low=reals(), high=reals(), scale=SCALE)
def noisy_threshold_between(low: Number, high: Number, scale: Number) -> Number:
    """Probability that Laplace noise on a threshold falls between two margins.

    P = (F(high) − F(low))⁺

    Parameters
    ----------
    low, high
        Queries minus threshold: the largest of those that are to be below, and the smallest of
        those that are to be above.
    scale
        Scale of the noise.

    Returns
    -------
    The probability of these answers if the queries have no noise: a float for floats, else a ball;
    exactly 0 for floats if high ≤ low.

    Source: ours, for Lyu, Su and Li, Understanding the Sparse Vector Technique, Algorithm 5.

    >>> round(noisy_threshold_between(-0.5, 0.5, 2.0), 6)
    0.221199
    """
    width = numeric(scale)
    lower, upper = (_distribution(numeric(end) / width) for end in (low, high))
    return positive_part(upper - lower)


def _distribution(x: Number) -> Number:
    """Return the distribution function of the Laplace law; for balls around 0, a ball for both."""
    below, above = exp(x) / 2, 1 - exp(-x) / 2
    if x <= 0:
        return below
    return above if x >= 0 else ball(below).union(ball(above))


def _exact(margin: Number) -> Fraction:
    if not isinstance(margin, arb):
        return rational(margin)
    if not margin.is_exact():
        raise ValueError(f"A query must be an exact number. Got {margin} instead.")
    return dyadic(margin)


def _probability(rate: int, slope: int, below: list[Fraction], above: list[Fraction]) -> arb:
    ends = sorted({Fraction(0), *below, *above})
    total = arb(0)
    for low, high in zip([None, *ends], [*ends, None], strict=True):
        terms = {rate if high is not None and high <= 0 else -rate: arb(rate) / 2}
        for margin in below:
            terms = _times(terms, _lower_tail(slope, margin, high))
        for margin in above:
            terms = _times(terms, _complement(_lower_tail(slope, margin, high)))
        total += _integral(terms, low, high)
    return total


def _lower_tail(slope: int, margin: Fraction, high: Fraction | None) -> Terms:
    """Return F(z − margin) on a piece that ends at `high`, no margin inside."""
    factor = (slope * ball(margin)).exp() / 2
    if high is not None and high <= margin:
        return {slope: 1 / (4 * factor)}
    return {0: arb(1), -slope: -factor}


def _complement(terms: Terms) -> Terms:
    rest = {exponent: -coefficient for exponent, coefficient in terms.items()}
    constant = 1 + rest.pop(0, arb(0))
    return rest if constant == 0 else {0: constant, **rest}


def _times(terms: Terms, factor: Terms) -> Terms:
    found: Terms = {}
    for one, left in terms.items():
        for other, right in factor.items():
            found[one + other] = found.get(one + other, arb(0)) + left * right
    return found


def _integral(terms: Terms, low: Fraction | None, high: Fraction | None) -> arb:
    """Integrate a sum of exponentials; towards an infinite end every one of them vanishes."""
    total = arb(0)
    for exponent, coefficient in terms.items():
        if exponent == 0:
            if low is None or high is None:
                raise ArithmeticError("a constant has no integral over an infinite piece")
            total += coefficient * ball(high - low)
            continue
        ends = [arb(0) if end is None else (exponent * ball(end)).exp() for end in (low, high)]
        total += coefficient * (ends[1] - ends[0]) / exponent
    return total
