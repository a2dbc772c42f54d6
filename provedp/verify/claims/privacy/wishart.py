"""Wishart noise on a scatter matrix: what one more record of rank one changes."""

import itertools
from math import factorial

from provedp.theory import privacy
from provedp.verify.claims.prelude import *

WIDTH = 1e-40  # of a comparison of balls at that precision


def _symmetric(size: int) -> tuple[sympy.Matrix, sympy.Matrix]:
    """Return a symmetric matrix and a vector of symbols."""
    x = sympy.Matrix(size, size, lambda i, j: sympy.Symbol(f"x{min(i, j)}{max(i, j)}"))
    v = sympy.Matrix(size, 1, lambda i, j: sympy.Symbol(f"v{i}"))
    return x, v


@ours(Source(None, "additive Wishart noise", "a shift of rank one"))
@certified(dimension=(1, 2, 3))
def one_statistic_is_sufficient(dimension: int) -> Finding:
    """The likelihood ratio of X and X − v vᵀ under W_d(V, ν) depends on X through vᵀX⁻¹v alone, for
    every symmetric X and every v: det(X − v vᵀ) = det X · (1 − vᵀX⁻¹v), and
    (X + v vᵀ)⁻¹ v = X⁻¹v/(1 + vᵀX⁻¹v), so that T = c/(vᵀX⁻¹v) moves to T + c.
    """
    x, v = _symmetric(dimension)
    adjugate, determinant = x.adjugate(), x.det()
    form = (v.T * adjugate * v)[0] / determinant
    shifted = x + v * v.T
    moved = shifted.adjugate() * v / shifted.det()
    return all_of(
        equal((x - v * v.T).det(), determinant * (1 - form)),
        *(equal(a, b) for a, b in zip(moved, adjugate * v / determinant / (1 + form), strict=True)),
    )


@ours(Source(None, "chi-square noise against a shift"))
@proved(argued=("the Neyman–Pearson lemma: events {ratio > k} are the worst, here half-lines",))
def half_lines_are_the_worst_events() -> Finding:
    """The log-likelihood ratio of χ²_m + c against χ²_m, h ln((x − c)/x) + c/2 with h = m/2 − 1 ≥
    0, does not fall with x beyond c: its derivative is h c/(x(x − c)). So E_k is attained on a
    half-line, and the closed form need only find its end.
    """
    x, c, h = sympy.symbols("x c h", real=True)
    slope = sympy.diff(h * (sympy.log(x - c) - sympy.log(x)) + c / 2, x)
    return all_of(
        equal(slope, h * c / (x * (x - c))),
        entails([x > c, c > 0, h >= 0], h * c / (x * (x - c)) >= 0),
    )


def _below(degrees: int, x: arb) -> arb:
    """Return P(χ²_m ≤ x) for even m, by its finite sum."""
    if not x > 0:
        return arb(0)
    half = x / 2
    terms = [half**j / factorial(j) for j in range(degrees // 2)]
    return 1 - (-half).exp() * sum(terms[1:], start=terms[0])


def _gap(degrees: int, c: arb, level: arb, x: arb) -> arb:
    """Return what the half-line up to x separates."""
    return _below(degrees, x) - level.exp() * _below(degrees, x - c)


def _best_end(degrees: int, c: arb, level: arb) -> arb:
    """Return where the ratio of the densities is e^ε, for more than two degrees of freedom."""
    return c / (1 - (-(level + c / 2) / ball(Q(degrees, 2) - 1)).exp())


@ours(Source(None, "chi-square noise against a shift"), formula=privacy.chi_square_delta)
@certified(bits=192, degrees=(4, 6, 12), shift=(Q(1, 2), Q(3)), epsilon=(Q(0), Q(1, 2), Q(1)))
def chi_square_profile_is_the_largest_gap(
    profile: Formula, degrees: int, shift: Q, epsilon: Q
) -> Finding:
    """No half-line separates χ²_m from χ²_m + c by more than the closed form, and the one at
    x = c/(1 − e^(−(ε + c/2)/h)) does by as much. For even m the distribution function is a finite
    sum, so both sides come from different formulas.
    """
    c, level = ball(shift), ball(epsilon)
    found = profile(ball(Q(degrees)), c, level, "from")
    end = _best_end(degrees, c, level)
    others = [_gap(degrees, c, level, end * arb(step) / 20) for step in range(1, 60)]
    return all_of(
        *(at_most(other, found) for step, other in enumerate(others, 1) if step != 20),
        close(found, _gap(degrees, c, level, end), tolerance=WIDTH),
    )


@ours(
    Source(None, "additive Wishart noise with d + 1 degrees of freedom"),
    formula=privacy.wishart_delta,
)
@certified(bits=192, dimension=(1, 2, 5), shift=(Q(1, 10), Q(1), Q(4)), epsilon=(Q(0), Q(1), Q(20)))
def least_degrees_buy_no_small_delta(
    profile: Formula, dimension: int, shift: Q, epsilon: Q
) -> Finding:
    """With ν = d + 1 degrees of freedom δ = 1 − e^(−c/2) at every ε, 20 nats included: the ratio is
    constant where both laws live, and what is lost is the rest of the cone.
    """
    found = profile(dimension, arb(dimension + 1), ball(shift), ball(epsilon))
    return all_of(close(found, 1 - (-ball(shift) / 2).exp(), tolerance=WIDTH), less(0, found))


def at_the_least_degrees(dimension: int, degrees: arb, shift: arb, epsilon: arb) -> Any:
    """Return the profile at d + 1 degrees of freedom, whatever was asked for."""
    return privacy.wishart_delta(dimension, arb(dimension + 1), shift, epsilon)


@ours(
    Source(None, "additive Wishart noise with more degrees of freedom"),
    formula=privacy.wishart_delta,
    mutants=(at_the_least_degrees,),
)
@certified(bits=192, dimension=(1, 3), shift=(Q(1, 10), Q(1)), epsilon=(Q(1, 2), Q(1)))
def more_degrees_buy_a_smaller_delta(
    profile: Formula, dimension: int, shift: Q, epsilon: Q
) -> Finding:
    """δ falls strictly with ν, to below 10⁻⁴ at ν = d + 61 for c ≤ 1 and ε ≥ 1/2: from 1 − e^(−c/2)
    at ν = d + 1 on, each is what the best half-line separates, by finite sums, m = ν − d + 1 being
    even. (Above the shift no half-line gains, since ε ≥ c/2.)
    """
    c, level = ball(shift), ball(epsilon)
    even = (4, 8, 16, 32, 62)
    found = [profile(dimension, arb(dimension - 1 + m), c, level) for m in (2, *even)]
    gaps = [_gap(m, c, level, _best_end(m, c, level)) for m in even]
    expected = [1 - (-c / 2).exp(), *gaps]
    falls = [less(b, a) for a, b in itertools.pairwise(found)]
    return all_of(
        *falls,
        less(found[-1], ball(Q(1, 10**4))),
        *(close(a, b, tolerance=WIDTH) for a, b in zip(found, expected, strict=True)),
    )
