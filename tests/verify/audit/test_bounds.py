"""The test is valid by enumeration, its bound by closed forms, scipy and simulation."""

import itertools
import math
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from provedp.verify.audit.statistics.exact_test import (
    ACCURACY,
    NUISANCE_SHARE,
    Counts,
    clopper_pearson,
    lower_bound,
    p_value,
)
from provedp.verify.notions.notions import (
    ORDERS,
    ApproximateDP,
    GaussianDP,
    PrivacyNotion,
    RenyiDP,
    ZeroConcentratedDP,
    binary_renyi,
)

CLAIMS: list[PrivacyNotion] = [
    ApproximateDP(1.0),
    ApproximateDP(0.5, 0.05),
    GaussianDP(1.0),
    RenyiDP(0.5, 2.0),
    ZeroConcentratedDP(0.3),
]
ALPHA = 0.05


def two_sample_level(claim: PrivacyNotion, n: int, m: int, q: float) -> float:
    """The probability of p-values at most 5 %, exactly at the boundary of the claim."""
    p = float(claim.most(np.array([q]))[0])
    x, y = stats.binom.pmf(np.arange(n + 1), n, p), stats.binom.pmf(np.arange(m + 1), m, q)
    rejected = rejections(claim, n, m)
    return float(x @ rejected @ y)


_REJECTED: dict[tuple[PrivacyNotion, int, int], np.ndarray] = {}


def rejections(claim: PrivacyNotion, n: int, m: int) -> np.ndarray:
    if (claim, n, m) not in _REJECTED:
        table = [
            [p_value(Counts(x, n, y, m), claim, 5e-4) <= ALPHA for y in range(m + 1)]
            for x in range(n + 1)
        ]
        _REJECTED[claim, n, m] = np.array(table, dtype=float)
    return _REJECTED[claim, n, m]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_level_by_enumeration_of_two_samples(claim: PrivacyNotion) -> None:
    levels = [two_sample_level(claim, 9, 8, q) for q in np.linspace(0.005, 0.6, 40)]
    assert max(levels) <= ALPHA


@pytest.mark.parametrize("claim", CLAIMS[:3], ids=str)
def test_level_by_enumeration_of_folded_counts(claim: PrivacyNotion) -> None:
    n = 10
    cells = [(x, y) for x in range(n + 1) for y in range(n + 1 - x)]
    rejected = [
        cell
        for cell in cells
        if p_value(Counts(*_folded(cell, n), folded=True), claim, 5e-4) <= ALPHA
    ]
    for failure in np.linspace(0.005, 0.4, 30):
        success = min(1 - failure, float(claim.most(np.array([failure]))[0]))
        law = stats.multinomial(n, [success, failure, max(0.0, 1 - success - failure)])
        level = sum(law.pmf([x, y, n - x - y]) for x, y in rejected)
        assert level <= ALPHA


def _folded(cell: tuple[int, int], n: int) -> tuple[int, int, int, int]:
    return cell[0], n, cell[1], n


def test_folded_average_of_both_directions_is_allowed() -> None:
    """(p₁ + p₂)/2 ≤ h((q₁ + q₂)/2) for allowed pairs: the reason why folding is valid."""
    q = np.linspace(0, 1, 41)
    for claim in CLAIMS:
        p = claim.most(q)
        means = claim.most((q[:, None] + q[None, :]) / 2)
        assert np.all((p[:, None] + p[None, :]) / 2 <= means * (1 + 1e-9))


def test_p_value_bounds_the_tail_in_balls() -> None:
    """At points of the boundary inside the confidence set, by exact summation in balls."""
    counts, k = Counts(10, 12, 2, 14), Fraction(3)
    claim = ApproximateDP(math.log(3))
    found = p_value(counts, claim, 1e-9)
    with flint.ctx.workprec(200):
        for q in (Fraction(1, 6), Fraction(1, 5), Fraction(6, 25)):
            tail = arb(0)
            for x, y in itertools.product(range(13), range(15)):
                if p_value(Counts(x, 12, y, 14), claim, 1e-9) <= found:
                    tail += _mass(x, 12, min(k * q, Fraction(1))) * _mass(y, 14, q)
            assert tail <= arb(found)


def _mass(x: int, n: int, p: Fraction) -> arb:
    exact = math.comb(n, x) * p**x * (1 - p) ** (n - x)
    return arb(flint.fmpq(exact.numerator, exact.denominator))


