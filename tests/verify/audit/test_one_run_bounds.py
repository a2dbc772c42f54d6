"""One-run bounds against values from elsewhere, linear programmes and extremal mechanisms."""

import itertools
import json
import math
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from provedp.theory.privacy import one_run_bound, one_run_published_bound
from provedp.verify.audit.canaries.audit import audit_canaries, needed_for
from provedp.verify.audit.canaries.bounds import Guesses, lower_bound_of, p_value_of
from provedp.verify.audit.canaries.nested import nested_bounds, nested_p_value, nested_sizes
from provedp.verify.audit.canaries.recursion import inverse_of, total
from provedp.verify.notions.notions import (
    ApproximateDP,
    GaussianDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from provedp.verify.solvers import check
from provedp.verify.solvers.one_run import exact_certificate, one_run_certificate

VALUES = json.loads((Path(__file__).parent / "one_run_values.json").read_text("utf-8"))["oracles"]
DIGITS = 2e-6  # the values have six decimals


def of_kind(words: str) -> list[dict[str, Any]]:
    found = [each for each in VALUES if words in each["kind"]]
    assert found
    return found


def made(given: dict[str, Any]) -> Guesses:
    return Guesses(given["m"], given["guesses"], 0, given["correct"])


@pytest.mark.parametrize("value", [v for v in of_kind("one-run exact") if "m" in v["inputs"]])
def test_exact_bounds_are_those_of_forty_digits(value: dict[str, Any]) -> None:
    given = value["inputs"]
    if value["notion"] == "epsilon at delta":
        found = lower_bound_of(made(given), ApproximateDP(1.0, given["delta"]), 0.05)
        assert found == pytest.approx(value["value"], abs=DIGITS)
    elif value["notion"] == "probability":
        claim = ApproximateDP(given["epsilon"], given["delta"])
        assert p_value_of(made(given), claim) == pytest.approx(value["value"], abs=DIGITS)
    else:  # the recursion is at least as good as the exact bound at each point of the profile
        found = lower_bound_of(made(given), GaussianDP(1.0), 0.05)
        assert value["value"] <= found < 1.1 * value["value"]


@pytest.mark.parametrize("value", of_kind("recursion"))
def test_recursion_bounds_are_those_of_another_tool(value: dict[str, Any]) -> None:
    found = lower_bound_of(made(value["inputs"]), GaussianDP(1.0), 0.05)
    assert found == pytest.approx(value["value"], abs=DIGITS)


@pytest.mark.parametrize("value", of_kind("inclusion probability"))
def test_bounds_for_other_coins(value: dict[str, Any]) -> None:
    given = value["inputs"]
    a, b = given["guessed_in"], given["guessed_out"]
    guesses = Guesses(a + b, a, b, given["correct"])
    found = lower_bound_of(guesses, ApproximateDP(1.0), 0.05, given["p"])
    assert found == pytest.approx(value["value"], abs=DIGITS)


@pytest.mark.parametrize("value", of_kind("cap"))
def test_what_right_guesses_can_show_at_most(value: dict[str, Any]) -> None:
    r = value["inputs"]["guesses"]
    found = lower_bound_of(Guesses(r, r, 0, r), ApproximateDP(1.0), 0.05)
    assert found == pytest.approx(-math.log(0.05 ** (-1 / r) - 1), abs=1e-6)
    assert found == pytest.approx(value["value"], abs=DIGITS)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 2.337, 7.05])
def test_fewer_right_guesses_than_needed_refute_nothing(epsilon: float) -> None:
    q = 1 / (1 + math.exp(-epsilon))
    assert needed_for(ApproximateDP(epsilon), 0.05) == math.ceil(math.log(0.05) / math.log(q))


@pytest.mark.parametrize(
    "value", [each for each in of_kind("2 m delta") if each["inputs"]["guesses"] <= 200]
)
def test_published_formula_is_that_of_the_implementations(value: dict[str, Any]) -> None:
    """At the bound that they print the formula is the error."""
    given = value["inputs"]
    m, r, v = given["m"], given["guesses"], given["correct"]
    k = F(math.exp(value["value"])).limit_denominator(10**6)
    found = one_run_published_bound(m, r, v, k, F(given["delta"]).limit_denominator(10**6))
    assert float(found) == pytest.approx(0.05, abs=1e-5)


