"""Exact audits of two densities: δ(ε) between certified ends, by integrals in ball arithmetic.

Any event bounds δ from below, so that intervals on which p > e^ε q beyond doubt are enough. From
above, δ is at most the integral over these intervals, plus a bound on (p − e^ε q)⁺ over the cells
where the sign is not decided, plus the mass of p outside a finite range.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from provedp.mechanisms.exact.parameters import delta_below
from provedp.theory.domain import Objects, check_argument, check_float, reals
from provedp.theory.numbers import ball, rational
from provedp.theory.privacy.functions import exp
from provedp.verify.accounting.composition import float_below
from provedp.verify.exact.densities.brackets import bracket
from provedp.verify.exact.densities.cells import Line
from provedp.verify.exact.densities.density import Density

WHERE = "audit_density"
WIDTH = reals(0, 1, open_low=True)
EPSILON = reals(0, 1000)
RATIO = reals(1)
USUAL_WIDTH, RELATIVE_WIDTH = 1e-12, 1e-6  # of the bracket: absolute, and as a part of δ
GUARD_BITS = 64
SHOWN = 6


DENSITY = Objects("a density", kinds=(Density,))


@dataclass(frozen=True)
class DensityResult:
    """What an exact audit of two densities found.

    Attributes
    ----------
    refuted
        True if some event breaks the claim, False if none does, None if the bracket holds δ.
    delta_lower, delta_upper
        Certified ends of the least δ at ε, over both orders.
    claimed_delta
        The claimed one.
    order
        (0, 1) if the event speaks for the first density, (1, 0) if for the second.
    intervals
        The event of `delta_lower`, its ends to the precision of a float.
    """

    refuted: bool | None
    delta_lower: float
    delta_upper: float
    claimed_delta: Fraction
    order: tuple[int, int]
    intervals: tuple[tuple[float, float], ...]

    @property
    def event(self) -> str:
        """The event in words."""
        if not self.intervals:
            return "no event was found"
        shown = " or ".join(f"[{low:.6g}, {high:.6g}]" for low, high in self.intervals[:SHOWN])
        return f"output in {shown}" + (" or …" if len(self.intervals) > SHOWN else "")


def audit_density(
    first: Density, second: Density, epsilon: Any, delta: Any = 0, width: float | None = None
) -> DensityResult:
    """Decide whether two densities are (ε, δ)-indistinguishable.

    Parameters
    ----------
    first, second
        The laws of the output on two adjacent inputs; see `densities`.
    epsilon
        ε in nats: a number, or a pair ('ratio', k) for e^ε = k exactly.
    delta
        δ in [0, 1).
    width
        Of the bracket that is aimed at; by default 10⁻¹², or a millionth of δ if that is less. The
        upper end takes the densities to have no more mass than was found, and this much.

    Returns
    -------
    A `DensityResult`. At δ = 0, laws without bounded support can be refuted, but the claim is not
    proved: their tails count as if they told the inputs apart.

    Raises
    ------
    ValueError
        If a density does not integrate to 1 or is negative somewhere, or ε, δ or the width is
        outside its range.

    >>> from provedp.verify.exact.densities.density import laplace
    >>> result = audit_density(laplace(0.5), laplace(0.5, 1), 1, "1/10")
    >>> result.refuted, round(result.delta_lower, 10), result.event
    (True, 0.3934693403, 'output in [-15.5, 0.25]')
    """
    check_argument(WHERE, "first", DENSITY, first)
    check_argument(WHERE, "second", DENSITY, second)
    allowed = delta_below(delta, WHERE)
    wanted = _width(width, allowed)
    with ctx.workprec(GUARD_BITS + 2 * math.ceil(-math.log2(wanted))):
        k = _ratio(epsilon)
        line = Line(first, second, wanted)
        brackets = {
            order: bracket(cells, k, line.outside(order[0]), wanted, allowed)
            for order, cells in (((0, 1), line.cells), ((1, 0), line.swapped))
        }
        order = max(brackets, key=lambda each: brackets[each].lower)
        lower = brackets[order].lower
        upper = max(each.upper for each in brackets.values())
        refuted = True if lower > allowed else False if upper <= allowed else None
    return DensityResult(
        refuted=refuted,
        delta_lower=max(0.0, float_below(ball(lower))),
        delta_upper=min(1.0, max(0.0, -float_below(-ball(upper)))),
        claimed_delta=allowed,
        order=order,
        intervals=brackets[order].intervals,
    )


def _width(width: float | None, delta: Fraction) -> float:
    if width is not None:
        return check_float(WHERE, "width", WIDTH, width)
    return min(USUAL_WIDTH, RELATIVE_WIDTH * float(delta)) if delta > 0 else USUAL_WIDTH


def _ratio(epsilon: Any) -> arb:
    """Return e^ε as a ball."""
    if isinstance(epsilon, tuple) and len(epsilon) == 2 and epsilon[0] == "ratio":
        return ball(rational(check_argument(WHERE, "epsilon", RATIO, epsilon[1])))
    return exp(ball(rational(check_argument(WHERE, "epsilon", EPSILON, epsilon))))
