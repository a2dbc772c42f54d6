"""Laplace and integer noise, guarantees and Rényi claims: against other tools and other sums."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from flint import arb, ctx

from provedp.theory.privacy import (
    discrete_gaussian_delta,
    exact_composition_delta,
    gaussian_delta,
    optimal_composition_delta,
)
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.discrete_releases import DiscreteGaussian, Geometric, Guaranteed
from provedp.verify.accounting.laplace import Laplace, LaplacePair
from provedp.verify.accounting.releases import Gaussian
from provedp.verify.accounting.renyi_claims import (
    RenyiClaim,
    _best_q,
    _exceeds,
    _keeps,
    claimed_delta,
    composed_claims,
    conversion,
)


def test_laplace_noise_against_dp_accounting() -> None:
    found = compose([(Laplace(F(1, 2)), 10)])
    peer = privacy_loss_distribution.from_laplace_mechanism(
        2.0, value_discretization_interval=1e-4
    ).self_compose(10)
    for epsilon in (0.5, 2.0, 4.0):
        low, high = found.delta(epsilon)
        theirs = peer.get_delta_for_epsilon(epsilon)  # an upper bound, on its own grid
        assert low <= theirs
        assert high <= theirs * 1.01
        assert high - low <= 0.02 * high
    once = compose([(Laplace(F(1, 2)), 1)]).delta(0.2)
    assert once[0] <= 1 - math.exp(-0.15) <= once[1]
    # No output has a loss beyond T a = 5.
    assert found.delta(5.01)[1] <= 1e-11


def test_masses_of_the_loss_of_laplace_noise() -> None:
    losses = np.arange(-5, 6) * 0.21
    masses = LaplacePair(0.9).masses(losses)
    for law in (masses.p, masses.q):
        assert math.fsum(law) == pytest.approx(1, abs=1e-15)
    ratio = np.log(masses.p / masses.q)
    assert np.all((losses[:-1] <= ratio) & (ratio <= losses[1:]))
    assert masses.p[-1] == pytest.approx(0.5 + (1 - math.exp(-0.03)) / 2)  # from 0.84 to the atom
    assert np.allclose(masses.p, masses.q[::-1], rtol=1e-13)


def test_two_rounds_of_laplace_noise_by_integration() -> None:
    a, epsilon, step = 0.8, 0.5, 0.01
    x = np.arange(-12, 12, step) + step / 2
    p, q = np.exp(-abs(x)) / 2, np.exp(-abs(x - a)) / 2
    gaps = np.maximum(np.outer(p, p) - math.exp(epsilon) * np.outer(q, q), 0)
    exact = float(gaps.sum()) * step * step
    low, high = compose([(Laplace(a), 2)]).delta(epsilon)
    assert low - 1e-4 <= exact <= high + 1e-4
    assert high - low <= 1e-3


def test_equal_guarantees_compose_to_the_formula() -> None:
    found = compose([(Guaranteed(F(11, 10), F(1, 10**6)), 30)])
    assert found.grid is None and found.at_ratio is not None
    exact = optimal_composition_delta(30, F(11, 10), F(1, 10**6), F(2))
    low, high = found.at_ratio(F(2))
    assert low == exact == high


def test_different_guarantees_compose_to_the_law_of_subsets() -> None:
    # Murtagh and Vadhan: the sum over which releases tell the truth.
    parts = [(F(2), F(1, 100)), (F(3, 2), F(0)), (F(3), F(1, 50)), (F(2), F(1, 100))]
    k = F(5)
    kept, gap = F(1), F(0)
    for _, delta in parts:
        kept *= 1 - delta
    for subset in range(16):
        told, other = F(1), F(1)
        for index, (ratio, _) in enumerate(parts):
            truth = subset >> index & 1
            told *= (ratio if truth else 1) / (1 + ratio)
            other *= (1 if truth else ratio) / (1 + ratio)
        gap += max(told - k * other, F(0))
    exact = 1 - kept * (1 - gap)
    found = compose([(Guaranteed(ratio, delta), 1) for ratio, delta in parts])
    assert found.at_ratio is not None
    low, high = found.at_ratio(k)
    assert low == exact == high


def test_guarantees_of_irrational_ratio_beside_noise() -> None:
    with ctx.workprec(200):
        guarantee = Guaranteed((arb(1) / 10).exp(), 0)
    alone = compose([(guarantee, 1)])
    assert alone.delta(0.1)[1] <= 1e-30
    low, high = compose([(guarantee, 2), (Gaussian(F(1)), 1)]).epsilon(1e-5)
    one = compose([(Gaussian(F(1)), 1)]).epsilon(1e-5)[0]
    assert one < low <= high < one + 0.2 + 1e-6


@pytest.mark.parametrize(("decay", "shift", "rounds"), [(F(9, 10), 5, 1), (F(1, 2), 1, 4)])
def test_geometric_noise_by_its_law(decay: F, shift: int, rounds: int) -> None:
    reach = 60 if rounds == 1 else 12
    weights = [decay ** abs(x) for x in range(-reach, reach + 1)]
    moved = [decay ** abs(x - shift) for x in range(-reach, reach + 1)]
    p, q = [w / sum(weights) for w in weights], [w / sum(moved) for w in moved]
    exact = float(exact_composition_delta([(p, q)] * rounds, F(7, 5)))  # without the far tails
    low, high = compose([(Geometric(decay, shift), rounds)]).delta(math.log(1.4))
    assert low == pytest.approx(exact, abs=2e-3)
    assert low == pytest.approx(high, rel=1e-12)
    if rounds == 1:
        assert low == pytest.approx(86657 / 950000, rel=1e-12)


def test_discrete_gaussian_noise_is_close_to_gaussian_noise() -> None:
    one = compose([(DiscreteGaussian(F(2), 3), 1)]).delta(1.0)
    assert one[0] == pytest.approx(float(discrete_gaussian_delta(2.0, 1.0, 3)), rel=1e-12)
    many = compose([(DiscreteGaussian(F(10)), 100)])
    smooth = compose([(Gaussian(F(1)), 1)])
    for epsilon in (0.5, 2.0, 4.0):
        low, high = many.delta(epsilon)
        assert low <= smooth.delta(epsilon)[1] * 1.001
        assert high >= smooth.delta(epsilon)[0] * 0.999
        assert high - low <= 0.15 * high


@pytest.mark.parametrize(("order", "bound", "epsilon"), [(2.0, 0.1, 1.0), (10.0, 0.5, 1.0)])
def test_conversion_of_one_order_by_a_grid(order: float, bound: float, epsilon: float) -> None:
    best = 0.0
    for q in np.geomspace(1e-9, 0.4, 2500):
        p = q + (1 - q) * np.geomspace(1e-7, 1 - 1e-9, 2500)
        total = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
        inside = p[np.log(total) / (order - 1) <= bound]
        if len(inside):
            best = max(best, float(inside.max() - math.exp(epsilon) * q))
    with ctx.workprec(200):
        low, high = (float(end) for end in conversion(order, arb(bound), arb(epsilon)))
    assert best <= high
    assert low <= high <= 1.001 * low
    assert best == pytest.approx(low, rel=0.02)


@pytest.mark.parametrize("rho", [0.005, 0.1, 0.5])
def test_zcdp_claims_hold_for_gaussian_noise(rho: float) -> None:
    for epsilon in (0.2, 1.0, 3.0):
        low, high = claimed_delta(RenyiClaim(rho=rho), epsilon)
        attained = float(gaussian_delta(math.sqrt(2 * rho), epsilon))
        assert low == pytest.approx(attained, rel=1e-9)
        # Bun and Steinke, Proposition 1.3: ε = ρ + 2 √(ρ ln(1/δ)).
        assert high >= low
        if epsilon > rho:
            assert high <= math.exp(-((epsilon - rho) ** 2) / (4 * rho))


def test_renyi_claims_add_up_at_common_orders() -> None:
    both = composed_claims([(RenyiClaim({8.0: F(1, 4)}), 2), (RenyiClaim(rho=F(1, 100)), 1)])
    assert float(both.bounds[8.0]) == pytest.approx(0.58)
    with pytest.raises(ValueError, match="no order in common"):
        composed_claims([(RenyiClaim({8.0: 1}), 1), (RenyiClaim({9.0: 1}), 1)])


def test_balls_are_rounded_to_the_side_of_each_bound() -> None:
    wide = arb(0.5, 0.01)
    low, high = compose([(Geometric(wide, 2), 4)]).delta(0.5)
    ends = [compose([(Geometric(F(r, 100), 2), 4)]).delta(0.5)[0] for r in (51, 49)]
    assert low <= ends[0] * (1 + 1e-6) and high >= ends[1] * (1 - 1e-6)
    low, high = compose([(Guaranteed(arb(2, 0.01), 0), 3)]).delta(0.5)
    ends = [compose([(Guaranteed(F(k, 100), 0), 3)]).delta(0.5)[0] for k in (199, 201)]
    assert low <= ends[0] * (1 + 1e-6) and high >= ends[1] * (1 - 1e-6)


def test_a_tangent_refuses_what_it_does_not_show() -> None:
    with ctx.workprec(200):
        most, k = (arb(10) - 1) * arb(0.5), arb(1).exp()
        _, high = conversion(10.0, arb(0.5), arb(1))
        q = arb(_best_q(10.0, math.log(1.01 * float(high)), math.e)[0])
        assert _exceeds(arb(10), high * arb(1.01), k, q, most)
        assert not _exceeds(arb(10), high * arb(0.9), k, q, most)
        assert not _exceeds(arb(10), high * arb(1.01), k, q * 4, most)
        assert _keeps(arb(10), arb(0.1), arb(0.1), most)
        assert not _keeps(arb(10), arb(0.1), arb(0.001), most)