def greatest(canaries: int, guesses: int, right: int, k: float, delta: float) -> float:
    """Return the greatest chance over the laws of all mechanisms that treat canaries alike."""
    r, m = guesses, canaries
    rows, sides = [], []
    # One variable more for each positive part, in both directions of a coin.
    size = r + 1
    for steps in ("up", "down"):
        gains = np.zeros((r, 3 * size))
        total_row = np.zeros(3 * size)
        for i in range(r):
            part = size * (1 if steps == "up" else 2) + i
            if steps == "up":
                gains[i, i + 1], gains[i, i] = i + 1, -k * (r - i)
            else:
                gains[i, i], gains[i, i + 1] = r - i, -k * (i + 1)
            gains[i, part], total_row[part] = -1, 1
        rows += [*gains, total_row]
        sides += [*np.zeros(r), m * delta]
    goal = np.zeros(3 * size)
    goal[right:size] = -1
    mass = np.zeros((1, 3 * size))
    mass[0, :size] = 1
    found = optimize.linprog(goal, np.array(rows), sides, mass, [1], bounds=(0, 1e6))
    assert found.success
    return float(-found.fun)


@pytest.mark.parametrize(
    "case", [(3, 2, 2, 1.0, 0.1), (9, 5, 4, 2.0, 0.01), (30, 20, 15, 1.5, 0.002)]
)
def test_exact_bound_is_the_optimum_of_a_linear_programme(case: Any) -> None:
    m, r, v, k, delta = case
    claim = ApproximateDP(math.log(k), delta)
    assert p_value_of(Guesses(m, r, 0, v), claim) == pytest.approx(greatest(*case), abs=1e-6)


@pytest.mark.parametrize("m, k, delta", [(1, 2.0, 0.1), (2, 1.0, 0.2), (2, 3.0, 0.05)])
def test_exact_bound_is_the_optimum_over_all_mechanisms(m: int, k: float, delta: float) -> None:
    """A linear programme over every law of guesses for every coins, not only symmetric ones."""
    coins = list(itertools.product((0, 1), repeat=m))
    n = len(coins)
    edges = [(a, b) for a in range(n) for b in range(n) if _apart(coins[a], coins[b]) == 1]
    size = n * n + len(edges) * n
    for v in range(1, m + 1):
        goal, rows, sides = np.zeros(size), [], []
        for a, c in itertools.product(range(n), range(n)):
            goal[a * n + c] = -(m - _apart(coins[a], coins[c]) >= v) / n
        for e, (a, b) in enumerate(edges):
            whole = np.zeros(size)
            for c in range(n):
                row = np.zeros(size)
                row[a * n + c], row[b * n + c], row[n * n + e * n + c] = 1, -k, -1
                whole[n * n + e * n + c] = 1
                rows.append(row)
                sides.append(0.0)
            rows.append(whole)
            sides.append(delta)
        mass = np.zeros((n, size))
        for a in range(n):
            mass[a, a * n : a * n + n] = 1
        found = optimize.linprog(goal, np.array(rows), sides, mass, np.ones(n))
        bound = p_value_of(Guesses(m, m, 0, v), ApproximateDP(math.log(k), delta))
        assert bound == pytest.approx(-found.fun, abs=1e-6)


def _apart(first: Any, second: Any) -> int:
    return sum(a != b for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize(
    "case, value",
    [
        ((4, 4, 3, F(1), F(1, 10)), F(41, 96)),
        ((3, 2, 2, F(1), F(1, 10)), F(29, 80)),
        ((4, 4, 4, F(1), F(1, 10)), F(5, 32)),
        ((7, 5, 4, F(3), F(1, 50)), F(5227, 8000)),
        ((1, 1, 1, F(3), F(1, 10)), F(3, 4) + F(1, 10) * F(1, 4)),
        ((4, 4, 1, F(1), F(1, 15)), F(1)),
        ((5, 5, 2, F(1), F(1, 3)), F(1)),
    ],
)
def test_certificates_prove_the_value(case: Any, value: F) -> None:
    assert one_run_bound(*case) == value
    proof = exact_certificate(*case)
    assert proof["claim"] == {"probability_lower": str(value), "probability_upper": str(value)}
    assert len(check.check(proof)) == 2


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.data())
def test_rounded_certificates_are_near_the_bound(guesses: int, data: Any) -> None:
    right = data.draw(st.integers(1, guesses))
    canaries = data.draw(st.integers(guesses, 3 * guesses))
    k, delta = data.draw(st.fractions(1, 9, max_denominator=50)), F(1, 10**4)
    bound = one_run_bound(canaries, guesses, right, k, delta)
    if bound >= F(999, 1000):
        return
    proof = one_run_certificate(canaries, guesses, right, k, delta)
    assert 0 <= F(proof["claim"]["probability_upper"]) - bound <= bound / 10**25
    assert check.check(proof)


