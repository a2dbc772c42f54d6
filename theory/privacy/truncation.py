"""Laplace noise that is drawn again until the result is in an interval, its scale not adapted."""

from provedp.theory.domain import domain
from provedp.theory.numbers import Number, maximum
from provedp.theory.privacy.selection import LEAD

__all__ = ["rejected_laplace_ratio"]


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
        If an argument is outside its range, or a value is outside the interval.

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
