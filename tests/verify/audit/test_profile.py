"""Bounds on whole profiles: coverage enumerated exactly and by seeded audits, against truths."""

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from provedp.theory.privacy import gaussian_delta
from provedp.verify.audit import (
    ApproximateDP,
    GaussianDP,
    RenyiDP,
    ZeroConcentratedDP,
    audit,
    audit_profile,
    target,
)
from provedp.verify.audit.runs.chunks import Done
from provedp.verify.audit.runs.executors import Serial
from provedp.verify.audit.statistics.exact_test import Counts, lower_bound
from provedp.verify.audit.statistics.regions import ConfidenceRegion, arc_for, radius_of, region
from provedp.verify.notions.profile_point import DeltaAt

RNG = np.random.Generator
AUDITS = 300
FALSE_ALARM = 3.0  # standard errors that a share of misses may be above its limit


ARCS = [(0.0, math.pi / 2), (0.4, 0.9), (0.8, 0.8), (0.0, 0.0), (1.2, math.pi / 2)]


def laplace(data: float, rng: RNG, count: int) -> Any:
    return data + rng.laplace(size=count)


def normal(data: float, rng: RNG, count: int) -> Any:
    return data + rng.normal(size=count)


def response(data: int, rng: RNG, count: int) -> Any:
    return np.where(rng.random(count) < 1 / (1 + math.e), 1 - data, data)


def holds(corners: ConfidenceRegion, p: float, q: float) -> bool:
    """Whether (q, p) is above and to the left of some corner."""
    return bool(np.any((p >= corners.p) & (q <= corners.q)))


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.2), (0.9, 0.1), (0.3, 0.3), (0.05, 0.01), (1.0, 0.0)])
@pytest.mark.parametrize("error", [0.05, 0.3])
@pytest.mark.parametrize("arc", ARCS)
def test_region_of_two_samples_misses_no_more_than_said(
    p: float, q: float, error: float, arc: tuple[float, float]
) -> None:
    """All counts of 12 and 17 runs, with their exact probabilities."""
    n, m = 12, 17
    missed = sum(
        stats.binom.pmf(x, n, p) * stats.binom.pmf(y, m, q)
        for x in range(n + 1)
        for y in range(m + 1)
        if not holds(region(Counts(x, n, y, m), error, arc), p, q)
    )
    assert missed <= error + 1e-12


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.2), (0.8, 0.1), (0.4, 0.4), (0.95, 0.05)])
@pytest.mark.parametrize("error", [0.05, 0.3])
@pytest.mark.parametrize("arc", ARCS)
def test_region_of_folded_counts_misses_no_more_than_said(
    p: float, q: float, error: float, arc: tuple[float, float]
) -> None:
    n = 18
    missed = sum(
        stats.multinomial.pmf([x, y, n - x - y], n, [p, q, max(0.0, 1 - p - q)])
        for x in range(n + 1)
        for y in range(n + 1 - x)
        if not holds(region(Counts(x, n, y, n, folded=True), error, arc), p, q)
    )
    assert missed <= error + 1e-12


@pytest.mark.parametrize("arc", [(0.0, math.pi / 2), (0.5, 1.0)])
def test_region_is_not_far_too_large(arc: tuple[float, float]) -> None:
    """With many runs the bound on the probability of a miss is nearly attained."""
    rng = np.random.default_rng(1)
    p, q, n, error = 0.5, 0.2, 100_000, 0.2
    drawn = rng.binomial(n, p, 1000), rng.binomial(n, q, 1000)
    missed = np.mean(
        [
            not holds(region(Counts(int(x), n, int(y), n), error, arc), p, q)
            for x, y in zip(*drawn, strict=True)
        ]
    )
    assert missed == pytest.approx(error, abs=0.045)


@pytest.mark.parametrize("arc", [(0.0, math.pi / 2), (0.5, 1.0), (0.7, 0.7)])
def test_radius_by_simulation(arc: tuple[float, float]) -> None:
    """max over θ of Z₁ cos θ + Z₂ sin θ for independent normal Z₁, Z₂, on a fine grid of θ."""
    z = np.random.default_rng(2).normal(size=(2, 10**6))
    most = np.max([z[0] * math.cos(t) + z[1] * math.sin(t) for t in np.linspace(*arc, 60)], axis=0)
    for error in (0.05, 0.2):
        share = float(np.mean(most > radius_of(error, arc[1] - arc[0])))
        assert share == pytest.approx(error, abs=5 * math.sqrt(error / 10**6))


