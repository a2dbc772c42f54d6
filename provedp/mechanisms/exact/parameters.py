"""How mechanisms read ε and δ: as exact numbers, rounded towards privacy and never away from it."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import flint
import numpy as np
from flint import arb

from provedp.theory.domain import StochasticMatrix, check_argument, require
from provedp.theory.matrices import Matrix, entries, matrix
from provedp.theory.numbers import (
    Field,
    ball,
    common_field,
    dyadic,
    field_of,
    is_finite,
    rational,
)

EPSILON_MAX = 1000  # e^1000 still has short exact neighbours; larger ε protects nobody
ROUNDING = Fraction(1, 10**12)  # how far below ε the logarithm of the ratio may be
SHORT_NUMBER = re.compile(r"[^eE]{1,400}([eE][+-]?\d{1,3}\s*)?")  # 1e999999999 takes hours to read
LOGARITHM = re.compile(r"\s*ln\s*\((?P<ratio>[^()]*)\)\s*")


class Epsilon(NamedTuple):
    """ε as the number `value`, or as the logarithm of the rational `ratio`."""

    value: Fraction | None
    ratio: Fraction | None


@dataclass(frozen=True)
class Epsilons:
    """Numbers and texts that name an ε."""

    def read(self, value: Any) -> Epsilon:
        """Return ε exactly."""
        logarithm = LOGARITHM.fullmatch(value) if isinstance(value, str) else None
        if logarithm is not None:
            ratio = _fraction(logarithm["ratio"])
            require(ratio >= 1 and ball(ratio).log() <= EPSILON_MAX)
            return Epsilon(None, ratio)
        exact = _exact(value)
        require(0 <= exact <= EPSILON_MAX)
        return Epsilon(exact, None)

    def __str__(self) -> str:
        return f"a number in the range [0, {EPSILON_MAX}], or text like '0.5', '1/2' or 'ln(3/2)'"


@dataclass(frozen=True)
class Deltas:
    """Numbers and texts that name a δ."""

    def read(self, value: Any) -> Fraction:
        """Return δ exactly."""
        exact = _exact(value)
        require(0 <= exact < 1)
        return exact

    def __str__(self) -> str:
        return "a number in the range [0, 1), or text like '1e-6' or '1/1000'"


@dataclass(frozen=True)
class ExactStochasticMatrix:
    """Square stochastic matrices of exact numbers or floats, of one size if given."""

    size: int | None = None

    def read(self, value: Any) -> Matrix:
        """Return fractions; rows of floats are divided by their exact sums."""
        table = StochasticMatrix().read(value)
        require(common_field(entries(table)) <= Field.FLOAT, "entries that are not numbers")
        require(self.size in (None, len(table)), f"a matrix of {len(table)} rows")
        exact = matrix(table, Field.RATIONAL)
        return matrix([row / sum(row) for row in exact])

    def __str__(self) -> str:
        size = "" if self.size is None else f" with {self.size} rows"
        return f"{StochasticMatrix()}{size}"


def ratio_below(epsilon: Any, where: str = "ratio_below", parts: int = 1) -> Fraction:
    """A rational k whose logarithm is certainly at most ε/parts, and hardly less.

    ε/parts − 10⁻¹² min(1, ε/parts) ≤ ln k ≤ ε/parts, and equality for 'ln(q)' with rational
    q^(1/parts)

    Parameters
    ----------
    epsilon
        ε in nats: an integer, a fraction, a float or a text. A float stands for the smaller of
        its exact dyadic value and its shortest decimal.
    where
        Whose parameter it is, for the error message.
    parts
        Into how many equal parts ε is split.

    Returns
    -------
    The fraction with the least denominator in that range; 1 for ε = 0.

    Raises
    ------
    ValueError
        If ε is not a number in [0, 1000] or a text that names one.

    >>> ratio_below("ln(3/2)"), ratio_below("ln(9/4)", parts=2), ratio_below(0)
    (Fraction(3, 2), Fraction(3, 2), Fraction(1, 1))
    """
    read = check_argument(where, "epsilon", Epsilons(), epsilon)
    if read.ratio is not None:
        return root_below(read.ratio, parts)
    return _exponential_below(read.value / parts)


def delta_below(delta: Any, where: str = "delta_below") -> Fraction:
    """Return δ as a fraction; a float stands for the smaller of its two readings.

    Raises
    ------
    ValueError
        If δ is not a number in [0, 1) or a text that names one.

    >>> delta_below(0.1), delta_below("1e-6")
    (Fraction(1, 10), Fraction(1, 1000000))
    """
    read: Fraction = check_argument(where, "delta", Deltas(), delta)
    return read


def _exact(value: Any) -> Fraction:
    if isinstance(value, str):
        return _fraction(value)
    require(field_of(value) <= Field.FLOAT and is_finite(value))
    if isinstance(value, (float, np.floating)):
        return min(rational(float(value)), Fraction(str(value)))
    return rational(value)


def _fraction(text: str) -> Fraction:
    require(SHORT_NUMBER.fullmatch(text) is not None, repr(text))
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        require(False, repr(text))
        raise


def _exponential_below(exponent: Fraction) -> Fraction:
    """Return the simplest fraction between e^(exponent − rounding) and e^exponent."""
    if exponent == 0:
        return Fraction(1)
    slack = ROUNDING * min(Fraction(1), exponent)
    bits = 128 + max(0, exponent.denominator.bit_length() - exponent.numerator.bit_length())
    with flint.ctx.workprec(bits):
        low = dyadic((ball(exponent) - ball(slack)).exp().upper())
        high = dyadic(ball(exponent).exp().lower())
    return simplest_between(low, high)


def root_below(ratio: Fraction, parts: int) -> Fraction:
    """Return ratio^(1/parts) if that is rational, else the simplest fraction just below it."""
    roots = [Fraction(int(flint.fmpz(part).root(parts))) for part in ratio.as_integer_ratio()]
    root = roots[0] / roots[1]
    if root**parts == ratio:
        return root
    with flint.ctx.workprec(128 + ratio.numerator.bit_length()):
        logarithm = ball(ratio).log() / parts
        slack = ball(ROUNDING) * logarithm.min(arb(1))
        low = dyadic((logarithm - slack).exp().upper())
        high = dyadic(logarithm.exp().lower())
    return simplest_between(low, high)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator in [low, high], for 0 ≤ low ≤ high.

    >>> simplest_between(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    """
    terms = []
    while (whole := -(-low.numerator // low.denominator)) > high:
        floor = whole - 1
        terms.append(floor)
        low, high = 1 / (high - floor), 1 / (low - floor)
    result = Fraction(whole)
    for term in reversed(terms):
        result = term + 1 / result
    return result
