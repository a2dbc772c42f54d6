"""What the claims on modes are checked with: mixtures, greedy draws, merging, correlations."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import norm

from provedp.theory import modes, privacy
from provedp.theory.modes.kernel_norms import correlation
from provedp.verify.claims.modes.instances import correlations
from provedp.verify.claims.modes.instances.mixtures import NormalMixture, greedy_draws
from provedp.verify.claims.modes.instances.pools import FEWEST_STARTS, Pool, saturated, symmetric
from provedp.verify.claims.modes.instances.ward import pure_basins, ward, within_radius
from provedp.verify.ledger.hypotheses import UndecidedHypothesis

repeat = settings(derandomize=True, deadline=None, max_examples=30)
LAW = NormalMixture(F(9, 10), F(4))


@pytest.mark.parametrize("x", [F(-2), F(0), F(3, 2), F(2), F(4)])
def test_mixture_is_scipys(x):
    place = float(x)
    parts = 0.9 * norm.pdf(place), 0.1 * norm.pdf(place - 4)
    assert float(LAW.density(x)) == pytest.approx(sum(parts), rel=1e-13)
    mass = sum(
        w * (norm.cdf(place + 0.25 - s) - norm.cdf(place - 0.25 - s))
        for w, s in ((0.9, 0), (0.1, 4))
    )
    assert float(LAW.mass(x, F(1, 4))) == pytest.approx(mass, rel=1e-12)
    step = 1e-4
    logs = [
        math.log(0.9 * norm.pdf(place + k * step) + 0.1 * norm.pdf(place + k * step - 4))
        for k in (-1, 0, 1)
    ]
    curvature = (logs[0] - 2 * logs[1] + logs[2]) / step**2
    assert float(LAW.log_curvature(x)) == pytest.approx(curvature, abs=1e-6)
    slope = -place * parts[0] + (4 - place) * parts[1]
    assert float(LAW.slope(x)) == pytest.approx(slope, rel=1e-12)


def test_greedy_draws_are_the_largest_masses_left():
    grid = [F(1, 70) + F(i, 5) for i in range(-10, 30)]
    found = greedy_draws(LAW, grid, F(1, 10), F(1, 2), 6)
    left = list(grid)
    for draw in found:
        assert draw == max(left, key=lambda z: float(LAW.mass(z, F(1, 10))))
        left = [z for z in left if abs(z - draw) > F(1, 2)]


def test_greedy_draws_that_are_not_certain_are_refused():
    with pytest.raises(UndecidedHypothesis):
        greedy_draws(NormalMixture(F(1), F(1)), [F(-1), F(0), F(1)], F(1, 4), F(1, 2), 2)
    with pytest.raises(ValueError, match="No candidate is left after 1"):
        greedy_draws(LAW, [F(0)], F(1, 4), F(1, 2), 2)


@repeat
@given(st.lists(st.fractions(-9, 9, max_denominator=50), min_size=3, max_size=8, unique=True))
def test_ward_is_scipys(points):
    for count in (2, 3):
        groups = ward(points, count)
        tree = linkage(np.array([[float(p)] for p in points]), "ward")
        heights = tree[:, 2]
        if len(heights) > 1 and np.min(np.abs(np.diff(np.sort(heights)))) < 1e-9:
            continue  # ties are broken either way
        labels = fcluster(tree, count, "maxclust")
        theirs = {frozenset(np.flatnonzero(labels == label)) for label in set(labels)}
        assert {frozenset(group) for group in groups} == theirs


def test_radius_groups_are_greedy():
    points = [F(0), F(1), F(2), F(10)]
    assert within_radius(points, F(1)) == [(0, 1), (2,), (3,)]
    assert pure_basins([(1, 0), (2,)], [0, 0, 1]) == 2
    assert pure_basins([(0, 1), (2,)], [0, 1, 1]) == 0
    assert pure_basins([(0,), (1,), (2,)], [0, 0, 1]) == 1


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("power", [0, 1])
def test_correlations_fall_as_bounded(d, power):
    for distance in (6, 10, 15):
        found = abs(correlation(d, arb(distance), power))
        assert found < correlations.beyond(d, power) / distance**2


def test_a_minimum_that_is_none_is_not_certified(monkeypatch):
    assert correlations.intervals_left(1, 1) == 0
    monkeypatch.setattr(correlations, "stationary_distance", lambda d, power: arb(1))
    assert correlations.intervals_left(1, 1) > 0
    monkeypatch.setattr(correlations, "stationary_distance", lambda d, power: arb(21) / 10)
    assert correlations.intervals_left(1, 1) > 0


def test_shift_of_three_starts_by_hand():
    # Only the middle score flips, by 2A/p_floor; the middle entry of K⁻¹ is coth s.
    pool = saturated(400)
    clip, floor, gap = float(pool.clip), float(pool.floor), float(pool.starts[2])
    truth = 2 * clip / floor / math.sqrt(math.tanh(gap))
    assert float(pool.score_shift()) == pytest.approx(truth, rel=5e-3)


def test_parts_of_a_pool_are_linear_moves():
    pool = Pool(5, F(1), F(1), F(1), F(-1), symmetric(F(1, 2)), d=2)
    value, slope = pool.part_shifts()
    points = np.array(pool.points(), float)
    kernel = np.exp(-np.linalg.norm(points[:, None] - points[None], axis=2))
    moves = [
        formula(points, np.array([[1.0, 0.0]]), 1.0) - formula(points, np.array([[-1.0, 0.0]]), 1.0)
        for formula in (modes.density, modes.density_gradient)
    ]
    for found, move in zip((value, slope), moves, strict=True):
        columns = move.reshape(len(points), -1) / 5
        truth = math.sqrt(sum(c @ np.linalg.solve(kernel, c) for c in columns.T))
        assert float(found) == pytest.approx(truth, rel=1e-10)


def test_smallest_example_exceeds_the_bound():
    with ctx.workprec(200):
        bound = modes.joint_sensitivity(F(1), 1, FEWEST_STARTS.clip, FEWEST_STARTS.floor)
        ratio = FEWEST_STARTS.score_shift() * FEWEST_STARTS.m / bound
        assert abs(ratio - arb("1.05774")) < 1e-5


def test_gap_of_masses_is_the_one_found_elsewhere():
    with ctx.workprec(300):
        size = arb(10) ** 20
        width, reach = ((size.log() / size).log() / 7).exp(), 3 / size.log()
        last = int((reach / 4 / width).floor().unique_fmpz())

        def mass(index):
            place, root = index * width, arb(2).sqrt()
            return (((place + width) / root).erf() - ((place - width) / root).erf()) / 2

        gap = (mass(last) - mass(last + 1)) / (width * reach**2)
        assert abs(gap / arb("0.00704652738765224203") - 1) < 1e-12


@pytest.mark.parametrize("draws", [1, 2, 3, 4])
def test_budget_factor_is_least(draws):
    # Bulk on the place that gains one: all draws gain from the sum, one from its own weight too.
    ratio, bulk = F(2), 40
    places = [[10 * i] for i in range(draws + 1)]
    first = modes.dap_law([1, bulk, *[0] * (draws - 1)], places, draws, 1, ratio)
    second = modes.dap_law([0, bulk + 1, *[0] * (draws - 1)], places, draws, 1, ratio)
    found = math.log(modes.dap_ratio(first, second)) / math.log(ratio)
    assert found == pytest.approx(2 * draws * float(modes.dap_budget_factor(draws)), abs=1e-9)


def test_one_sampled_round_is_the_one_found_elsewhere():
    with ctx.workprec(100):
        rate, shift = arb("0.145"), arb(1) / 2
        whole = (1 + (arb(1).exp() - 1) / rate).log()
        found = rate * privacy.gaussian_delta(shift, whole)
        assert abs(found / arb("7.5728559651441206e-9") - 1) < 1e-12


def test_covering_draws_leave_nothing_active():
    places = [[F(i, 2)] for i in range(5)]
    law = modes.dap_law([1, 0, 2, 1, 1], places, 3, F(1), F(2))
    for sequence in law:
        suppressed = {j for index in sequence for j in range(5) if abs(j - index) <= 2}
        assert suppressed == set(range(5))
