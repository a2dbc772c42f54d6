"""Subsampling: finite mixtures exactly, Gaussian mixtures against quadrature."""

import itertools
import math
from fractions import Fraction as F

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    component_ratio,
    component_ratio_reversed,
    gaussian_delta,
    gaussian_mixture_delta,
    hockey_stick,
    mixture_delta,
    mixture_pair_delta,
    subsampled_gaussian_delta,
    subsampled_ratio,
)
from provedp.theory.privacy.roots import increasing_root

QUADRATURE = 1e-13
NARROW = 1e-14

laws = st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(any)
laws = laws.map(lambda found: [F(w, sum(found)) for w in found])
rates = st.fractions(F(1, 10), F(1), max_denominator=10)
ratios = st.fractions(F(1), F(3), max_denominator=9)
repeat = settings(derandomize=True, deadline=None, max_examples=100)


def mix(p, q, rate):
    return [(1 - rate) * a + rate * b for a, b in zip(p, q, strict=True)]


@repeat
@given(laws, laws, rates, ratios)
def test_a_mixture_is_compared_at_the_ratio_of_its_component(p, q, rate, k):
    onto = hockey_stick(mix(p, q, rate), p, k)
    assert onto == rate * hockey_stick(q, p, component_ratio(k, rate))
    back = hockey_stick(p, mix(p, q, rate), k)
    reversed_ratio = component_ratio_reversed(k, rate)
    if reversed_ratio is None:
        assert back == 0
    else:
        assert back == (1 - k * (1 - rate)) * hockey_stick(p, q, reversed_ratio)
    assert mixture_delta(p, q, rate, k) == max(onto, back)


@repeat
@given(laws, laws, laws, rates, ratios)
def test_replacing_one_record_is_amplified(shared, left, right, rate, k):
    """The divergence at 1 + r(k − 1) is at most r times the worst between the components at k."""
    pairs = itertools.permutations([shared, left, right], 2)
    worst = max(hockey_stick(p, q, k) for p, q in pairs)
    found = mixture_pair_delta(shared, left, right, rate, subsampled_ratio(k, rate))
    assert found <= rate * worst
    one, other = mix(shared, left, rate), mix(shared, right, rate)
    level = subsampled_ratio(k, rate)
    assert found == max(hockey_stick(one, other, level), hockey_stick(other, one, level))


def test_component_ratio_inverts_subsampled_ratio():
    assert component_ratio(subsampled_ratio(F(3), F(1, 7)), F(1, 7)) == 3


def test_supports_of_different_length_are_refused():
    with pytest.raises(ValueError, match="supports"):
        mixture_pair_delta([F(1)] * 1 + [F(0)], [F(1, 3)] * 3, [F(1, 2)] * 2, F(1, 2), F(2))


def excess(first, second, rate, k):
    """∫ (p − k q)⁺ of the two mixtures by quadrature between the sign changes on a grid."""
    with mpmath.workdps(30):

        def gap(x):
            shared = (1 - rate) * (1 - k) * mpmath.npdf(x)
            return shared + rate * (mpmath.npdf(x - first) - k * mpmath.npdf(x - second))

        grid = mpmath.linspace(-12, 12, 481)
        signs = [gap(x) > 0 for x in grid]
        cuts = [
            mpmath.findroot(gap, (a, b), solver="anderson")
            for (a, s), (b, t) in itertools.pairwise(zip(grid, signs, strict=True))
            if s != t
        ]
        ends = [mpmath.mpf(-12), *cuts, mpmath.mpf(12)]
        pieces = [mpmath.linspace(a, b, 9) for a, b in itertools.pairwise(ends)]
        return mpmath.fsum(mpmath.quad(gap, piece) for piece in pieces if gap(piece[4]) > 0)