@pytest.mark.parametrize("change", ["base", "z", "upper", "law", "delta", "right"])
def test_a_changed_certificate_is_invalid(change: str) -> None:
    proof = json.loads(json.dumps(exact_certificate(7, 5, 4, F(3), F(1, 50))))
    if change == "base":
        proof["dual"]["base"] = str(F(proof["dual"]["base"]) - F(1, 10**9))
    elif change == "z":
        proof["dual"]["z"][3] = str(F(proof["dual"]["z"][3]) * F(9, 10))
    elif change == "upper":
        proof["claim"]["probability_upper"] = "1/2"
    elif change == "law":
        law = proof["primal"]["law"]
        law[4], law[0] = (str(F(law[4]) + F(1, 10**6)), str(F(law[0]) - F(1, 10**6)))
    elif change == "delta":
        proof["problem"]["delta"] = "1/100"
    else:
        proof["problem"]["right"] = 5
    with pytest.raises(check.CertificateError):
        check.check(proof)


@pytest.mark.parametrize("part", ["canaries", "k", "z"])
def test_a_garbled_certificate_is_unreadable(part: str) -> None:
    proof = exact_certificate(4, 4, 3, F(1), F(1, 10))
    place = proof["dual"] if part == "z" else proof["problem"]
    place[part] = "x"
    with pytest.raises(check.UnreadableError):
        check.check(proof)


@pytest.mark.parametrize("epsilon, delta", [(1.0, 0.0), (1.0, 1e-3), (0.0, 0.01)])
def test_extremal_mechanisms_are_refuted_as_often_as_the_error(
    epsilon: float, delta: float
) -> None:
    """The law that attains the bound, or randomised response: the level is the error, almost."""
    m = r = 300
    q = 1 / (1 + math.exp(-epsilon))
    claim = ApproximateDP(epsilon, delta)
    least = next(v for v in range(r + 1) if p_value_of(Guesses(m, r, 0, v), claim) <= 0.05)
    masses = stats.binom.pmf(np.arange(r + 1), r, q)
    w = m * delta / (least * masses[least])
    law = masses * (1 - w * masses[least:].sum() + w * (np.arange(r + 1) >= least))
    assert law.sum() == pytest.approx(1, abs=1e-9)
    assert law[least:].sum() <= 0.05
    assert law[least:].sum() == pytest.approx(p_value_of(Guesses(m, r, 0, least), claim), rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 400), st.data())
def test_bounds_move_as_they_must(guesses: int, data: Any) -> None:
    right = data.draw(st.integers(1, guesses - 1))
    canaries, delta = data.draw(st.integers(guesses, 2000)), data.draw(st.floats(0, 0.01))
    here = p_value_of(Guesses(canaries, guesses, 0, right), ApproximateDP(0.7, delta))
    more = 1 + 1e-7
    for guessed, claim in (
        (Guesses(canaries, guesses, 0, right + 1), ApproximateDP(0.7, delta)),
        (Guesses(canaries, guesses, 0, right), ApproximateDP(0.6, delta)),
        (Guesses(canaries, guesses, 0, right), ApproximateDP(0.7, delta / 2)),
    ):
        assert p_value_of(guessed, claim) <= here * more
    wider = Guesses(canaries + 100, guesses, 0, right)
    assert p_value_of(wider, ApproximateDP(0.7, delta)) * more >= here


@pytest.mark.parametrize("mu, right", [(0.5, 60), (1.0, 75), (1.0, 100)])
def test_recursion_keeps_to_the_law_of_the_gaussian_response(mu: float, right: int) -> None:
    """Canaries with noise of their own, guessed by sign: independent, right with chance Φ(μ/2)."""
    chance = float(stats.norm.cdf(mu / 2))
    tail = float(stats.binom.sf(right - 1, 100, chance))
    assert p_value_of(Guesses(100, 100, 0, right), GaussianDP(mu)) >= tail


@pytest.mark.parametrize("mu, right", [(0.5, 60), (1.0, 75), (1.0, 100), (2.0, 96)])
def test_recursion_for_rho_keeps_to_the_gaussian_response(mu: float, right: int) -> None:
    """μ-Gaussian DP is μ²/2-zCDP, which allows more: no p-value may be below the Gaussian one."""
    chance = float(stats.norm.cdf(mu / 2))
    tail = float(stats.binom.sf(right - 1, 100, chance))
    found = p_value_of(Guesses(100, 100, 0, right), ZeroConcentratedDP(mu * mu / 2))
    assert found >= tail
    assert found >= p_value_of(Guesses(100, 100, 0, right), GaussianDP(mu)) * (1 - 1e-6)


@pytest.mark.parametrize("claim", [RenyiDP(0.5, 2.0), RenyiDP(3.0, 1.1), ZeroConcentratedDP(0.3)])
def test_the_inverse_of_a_curve_is_a_lower_bound(claim: Any) -> None:
    inverse = inverse_of(claim)
    for q in np.concatenate([np.geomspace(1e-12, 0.9, 150), 1 - np.geomspace(1e-6, 0.1, 50)]):
        x = float(claim.most(np.array([q]))[0])
        if x < 1:
            assert q * (1 - 2e-3) <= inverse(x) <= q


