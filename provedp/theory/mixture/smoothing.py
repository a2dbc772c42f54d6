"""Smoothed class weights: how near two runs are to each other after mixing with a uniform draw.

Throughout, `k` stands for e^ε or e^{ε₀} (in nats), so that rationals stay rational.
"""

import functools

from provedp.theory.domain import Distribution, domain, integers, reals
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Count, Number, certainly, maximum

__all__ = ["least_smoothing", "smoothed", "smoothed_delta", "smoothed_ratio"]

SMOOTHING = reals(0, 1)
RATIO = reals(1)


@domain(mass=reals(0, 1), smoothing=SMOOTHING, outputs=integers(1, symbolic=True))
def smoothed(mass: Number, smoothing: Number, outputs: Count) -> Number:
    """Probability of an output after mixing with the uniform law.

    f = (1 − λ) f′ + λ/|S|

    Parameters
    ----------
    mass
        f′.
    smoothing
        λ.
    outputs
        |S|.

    Returns
    -------
    f, at least λ/|S|.

    Source: mixture paper, eq. (17).

    >>> from fractions import Fraction as F
    >>> smoothed(F(1, 5), F(1, 1000), 7)
    Fraction(3499, 17500)
    """
    return (1 - smoothing) * mass + smoothing / outputs


@domain(
    p=Distribution(), q=Distribution(), smoothing=reals(0, 1, open_low=True), outputs=integers(1)
)
def smoothed_ratio(p: Matrix, q: Matrix, smoothing: Number, outputs: int) -> Number:
    """Largest likelihood ratio of two smoothed laws, in either direction.

    max_i max(f_p(i)/f_q(i), f_q(i)/f_p(i)), f = (1 − λ) f′ + λ/|S|

    Parameters
    ----------
    p, q
        The laws f′ of two runs over a common list of outputs; both are 0 on the others.
    smoothing
        λ.
    outputs
        |S|, at least the length of the list.

    Returns
    -------
    The ratio; its logarithm is the largest privacy loss.

    Raises
    ------
    ValueError
        If the list is longer than |S|.

    Source: mixture paper, eq. (12), (17), over two runs.

    >>> from fractions import Fraction as F
    >>> smoothed_ratio([F(1, 2), F(3, 10), F(1, 5)], [F(1, 3), F(2, 3), F(0)], F(1, 1000), 7)
    Fraction(6998, 5)
    """
    pairs = _pairs(p, q, smoothing, outputs)
    return functools.reduce(maximum, [ratio for a, b in pairs for ratio in (a / b, b / a)])


@domain(p=Distribution(), q=Distribution(), smoothing=SMOOTHING, outputs=integers(1), k=RATIO)
def smoothed_delta(p: Matrix, q: Matrix, smoothing: Number, outputs: int, k: Number) -> Number:
    """Hockey-stick divergence of two smoothed laws.

    E_k(f_p ‖ f_q) = Σ_i (f_p(i) − k f_q(i))⁺, f = (1 − λ) f′ + λ/|S|

    Parameters
    ----------
    p, q, outputs
        As for `smoothed_ratio`.
    smoothing
        λ.
    k
        e^ε; the other outputs then add nothing.

    Returns
    -------
    The least δ with f_p(U) ≤ k f_q(U) + δ for every U.

    Raises
    ------
    ValueError
        If the list is longer than |S|.

    Source: mixture paper, eq. (4), (17), over two runs.

    >>> from fractions import Fraction as F
    >>> p, q = [F(1, 2), F(3, 10), F(1, 5)], [F(1, 3), F(2, 3), F(0)]
    >>> smoothed_delta(p, q, F(1, 1000), 7, F(2))
    Fraction(1747, 8750)
    """
    gaps = [a - k * b for a, b in _pairs(p, q, smoothing, outputs)]
    return sum((maximum(gap, 0 * gap) for gap in gaps), start=0 * k)


@domain(p=Distribution(), q=Distribution(), outputs=integers(1), k=RATIO)
def least_smoothing(p: Matrix, q: Matrix, outputs: int, k: Number) -> Number:
    """Least λ at which two smoothed laws are within a factor e^{ε₀} of each other.

    max over i and both directions of x/(x + e^{ε₀} − 1), x = |S| (p_i − e^{ε₀} q_i)⁺

    Parameters
    ----------
    p, q, outputs
        As for `smoothed_ratio`.
    k
        e^{ε₀}.

    Returns
    -------
    The least λ in [0, 1] with f_p ≤ k f_q and f_q ≤ k f_p; 1 if k = 1 and the laws differ.

    Raises
    ------
    ValueError
        If the list is longer than |S|.

    Source: ours, for eq. (17) of the mixture paper ('sufficiently large λ').

    >>> from fractions import Fraction as F
    >>> least_smoothing([F(1, 2), F(3, 10), F(1, 5)], [F(1, 3), F(2, 3), F(0)], 7, F(2))
    Fraction(7, 12)
    """
    pairs = _pairs(p, q, 0 * k, outputs)
    least = 0 * k
    for gap in [gap for a, b in pairs for gap in (a - k * b, b - k * a)]:
        if not certainly(gap <= 0):
            excess = outputs * maximum(gap, 0 * gap)
            least = maximum(least, excess / (excess + k - 1))
    return least


def _pairs(p: Matrix, q: Matrix, smoothing: Number, outputs: int) -> list[tuple[Number, Number]]:
    """Return the probabilities of both smoothed laws, output by output."""
    if not len(p) == len(q) <= outputs:
        raise ValueError(
            f"p and q must have one entry for each of at most {outputs} outputs. "
            f"Got {len(p)} and {len(q)} instead."
        )
    return [
        ((1 - smoothing) * a + smoothing / outputs, (1 - smoothing) * b + smoothing / outputs)
        for a, b in zip(p, q, strict=True)
    ]
