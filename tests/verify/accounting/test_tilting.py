"""Tilted compositions: small δ relative to itself, and the errors that are added to it."""

import math
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest

from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import Finite, PoissonReplacedGaussian, Release
from provedp.verify.accounting.releases import PoissonSampledGaussian as Poisson
from provedp.verify.accounting.rounding import Rounded
from provedp.verify.accounting.tilting import Composed

# μ, rate, rounds, ε and δ by Fourier inversion in 80-bit floats, converged to 1e-9 relative.
INVERTED = [
    (F(1), F(1, 100), 1000, 0.914119, 0.0042092248472002),
    (F(1), F(1, 100), 1000, 1.828238, 9.9998989813576e-6),
    (F(1), F(1, 100), 1000, 3.656476, 6.594784025066e-12),
    (F(10, 11), F(1, 240), 14400, 1.174776, 0.0072576224099405),
    (F(10, 11), F(1, 240), 14400, 4.699105, 1.140710635e-15),
    (F(5, 4), F(1, 8), 1000, 28.362975, 0.1039366416226184),
    (F(5, 4), F(1, 8), 1000, 113.4519, 5.795197039877e-27),
    (F(1, 4), F(33, 100000), 10000, 0.016377, 8.230995047e-5),
    (F(1, 4), F(33, 100000), 10000, 0.032754, 9.962404999e-8),
    (F(1, 2), F(1, 2), 100, 31.43177, 3.181240149100e-23),
    (F(1, 5), F(1, 10), 500, 5.698315, 6.966491832285e-34),
    (F(1), F(9, 10), 40, 82.702554, 9.152745811096e-28),
    (F(10, 13), F(256, 60000), 14063, 3.647232, 1.598475906e-15),
    (F(1, 2), F(1, 50), 5000, 7.218419, 2.634015094114e-20),
]
CONVERGED = 2e-9  # relative, of the values above


@pytest.mark.parametrize(("mu", "rate", "rounds", "epsilon", "delta"), INVERTED)
def test_samples_by_fourier_inversion(
    mu: F, rate: F, rounds: int, epsilon: float, delta: float
) -> None:
    lower, upper = compose([(Poisson(mu, rate), rounds)]).delta(epsilon)
    assert lower <= delta * (1 + CONVERGED)
    assert delta * (1 - CONVERGED) <= upper
    assert upper - lower <= 0.04 * delta


def gaussian(mu: float, epsilon: float) -> mpmath.mpf:
    with mpmath.workdps(400):
        m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
        return mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)


@pytest.mark.parametrize("epsilon", [5, 10, 20, 30])
def test_every_record_in_every_sample_is_the_closed_form(epsilon: int) -> None:
    exact = gaussian(1, epsilon)  # down to 1e-189
    lower, upper = compose([(Poisson(F(1, 10), 1), 100)]).delta(epsilon)
    assert lower <= exact <= upper
    assert upper - lower <= 0.05 * exact


def test_epsilon_at_a_small_delta() -> None:
    found = compose([(Poisson(F(1, 2), 1), 4)])
    for delta in (F(1, 10**15), F(1, 10**20), F(1, 10**60)):
        low, high = found.epsilon(delta)
        assert gaussian(1, high) <= float(delta) <= gaussian(1, low)
        assert high - low <= 1e-3 * high


def test_what_no_event_can_show_is_zero() -> None:
    response = Finite([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)])
    found = compose([(response, 50)], 1e-3)
    assert found.delta(50 * math.log(2) + 0.1) == (0.0, 0.0)
    low, high = found.epsilon(0)
    assert 0 < low <= 50 * math.log(2) <= high <= 50 * math.log(2) + 0.1


def test_noise_without_an_end_is_never_pure() -> None:
    low, high = compose([(Poisson(F(1), F(1, 100)), 100)]).epsilon(0)
    assert 0 < low < high == math.inf


@pytest.mark.parametrize("rounds", [1, 2, 12])
@pytest.mark.parametrize("theta", [0.0, 1.5])
def test_the_norm_of_the_error_of_a_transform(rounds: int, theta: float) -> None:
    rng = np.random.default_rng(rounds)
    masses = rng.dirichlet(np.ones(9))
    found = Composed([(Rounded(0.125, -4, masses, 0.0, 0.0, 0.0), rounds)], True)._tilted(theta)
    weights = [F(m) * F(math.exp(theta * (i - 4) * 0.125)) for i, m in enumerate(masses.tolist())]
    exact = [F(1)]
    for _ in range(rounds):
        exact = [
            sum((exact[j] * weights[i - j] for j in range(len(exact)) if 0 <= i - j < 9), F(0))
            for i in range(len(exact) + 8)
        ]
    total = sum(exact)
    first = round(float(found.losses[0]) / 0.125)
    truth = np.zeros(len(found.masses))
    for i, each in enumerate(exact):
        if 0 <= i - 4 * rounds - first < len(truth):
            truth[i - 4 * rounds - first] = float(each / total)
    # The norm error is that of the transform; the law itself is off by its relative error.
    allowed = found.norm_error + (found.relative + 2.0**-50 * rounds) * np.linalg.norm(truth)
    assert np.linalg.norm(found.masses - truth) <= allowed + found.outside
    assert found.norm_error <= 1e-12


def test_masses_that_a_law_may_err_by_widen_the_bounds() -> None:
    masses = np.array([0.25, 0.5, 0.25])
    exact, vague = (Rounded(0.5, -1, masses, 0.0, 0.0, error) for error in (0.0, 1e-5))
    for up in (False, True):
        ends = [Composed([(law, 8)], up).delta(1.0) for law in (exact, vague)]
        assert (ends[1] > ends[0] * (1 + 7e-5)) if up else (ends[1] < ends[0] * (1 - 7e-5))


@pytest.mark.parametrize(
    ("release", "rounds", "epsilon", "most"),
    [
        (Poisson(0.625, 2.06e-5), 2690, 0.92, 1e-20),
        (PoissonReplacedGaussian(1.397, 1.44e-6), 56, 1.598, 1e-14),
        (Poisson(0.824, 5.5e-5), 51268, 0.384, 1e-19),
    ],
)
def test_rare_samples_have_a_small_upper_end(
    release: Release, rounds: int, epsilon: float, most: float
) -> None:
    """Where losses on the grid are far from those that count, some tilt and depth still bounds."""
    lower, upper = compose([(release, rounds)]).delta(epsilon)
    assert 0 <= lower <= upper <= most
