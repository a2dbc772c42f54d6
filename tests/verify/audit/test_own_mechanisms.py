"""Every mechanism of this project, audited: guarantees are not refuted, published claims are.

All audits have confidence 1 − 10⁻⁶; `RUNS` per data set are stated at each. Mechanisms on a finite
range are audited by their exact law as well.
"""

import math
from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from provedp.mechanisms import counting
from provedp.mechanisms.mixture import PrivateMixture, PublishedMixture
from provedp.mechanisms.modes import PrivateModalClustering, PrivateModalRegression, PrivateModes
from provedp.mechanisms.modes.published_code import PublishedModesCode
from provedp.mechanisms.rounded_gaussian import RoundedGaussian
from provedp.theory.privacy import Guarantee, hockey_stick
from provedp.verify.audit import ApproximateDP, AuditResult, GaussianDP, audit, target

CONFIDENCE = 1 - 1e-6
DELTA = "1/100"
COUNTING = {
    "optimal": counting.OptimalCount(6, 1, "1/50"),
    "optimal, pure": counting.OptimalCount(6, 1),
    "truncated geometric": counting.TruncatedGeometric(6, 1),
    "randomized response": counting.RandomizedResponse(6, 1),
    "rounded Laplace": counting.RoundedLaplace(6, 1),
    "exponential": counting.ExponentialMechanism(6, 1),
    "behind a channel": counting.BehindChannel(
        [[Q(9, 10), Q(1, 10), 0], [0, 1, 0], [0, Q(1, 10), Q(9, 10)]], 1, "1/50"
    ),
}
FEATURES = np.array([[0.0], [1.0], [2.0], [4.0], [9.0], [10.0], [11.0]])
LABELS = [0, 0, 0, 0, 1, 1, 1]
FLIPPED = [0, 0, 0, 1, 1, 1, 1]
POINTS = [[-0.3], [0.0], [0.2]]
MOVED = [[-0.3], [0.0], [1.9]]


def claim_of(guarantee: Guarantee) -> ApproximateDP:
    epsilon = math.nextafter(math.log(float(guarantee.ratio)), math.inf)
    return ApproximateDP(epsilon, float(guarantee.delta))


def audited(release: Any, pair: Any, claim: Any, runs: int, **options: Any) -> AuditResult:
    options = {"confidence": CONFIDENCE, "seed": 1, **options}
    return audit(target(release, isolated=False), pair, claim, runs=runs, **options)


def parameters(mixture: Any) -> list[float]:
    parts = (mixture.weights, mixture.means, mixture.covariances)
    return [float(x) for part in parts for x in np.ravel(part)]


@pytest.mark.parametrize("name", COUNTING)
def test_counting_mechanisms_keep_their_guarantee_exactly(name: str) -> None:
    mechanism = COUNTING[name]
    guarantee = mechanism.guarantee
    behind = isinstance(mechanism, counting.BehindChannel)
    law = mechanism.end_to_end() if behind else mechanism.law()
    for row in range(len(law) - 1):
        for p, q in ((law[row], law[row + 1]), (law[row + 1], law[row])):
            assert hockey_stick(list(p), list(q), guarantee.ratio) <= guarantee.delta


def arrived(mechanism: Any, sent: list[int], rng: Any) -> list[int]:
    """Return what a channel makes of messages: the guarantee behind one is about that."""
    if not isinstance(mechanism, counting.BehindChannel):
        return sent
    rows = np.array(mechanism.channel, dtype=float)
    return [int(rng.choice(len(rows), p=rows[message])) for message in sent]


@pytest.mark.parametrize("name", COUNTING)
def test_samples_of_counting_mechanisms_do_not_refute_them(name: str) -> None:
    mechanism = COUNTING[name]

    def release(data: int, rng: Any, count: int) -> list[int]:
        return arrived(mechanism, mechanism.release([data] * count, rng), rng)

    result = audited(release, [(0, 1), (1, 2)], claim_of(mechanism.guarantee), runs=3000)
    assert not result.refuted


def test_a_message_is_less_private_than_what_arrives() -> None:
    mechanism = COUNTING["behind a channel"]

    def release(data: int, rng: Any, count: int) -> list[int]:
        return mechanism.release([data] * count, rng)

    assert audited(release, (0, 1), claim_of(mechanism.guarantee), runs=3000).refuted


def test_a_counting_mechanism_with_half_the_budget_claimed_is_refuted() -> None:
    mechanism = COUNTING["truncated geometric"]

    def release(data: int, rng: Any, count: int) -> list[int]:
        return mechanism.release([data] * count, rng)

    assert audited(release, (0, 1), ApproximateDP(0.5), runs=3000).refuted


