"""Laplace, exponential and geometric noise against integrals and long sums."""

import math
from fractions import Fraction as F

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory.numbers import ball, ball_contains
from provedp.theory.privacy import (
    geometric_delta,
    geometric_least_ratio,
    geometric_noise,
    laplace_delta,
    support_loss_delta,
)

TAIL = 300  # outcomes kept on either side: 0.9^300 < 2e-14
LEFT_OUT = 1e-12

decays = st.fractions(F(1, 20), F(9, 10), max_denominator=20)
ratios = st.fractions(F(1), F(6), max_denominator=9)
shifts = st.integers(1, 7)
repeat = settings(derandomize=True, deadline=None, max_examples=80)


def two_sided(decay, x):
    return (1 - decay) / (1 + decay) * decay ** abs(x)


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 1.9, 2.0, 3.0])
def test_laplace_delta_is_the_integral_of_the_excess(epsilon):
    scale, shift = mpmath.mpf(1) / 2, mpmath.mpf(1)

    def excess(x):
        p = mpmath.exp(-abs(x) / scale) / (2 * scale)
        q = mpmath.exp(-abs(x - shift) / scale) / (2 * scale)
        return max(p - mpmath.exp(epsilon) * q, 0)

    kink = (1 - epsilon / 2) / 2
    truth = mpmath.quad(excess, [-40, -5, 0, kink, 1, 5, 40] if 0 < kink else [-40, -5, 0, 1, 40])
    found = laplace_delta(math.exp(epsilon / 2), math.exp(-1.0))
    assert found == pytest.approx(float(truth), abs=1e-12)


def test_laplace_delta_in_every_field():
    assert laplace_delta(F(3, 2), F(1, 2)) == F(1, 4)
    assert laplace_delta(fmpq(3, 2), fmpq(1, 2)) == fmpq(1, 4)
    assert laplace_delta(F(3), F(1, 2)) == 0
    assert ball_contains(laplace_delta(ball(F(6, 5)), ball(F(1, 3))), F(3, 5))


@repeat
@given(ratios, decays, shifts)
def test_geometric_delta_is_the_sum_of_the_excess(k, decay, shift):
    outcomes = range(-TAIL, TAIL + 1)
    r, level = float(decay), float(k)
    truth = math.fsum(max(two_sided(r, x) - level * two_sided(r, x - shift), 0.0) for x in outcomes)
    found = geometric_delta(k, decay, shift)
    assert abs(float(found) - truth) < LEFT_OUT
    assert abs(geometric_delta(level, r, shift) - truth) < LEFT_OUT
    assert ball_contains(geometric_delta(ball(k), ball(decay), shift), found)


@repeat
@given(decays, st.fractions(F(0), F(1, 2), max_denominator=50), shifts)
def test_least_ratio_is_the_inverse_of_delta(decay, delta, shift):
    k = geometric_least_ratio(decay, delta, shift)
    assert geometric_delta(k, decay, shift) <= delta
    if k > 1:
        assert geometric_delta(k, decay, shift) == delta
        below = 1 + (k - 1) * F(999, 1000)
        assert geometric_delta(below, decay, shift) > delta


@repeat
@given(ratios, decays, shifts, st.fractions(F(1, 9), F(8, 9), max_denominator=9))
def test_more_noise_is_more_private(k, decay, shift, part):
    more = decay + (1 - decay) * part
    assert geometric_delta(k, more, shift) <= geometric_delta(k, decay, shift)


@pytest.mark.parametrize(
    ("k", "delta", "shift"),
    [
        (F(2), F(0), 1),
        (F(3, 2), F(1, 100), 1),
        (F(1), F(1, 100), 3),
        (F(2), F(0), 5),
        (math.e, 1e-6, 10),
        (arb(1).exp(), F(1, 10**6), 10),
    ],
)
def test_geometric_noise_is_least(k, delta, shift):
    found = geometric_noise(k, delta, shift)
    level = k if isinstance(k, arb) else ball(k)
    assert found.neighbour == math.nextafter(found.value, 0)
    with ctx.workprec(200):
        assert geometric_delta(level, ball(found.value), shift) <= ball(delta) + arb(2) ** -60
        assert found.delta_at_value <= ball(delta) < found.delta_at_neighbour
    if shift == 1 and isinstance(k, F):
        least = (1 - delta) / (k + delta)
        assert F(found.neighbour) < least <= F(found.value)
    if delta == 0:
        assert F(found.neighbour) ** shift < 1 / k <= F(found.value) ** shift


def test_geometric_noise_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="ε = 0 and δ = 0"):
        geometric_noise(1, 0, 1)
    with pytest.raises(ValueError, match="No float r < 1"):
        geometric_noise(1, F(1, 10**30), 1)
    with pytest.raises(ValueError, match="'shift' parameter"):
        geometric_noise(2, 0, 0)


@pytest.mark.parametrize("k", [F(1), F(3, 2), F(5)])
@pytest.mark.parametrize("shift", [1, 4])
def test_one_sided_noise_loses_support(k, shift):
    r = F(1, 2)
    p = [(1 - r) * r**x for x in range(200)]
    q = [F(0)] * shift + p[: 200 - shift]
    lost = sum(max(a - k * b, F(0)) for a, b in zip(p, q, strict=True))
    back = sum(max(b - k * a, F(0)) for a, b in zip(p, q, strict=True))
    assert abs(support_loss_delta(k, r**shift, "from") - lost) < F(1, 2**190)
    assert abs(support_loss_delta(k, r**shift, "onto") - back) < F(1, 2**190)
    assert support_loss_delta(k, r**shift) == max(
        support_loss_delta(k, r**shift, way) for way in ("from", "onto")
    )


def test_no_epsilon_buys_privacy_for_one_sided_noise():
    assert {support_loss_delta(F(k), F(1, 3)) for k in (1, 10, 10**9)} == {F(2, 3)}