@settings(max_examples=40)
@given(st.integers(1, 400), st.integers(0, 200))
def test_folded_pure_bound_is_clopper_pearson_of_the_odds(x: int, y: int) -> None:
    bound = lower_bound(Counts(x, 1000, y, 1000, folded=True), ApproximateDP(1.0))
    share = stats.binomtest(x, x + y, alternative="greater").proportion_ci(0.95).low
    expected = math.log(share / (1 - share)) if share > 0.5 else 0.0
    assert bound == pytest.approx(expected, abs=1e-6)
    assert bound <= expected + 1e-12


def test_clopper_pearson_is_scipys_rounded_outwards() -> None:
    for x, n in ((0, 10), (3, 10), (10, 10), (18_394, 100_000)):
        interval = stats.binomtest(x, n).proportion_ci(0.95)
        low, high = clopper_pearson(x, n, 0.025)
        assert low <= interval.low * (1 + 1e-12) + 1e-300
        assert high >= interval.high * (1 - 1e-12)
        assert (low, high) == pytest.approx((interval.low, interval.high), rel=1e-6)


def test_bound_where_nothing_was_seen_on_the_other_data_set() -> None:
    """With y = 0 the bound is nearly ln(p̂ m / 3): the rule of three."""
    bound = lower_bound(Counts(22_100, 100_000, 0, 100_000), ApproximateDP(1.0))
    assert bound == pytest.approx(math.log(0.221 * 100_000 / -math.log(0.05)), abs=0.03)


def test_bound_beats_two_intervals_and_not_the_asymptotic_limit() -> None:
    x, y, n = 50_000, 18_394, 100_000
    bound = lower_bound(Counts(x, n, y, n), ApproximateDP(1.0))
    joined = clopper_pearson(x, n, 0.025)[0] / clopper_pearson(y, n, 0.025)[1]
    spread = math.sqrt((1 - x / n) / x + (1 - y / n) / y)
    assert math.log(joined) < bound < math.log(x / y) - 1.6 * spread


@pytest.mark.parametrize("confidence", [0.999, 1 - 1e-6])
@pytest.mark.parametrize("claim", [ApproximateDP(1.0, 2e-5), GaussianDP(1.0)], ids=str)
def test_bound_is_no_worse_than_two_intervals_at_high_confidence(
    claim: PrivacyNotion, confidence: float
) -> None:
    for x, y, n in ((368, 30, 2100), (300, 50, 1000), (100, 20, 80_000), (299, 6, 840)):
        low = clopper_pearson(x, n, (1 - confidence) / 2)[0]
        high = clopper_pearson(y, n, (1 - confidence) / 2)[1]
        two = float(claim.least_level(np.array([low]), np.array([high]))[0])
        assert lower_bound(Counts(x, n, y, n), claim, confidence) >= two


@pytest.mark.parametrize("claim", CLAIMS[:3], ids=str)
def test_level_by_enumeration_at_a_small_error(claim: PrivacyNotion) -> None:
    n, m, alpha = 20, 18, 1e-3
    rejected = [
        (x, y)
        for x in range(n + 1)
        for y in range(m + 1)
        if p_value(Counts(x, n, y, m), claim, alpha / 100, alpha) <= alpha
    ]
    assert rejected
    for q in np.linspace(0.005, 0.6, 60):
        p = float(claim.most(np.array([q]))[0])
        assert (
            sum(stats.binom.pmf(x, n, p) * stats.binom.pmf(y, m, q) for x, y in rejected) <= alpha
        )


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
@pytest.mark.parametrize("folded", [False, True])
def test_bound_and_p_value_agree(claim: PrivacyNotion, folded: bool) -> None:
    counts = Counts(450, 1000, 90, 1000, folded)
    bound = lower_bound(counts, claim, 0.95)
    assert bound > 0
    assert p_value(counts, claim.at(bound), 5e-4) <= 0.05 * (1 + 1e-7)
    assert p_value(counts, claim.at(bound * 1.02), 5e-4) > 0.05


@settings(max_examples=20)
@given(st.integers(0, 60), st.integers(0, 60))
def test_more_evidence_never_lowers_the_bound(x: int, y: int) -> None:
    def bound(a: int, b: int) -> float:
        return lower_bound(Counts(a, 60, b, 60), ApproximateDP(1.0, 0.01))

    assert bound(min(x + 1, 60), y) >= bound(x, y) - 2e-3
    assert bound(x, max(y - 1, 0)) >= bound(x, y) - 2e-3


