"""Wishart noise of more degrees of freedom on scatter matrices: what repairs Lemma 2."""

from collections.abc import Callable
from fractions import Fraction as Q
from types import SimpleNamespace
from typing import Any

import sympy
from flint import arb, ctx

from provedp.theory import privacy
from provedp.theory.numbers import ball
from provedp.verify.ledger import (
    Finding,
    all_of,
    at_most,
    certified,
    entails,
    equal,
    less,
    ours,
    proved,
    repairs,
)
from provedp.verify.mixture.claims.covariance_noise import (
    IRIS_CLASS,
    TOTAL_DELTA,
    feature_variances,
    published_condition_holds_for_iris,
    published_covariance_noise_is_pure,
)
from provedp.verify.mixture.iris import exact_iris

PRECISION = 128  # bits


@ours("additive Wishart noise on the scatter of a class")
@proved()
def flip_moves_the_scatter_by_a_square() -> Finding:
    """A record that enters or leaves a class changes its scatter Σ (x − μ)(x − μ)ᵀ by
    ((N − 1)/N)(x − m)(x − m)ᵀ, N counting it and m the mean of the others: semidefinite, of rank
    one and, for ‖x‖ ≤ B, of norm below 4B², whatever N. Entry by entry, from sums and moments.
    """
    n, x, y, s, t, moment = sympy.symbols("N x y s t T", real=True)
    with_record = moment + x * y - (s + x) * (t + y) / n
    without = moment - s * t / (n - 1)
    step = (n - 1) / n * (x - s / (n - 1)) * (y - t / (n - 1))
    distance, bound = sympy.symbols("u B", positive=True)
    return all_of(
        equal(with_record - without, step),
        entails([distance <= 2 * bound, n >= 2], (n - 1) / n * distance**2 < 4 * bound**2),
    )


def one_degree_fewer(epsilon: Any, delta: Any, shift: Any, dimension: int) -> Any:
    """Return the least degrees of freedom minus one."""
    found = privacy.wishart_degrees(epsilon, delta, shift, dimension)
    return SimpleNamespace(value=found.value - 1)


@repairs(
    published_covariance_noise_is_pure,
    formula=privacy.wishart_degrees,
    mutants=(one_degree_fewer,),
)
@certified(dimension=(1, 2, 4), epsilon=(Q(1, 3), Q(1)), delta=(Q(1, 10**5), Q(1, 10**3)))
def scatter_noise_of_more_degrees_is_private(
    degrees: Callable[..., Any], dimension: int, epsilon: Q, delta: Q
) -> Finding:
    """Noise s W_d(I, ν) on the scatter of a class, whose changes are squares of norm below 4B², is
    (ε, δ)-private with the least ν at c = 4B²/s: the exact divergences of every smaller change, and
    of the four records {B, B, B, −B} among them, are at most δ both ways; ν − 1 misses it.
    """
    with ctx.workprec(PRECISION):
        free = degrees(epsilon, delta, Q(4), dimension).value  # s = B²
        shifts = (Q(1, 100), Q(1), Q(3), Q(4))  # the four records: SC = 3B² with −B, 0 without
        found = [_scatter_delta(dimension, free, shift, epsilon) for shift in shifts]
        least = _scatter_delta(dimension, free - 1, Q(4), epsilon)
        return all_of(*(at_most(d, ball(delta)) for d in found), less(ball(delta), least))


def _scatter_delta(dimension: int, degrees: int, shift: Q, epsilon: Q) -> arb:
    free = arb(max(degrees, dimension + 1))
    found: arb = privacy.wishart_delta(dimension, free, ball(shift), ball(epsilon))
    return found


@repairs(published_condition_holds_for_iris)
@certified(record=(0, 50, 100, 106, 117, 118, 122, 131), epsilon=(Q(1, 3), Q(1)))
def scatter_noise_holds_for_iris(record: int, epsilon: Q) -> Finding:
    """For Iris, standardised and with ‖x‖ ≤ 4 public, noise 64 W_4(I, ν) on the scatter of class 0
    with ν for c = 1 is (ε, 2·10⁻⁵)-private under the flips of these records, exactly.
    """
    data = exact_iris()
    points, variances = data.points, feature_variances(data.points)
    norms = ((points - points.sum(axis=0) / len(points)) ** 2 / variances).sum(axis=1)
    members = [n for n, label in enumerate(data.labels) if label == IRIS_CLASS and n != record]
    others = points[members].sum(axis=0) / len(members)
    distance = ((points[record] - others) ** 2 / variances).sum()
    shift = distance * Q(len(members), len(members) + 1) / 64
    with ctx.workprec(PRECISION):
        free = privacy.wishart_degrees(epsilon, TOTAL_DELTA, Q(1), data.dimension).value
        found = _scatter_delta(data.dimension, free, shift, epsilon)
        return all_of(at_most(max(norms), 16), at_most(found, ball(TOTAL_DELTA)))