@pytest.mark.parametrize("channel", ["value", "bits"])
def test_rounded_gaussian_noise_on_integers(channel: str) -> None:
    def release(data: int, rng: Any) -> int:
        return data + RoundedGaussian(Q(2)).draw(rng)

    result = audited(release, (0, 1), GaussianDP(0.5), runs=3000, channel=channel)
    assert not result.refuted


PRIVATE: dict[str, tuple[Any, Callable[[Any], Any], tuple[Any, Any]]] = {
    "mixture, label": (
        PrivateMixture(1, DELTA, bound=12, classes=(0, 1)),
        parameters,
        ((FEATURES, LABELS), (FEATURES, FLIPPED)),
    ),
    "mixture, replace": (
        PrivateMixture(1, DELTA, bound=12, classes=(0, 1), adjacency="replace"),
        parameters,
        ((FEATURES, LABELS), (np.vstack([FEATURES[:-1], [[-11.0]]]), LABELS)),
    ),
    "mixture, add or remove": (
        PrivateMixture(1, DELTA, bound=12, classes=(0, 1), adjacency="add-remove", records=7),
        parameters,
        ((FEATURES, LABELS), (FEATURES[:-1], LABELS[:-1])),
    ),
    "modes": (
        PrivateModes(1, DELTA, box=[(-2, 2)], bandwidth=0.8, modes=1),
        lambda modes: modes.tolist(),
        (POINTS, MOVED),
    ),
    "modes, local": (
        PrivateModes(1, DELTA, box=[(-2, 2)], bandwidth=0.8, modes=1, method="local"),
        lambda modes: modes.tolist(),
        (POINTS, MOVED),
    ),
    "clusters": (
        PrivateModalClustering(1, DELTA, box=[(-2, 2)], bandwidth=0.8, clusters=1),
        lambda centres: centres.tolist(),
        (POINTS, MOVED),
    ),
    "regression": (
        PrivateModalRegression(1, DELTA, box=[(-2, 2), (-2, 2)], bandwidth=1.0),
        lambda field: field.values.ravel().tolist(),
        ((POINTS, [0.0, 0.0, 0.0]), (POINTS, [0.0, 0.0, 1.9])),
    ),
}


def audit_of_private(name: str, runs: int) -> AuditResult:
    mechanism, read, pair = PRIVATE[name]

    def release(data: Any, rng: Any) -> Any:
        return read(mechanism.release(data, rng))

    assert mechanism.guarantee is not None
    return audited(release, pair, claim_of(mechanism.guarantee), runs)


@pytest.mark.parametrize("name", PRIVATE)
def test_a_few_runs_of_private_estimators_do_not_refute_them(name: str) -> None:
    assert not audit_of_private(name, runs=40).refuted


@pytest.mark.slow
@pytest.mark.parametrize("name", PRIVATE)
def test_runs_of_private_estimators_do_not_refute_them(name: str) -> None:
    assert not audit_of_private(name, runs=250).refuted


@pytest.mark.filterwarnings("ignore::provedp.mechanisms.refuted.RefutedGuaranteeWarning")
def test_the_published_mixture_is_refuted_by_the_support_of_its_covariances() -> None:
    published = PublishedMixture(1, DELTA, grid=1, rounds=1, divergence="expected")

    def release(data: Any, rng: Any) -> list[float]:
        return parameters(published.release(data, rng))

    pair = (FEATURES, LABELS), (FEATURES, FLIPPED)
    result = audited(release, pair, claim_of(published.claimed), runs=150)
    assert result.refuted
    assert result.epsilon_lower > 1.5
    assert min(result.counts.y, result.counts.x) <= result.counts.n / 50


@pytest.mark.filterwarnings("ignore::provedp.mechanisms.refuted.RefutedGuaranteeWarning")
def test_the_program_behind_the_modes_tables_is_refuted_by_one_record() -> None:
    """Far from all others and near a public start, a record alone decides where the ascent goes."""
    program = PublishedModesCode(1, DELTA, modes=1, candidates=[[0.0]])
    others = np.linspace(2.5, 3.5, 1999)[:, None]

    def release(side: float, rng: Any) -> list[float]:
        return np.ravel(program.release(np.vstack([others, [[side]]]), rng)).tolist()

    result = audited(release, (0.12, -0.12), claim_of(program.claimed), runs=800)
    assert result.refuted
    assert result.epsilon_lower > 1.5