CASES = [
    (1.0, 0.0, 0.125, 1.5),
    (0.0, 1.0, 0.125, 1.0625),
    (0.0, -1.0, 0.5, 1.25),
    (0.5, -0.5, 0.125, 1.125),
    (-0.5, 0.5, 0.125, 1.125),
    (1.0, 2.0, 0.25, 1.125),
    (-1.0, -2.0, 0.25, 1.125),
    (1.0, 2.0, 0.25, 1.0),
    (2.0, 1.0, 0.25, 1.5),
    (1.0, 3.0, 1.0, 1.5),
    (3.0, 1.0, 1.0, 1.0),
    (0.0, 3.0, 1.0, 2.0),
]


@pytest.mark.parametrize("case", CASES)
def test_gaussian_mixtures_are_the_integral_of_the_excess(case):
    truth = float(excess(*case))
    found = gaussian_mixture_delta(*case)
    assert abs(found - truth) < QUADRATURE
    assert truth > 1e-4
    certified = gaussian_mixture_delta(*(arb(x) for x in case))
    assert certified.rad() < NARROW * certified.mid()
    assert abs(certified - found) <= NARROW
    exact = gaussian_mixture_delta(*(F(x) for x in case))
    assert exact.overlaps(certified)


@pytest.mark.parametrize(
    "case", [(1.0, 1.0, 0.5, 2.0), (0.0, 0.0, 0.5, 1.0), (0.125, 2.0, 0.25, 2)]
)
def test_gaussian_mixtures_that_are_close_have_divergence_zero(case):
    assert gaussian_mixture_delta(*case) == 0


def test_an_interval_that_is_almost_empty_is_bounded():
    # Where the interval shrinks to nothing the value is a ball at 0, not an error.
    low, high = F(1), F(2)
    for _ in range(80):
        middle = (low + high) / 2
        gap = gaussian_mixture_delta(F(1), F(2), F(1, 4), middle)
        assert gap.is_finite()
        low, high = (middle, high) if gap > 0 else (low, middle)
    assert gap < 1e-20


@pytest.mark.parametrize("mu", [F(1, 3), F(1), F(4)])
@pytest.mark.parametrize("rate", [F(1, 100), F(1, 4), F(1)])
@pytest.mark.parametrize("k", [F(1), F(33, 32), F(3, 2), F(8)])
def test_subsampled_gaussian_agrees_with_its_mixture(mu, rate, k):
    removed = subsampled_gaussian_delta(mu, rate, k, "removed")
    added = subsampled_gaussian_delta(mu, rate, k, "added")
    assert removed.overlaps(gaussian_mixture_delta(mu, 0, rate, k))
    assert added.overlaps(gaussian_mixture_delta(0, mu, rate, k))
    assert abs(removed - gaussian_mixture_delta(mu, 0, rate, k)) < NARROW
    both = subsampled_gaussian_delta(mu, rate, k)
    assert not both < removed
    assert not both < added
    assert not added > removed  # known: removing is the worse for k ≥ 1


@repeat
@given(
    st.fractions(F(-1), F(1), max_denominator=8),
    st.fractions(F(-1), F(1), max_denominator=8),
    rates,
    ratios,
)
def test_no_pair_of_records_beats_the_subsampled_gaussian(first, second, rate, k):
    if abs(first - second) <= 1:
        found = gaussian_mixture_delta(first, second, rate, k)
        assert not found > subsampled_gaussian_delta(F(1), rate, k, "removed")


def test_full_samples_are_not_amplified():
    for k in (1.0, 1.5, 4.0):
        plain = gaussian_delta(0.75, math.log(k))
        assert subsampled_gaussian_delta(0.75, 1.0, k) == pytest.approx(plain, rel=1e-12)


def test_root_is_enclosed_at_the_working_precision():
    with ctx.workprec(200):
        found = increasing_root(lambda x: x**3 - 2)
        assert found.contains(arb(2).root(3)) or found.overlaps(arb(2).root(3))
        assert found.rad() < arb(2) ** -190
        exact = increasing_root(lambda x: x, arb(1))
        assert exact.contains(0)
        assert exact.rad() < arb(2) ** -150
    with pytest.raises(ValueError, match="does not certainly cross"):
        increasing_root(lambda x: ball(1))
