"""Roots of functions of one number, by scipy's `brentq`, whose answers are hints."""

from collections.abc import Callable

from scipy import optimize


class NoRootError(ArithmeticError):
    """The root finder gave up, or returned what is no number between the two ends."""


def root(function: Callable[[float], float], low: float, high: float, **tolerances: float) -> float:
    """Return about where a function that changes its sign between two ends is zero.

    Raises
    ------
    NoRootError
        If none is found.

    >>> root(lambda x: x * x - 4, 0.0, 3.0)
    2.0
    """
    try:
        found = float(optimize.brentq(function, low, high, **tolerances))
    except RuntimeError:
        raise NoRootError("the root finder does not converge") from None
    if not low <= found <= high:
        raise NoRootError("the root finder returns no number in its interval")
    return found