def test_reversed_events_say_nothing() -> None:
    for claim in CLAIMS:
        assert lower_bound(Counts(18_394, 100_000, 50_000, 100_000), claim) == 0
        assert p_value(Counts(18_394, 100_000, 50_000, 100_000), claim) == 1
    folded = Counts(300, 1000, 600, 1000, folded=True)
    assert lower_bound(folded, ApproximateDP(1.0)) == 0


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_least_level_inverts_most(claim: PrivacyNotion) -> None:
    q = np.array([0.001, 0.1, 0.3])
    p = claim.most(q)
    inside = p < 1
    np.testing.assert_allclose(claim.least_level(p, q)[inside], claim.level, rtol=1e-6)


@settings(max_examples=60)
@given(
    st.sampled_from((1.125, 2.0, 8.0, 128.0)),
    st.floats(0, 50),
    st.floats(1e-12, 1 - 1e-12),
)
def test_renyi_borders_are_upper_bounds_in_50_digits(order: float, level: float, q: float) -> None:
    """The divergence is the level or more at the p returned, and at most that a little below."""
    p = float(RenyiDP(level, order).most(np.array([q]))[0])
    assert q <= p <= 1
    with mpmath.workdps(50):
        assert p == 1 or renyi(p, q, order) >= level
        assert level < 1e-6 or renyi(q + (p - q) * (1 - 1e-6), q, order) <= level


def renyi(p: float, q: float, order: float) -> mpmath.mpf:
    a, p, q = mpmath.mpf(order), mpmath.mpf(p), mpmath.mpf(q)
    return mpmath.log(p**a * q ** (1 - a) + (1 - p) ** a * (1 - q) ** (1 - a)) / (a - 1)


def test_concentrated_borders_are_the_least_over_orders() -> None:
    q = np.array([1e-9, 0.01, 0.5, 0.999])
    single = [RenyiDP(0.3 * order, order).most(q) for order in ORDERS]
    np.testing.assert_allclose(ZeroConcentratedDP(0.3).most(q), np.min(single, axis=0), rtol=1e-10)
    assert ZeroConcentratedDP(0.3).most(np.array([0.0, 1.0])).tolist() == [0.0, 1.0]


def test_notions_by_their_definitions() -> None:
    q = np.array([0.2])
    assert GaussianDP(1.5).most(q)[0] == pytest.approx(stats.norm.cdf(stats.norm.ppf(0.2) + 1.5))
    order, p = 3.0, np.array([0.6])
    direct = math.log(0.6**3 / 0.2**2 + 0.4**3 / 0.8**2) / 2
    assert binary_renyi(p, q, order)[0] == pytest.approx(direct)
    assert special.ndtr(0) == 0.5


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: ApproximateDP(-1.0), "epsilon"),
        (lambda: ApproximateDP(math.nan), "epsilon"),
        (lambda: ApproximateDP(1.0, 1.0), "delta"),
        (lambda: GaussianDP(math.inf), "mu"),
        (lambda: RenyiDP(1.0, 1.0), "order"),
        (lambda: ZeroConcentratedDP(-0.1), "rho"),
        (lambda: Counts(3, 2, 0, 1), "x"),
        (lambda: Counts(0, 1, -1, 1), "y"),
        (lambda: Counts(2, 3, 2, 3, folded=True), "Folded counts"),
        (lambda: lower_bound(Counts(1, 2, 0, 2), ApproximateDP(1.0), 1.0), "confidence"),
    ],
)
def test_bad_input_is_named(make, named: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=named):
        make()


@pytest.mark.parametrize(
    ("claim", "folded"),
    [(ApproximateDP(1.0), False), (ApproximateDP(1.0, 0.05), True), (GaussianDP(1.0), False)],
)
def test_bounds_increase_with_x_and_decrease_with_y(claim: PrivacyNotion, folded: bool) -> None:
    runs = 25
    bound = {
        (x, y): lower_bound(Counts(x, runs, y, runs, folded), claim)
        for y in range(4)
        for x in range(y + 2, runs + 1 - folded * y)
    }
    for (x, y), own in bound.items():
        assert bound.get((x + 1, y), math.inf) >= own - ACCURACY * max(1, own)
        assert bound.get((x, y + 1), 0.0) <= own + ACCURACY * max(1, own)


@pytest.mark.parametrize("counts", [Counts(20, 25, 4, 25), Counts(600, 1000, 200, 1000)])
def test_bounds_are_as_high_as_the_test_allows(counts: Counts) -> None:
    """A level that is higher by the stated accuracy is not refuted."""
    claim, share = ApproximateDP(1.0), NUISANCE_SHARE * 0.05
    bound = lower_bound(counts, claim)
    assert p_value(counts, claim.at(bound), share, 0.05) <= 0.05
    above = claim.at(bound + 1.01 * ACCURACY * max(1, bound))
    assert p_value(counts, above, share, 0.05) > 0.05