def test_a_region_for_one_direction_is_as_sharp_as_one_test() -> None:
    """For k = e, and folded counts: the bound on ε of the whole error, within 2 % of its gap."""
    counts = Counts(80_000, 160_000, 29_430, 160_000, folded=True)
    at_most = lower_bound(counts, ApproximateDP(1.0))
    corners = region(counts, 0.05, arc_for(counts, math.e, math.e))
    found = float(np.min(ApproximateDP(0.0).least_level(corners.p, corners.q)))
    estimate = math.log(80_000 / 29_430)
    assert estimate - found == pytest.approx(estimate - at_most, rel=0.02)
    wide = region(counts, 0.05)
    assert float(np.min(ApproximateDP(0.0).least_level(wide.p, wide.q))) < found


def test_radius_of_large_errors_is_zero() -> None:
    assert radius_of(0.9) == 0


def test_profile_of_laplace_noise_is_close_and_below() -> None:
    result = audit_profile(target(laplace, isolated=False), (0.0, 1.0), runs=50_000, seed=3)
    for epsilon in (0.0, 0.25, 0.5, 0.75):
        truth = -math.expm1((epsilon - 1) / 2)
        assert truth - 0.025 < result.delta_lower(epsilon) <= truth
    assert 0.95 < result.epsilon_lower(0.0) <= 1
    assert result.epsilon_lower(0.1) <= 1 + 2 * math.log(0.9)
    assert result.delta_lower(1.0) == result.delta_lower(5.0) == 0
    assert not result.refuted


def test_single_level_audits_are_only_a_little_higher() -> None:
    """Laplace at 10⁵ runs: at most twice their distance from the truth."""
    here = target(laplace, isolated=False)
    gaps = []
    for seed in range(5):
        whole = audit_profile(here, (0.0, 1.0), seed=seed).epsilon_lower(0.0)
        single = audit(here, (0.0, 1.0), 1.0, seed=seed).epsilon_lower
        gaps.append((1 - whole) / (1 - single))
    assert 1 < float(np.median(gaps)) < 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "pair", "truth"),
    [
        (laplace, (0.0, 1.0), lambda e: max(0.0, -math.expm1((e - 1) / 2))),
        (normal, (0.0, 1.0), lambda e: float(gaussian_delta(1.0, e))),
        (response, (0, 1), lambda e: max(0.0, (math.e - math.exp(e)) / (1 + math.e))),
    ],
)
def test_all_bounds_hold_together(function: Any, pair: Any, truth: Any) -> None:
    """A miss at any ε counts; 5 % may miss, and not far fewer do."""
    here, grid = target(function, isolated=False), np.linspace(0, 5, 101)
    limits = np.array([truth(float(epsilon)) for epsilon in grid])
    missed = 0
    for seed in range(AUDITS):
        result = audit_profile(here, pair, runs=400, seed=seed)
        found = np.array([result.delta_lower(float(epsilon)) for epsilon in grid])
        missed += bool(np.any(found > limits))
    spread = math.sqrt(0.05 * 0.95 / AUDITS)
    assert missed / AUDITS <= 0.05 + FALSE_ALARM * spread
    assert missed >= 1


def test_wrong_claims_of_all_notions_are_refuted_and_right_ones_are_not() -> None:
    claims = [
        ApproximateDP(1.0, 0.05),
        ApproximateDP(1.0, 0.13),
        GaussianDP(0.9),
        GaussianDP(1.0),
        RenyiDP(0.6, 2.0),
        RenyiDP(1.0, 2.0),
        ZeroConcentratedDP(0.1),
        ZeroConcentratedDP(0.5),
        DeltaAt(0.0, 0.3),
    ]
    result = audit_profile(target(normal, isolated=False), (0.0, 1.0), claims, runs=40_000)
    found = [verdict.refuted for verdict in result.verdicts]
    assert found == [True, False, True, False, True, False, True, False, True]
    assert result.refuted
    for claim, verdict in zip(claims, result.verdicts, strict=True):
        assert verdict.lower == result.level_lower(claim)
    assert "REFUTED" in str(result)
    assert json.loads(json.dumps(result.record()))["claims"][0]["refuted"] is True


def test_error_is_shared_and_used_up() -> None:
    claims = [ApproximateDP(0.5), ApproximateDP(0.5, 0.2)]
    result = audit_profile(target(normal, isolated=False), (0.0, 1.0), claims, runs=2000)
    errors = [each.error for each in result.events]
    assert sum(errors) == pytest.approx(0.05)
    assert errors[0] == errors[1] == pytest.approx(0.0125)


