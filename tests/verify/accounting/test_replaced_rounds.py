"""Rounds on samples of fixed size: what adaptive choices reach, by integrals over the plane."""

import math
from collections.abc import Callable
from fractions import Fraction as F
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.dominating_pairs import (
    GaussianPair,
    normal_mass_error,
    normal_masses,
)
from provedp.verify.accounting.laplace import Laplace
from provedp.verify.accounting.releases import FixedSizeSampledGaussian, Gaussian
from provedp.verify.accounting.replaced_records import SQUARES, ReplacedRecord
from provedp.verify.accounting.replaced_rounds import _directions, blocks, symmetric_pair
from provedp.verify.accounting.rounding import Rounded
from provedp.verify.accounting.tilting import Composed
from provedp.verify.accounting.triangles import ANY_MASS_ERROR, Triangle

STEP = 0.02
KINK = 3e-4  # relative error of a sum across the line where p = kq
Profile = Callable[[np.ndarray], np.ndarray]


def plane(mu: float) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.arange(-8 - mu, 8 + 2 * mu, STEP), np.arange(-8 - mu, 8 + 2 * mu, STEP)
    points: tuple[np.ndarray, np.ndarray] = tuple(np.meshgrid(x, y))  # type: ignore[assignment]
    return points


def densities(
    rate: float, a: complex, b: complex, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    def normal(mean: complex) -> np.ndarray:
        return np.exp(-((x - mean.real) ** 2 + (y - mean.imag) ** 2) / 2) / (2 * math.pi)

    shared = (1 - rate) * normal(0)
    return shared + rate * normal(a), shared + rate * normal(b)


def corner(square: float, mu: float) -> complex:
    """b with |b|² = square and |a − b| = μ, for a = μ."""
    along = square / (2 * mu)
    return complex(along, math.sqrt(max(square - along * along, 0.0)))


def hinge(p: np.ndarray, q: np.ndarray, k: float) -> float:
    return float(np.maximum(p - k * q, 0).sum()) * STEP * STEP


def one_round(mu: float, rate: float) -> Profile:
    """The largest E_k of one round: Balle, Barthe and Gaboardi, Theorem 9, and its mirror image."""

    def above(k: np.ndarray) -> np.ndarray:
        ratio = 1 + (k - 1) / rate
        epsilon = np.log(ratio)
        tails = special.ndtr(mu / 2 - epsilon / mu) - ratio * special.ndtr(-mu / 2 - epsilon / mu)
        return np.asarray(rate * tails)

    return lambda k: np.where(
        k >= 1, above(np.maximum(k, 1)), 1 - k + k * above(1 / np.minimum(k, 1))
    )


@pytest.mark.parametrize(
    ("a", "b", "rate"), [(0.7, -0.2, 0.01), (0.9, -0.001, 1e-6), (5.0, -3.0, 0.3), (1.0, -2.0, 1.0)]
)
def test_losses_of_any_two_sides_are_found_again(a: float, b: float, rate: float) -> None:
    losses = np.linspace(-3, 3, 61)
    pair = GaussianPair(a, b, rate)
    x = pair.where(losses)
    inside = (x > b - 30) & (x < a + 30)
    assert inside.sum() > 20
    np.testing.assert_allclose([pair.loss(each) for each in x[inside]], losses[inside], atol=2e-14)


@pytest.mark.parametrize(("mu", "rate"), [(1.0, 0.1), (2.0, 0.02), (0.4, 0.7), (3.0, 0.9)])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.6, 1.0])
def test_a_triangle_by_sums_over_the_plane(mu: float, rate: float, share: float) -> None:
    p, q = densities(rate, mu, corner(share * mu * mu, mu), *plane(mu))
    spread = GaussianPair(mu, 0.0, rate).spread
    found = Composed([(Triangle(mu, rate, share * mu * mu).up(spread / 60, 2400), 1)], True)
    for k in (0.7, 0.99, 1.0, 1.05, 1.4, 3.0):
        exact = hinge(p, q, k)
        assert exact * (1 - KINK) <= found.delta(math.log(k)) <= exact * 1.025 + 1e-9


@pytest.mark.parametrize("rate", [0.01, 0.5])
def test_profiles_fall_with_the_third_side_above_one_and_grow_below(rate: float) -> None:
    mu = 1.2
    x, y = plane(mu)
    laws = [densities(rate, mu, corner(s * mu * mu, mu), x, y) for s in (0.0, 0.2, 0.5, 0.8, 1.0)]
    for offset in (0.1, 0.5, 2.0):
        above = [hinge(p, q, 1 + offset * rate) for p, q in laws]
        below = [hinge(p, q, 1 - 0.4 * offset * rate) for p, q in laws]
        assert all(np.diff(above) < 0)
        assert all(np.diff(below) > 0)


def after(profile: Profile, p: np.ndarray, q: np.ndarray, k: float) -> float:
    """E_k of one round and the best choice of the others after it."""
    return float((p * profile(k * q / p)).sum()) * STEP * STEP


