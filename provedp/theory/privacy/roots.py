"""Roots of increasing functions, as balls."""

from collections.abc import Callable

from flint import arb, ctx

Function = Callable[[arb], arb]

SPLITS = (
    0.5,
    0.375,
)  # where to split; the second if the function is not certainly ≠ 0 at the first
LAST_BITS = 4  # of the working precision, left to the rounding of the points of a bracket
FARTHEST = 1 << 200  # beyond which no root is sought


def increasing_root(function: Function, high: arb | None = None) -> arb:
    """Return a ball that contains the root of a function that increases up to `high`.

    Parameters
    ----------
    function
        Number ↦ ball; the balls decide signs except close to the root.
    high
        An exact number where the function is certainly positive; sought if it is not given.

    Raises
    ------
    ValueError
        If no change of sign is certain.
    """
    if high is None:
        high = _sought(lambda x: bool(function(x) > 0), arb(0), 1)
    low = _sought(lambda x: bool(function(x) < 0), high, -1)
    while True:
        narrower = _split(function, low, high)
        if narrower is None:
            return low.union(high)
        low, high = narrower


def _sought(found: Callable[[arb], bool], start: arb, sign: int) -> arb:
    step = 1
    while not found(start + sign * step):
        step *= 2
        if step > FARTHEST:
            raise ValueError("The likelihood ratio does not certainly cross the threshold.")
    return (start + sign * step).mid()


def _split(function: Function, low: arb, high: arb) -> tuple[arb, arb] | None:
    """Return a narrower bracket; None near flint's current precision, or if no sign is certain."""
    if high - low <= arb(2) ** (LAST_BITS - ctx.prec) * abs(low).max(arb(1)):
        return None
    for part in SPLITS:
        middle = (low + part * (high - low)).mid()
        value = function(middle)
        if value > 0:
            return low, middle
        if value < 0:
            return middle, high
    return None
