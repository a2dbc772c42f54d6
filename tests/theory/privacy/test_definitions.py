"""Guarantees and what follows from them."""

import itertools
from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.mechanisms.counting import OptimalCount
from provedp.theory.matrices import matrix, product
from provedp.theory.privacy import (
    Adjacency,
    Guarantee,
    Mechanism,
    MechanismWithLaw,
    advanced_composition_epsilon,
    basic_composition_epsilon,
    composed,
    composition_delta,
    for_group,
    group_delta,
    group_ratio,
    hockey_stick,
    post_processed,
)

ONE = Guarantee(F(3, 2), "ln(3/2)", F(1, 100), Adjacency.REPLACE_ONE, "subject.one")
TWO = Guarantee(F(2), "ln(2)", F(1, 50), Adjacency.REPLACE_ONE, "subject.two")

weights = st.lists(st.integers(1, 9), min_size=3, max_size=3)
laws = weights.map(lambda found: [F(w, sum(found)) for w in found])
ratios = st.fractions(F(1), F(3), max_denominator=7)
repeat = settings(derandomize=True, deadline=None, max_examples=60)


def closest(p, q, k):
    return max(hockey_stick(p, q, k), hockey_stick(q, p, k))


def test_composition_multiplies_ratios_and_adds_deltas():
    both = composed([ONE, TWO])
    assert (both.ratio, both.delta) == (F(3), F(3, 100))
    assert both.epsilon == "ln(3/2) + ln(2)"
    assert both.premises == (ONE, TWO)
    assert both.claim == "privacy.guarantees_compose"


@repeat
@given(laws, laws, laws, laws, ratios, ratios)
def test_product_laws_meet_the_composed_guarantee(p, q, u, v, k, other_k):
    joint = [a * b for a, b in itertools.product(p, u)]
    other = [a * b for a, b in itertools.product(q, v)]
    promised = composition_delta(1, closest(p, q, k), closest(u, v, other_k))
    assert closest(joint, other, k * other_k) <= promised


@repeat
@given(laws, laws, st.lists(laws, min_size=3, max_size=3), ratios)
def test_post_processing_keeps_a_guarantee(p, q, rows, k):
    through = product(matrix([p, q]), matrix(rows))
    assert hockey_stick(through[0], through[1], k) <= hockey_stick(p, q, k)


@repeat
@given(st.lists(laws, min_size=4, max_size=4), ratios, st.integers(1, 3))
def test_a_chain_meets_the_group_guarantee(chain, k, size):
    delta = max(closest(p, q, k) for p, q in itertools.pairwise(chain))
    ends = closest(chain[0], chain[size], group_ratio(k, size))
    assert ends <= group_delta(k, delta, size)


def test_group_delta_is_attained():
    # Each step moves δ of mass at ratio k: δ, then k δ + δ.
    k, delta = F(2), F(1, 10)
    steps = [[F(1), F(0)], [F(9, 20), F(11, 20)]]
    assert hockey_stick(*steps, k) == delta
    last = [F(7, 40), F(33, 40)]
    assert hockey_stick(steps[1], last, k) == delta
    assert hockey_stick(steps[0], last, k**2) == group_delta(k, delta, 2) == F(3, 10)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_group_delta_is_the_geometric_sum_in_every_field(size):
    k, delta = sympy.symbols("k delta", positive=True)
    closed = delta * (k**size - 1) / (k - 1)
    assert sympy.simplify(group_delta(k, delta, size) - closed) == 0
    assert group_delta(F(1), F(1, 9), size) == F(size, 9)
    assert group_delta(fmpq(2), fmpq(1, 9), size) == fmpq(2**size - 1, 9)
    assert group_delta(2.0, 0.25, size) == (2.0**size - 1) / 4
    assert group_delta(arb(2), arb(0.25), size).contains(arb(2**size - 1) / 4)


def test_groups_and_post_processing_of_guarantees():
    three = for_group(ONE, 3)
    assert (three.ratio, three.delta, three.group_size) == (F(27, 8), F(19, 400), 3)
    assert for_group(for_group(ONE, 2), 2).group_size == 4
    assert post_processed(three).group_size == 3
    assert post_processed(ONE).premises == (ONE,)


def test_guarantees_that_do_not_fit_or_promise_nothing_are_refused():
    flip = Guarantee(F(2), "ln(2)", F(0), Adjacency.LABEL_FLIP, "subject.flip")
    with pytest.raises(ValueError, match="different inputs"):
        composed([ONE, flip])
    with pytest.raises(ValueError, match="different inputs"):
        composed([ONE, for_group(ONE, 2)])
    with pytest.raises(ValueError, match="no guarantees"):
        composed([])
    with pytest.raises(ValueError, match="nothing would be promised"):
        for_group(TWO, 10)
    with pytest.raises(ValueError, match="nothing would be promised"):
        composed([TWO] * 50)
    with pytest.raises(ValueError, match="'size' parameter"):
        for_group(ONE, 0)


def test_a_mechanism_for_a_count_keeps_the_protocol():
    mechanism = OptimalCount(4, "ln(2)")
    assert isinstance(mechanism, Mechanism)
    assert isinstance(mechanism, MechanismWithLaw)
    assert not isinstance(np.zeros(1), Mechanism)


def test_adjacencies_are_those_of_the_papers_and_of_a_graph():
    assert len(set(Adjacency)) == 5 + 1


def test_advanced_composition_beats_basic_composition_only_for_many_rounds():
    # ε √(2T ln(1/δ')) + T ε (e^ε − 1) by hand: 0.1 √(2·100·ln 10⁶) + 10 (e^0.1 − 1).
    assert advanced_composition_epsilon(100, 0.1, 1e-6) == pytest.approx(6.308231, abs=1e-6)
    assert basic_composition_epsilon(100, 0.1) == pytest.approx(10)
    assert advanced_composition_epsilon(10, 0.1, 1e-6) > basic_composition_epsilon(10, 0.1)
    exact = advanced_composition_epsilon(100, F(1, 10), F(1, 10**6))
    assert abs(exact - 6.308230950513) < 1e-12