sides = st.floats(0.0, 1.0)


@pytest.fixture(scope="module")
def two_rounds() -> Composed:
    mu, rate = 1.5, 0.2
    ((pair, times),) = blocks(ReplacedRecord(mu, rate), 2)
    assert times == 1
    return Composed([(pair.up(pair.spread / 200), 1)], True)


@settings(max_examples=12, derandomize=True, deadline=None)
@given(first=sides, second=sides, angle=st.floats(0, math.pi), k=st.floats(1.0, 3.0))
def test_no_first_round_and_best_second_one_exceed_two_rounds(
    two_rounds: Composed, first: float, second: float, angle: float, k: float
) -> None:
    mu, rate = 1.5, 0.2
    a, b = mu * first, mu * second * complex(math.cos(angle), math.sin(angle))
    if abs(a - b) > mu:
        b *= mu / (abs(a) + abs(b))
        a *= mu / (abs(a) + mu * second) if abs(a - b) > mu else 1
    p, q = densities(rate, complex(a), b, *plane(mu))
    profile = one_round(mu, rate)
    for laws in ((p, q), (q, p)):
        assert after(profile, *laws, k) <= two_rounds.delta(math.log(k)) * (1 + KINK) + 1e-9


@pytest.mark.parametrize("k", [1.0, 1.05, 1.5, 3.0])
def test_some_first_round_nearly_attains_two_rounds(two_rounds: Composed, k: float) -> None:
    mu, rate = 1.5, 0.2
    x, y = plane(mu)
    best = 0.0
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        p, q = densities(rate, mu, corner(share * mu * mu, mu), x, y)
        values = [after(one_round(mu, rate), *laws, k) for laws in ((p, q), (q, p))]
        best = max(best, *values)
    assert best <= two_rounds.delta(math.log(k)) * (1 + KINK) <= best * 1.01


def test_many_rounds_are_bracketed_closely() -> None:
    found = compose([(FixedSizeSampledGaussian(1.0, 0.01), 1000)])
    low, high = found.epsilon(1e-5)
    assert 1.8277 <= low <= 1.82825  # that of Poisson samples is 1.82823666652
    assert low < high <= 1.885  # 2.199 by a pair for each round alone
    # Records at the corners of a triangle of equal sides attain more than those on a line.
    assert equal_sides(1.0, 0.01, 1000, 1.84) > 1e-5
    assert equal_sides(1.0, 0.01, 1000, 1.88) < found.delta(1.88)[1]


def equal_sides(mu: float, rate: float, rounds: int, epsilon: float) -> float:
    """δ of a triangle of equal sides in every round; losses are rounded to a grid."""
    p, q = densities(rate, mu, corner(mu * mu, mu), *plane(mu))
    grid, length = 5e-4, 1 << 16
    index = np.round(np.log(p / q) / grid).astype(int)
    law = np.bincount(index.ravel() % length, p.ravel() * STEP * STEP, length)
    power = np.fft.irfft(np.fft.rfft(law) ** rounds, length)
    losses = np.arange(length) * grid
    ahead = (losses > epsilon) & (losses < length * grid / 2)
    return float(power[ahead] @ -np.expm1(epsilon - losses[ahead]))


def test_other_releases_between_rounds() -> None:
    sampled = FixedSizeSampledGaussian(1.0, 0.1)
    both = compose([(sampled, 20), (Gaussian(F(1, 2)), 1), (Laplace(F(1, 5)), 2)])
    alone = compose([(sampled, 20)])
    low, high = both.epsilon(1e-5)
    assert alone.epsilon(1e-5)[1] < low <= high <= 1.02 * low
    two = compose([(sampled, 8), (FixedSizeSampledGaussian(0.5, 0.1), 12)])
    assert two.delta(1.0)[1] < alone.delta(1.0)[1]
    assert two.delta(1.0)[1] > compose([(sampled, 8)]).delta(1.0)[0]


