"""Exact audits against closed forms; stability; independence of runs."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from provedp.mechanisms.counting import OptimalCount
from provedp.verify.audit import (
    Pair,
    audit_gaussian,
    audit_matrix,
    audit_pmf,
    audit_stability,
    check_runs,
)
from provedp.verify.audit.events.scores.bits import lowest_bits

THIRD = Fraction(1, 3)


def geometric(n: int, ratio: Fraction) -> list[list[Fraction]]:
    """The truncated geometric mechanism on 0..n, from its definition."""
    inner = (1 - ratio) / (1 + ratio)
    rows = []
    for i in range(n + 1):
        row = [inner * ratio ** abs(i - j) for j in range(n + 1)]
        row[0], row[n] = ratio**i / (1 + ratio), ratio ** (n - i) / (1 + ratio)
        rows.append(row)
    return rows


def test_truncated_geometric_is_exactly_at_its_claim() -> None:
    rows = geometric(8, THIRD)
    assert not audit_matrix(rows, ("ratio", 3)).refuted
    assert audit_matrix(rows, ("ratio", Fraction(2999, 1000))).refuted
    assert audit_matrix(rows, ("ratio", 2)).delta == Fraction(1, 4)


def test_optimal_counts_are_tight_on_each_pair() -> None:
    mechanism = OptimalCount(6, "ln(2)", "1/50")
    for pair in zip(range(5), range(1, 6), strict=True):
        result = audit_matrix(mechanism.law(), ("ratio", 2), "1/50", [pair])
        assert (result.delta, result.refuted) == (Fraction(1, 50), False)


def test_discrete_gaussian_with_the_continuous_sigma_is_refuted() -> None:
    """δ(1) = 1.0347e-5 > 1e-5: no sampling audit can see that, an exact one does."""
    sigma, reach = 3.7306, 60
    mass = [math.exp(-(x**2) / (2 * sigma**2)) for x in range(-reach, reach + 1)]
    total = sum(mass)
    first = [Fraction(x / total) for x in mass] + [Fraction(0)]
    rest = 1 - sum(first)
    first[reach] += rest
    second = [Fraction(0), *first[:-1]]
    result = audit_pmf(first, second, 1, "1e-5")
    assert result.refuted
    assert float(result.delta) == pytest.approx(1.0347e-5, rel=1e-3)


def test_classical_gaussian_formula_fails_for_large_epsilon() -> None:
    for epsilon, wrong in ((1, False), (5, False), (10, True), (15, True)):
        sigma = math.sqrt(2 * math.log(1.25e5)) / epsilon
        assert audit_gaussian(1 / sigma, epsilon, 1e-5) is wrong
        mu = 1 / sigma
        delta = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(
            -mu / 2 - epsilon / mu
        )
        assert bool(delta > 1e-5) is wrong


def test_event_of_a_refutation_proves_it() -> None:
    rows = [[Fraction(1, 2), Fraction(1, 2), 0], [Fraction(1, 8), Fraction(3, 8), Fraction(1, 2)]]
    result = audit_matrix(rows, 1, "1/10")
    i, j = result.pair
    gap = sum(rows[i][c] for c in result.outcomes) - Fraction(math.e) * sum(
        rows[j][c] for c in result.outcomes
    )
    assert result.refuted
    assert float(gap) == pytest.approx(float(result.delta))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([[1, 0], [Fraction(1, 2), 1]], 1), "mechanism"),
        (([[1, 0], [0, 1]], -1), "epsilon"),
        (([[1, 0], [0, 1]], 1, 1), "delta"),
        (([[1, 0]], 1), "pairs"),
        (([[1, 0], [0, 1]], 1, 0, [(0, 2)]), "pairs"),
        (([[1, 0], [0, 1]], 1, 0, [(-1, 0)]), "pairs"),
        (([["x", 0], [0, 1]], 1), "mechanism"),
        (([["1/0", 0], [0, 1]], 1), "mechanism"),
        (([[math.nan, 0], [0, 1]], 1), "mechanism"),
        (([[math.inf, 0], [0, 1]], 1), "mechanism"),
        (([[0, 1], [None, 1]], 1), "mechanism"),
        (([[1, 0], [0, 1]], ("ratio", Fraction(1, 2))), "epsilon"),
    ],
)
def test_bad_requests(arguments: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        audit_matrix(*arguments)


def test_stability_of_clamped_and_unclamped_sums() -> None:
    pairs = [Pair([0, 5], [0, 50]), Pair([1, 1], [0, 1])]
    assert audit_stability(lambda x: sum(min(v, 10) for v in x), pairs, 10).found == 5
    result = audit_stability(sum, pairs, 10)
    assert result.refuted
    assert (result.found, result.pair) == (45, pairs[0])


def test_stability_of_float_sums_by_reordering_is_found_exactly() -> None:
    """Rounding moves a sum further than any record does: 2⁵³ + 1 + 1 in two orders."""
    big = float(2**53)
    pairs = [Pair([1.0, 1.0, big], [big, 1.0, 1.0])]
    result = audit_stability(sum, pairs, 0)
    assert result.found == 2


def test_symmetric_distance_and_random_maps() -> None:
    pairs = [Pair([1, 2, 3], [1, 2])]

    def neighbours(x: list[int]) -> list[tuple[int, int]]:
        return list(zip(x, x[1:], strict=False))

    assert audit_stability(neighbours, pairs, 1, "symmetric").found == 1
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="different outputs"):
        audit_stability(lambda x: rng.random(), pairs, 1)
    with pytest.raises(ValueError, match="'pairs'"):
        audit_stability(sum, [], 1)
    with pytest.raises(ValueError, match="'distance'"):
        audit_stability(sum, pairs, 1, "l3")


def failed(what: Any) -> set[str]:
    return {each.name for each in check_runs(what, 0.0) if not each.passed}


def test_faults_of_runs_are_told_apart() -> None:
    def fixed(data: float, rng: Any) -> float:
        return data + float(np.random.default_rng(0).laplace())

    shared = np.random.default_rng(0)

    def restarted(data: float, rng: Any) -> float:
        return data + float(shared.laplace())

    past: list[float] = []

    def drifting(data: float, rng: Any) -> float:
        past.append(0.0)
        return data + float(rng.laplace()) + 0.01 * len(past)

    def reused(data: float, rng: Any) -> float:
        past.append(float(rng.laplace()) if len(past) % 2 == 0 else past[-1])
        return data + past[-1]

    assert failed(fixed) == {"varies"}
    assert failed(restarted) == {"restarts"}
    assert "stationary" in failed(drifting)
    assert failed(reused) == {"independent"}


def test_good_targets_pass_whatever_they_return() -> None:
    assert failed(lambda data, rng, count: data + rng.laplace(size=count)) == set()
    assert failed(lambda data, rng, count: (rng.random(count) < 1e-3).astype(float)) == set()
    assert failed(lambda data, rng: ["a", None][int(rng.integers(2))]) == set()


def test_two_rare_outputs_in_a_row_are_chance() -> None:
    """They come in a row once in a thousand times, too often for a false alarm in a million."""

    def rare(data: float, rng: Any, count: int) -> Any:
        return np.isin(np.arange(count), [100, 101]).astype(float) + 0 * rng.random()

    assert "independent" not in failed(rare)


@pytest.mark.parametrize("offset", [0, 1])
def test_noise_used_twice_is_seen_wherever_the_pairs_begin(offset: int) -> None:
    def reused(data: float, rng: Any, count: int) -> Any:
        return np.repeat(rng.laplace(size=count), 2)[offset : count + offset]

    assert "independent" in failed(reused)


def test_lowest_bits_by_exact_fractions() -> None:
    rng = np.random.default_rng(1)
    for x in [*rng.normal(size=50), 1e-300, 5e-324, -0.75]:
        fraction = Fraction(float(x))
        exponent = -(fraction.denominator.bit_length() - 1)
        if fraction.denominator == 1:
            exponent = (abs(fraction.numerator) & -abs(fraction.numerator)).bit_length() - 1
        assert lowest_bits(np.array([x]))[0] == exponent