@pytest.mark.parametrize("order", [1.5, 2.0, 8.0])
@pytest.mark.parametrize("right", [80, 90, 100])
def test_recursion_for_one_order_keeps_to_randomised_response(order: float, right: int) -> None:
    """Responses that are true with chance 3/4 attain their own divergence of each order."""
    p = 0.75
    total = p**order * (1 - p) ** (1 - order) + (1 - p) ** order * p ** (1 - order)
    claim = RenyiDP(math.log(total) / (order - 1), order)
    tail = float(stats.binom.sf(right - 1, 100, p))
    found = p_value_of(Guesses(100, 100, 0, right), claim)
    assert 1 >= found >= tail
    assert p_value_of(Guesses(100, 100, 0, right), claim.at(claim.level / 2)) < found


def test_recursion_is_stable_in_floats() -> None:
    """The same recursion in balls of 200 bits."""
    from flint import arb, ctx

    ctx.prec, before = 200, ctx.prec
    try:
        m, r, v, tau, mu = 1000, 200, 150, 0.05, 0.5
        upper, lower = arb(tau) * v / m, arb(tau) * (r - v) / m
        for i in range(v - 1, -1, -1):
            start = float(stats.norm.ppf(float(upper)))
            x = arb(start)
            for _ in range(6):  # Newton's method for the quantile
                density = (-x * x / 2).exp() / (2 * arb.pi()).sqrt()
                x = x - (((-x / arb(2).sqrt()).erfc() / 2 - upper) / density).mid()
            needed = (-(x - arb(mu)) / arb(2).sqrt()).erfc() / 2
            if needed < lower:
                break
            upper = upper + arb(i) / (r - i) * (needed - lower)
            lower = needed
        assert total(m, r, v, tau, inverse_of(GaussianDP(mu))) == pytest.approx(
            float(upper + lower), rel=1e-10
        )
    finally:
        ctx.prec = before


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_joint_law_is_that_of_all_outcomes(epsilon: float) -> None:
    """By enumeration of the right guesses of ten canaries."""
    sizes, alone = nested_sizes(10), 0.02
    q = 1 / (1 + math.exp(-epsilon))

    def greatest(right: tuple[int, ...]) -> float:
        bounds = (
            stats.beta.ppf(alone, v, 2 * k - v + 1) if v else 0.0
            for v, k in zip(right, sizes, strict=True)
        )
        return float(max(bounds))

    outcomes = list(itertools.product((0, 1), repeat=10))
    rights = [tuple(sum(o[: 2 * k]) for k in sizes) for o in outcomes]
    chances = [q ** sum(o) * (1 - q) ** (10 - sum(o)) for o in outcomes]
    orders = [greatest(right) for right in rights]
    informative = 0
    for index in (0, 37, 500, 1023, 1000, 1022, 1015):
        bounds = nested_bounds(sizes, rights[index], alone)
        found = nested_p_value(sizes, bounds, epsilon)
        least = orders[index] * (1 - 1e-9)
        expected = sum(p for p, order in zip(chances, orders, strict=True) if order >= least)
        informative += orders[index] > 0.5
        assert found == pytest.approx(expected if orders[index] > 0.5 else 1.0, rel=1e-6)
    assert informative >= 3


def test_joint_law_gains_on_shares_of_the_error() -> None:
    """For mean bounds, whatever is claimed: noise of two laws, and few canaries that tell."""
    rng = np.random.default_rng(3)
    eight = (2, 6, 12, 30, 60, 120, 200, 300)
    noises = [rng.laplace(size=(8, 300)), rng.laplace(scale=0.25, size=(8, 300))]
    noises += [rng.normal(size=(8, 300)), rng.normal(scale=0.5, size=(8, 300))]
    for noise in noises:
        coins = rng.random((8, 300)) < 0.5
        joint, low, shares = (
            [
                audit_canaries(row + n, row, claim, guesses=guesses).epsilon_lower
                for row, n in zip(coins, noise, strict=True)
            ]
            for claim, guesses in ((1.0, None), (0.0, None), (1.0, eight))
        )
        assert joint == pytest.approx(low, abs=1e-6)
        assert np.mean(joint) > 1.05 * np.mean(shares)


def test_many_guesses_stay_in_range() -> None:
    claim = ApproximateDP(2.0, 1e-9)
    r = 10**6
    assert p_value_of(Guesses(r, r, 0, r), claim) < 1e-6
    assert p_value_of(Guesses(r, r, 0, 1), claim) == 1.0
    assert 0.4 < p_value_of(Guesses(r, r, 0, round(r / (1 + math.exp(-2)))), claim) < 0.6


@pytest.mark.parametrize("wrong", [(0, 0, 0, 0), (5, 4, 4, 3), (5, 2, 2, 5), (5, 2, 2, -1)])
def test_impossible_guesses_are_refused(wrong: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="at least one guess"):
        Guesses(*wrong)
