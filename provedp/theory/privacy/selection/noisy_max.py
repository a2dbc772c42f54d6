"""Choosing one of several candidates privately: report noisy max and the exponential mechanism.

Noise is Laplace of scale b; leads are given as e^(−lead/b), so that one formula serves every scale.
"""

import math

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Count, Number
from provedp.theory.privacy.functions import log, transcendental

__all__ = ["exponential_selection_ratio", "noisy_max_below", "noisy_max_probability"]

SIZE = integers(2)
LEAD = reals(0, 1, open_low=True)


@domain(size=SIZE, lead=LEAD)
def noisy_max_probability(size: int, lead: Number) -> Number:
    """Probability that report noisy max names the candidate that leads all others.

    P = u/(n 2ⁿ) + (1 − (1 − u/2)ⁿ)/(n u) + (1/2)(1 − u + (n − 1) u ln(u)/2 + u Σ_{j=2}^{n−1} t_j),
    t_j = C(n−1, j) (−1/2)^j (1 − u^(j−1))/(j − 1), the integral of f(x − s) F(x)^(n−1) over
    x < 0, x > s and 0 < x < s

    Parameters
    ----------
    size
        n ≥ 2 candidates, all but one of which have the same score.
    lead
        u = e^(−s/b), where the remaining one has a score higher by s ≥ 0 and each score gets
        Laplace noise of scale b.

    Returns
    -------
    The probability: a float for floats, an expression for symbols, else a ball.

    Source: ours. For n = 2 it is 1 − u (2 − ln u)/4.

    >>> round(noisy_max_probability(5, 0.36787944117144233), 6)
    0.435665
    """
    u = transcendental(lead)
    others = size - 1
    middle: Number = sum(
        (math.comb(others, j) * (1 - u ** (j - 1)) * (-1) ** j / (2**j * (j - 1)))
        for j in range(2, size)
    )
    between = (1 - u + others * u * log(u) / 2 + u * middle) / 2
    series: Number = sum((1 - u / 2) ** i for i in range(size))
    beyond = series / (2 * size)  # (1 − (1 − u/2)ⁿ)/(n u)
    halvings: int = size * 2**size
    return u / halvings + beyond + between


@domain(size=integers(1), lead=LEAD)
def noisy_max_below(size: int, lead: Number) -> Number:
    """Probability that the largest of n noisy scores lies below all scores.

    P = (u/2)ⁿ

    Parameters
    ----------
    size
        n scores, all the same.
    lead
        u = e^(−s/b), for values at least s below the scores and Laplace noise of scale b.

    Returns
    -------
    The probability, over the field of the arguments. A shift of all scores by Δ changes it by the
    factor e^(nΔ/b).

    Source: ours, from the distribution function of the Laplace law.

    >>> from fractions import Fraction as F
    >>> noisy_max_below(3, F(1, 2))
    Fraction(1, 64)
    """
    return (lead / 2) ** size


@domain(size=integers(2, symbolic=True), weight=reals(1))
def exponential_selection_ratio(size: Count, weight: Number) -> Number:
    """Likelihood ratio of the exponential mechanism when one score rises and all others fall.

    k = n r²/(r² + n − 1)

    Parameters
    ----------
    size
        n ≥ 2 candidates with the same score before, or a symbol for their number; after, one has 1
        more and the others 1 less.
    weight
        r, where a candidate of score s is chosen with probability proportional to r^s.

    Returns
    -------
    The factor by which the first candidate becomes likelier, over the field of the arguments: r²
    in the limit of many candidates.

    Source: ours.

    >>> from fractions import Fraction as F
    >>> exponential_selection_ratio(3, F(2))
    Fraction(2, 1)
    """
    return size * weight**2 / (weight**2 + size - 1)
