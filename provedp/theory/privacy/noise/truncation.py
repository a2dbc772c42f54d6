"""Laplace noise that is cut: drawn again until the result is inside, or of bounded size."""

from provedp.theory.domain import domain, reals
from provedp.theory.numbers import Number, maximum
from provedp.theory.privacy.selection.noisy_max import LEAD

__all__ = ["rejected_laplace_ratio", "truncated_laplace_delta"]

GROWTH = reals(1, open_low=True)


@domain(first=LEAD, second=LEAD, width=LEAD)
def rejected_laplace_ratio(first: Number, second: Number, width: Number) -> Number:
    """Largest likelihood ratio of Laplace noise by rejection, for two values in an interval.

    k = max over both orders of (a/a′) Z(a′)/Z(a), Z(a) = 2 − a − w/a, for a ≥ a′

    Parameters
    ----------
    first, second
        a = e^(−v/b) and a′ = e^(−v′/b), for values v and v′ in [0, W] and noise of scale b.
    width
        w = e^(−W/b), at most as large as either and less than 1.

    Returns
    -------
    The greatest ratio of the densities in either order, over the field of the arguments.

    Raises
    ------
    ValueError
        If a value is outside the interval.

    Source: ours; the ratio of the densities is constant from either end to the nearer value, where
    it is greatest and least.

    >>> from fractions import Fraction as F
    >>> rejected_laplace_ratio(F(1), F(1, 2), F(1, 8))
    Fraction(20, 7)
    """
    near, far = (first, second) if first >= second else (second, first)
    if width > far or width >= 1:
        raise ValueError(f"Values must lie in [0, W], W > 0. Got {second}, {first}, {width}.")
    masses = [2 - value - width / value for value in (near, far)]
    ratio = near / far
    return maximum(ratio * masses[1] / masses[0], ratio * masses[0] / masses[1])


@domain(step=GROWTH, reach=GROWTH)
def truncated_laplace_delta(step: Number, reach: Number) -> Number:
    """Privacy of Laplace noise that never exceeds a bound R.

    δ = (e^(Δ/b) − 1)/(2 (e^(R/b) − 1)), at ε = Δ/b and at every larger ε

    Parameters
    ----------
    step
        e^(Δ/b) > 1, for values at most Δ apart and noise of scale b.
    reach
        e^(R/b), at least as large as `step`.

    Returns
    -------
    The probability that the shifted noise could not have led to the result, over the field of the
    arguments.

    Raises
    ------
    ValueError
        If R < Δ.

    Source: Geng, Ding, Guo and Kumar, Tight Analysis of Privacy and Utility Tradeoff in Approximate
    Differential Privacy, Theorem 1.

    >>> from fractions import Fraction as F
    >>> truncated_laplace_delta(F(2), F(6))
    Fraction(1, 10)
    """
    if reach < step:
        raise ValueError(f"The noise must reach as far as the values move. Got {step}, {reach}.")
    return (step - 1) / (2 * (reach - 1))
