"""Floats of values that are computed as balls: right to the last digits, or refused."""

from collections.abc import Callable, Iterable

from flint import arb, ctx

from provedp.theory.numbers import Field, Number, common_field

SHARP_BITS = 52  # relative accuracy of a ball whose midpoint is taken for its value
MOST_BITS = 1 << 13  # of working precision, after which a value is given up
LEAST = arb(2) ** -1075  # below which a value is rounded to 0.0


class NotSharpError(ArithmeticError):
    """A value is not told apart from its error, at no precision that is tried."""


def as_asked(numbers: Iterable[Number], compute: Callable[[], arb], guard_bits: int) -> Number:
    """Return a sharp float if the arguments were floats, else a ball.

    Parameters
    ----------
    numbers
        The arguments of the formula.
    compute
        Returns a ball that contains the value, at flint's current precision.
    guard_bits
        By which the precision is raised for it.

    Raises
    ------
    NotSharpError
        If a float is asked for, and the ball stays wide.
    """
    if common_field(numbers) is Field.FLOAT:
        return sharp_float(compute)
    with ctx.workprec(ctx.prec + guard_bits):
        found = compute()
    return +found


def sharp_float(compute: Callable[[], arb]) -> float:
    """Return a value as a float, to a relative error below 2⁻⁵¹ or the least float.

    Parameters
    ----------
    compute
        Returns a ball that contains the value, at flint's current precision; it is called again
        with four times the precision until the ball is narrow.

    Raises
    ------
    NotSharpError
        If it stays wide, so that a float would be a guess.

    >>> sharp_float(lambda: 1 - (1 - arb(10) ** -40))
    1e-40
    """
    bits = 2 * SHARP_BITS
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            found = compute()
            if found.is_exact() or found.rel_accuracy_bits() >= SHARP_BITS or abs(found) < LEAST:
                return float(found.mid())
        bits *= 4
    raise NotSharpError(f"a float is asked for, and all that is known is a ball: {found}")