def test_blocks_hold_all_rounds_and_cost_something(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compose([(FixedSizeSampledGaussian(1.0, 0.1), 23)]).delta(1.5)
    monkeypatch.setattr("provedp.verify.accounting.replaced_rounds.MOST_WORK", 1.5e5)
    assert len(blocks(ReplacedRecord(1.0, 0.1), 23)) == 2  # shorter and longer ones
    for rounds in (23, 24, 25, 26, 27):
        parts = blocks(ReplacedRecord(1.0, 0.1), rounds)
        assert sum(pair.rounds * times for pair, times in parts) == rounds  # type: ignore[attr-defined]
        assert sum(times for _, times in parts) > 1
    found = compose([(FixedSizeSampledGaussian(1.0, 0.1), 23)]).delta(1.5)
    assert whole[0] == found[0]
    assert whole[1] < found[1] < 1.5 * whole[1]


def test_one_round_of_the_recursion_is_the_published_formula() -> None:
    mu, rate = 1.3, 0.2
    ((pair, _),) = blocks(ReplacedRecord(mu, rate), 1)
    found = Composed([(pair.up(pair.spread / 400), 1)], True)
    exact = one_round(mu, rate)
    for k in (0.5, 1.0, 1.02, 1.5, 4.0):
        value = float(exact(np.array(k)))
        assert value * (1 - 1e-12) <= found.delta(math.log(k)) <= value * 1.01 + 1e-9


def test_the_intervals_are_all_sides_and_both_directions() -> None:
    assert SQUARES[0] == 0 and SQUARES[-1] == 1 and all(np.diff(SQUARES) > 0)
    law = Triangle(1.0, 0.2, 0.3).up(0.01, 300)
    for way, sign in zip(_directions(law, 100), (1, -1), strict=True):
        for place in (0, 3, 40):
            ratio = math.exp(0.01 * place)
            p = law.probabilities
            q = p * np.exp(-0.01 * np.arange(-300, 301))
            first, second = (p, q) if sign > 0 else (q, p)
            exact = np.maximum(first - ratio * second, 0).sum()
            infinite = law.infinite if sign > 0 else 0.0
            assert way.profile[place] == pytest.approx(exact + infinite, rel=1e-12)


def test_what_is_told_of_the_rate_may_be_coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = Triangle(2.0, 0.2, 3.0)
    exact = Composed([(fine.up(0.01, 900), 1)], True)
    for name, value in (("USUAL", 0.5), ("OUTERMOST", 0.5), ("TELLING", 0.5)):
        monkeypatch.setattr(f"provedp.verify.accounting.triangles.{name}", value)
    coarse = Triangle(2.0, 0.2, 3.0).up(0.01, 900)
    assert coarse.probabilities.sum() + coarse.infinite == pytest.approx(1, abs=1e-12)
    for epsilon in (0.0, 0.3, 1.0, 2.0):
        loose = Composed([(coarse, 1)], True).delta(epsilon)
        assert exact.delta(epsilon) * (1 - 1e-9) <= loose


@pytest.mark.parametrize(
    ("mu", "rate", "rounds"), [(7.9, 0.3, 3), (8.0, 0.5, 40), (0.004, 0.5, 30), (2.0, 1e-5, 4)]
)
def test_extreme_noise_and_samples(mu: float, rate: float, rounds: int) -> None:
    low, high = compose([(FixedSizeSampledGaussian(mu, rate), rounds)]).epsilon(1e-6)
    assert 0 <= low <= high <= 1.02 * low + 1e-3


heights = st.lists(st.floats(0, 1), min_size=3, max_size=30)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(weights=heights, noise=st.floats(0, 1e-9))
def test_a_pair_has_at_least_its_profile(weights: list[float], noise: float) -> None:
    grid = 0.1
    masses = np.array(weights) / (3 * len(weights))
    ahead = np.arange(len(masses)) * grid
    profile = np.array([(masses * np.maximum(1 - np.exp(at - ahead), 0)).sum() for at in ahead])
    wavy = profile + noise * (1 + np.cos(7 * ahead))
    found, infinite = symmetric_pair(wavy, grid)
    last = len(found) // 2
    above = [F(float(mass)) for mass in found[last:]]
    ratios = [F(float(ratio)) for ratio in np.exp(ahead)]
    for index, least in enumerate(profile):
        parts = zip(above[index + 1 :], ratios[index + 1 :], strict=True)
        ends = sum((m * (1 - ratios[index] / k) for m, k in parts), F(infinite))
        assert F(float(least)) <= ends <= F(float(least)) + F(4 * noise + 1e-13)
    law = Composed([(Rounded(grid, -last, found, infinite, 0.0, 0.0), 1)], True)
    for place, least in zip(ahead, profile, strict=True):
        mirrored = 1 - math.exp(-place) + math.exp(-place) * least
        assert mirrored <= law.delta(-float(place)) + 1e-12


def test_what_lies_below_all_losses_is_bounded() -> None:
    mu, rate = 1.0, 0.3
    record = ReplacedRecord(mu, rate)
    p, q = densities(rate, mu, corner(mu * mu, mu), *plane(mu))
    losses = np.log(p / q)
    for loss in (0.3, 0.8, 1.5):
        exact = float(q[losses < -loss].sum()) * STEP * STEP
        assert exact <= record.beyond(loss)


@pytest.mark.parametrize("width", [pytest.param(0.03, marks=pytest.mark.slow), 0.101, 0.4, 3.0])
def test_no_mass_errs_by_more_than_is_assumed(width: float) -> None:
    x = np.concatenate((np.arange(-36, 36, width), [36.5]))
    assert normal_mass_error(x) <= ANY_MASS_ERROR
    with mpmath.workdps(400):
        exact = [mpmath.ncdf(high) - mpmath.ncdf(low) for low, high in pairwise(x.tolist())]
        masses = normal_masses(x).tolist()
        errors = [abs(mass / true - 1) for mass, true in zip(masses, exact, strict=True)]
    assert max(errors) <= ANY_MASS_ERROR