def test_trade_off_is_above_the_truth_and_below_the_diagonal() -> None:
    """T(α) = Φ(Φ⁻¹(1 − α) − μ) with μ = 1."""
    result = audit_profile(target(normal, isolated=False), (0.0, 1.0), runs=20_000)
    for alpha in (0.0, 0.01, 0.1, 0.31, 0.5, 0.9, 1.0):
        truth = float(stats.norm.cdf(stats.norm.isf(alpha) - 1))
        assert truth <= result.trade_off_upper(alpha) <= 1 - alpha
        if 0.1 <= alpha <= 0.5:
            assert result.trade_off_upper(alpha) < truth + 0.05


def test_trade_off_says_the_same_as_delta() -> None:
    """δ(ε) = sup over α of 1 − T(α) − e^ε α: the upper bound on T gives back the bound on δ."""
    result = audit_profile(target(laplace, isolated=False), (0.0, 1.0), runs=20_000)
    grid = np.linspace(0, 1, 2001)
    borders = np.array([result.trade_off_upper(float(alpha)) for alpha in grid])
    for epsilon in (0.0, 0.3, 0.6):
        from_borders = float(np.max(1 - borders - math.exp(epsilon) * grid))
        assert from_borders <= result.delta_lower(epsilon) + 1e-9


def test_several_pairs_vectors_and_categories() -> None:
    def mixed(data: float, rng: RNG) -> list[Any]:
        return [data + float(rng.laplace()), "a" if rng.random() < 0.5 + 0.2 * data else "b"]

    result = audit_profile(target(mixed, isolated=False), [(0, 0.1), (0, 1)], runs=3000)
    assert result.pair == 1
    assert result.epsilon_lower(0.0) > 0.8


class Flaky:
    """A checkpoint, and an executor that stops after so many chunks."""

    def __init__(self, what: Any, chunks: int):
        self.inner, self.left, self.state = Serial(what, (0.0, 1.0)), chunks, None
        self.counted: list[int] = []

    def load(self) -> Any:
        return None if self.state is None else json.loads(self.state)

    def save(self, state: Any) -> None:
        self.state = json.dumps(state)

    def map(self, tasks: Any) -> Any:
        for done in self.inner.map(tasks):
            yield self._passed(done)

    def _passed(self, done: Done) -> Done:
        if done.tally.on_first:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            self.counted.append(done.chunk)
        return done


def test_an_interrupted_profile_goes_on_and_counts_nothing_twice() -> None:
    what = target(normal, isolated=False)
    whole = audit_profile(what, (0.0, 1.0), runs=2000, seed=4, processes=4)
    flaky = Flaky(what, 7)
    arguments = {"runs": 2000, "seed": 4, "processes": 4, "executor": flaky, "checkpoint": flaky}
    with pytest.raises(KeyboardInterrupt):
        audit_profile(what, (0.0, 1.0), **arguments)
    flaky.left = 10**6
    again = audit_profile(what, (0.0, 1.0), **arguments)
    assert again.record() == whole.record()
    assert sorted(flaky.counted) == sorted(set(flaky.counted))


def test_result_does_not_depend_on_the_workers() -> None:
    what = target(laplace, isolated=False)
    one, two = (
        audit_profile(what, (0.0, 1.0), runs=2000, processes=4, workers=workers)
        for workers in (1, 2)
    )
    assert one.record() == two.record()


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"runs": 19}, "runs"),
        ({"confidence": 1.0}, "confidence"),
        ({"confidence": math.nan}, "confidence"),
        ({"seed": -1}, "seed"),
        ({"workers": 0}, "workers"),
        ({"channel": "x"}, "channel"),
        ({"claims": [1.0]}, "claims"),
    ],
)
def test_bad_requests(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        audit_profile(target(laplace, isolated=False), (0.0, 1.0), **changed)


def test_bad_questions() -> None:
    result = audit_profile(target(laplace, isolated=False), (0.0, 1.0), runs=100)
    for call in (
        lambda: result.epsilon_lower(1.0),
        lambda: result.epsilon_lower(-0.1),
        lambda: result.delta_lower(-1.0),
        lambda: result.delta_lower(math.nan),
        lambda: result.trade_off_upper(1.1),
        lambda: DeltaAt(1.0, 1.1),
        lambda: region(Counts(1, 2, 0, 2), 0.0),
        lambda: region(Counts(1, 2, 0, 2), 0.1, (-0.1, 1.0)),
        lambda: region(Counts(1, 2, 0, 2), 0.1, (0.5, 0.4)),
        lambda: region(Counts(1, 2, 0, 2), 0.1, (0.5, 1.6)),
    ):
        with pytest.raises(ValueError, match="parameter"):
            call()
