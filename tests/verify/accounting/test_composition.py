"""Brackets of composed privacy profiles: closed forms, brute force and integrals lie inside."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special

from provedp.theory.privacy.composition.optimal import optimal_composition_delta
from provedp.theory.privacy.composition.textbook import (
    advanced_composition_epsilon,
    basic_composition_epsilon,
)
from provedp.theory.privacy.definitions import Adjacency
from provedp.theory.privacy.sampling.gaussian_mixtures import gaussian_mixture_delta
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.dominating_pairs import ReplacedPair
from provedp.verify.accounting.releases import (
    Finite,
    FixedSizeSampledGaussian,
    Gaussian,
    PoissonReplacedGaussian,
    PoissonSampledGaussian,
    Release,
)
from provedp.verify.accounting.tilting import Composed

FLOATING = 1e-9  # more than the error of δ that the brackets below allow for


def gaussian_delta(mu: float, epsilon: float) -> float:
    return float(
        special.ndtr(mu / 2 - epsilon / mu)
        - math.exp(epsilon) * special.ndtr(-mu / 2 - epsilon / mu)
    )


def brute_force(p: list[F], q: list[F], rounds: int, k: F) -> F:
    outcomes = list(itertools.product(range(len(p)), repeat=rounds))
    gaps = (math.prod(p[i] for i in o) - k * math.prod(q[i] for i in o) for o in outcomes)
    return sum((max(gap, F(0)) for gap in gaps), start=F(0))


def inside(bracket: tuple[float, float], value: float, slack: float = 0.0) -> bool:
    return bracket[0] - slack <= value <= bracket[1] + slack


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 4.0])
def test_gaussian_noise_composes_to_gaussian_noise(epsilon: float) -> None:
    found = compose([(Gaussian(F(1, 2)), 3), (Gaussian(F(1, 2)), 1)])
    assert found.grid is None
    lower, upper = found.delta(epsilon)
    assert upper - lower <= 1e-15 * upper
    assert upper == pytest.approx(gaussian_delta(1.0, epsilon), rel=1e-13)


def test_published_value_of_the_gaussian_profile() -> None:
    # δ(1) at μ = 1, from Balle and Wang's formula, to 15 digits.
    assert inside(compose([(Gaussian(1), 1)]).delta(1), 0.126936737506644, 5e-16)


@pytest.mark.parametrize(("mu", "rounds"), [(1.0, 4), (0.01, 400), (3.0, 2)])
def test_the_grid_encloses_the_closed_form_closely(mu: float, rounds: int) -> None:
    found = compose([(PoissonSampledGaussian(mu, 1.0), rounds)])
    assert found.grid is not None
    for epsilon in (0.0, 0.5, 2.0):
        exact = gaussian_delta(mu * math.sqrt(rounds), epsilon)
        bracket = found.delta(epsilon)
        assert inside(bracket, exact)
        assert bracket[1] - bracket[0] <= 5e-4 * exact + FLOATING


@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
@pytest.mark.parametrize("k", [F(1), F(3, 2), F(4)])
def test_finite_laws_by_brute_force(rounds: int, k: F) -> None:
    p, q = [F(1, 2), F(1, 3), F(1, 6), F(0)], [F(1, 5), F(1, 4), F(9, 20), F(1, 10)]
    exact = max(brute_force(p, q, rounds, k), brute_force(q, p, rounds, k))
    bracket = compose([(Finite(p, q), rounds)]).delta(math.log(k))
    assert inside(bracket, float(exact), 1e-15)  # ln k is rounded
    assert bracket[1] - bracket[0] <= 5e-3


masses = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)


@given(p=masses, q=masses, rounds=st.integers(1, 4), k=st.fractions(1, 5, max_denominator=7))
@settings(max_examples=60, derandomize=True, deadline=None)
def test_any_finite_laws_by_brute_force(p: list[int], q: list[int], rounds: int, k: F) -> None:
    if not any(a and b for a, b in zip(p, q, strict=True)):
        return
    first, second = ([F(entry, sum(row)) for entry in row] for row in (p, q))
    exact = max(brute_force(first, second, rounds, k), brute_force(second, first, rounds, k))
    bracket = compose([(Finite(first, second), rounds)], 1e-3).delta(math.log(k))
    assert inside(bracket, float(exact), 1e-15)
    assert bracket[1] - bracket[0] <= rounds * 1e-3 + 1e-12


def density(x: float, mean: float) -> float:
    return math.exp(-((x - mean) ** 2) / 2) / math.sqrt(2 * math.pi)


def two_rounds(
    p: Callable[[float], float], q: Callable[[float], float], k: float, end: float
) -> float:
    """The divergence of two rounds, as a double integral over the square [−end, end]²."""
    points = np.linspace(-end, end, 2001)
    first, second = (np.array([law(float(x)) for x in points]) for law in (p, q))
    gaps = np.maximum(np.outer(first, first) - k * np.outer(second, second), 0.0)
    return float(integrate.simpson(integrate.simpson(gaps, x=points), x=points))


@pytest.mark.parametrize("epsilon", [0.2, 1.0])
def test_two_poisson_sampled_rounds_by_integration(epsilon: float) -> None:
    mu, rate, k = 1.5, 0.3, math.exp(epsilon)

    def mixed(x: float) -> float:
        return (1 - rate) * density(x, 0) + rate * density(x, mu)

    def alone(x: float) -> float:
        return density(x, 0)

    exact = max(two_rounds(mixed, alone, k, 10.0), two_rounds(alone, mixed, k, 10.0))
    bracket = compose([(PoissonSampledGaussian(mu, rate), 2)]).delta(epsilon)
    assert inside(bracket, exact, 1e-6)  # of Simpson's rule across a kink
    assert bracket[1] - bracket[0] <= 1e-6


@pytest.mark.parametrize("rate", [0.02, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 2.5])
def test_one_sampled_round_is_the_published_formula(rate: float, epsilon: float) -> None:
    # Balle, Barthe and Gaboardi, Theorem 9: δ' = q δ(ln(1 + (e^ε' − 1)/q)).
    inner = math.log1p(math.expm1(epsilon) / rate)
    exact = rate * gaussian_delta(1.3, inner)
    for release in (PoissonSampledGaussian(1.3, rate), FixedSizeSampledGaussian(1.3, rate)):
        lower, upper = compose([(release, 1)]).delta(epsilon)
        assert upper == pytest.approx(exact, rel=1e-11)
        assert upper - lower <= 1e-15


@pytest.mark.parametrize("rate", [0.02, 0.5, 1.0])
def test_the_dominating_pair_of_fixed_samples_has_the_largest_profile(rate: float) -> None:
    found = Composed([(ReplacedPair(1.3, rate).up(1e-4), 1)], True)
    for k in (1.0, 1.2, 4.0):
        exact = rate * gaussian_delta(1.3, math.log1p((k - 1) / rate))
        assert 0 <= found.delta(math.log(k)) - exact <= 1e-8
        mirrored = 1 - 1 / k + exact / k
        assert 0 <= found.delta(-math.log(k)) - mirrored <= 1e-8


@given(
    first=st.integers(-20, 20).map(lambda n: n / 20),
    second=st.integers(-20, 20).map(lambda n: n / 20),
    rate=st.floats(0.01, 1.0),
    k=st.floats(1, 10),
)
@settings(max_examples=40, derandomize=True, deadline=None)
def test_no_choice_of_records_exceeds_the_dominating_pair(
    first: float, second: float, rate: float, k: float
) -> None:
    # The samples without the record, with it and with its replacement differ by at most μ.
    mu = max(abs(first), abs(second), abs(first - second), 0.05)
    exact = gaussian_mixture_delta(first, second, rate, k)
    assert exact <= rate * gaussian_delta(mu, math.log1p((k - 1) / rate)) + 1e-12


def test_fixed_samples_cost_at_least_what_each_data_set_does() -> None:
    fixed = compose([(FixedSizeSampledGaussian(1.0, 0.1), 20)])
    poisson = compose([(PoissonSampledGaussian(1.0, 0.1), 20)])
    lower, upper = fixed.delta(1.0)
    assert lower >= poisson.delta(1.0)[0] * (1 - 1e-3)
    assert upper >= poisson.delta(1.0)[1]
    assert upper <= compose([(Gaussian(1.0), 20)]).delta(1.0)[1]
    assert fixed.adjacency is Adjacency.REPLACE_ONE
    assert poisson.adjacency is Adjacency.ADD_OR_REMOVE_ONE


def theirs(sigma: float, rate: float, rounds: int, grid: float, epsilon: float) -> list[float]:
    brackets = []
    for pessimistic in (False, True):
        single = privacy_loss_distribution.from_gaussian_mechanism(
            sigma,
            pessimistic_estimate=pessimistic,
            use_connect_dots=pessimistic,
            value_discretization_interval=grid,
            sampling_prob=rate,
        )
        brackets.append(float(single.self_compose(rounds).get_delta_for_epsilon(epsilon)))
    return brackets


@pytest.mark.parametrize(
    ("sigma", "rate", "rounds"), [(60.0, 1.0, 300), (1.0, 0.02, 300), (2.0, 0.3, 10)]
)
def test_never_wider_than_dp_accounting_at_the_same_grid(
    sigma: float, rate: float, rounds: int
) -> None:
    found = compose([(PoissonSampledGaussian(1 / sigma, rate), rounds)], 1e-3)
    for epsilon in (0.1, 1.0, 2.0):
        lower, upper = found.delta(epsilon)
        optimistic, pessimistic = theirs(sigma, rate, rounds, 1e-3, epsilon)
        assert upper == pytest.approx(pessimistic, rel=1e-6, abs=1e-9)
        assert optimistic - 1e-9 <= lower <= upper
        assert upper - lower <= pessimistic - optimistic + FLOATING


@pytest.mark.parametrize(
    "release",
    [
        PoissonSampledGaussian(0.7, F(1, 20)),
        FixedSizeSampledGaussian(0.7, F(1, 20)),
        Finite([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]),
        Gaussian(F(1, 3)),
    ],
)
def test_epsilon_inverts_delta(release: Release) -> None:
    found = compose([(release, 7)])
    for delta in (1e-3, 1e-6):
        lower, upper = found.epsilon(delta)
        assert 0 <= lower <= upper
        assert found.delta(upper)[1] <= delta
        assert found.delta(lower)[0] > delta


def test_epsilon_where_delta_is_above_the_target_by_the_last_bit() -> None:
    found = compose([(Gaussian(1 / 133.59607673103213), 1000)])  # the least σ for (1, 1e-6)
    assert math.log(found.upper(1.0)) == math.log(1e-6) and found.upper(1.0) > 1e-6
    low, high = found.epsilon(1e-6)
    assert 1 - 1e-11 <= low <= 1 <= high <= 1 + 1e-11


def test_epsilon_is_zero_or_infinite_where_it_must_be() -> None:
    loose = Finite([F(99, 100), F(1, 100)], [F(1), F(0)])
    assert compose([(loose, 2)]).epsilon(0.5) == (0.0, 0.0)
    assert compose([(loose, 2)]).epsilon(0.001)[1] == math.inf
    assert compose([(loose, 1)]).epsilon(0.001)[0] >= 1e6


@pytest.mark.parametrize("k", [F(3, 2), F(3)])
def test_randomised_response_attains_the_optimal_composition(k: F) -> None:
    delta, rounds = F(1, 50), 4
    left = [delta, (1 - delta) * k / (1 + k), (1 - delta) / (1 + k), F(0)]
    for ratio in (F(1), k, F(2), k**2, k**4):
        best = optimal_composition_delta(rounds, k, delta, ratio)
        assert best == brute_force(left, left[::-1], rounds, ratio)
        bracket = compose([(Finite(left, left[::-1]), rounds)]).delta(math.log(ratio))
        assert inside(bracket, float(best), 1e-15)  # ln K is rounded


def test_advanced_composition_is_loose_and_basic_composition_is_looser() -> None:
    rounds, epsilon, slack = 100, 0.1, 1e-6
    best = compose([(Finite(*laplace_like(epsilon)), rounds)]).epsilon(slack)[1]
    advanced = advanced_composition_epsilon(rounds, epsilon, slack)
    assert best < 0.8 * advanced < advanced < basic_composition_epsilon(rounds, epsilon)


def laplace_like(epsilon: float) -> tuple[list[float], list[float]]:
    high = math.exp(epsilon) / (1 + math.exp(epsilon))
    return [high, 1 - high], [1 - high, high]


def test_different_releases_together() -> None:
    sampled, noise = PoissonSampledGaussian(0.5, 0.1), Gaussian(0.2)
    both = compose([(sampled, 5), (noise, 4)]).delta(0.5)
    as_sampled = compose([(sampled, 5), (PoissonSampledGaussian(0.4, 1.0), 1)]).delta(0.5)
    assert both == pytest.approx(as_sampled, rel=1e-6)
    assert both[0] > compose([(noise, 4)]).delta(0.5)[1]


@given(mu=st.floats(0.05, 2.0), rate=st.floats(0.01, 1.0), rounds=st.integers(2, 40))
@settings(max_examples=15, derandomize=True, deadline=None)
def test_brackets_are_ordered_and_more_rounds_cost_more(
    mu: float, rate: float, rounds: int
) -> None:
    release = PoissonSampledGaussian(mu, rate)
    fewer, more = (compose([(release, r)], 2e-3).delta(0.5) for r in (rounds, rounds + 1))
    assert fewer[0] <= fewer[1]
    assert fewer[0] <= more[1]
    assert rate * gaussian_delta(mu, math.log1p(math.expm1(0.5) / rate)) <= fewer[1]


@pytest.mark.parametrize(
    ("attempt", "complaint"),
    [
        (lambda: compose([]), "no releases"),
        (lambda: compose([(Gaussian(1.0), 0)]), "'rounds' parameter"),
        (lambda: compose([(Gaussian(1.0), 1.5)]), "'rounds' parameter"),
        (lambda: compose([(Gaussian(1.0), 1)], -1.0), "'grid' parameter"),
        (lambda: Gaussian(0), "'mu' parameter"),
        (lambda: Gaussian(math.nan), "'mu' parameter"),
        (lambda: PoissonSampledGaussian(1.0, 0.0), "'rate' parameter"),
        (lambda: FixedSizeSampledGaussian(1.0, 1.5), "'rate' parameter"),
        (lambda: Finite([F(1, 2), F(1, 3)], [F(1, 2), F(1, 2)]), "sums to 5/6"),
        (lambda: Finite([0.5, 0.5], [0.3, 0.3, 0.4]), "2 and 3 outcomes"),
        (lambda: Finite([F(1), F(0)], [F(0), F(1)]), "no outcome in common"),
        (lambda: compose([(Gaussian(1.0), 1)]).delta(-0.1), "'epsilon' parameter"),
        (lambda: compose([(Gaussian(1.0), 1)]).delta(math.nan), "'epsilon' parameter"),
        (lambda: compose([(Gaussian(1.0), 1)]).epsilon(1.0), "'delta' parameter"),
        (
            lambda: compose(
                [(PoissonSampledGaussian(1.0, 0.5), 1), (FixedSizeSampledGaussian(1.0, 0.5), 1)]
            ),
            "different inputs",
        ),
    ],
)
def test_wrong_requests(attempt: Callable[[], object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        attempt()


def test_laws_beside_samples_are_for_their_adjacency() -> None:
    sampled, response = (
        PoissonSampledGaussian(1.0, 0.01),
        Finite([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]),
    )
    both = compose([(sampled, 500), (response, 3)])
    assert both.adjacency is Adjacency.ADD_OR_REMOVE_ONE
    low, high = both.epsilon(1e-5)
    alone = compose([(sampled, 500)]).epsilon(1e-5)
    assert alone[1] < low <= high <= alone[1] + 3 * math.log(2) + 1e-9
    replaced = Finite([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)], Adjacency.REPLACE_ONE)
    with pytest.raises(ValueError, match="different inputs"):
        compose([(sampled, 500), (replaced, 3)])


def test_poisson_samples_when_a_record_is_replaced() -> None:
    mu, rate, k = 1.2, 0.2, math.exp(0.7)

    def mixed(mean: float) -> Callable[[float], float]:
        return lambda x: (1 - rate) * density(x, 0) + rate * density(x, mean)

    found = compose([(PoissonReplacedGaussian(mu, rate), 2)])
    assert inside(found.delta(0.7), two_rounds(mixed(mu), mixed(-mu), k, 10.0), 1e-5)
    # No record and replacement in the plane do more, in one round: a grid of both.
    one = compose([(PoissonReplacedGaussian(mu, rate), 1)]).delta(0.7)
    places = [mu * length for length in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    others = [
        float(gaussian_mixture_delta(a, b, rate, k)) for a in places for b in places if a != b
    ]
    assert max(others) == pytest.approx(one[1], rel=1e-9)
