"""Numbers of the command line as exact ones, or as balls where they must be, and back."""

import math
import sys
from fractions import Fraction

import sympy

from provedp.cli.expressions import enclosure, parse
from provedp.theory.numbers import Number

BITS = 200  # of the balls that stand for irrational numbers
MOST_EXPONENT = 10**6  # of e: beyond it a ball takes seconds, and nothing is protected


def exact_or_ball(expression: sympy.Expr) -> Number:
    """Return a rational expression as a fraction, and any other as a ball."""
    if isinstance(expression, sympy.Rational):
        return Fraction(int(expression.p), int(expression.q))
    return enclosure(expression, BITS)


def ratio(where: str, epsilon: str) -> Number:
    """Return e^ε: a fraction if it is rational, else a ball.

    Raises
    ------
    ValueError
        If ε is not a number in [0, 10⁶].
    """
    exponent = parse(epsilon)
    if not exponent.is_real or exponent.is_negative:
        raise ValueError(
            f"The 'epsilon' parameter of {where} must be a number in the range [0, inf). "
            f"Got {epsilon} instead."
        )
    if exponent > MOST_EXPONENT:
        raise ValueError(
            f"The 'epsilon' parameter of {where} must be at most {MOST_EXPONENT}. Got more instead."
        )
    return exact_or_ball(sympy.exp(exponent))


def exact(where: str, name: str, text: str) -> Fraction:
    """Return a rational number.

    Raises
    ------
    ValueError
        If the text is none.
    """
    value = parse(text)
    if not isinstance(value, sympy.Rational):
        raise ValueError(f"The '{name}' parameter of {where} must be rational. Got {text}.")
    return Fraction(int(value.p), int(value.q))


def down(value: Fraction) -> float:
    """Return the largest float that is at most a fraction."""
    if abs(value) > sys.float_info.max:
        return sys.float_info.max if value > 0 else -math.inf
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


def up(value: Fraction) -> float:
    """Return the least float that is at least a fraction."""
    return 0.0 - down(-value)  # −0.0 is no number to print
