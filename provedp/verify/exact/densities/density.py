"""Densities on the line in ball arithmetic: analytic pieces, and the usual laws of noise."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import acb, arb, ctx

from provedp.theory.domain import check_argument, reals
from provedp.theory.numbers import Number, ball, rational

Function = Callable[[acb, bool], acb]
Point = Fraction | float  # a float only for −∞ and ∞

SCALE = reals(0, open_low=True)
CENTRE = reals()
BITS = 256  # of the constants in the usual laws
SHARP = 1e-60


@dataclass(frozen=True)
class Piece:
    """A density between two points.

    Attributes
    ----------
    low, high
        The ends: exact numbers, or −∞ and ∞.
    function
        (z, analytic) → density at z, in flint's `acb`, real on [low, high]. Between the points it
        must be analytic near the real line. As in `acb.integral`, a function with a branch cut
        (`log`, `sqrt`, `pow`) is to be called with `analytic=analytic`; others need not look at it.
    """

    low: Point
    high: Point
    function: Function


@dataclass(frozen=True)
class Density:
    """A probability density on the line, 0 outside its pieces.

    Parameters
    ----------
    pieces
        Triples (low, high, function), or `Piece`s, from left to right; see `Piece`.

    Raises
    ------
    ValueError
        If there are none, or they overlap or have no length.

    >>> triangle = Density([(0, 1, lambda z, analytic: 2 * z)])
    >>> triangle.between(0, Fraction(1, 2)).overlaps(arb("0.25"))
    True
    """

    pieces: Sequence[Any]

    def __post_init__(self) -> None:
        if not self.pieces:
            raise ValueError("The 'pieces' parameter of Density must hold at least one piece.")
        read = tuple(_piece(each) for each in self.pieces)
        for left, right in pairwise(read):
            if right.low < left.high:
                raise ValueError(
                    "The 'pieces' parameter of Density must hold pieces from left to right. Got"
                    f" [{left.low}, {left.high}] before [{right.low}, {right.high}] instead."
                )
        object.__setattr__(self, "pieces", read)

    def between(self, low: Number, high: Number, tolerance: float = 1e-30) -> arb:
        """Return a ball with the probability of [low, high], both finite."""
        total = arb(0)
        for piece in self.pieces:
            left, right = max(piece.low, low), min(piece.high, high)
            if left < right:
                total += integral(piece.function, ball(left), ball(right), tolerance)
        return total

    def function_on(self, low: Point, high: Point) -> Function | None:
        """Return the function of the piece around an interval without breaks; None if it is 0."""
        for piece in self.pieces:
            if piece.low <= low and high <= piece.high:
                function: Function = piece.function
                return function
        return None

    @property
    def ends(self) -> tuple[Point, Point]:
        """The least interval outside which it is 0."""
        return self.pieces[0].low, self.pieces[-1].high

    @property
    def breaks(self) -> set[Fraction]:
        """The finite ends of pieces."""
        ends = {end for piece in self.pieces for end in (piece.low, piece.high)}
        return {end for end in ends if isinstance(end, Fraction)}


def integral(function: Function, low: arb, high: arb, tolerance: float) -> arb:
    """Return a ball with the integral of a real function over a finite interval."""
    return acb.integral(function, acb(low), acb(high), abs_tol=arb(tolerance)).real


def truncated(density: Density, low: Number, high: Number) -> Density:
    """Return the law of a variable given that it is in [low, high].

    Raises
    ------
    ValueError
        If the interval has no length, or certainly no probability.

    >>> truncated(laplace(1), 0, 10).between(0, 10).contains(1)
    True
    """
    start, end = _point("low", low), _point("high", high)
    if not start < end or math.inf in (-start, end):
        raise ValueError(f"Truncation needs low < high, both finite. Got {low} and {high} instead.")
    with ctx.workprec(BITS):
        mass = density.between(start, end, SHARP)
    if not mass > 0:
        raise ValueError(f"The density has no probability to speak of in [{low}, {high}].")
    return Density(
        [
            Piece(max(piece.low, start), min(piece.high, end), _divided(piece.function, mass))
            for piece in density.pieces
            if max(piece.low, start) < min(piece.high, end)
        ]
    )


def mixture(parts: Iterable[tuple[Number, Density]]) -> Density:
    """Return the mixture of densities with the given weights, which sum to 1.

    Raises
    ------
    ValueError
        If a weight is not positive or they do not sum to 1.

    >>> half = Fraction(1, 2)
    >>> mixture([(half, gaussian(1)), (half, gaussian(1, 3))]).ends
    (-inf, inf)
    """
    listed = [(check_argument("mixture", "weight", SCALE, weight), law) for weight, law in parts]
    total = sum((rational(weight) for weight, _ in listed), start=Fraction(0))
    if total != 1:
        raise ValueError(f"The weights of a mixture must sum to 1. Got a sum of {total} instead.")
    ends = {end for _, law in listed for piece in law.pieces for end in (piece.low, piece.high)}
    pieces = []
    for low, high in pairwise(sorted(ends)):
        inside = [(ball(w), law.function_on(low, high)) for w, law in listed]
        terms = [(weight, function) for weight, function in inside if function is not None]
        if terms:
            pieces.append(Piece(low, high, _sum(terms)))
    return Density(pieces)


def laplace(scale: Number, centre: Number = 0) -> Density:
    """Return the Laplace law, e^(−|x − c|/b)/(2b).

    >>> laplace(2).between(-2, 2).overlaps(1 - arb(-1).exp())
    True
    """
    b, c = _scale_and_centre("laplace", scale, centre)
    middle = rational(centre)
    return Density(
        [
            Piece(-math.inf, middle, lambda z, analytic: ((z - c) / b).exp() / (2 * b)),
            Piece(middle, math.inf, lambda z, analytic: ((c - z) / b).exp() / (2 * b)),
        ]
    )


def gaussian(sigma: Number, centre: Number = 0) -> Density:
    """Return the Gaussian law with standard deviation σ.

    >>> gaussian(1).between(-1, 1).overlaps((1 / arb(2).sqrt()).erf())
    True
    """
    s, c = _scale_and_centre("gaussian", sigma, centre)
    with ctx.workprec(BITS):
        height = 1 / (s * (2 * arb.pi()).sqrt())
    return _whole(lambda z, analytic: height * (-(((z - c) / s) ** 2) / 2).exp())


def logistic(scale: Number, centre: Number = 0) -> Density:
    """Return the logistic law, 1/(4s cosh²((x − c)/(2s))).

    >>> logistic(1).between(0, 3).overlaps(1 / (1 + arb(-3).exp()) - arb("0.5"))
    True
    """
    s, c = _scale_and_centre("logistic", scale, centre)
    return _whole(lambda z, analytic: ((z - c) / (2 * s)).sech() ** 2 / (4 * s))


def student(freedom: Number, scale: Number = 1, centre: Number = 0) -> Density:
    """Return Student's law with ν degrees of freedom; ν = 1 is Cauchy's.

    >>> student(1).between(-1, 1).overlaps(arb("0.5"))
    True
    """
    s, c = _scale_and_centre("student", scale, centre)
    nu = ball(rational(check_argument("student", "freedom", SCALE, freedom)))
    power = (nu + 1) / 2
    with ctx.workprec(BITS):
        height = power.gamma() / ((nu * arb.pi()).sqrt() * (nu / 2).gamma() * s)

    def function(z: acb, analytic: bool) -> acb:
        return height * (1 + ((z - c) / s) ** 2 / nu).pow(acb(-power), analytic=analytic)

    return _whole(function)


def _whole(function: Function) -> Density:
    return Density([Piece(-math.inf, math.inf, function)])


def _scale_and_centre(where: str, scale: Number, centre: Number) -> tuple[arb, arb]:
    check_argument(where, "scale", SCALE, scale)
    check_argument(where, "centre", CENTRE, centre)
    with ctx.workprec(BITS):
        return ball(rational(scale)), ball(rational(centre))


def _divided(function: Function, mass: arb) -> Function:
    return lambda z, analytic: function(z, analytic) / mass


def _sum(terms: list[tuple[arb, Function]]) -> Function:
    def function(z: acb, analytic: bool) -> acb:
        return sum((w * each(z, analytic) for w, each in terms), start=acb(0))

    return function


def _piece(given: Any) -> Piece:
    low, high, function = (
        (given.low, given.high, given.function) if isinstance(given, Piece) else given
    )
    piece = Piece(_point("low", low), _point("high", high), function)
    if not piece.low < piece.high:
        raise ValueError(f"A piece of a density needs low < high. Got {low} and {high} instead.")
    return piece


def _point(name: str, value: Any) -> Point:
    if isinstance(value, float) and math.isinf(value):
        return value
    return rational(check_argument("Density", name, CENTRE, value))
