"""Noisy choices and the sparse vector technique against integrals and sampling-free enumeration."""

import itertools
import math
from fractions import Fraction as F

import mpmath
import pytest
from flint import arb
from scipy import integrate, stats

from provedp.theory.numbers import ball, ball_contains
from provedp.theory.privacy import (
    exponential_selection_ratio,
    noisy_max_below,
    noisy_max_probability,
    noisy_threshold_between,
    released_value_probability,
    sparse_vector_epsilon,
    sparse_vector_probability,
    sparse_vector_scales,
)

LAW = stats.laplace


@pytest.mark.parametrize("size", [2, 3, 6])
@pytest.mark.parametrize("lead", [0.0, 0.4, 3.0])
def test_noisy_max_is_an_integral(size, lead):
    def integrand(x):
        return LAW.pdf(x, loc=lead) * LAW.cdf(x) ** (size - 1)

    truth = integrate.quad(integrand, -60, 60, points=sorted({0.0, lead}), limit=400)[0]
    assert noisy_max_probability(size, math.exp(-lead)) == pytest.approx(truth, abs=1e-9)


def test_equal_scores_are_named_equally_often():
    for size in (2, 3, 7):
        assert ball_contains(noisy_max_probability(size, F(1)), F(1, size))


def test_two_candidates_have_the_tail_of_a_difference():
    """P(X − Y > s) = e^(−s) (2 + s)/4 for independent Laplace X and Y."""
    for s in (0.1, 1.0, 7.0):
        tail = math.exp(-s) * (2 + s) / 4
        assert 1 - noisy_max_probability(2, math.exp(-s)) == pytest.approx(tail, rel=1e-9)


def test_noisy_max_below_and_exponential_ratio_by_hand():
    assert noisy_max_below(3, 0.5) == pytest.approx(LAW.cdf(-math.log(2)) ** 3)
    weights = [[F(3) ** s for s in scores] for scores in ((0, 0, 0, 0), (1, -1, -1, -1))]
    shares = [w[0] / sum(w) for w in weights]
    assert exponential_selection_ratio(4, F(3)) == shares[1] / shares[0]


@pytest.mark.parametrize(
    ("rates", "below", "above"),
    [
        ((2, 1), [0.5, -0.25], [0.125]),
        ((1, 3), [], [1.0, -1.0, 0.0]),
        ((1, 1), [0.0, 0.0, 2.0], []),
        ((3, 2), [-1.0], [-1.0, 0.5]),
    ],
)
def test_sparse_vector_is_an_integral(rates, below, above):
    threshold, query = (1 / rate for rate in rates)

    def integrand(z):
        value = LAW.pdf(z, scale=threshold)
        for margin in below:
            value *= LAW.cdf(z, loc=margin, scale=query)
        for margin in above:
            value *= LAW.sf(z, loc=margin, scale=query)
        return value

    ends = sorted({0.0, *below, *above})
    truth = integrate.quad(integrand, -50, 50, points=ends, limit=400)[0]
    found = sparse_vector_probability(*rates, below or None, above or None)
    assert isinstance(found, float)
    assert found == pytest.approx(truth, abs=1e-9)


def test_all_patterns_of_answers_have_probability_one():
    margins = [F(1, 3), F(-2), F(0), F(1, 3)]
    total = arb(0)
    for answers in itertools.product((True, False), repeat=4):
        sides = [
            [m for m, a in zip(margins, answers, strict=True) if a is s] for s in (False, True)
        ]
        total += sparse_vector_probability(2, 3, sides[0] or None, sides[1] or None)
    assert ball_contains(total, F(1)) and total.rad() < 1e-12


def test_sparse_vector_needs_exact_queries():
    with pytest.raises(ValueError, match="must be an exact number"):
        sparse_vector_probability(1, 1, above=[arb(0, 0.1)])
    with pytest.raises(ValueError, match="both missing"):
        sparse_vector_probability(1, 1)
    assert sparse_vector_probability(1, 1, above=[arb(0)]).contains(arb(0.5))


def test_released_value_is_a_double_integral():
    a, s, size, margin = 2.0, 1.0, 3, 0.7

    def inner(z, v):
        density = LAW.pdf(v, scale=1 / s) * LAW.pdf(z, scale=1 / a)
        return density * LAW.cdf(z, loc=margin, scale=1 / s) ** size

    truth = integrate.dblquad(inner, -40, 0, -40, lambda v: v, epsabs=1e-10)[0]
    found = released_value_probability(size, 2, 1, math.exp(-s * margin))
    assert found == pytest.approx(truth, rel=1e-5)


def test_noiseless_queries_depend_on_the_threshold_alone():
    for low, high in ((-0.5, 0.5), (-3.0, -1.0), (0.25, 2.0)):
        truth = LAW.cdf(high, scale=2) - LAW.cdf(low, scale=2)
        assert noisy_threshold_between(low, high, 2.0) == pytest.approx(truth)
    assert noisy_threshold_between(1.0, 0.0, 2.0) == 0
    wide = noisy_threshold_between(ball(-1), arb(0, 0.01), ball(1))
    truth = [(1 - mpmath.exp(-1)) / 2 + shift for shift in (-0.005, 0.005)]
    assert wide.lower() <= float(truth[0]) + 1e-4 and wide.upper() >= float(truth[1]) - 1e-4


def test_scales_and_epsilon_are_inverse():
    for cutoff in (1, 4):
        assert sparse_vector_epsilon(*sparse_vector_scales(F(3, 2), cutoff), cutoff) == F(3, 2)
