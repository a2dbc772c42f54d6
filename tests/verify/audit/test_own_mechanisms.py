"""Every mechanism of this project is audited; those on a finite range by their exact law as well.

Guarantees are not refuted, published claims are: the estimators are in the two files beside this
one. All audits have confidence 1 − 10⁻⁶; the runs per data set are stated at each.
"""

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import provedp.mechanisms
from provedp import OptimalRelease
from provedp.mechanisms import counting
from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.mixture.published.noisy_parameters import NoisyParameters
from provedp.mechanisms.modes.private.estimators import FieldEstimator
from provedp.mechanisms.modes.published.base import (
    ModalClusters,
    PublishedModesBase,
    PublishedRelease,
)
from provedp.mechanisms.published import PublishedMechanism
from provedp.theory.privacy import hockey_stick
from provedp.verify.audit import ApproximateDP, GaussianDP, audit_matrix

COUNTING = {
    "optimal": counting.OptimalCount(6, 1, "1/50"),
    "optimal, pure": counting.OptimalCount(6, 1),
    "truncated geometric": counting.TruncatedGeometric(6, 1),
    "randomized response": counting.RandomizedResponse(6, 1),
    "rounded Laplace": counting.RoundedLaplace(6, 1),
    "exponential": counting.ExponentialMechanism(6, 1),
    "by an optimal matrix": OptimalRelease(6, 1, "1/50", loss="absolute"),
    "behind a channel": counting.BehindChannel(
        [[Q(9, 10), Q(1, 10), 0], [0, 1, 0], [0, Q(1, 10), Q(9, 10)]], 1, "1/50"
    ),
}
UNIVERSAL = {
    "universal": counting.UniversalCount(1, "1/50"),
    "universal, pure": counting.UniversalCount(1),
}
AUDITED = {type(m) for m in (*COUNTING.values(), *UNIVERSAL.values())} - {OptimalRelease}
AUDITED |= set(OptimalRelease.__bases__)
BASES = {  # what several mechanisms have in common; none releases anything itself
    counting.CountMechanism,
    NoisyParameters,
    FieldEstimator,
    PublishedRelease,
    PublishedModesBase,
    ModalClusters,
    PublishedMechanism,
}
BESIDE = ("test_own_estimators.py", "test_own_published.py")
NOISE = {
    "ascend",
    "random_bits",
    "shared_noise",
    "uniform_below",
    "warn_if_replayable",
}  # drawn by mechanisms, without a claim


def public_objects() -> Iterator[tuple[str, Any]]:
    """Yield the public classes and functions of all modules, where they are defined."""
    for module in pkgutil.walk_packages(provedp.mechanisms.__path__, "provedp.mechanisms."):
        for name, each in vars(importlib.import_module(module.name)).items():
            if not name.startswith("_") and getattr(each, "__module__", None) == module.name:
                yield name, each


def beside(name: str) -> Any:
    """Return the test file beside this one."""
    spec = importlib.util.spec_from_file_location(name[:-3], Path(__file__).with_name(name))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_mechanism_is_audited() -> None:
    found = {
        each
        for _, each in public_objects()
        if inspect.isclass(each)
        and any(hasattr(each, name) for name in ("release", "guarantee", "claimed"))
    }
    audited = AUDITED.union(*(beside(name).AUDITED for name in BESIDE))
    assert {each.__name__ for each in found - audited - BASES} == set()
    assert audited | BASES == found
    assert all(any(issubclass(each, base) for each in audited) for base in BASES)


def test_every_step_that_draws_noise_is_audited() -> None:
    found = {
        name
        for name, each in public_objects()
        if inspect.isfunction(each) and "rng" in inspect.signature(each).parameters
    }
    steps = {each.__name__ for each in beside(BESIDE[0]).STEPS}
    assert found - steps - NOISE == set()
    assert steps | NOISE == found


def law_of(mechanism: Any) -> Any:
    behind = isinstance(mechanism, counting.BehindChannel)
    return mechanism.end_to_end() if behind else mechanism.law()


@pytest.mark.parametrize("name", COUNTING)
def test_counting_mechanisms_keep_their_guarantee_exactly(name: str) -> None:
    guarantee = COUNTING[name].guarantee
    law = law_of(COUNTING[name])
    for row in range(len(law) - 1):
        for p, q in ((law[row], law[row + 1]), (law[row + 1], law[row])):
            assert hockey_stick(list(p), list(q), guarantee.ratio) <= guarantee.delta
    ratio = "ratio", guarantee.ratio
    assert not audit_matrix(law, ratio, guarantee.delta).refuted
    less = "ratio", 1 + (guarantee.ratio - 1) / 2
    assert audit_matrix(law, less, guarantee.delta).refuted


def arrived(mechanism: Any, sent: list[int], rng: Any) -> list[int]:
    """Return what a channel makes of messages: the guarantee behind one is about that."""
    if not isinstance(mechanism, counting.BehindChannel):
        return sent
    rows = np.array(mechanism.channel, dtype=float)
    return [int(rng.choice(len(rows), p=rows[message])) for message in sent]


@pytest.mark.parametrize("name", COUNTING)
def test_samples_of_counting_mechanisms_do_not_refute_them(
    audited: Any, claim_of: Any, name: str
) -> None:
    mechanism = COUNTING[name]

    def release(data: int, rng: Any, count: int) -> list[int]:
        return arrived(mechanism, mechanism.release([data] * count, rng), rng)

    result = audited(release, [(0, 1), (1, 2)], claim_of(mechanism.guarantee), runs=3000)
    assert not result.refuted


@pytest.mark.parametrize("name", UNIVERSAL)
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_samples_of_universal_counts_refute_half_their_epsilon_alone(
    audited: Any, claim_of: Any, name: str, share: float
) -> None:
    mechanism = UNIVERSAL[name]

    def release(data: int, rng: Any, count: int) -> list[float]:
        return [float(noisy) for noisy in mechanism.release([data] * count, rng)]

    promised = mechanism.guarantee
    less = replace(promised, ratio=1 + (promised.ratio - 1) * Q(share) / 2)
    claimed = claim_of(promised if share == 1 else less)
    result = audited(release, [(0, 1), (1, 2)], claimed, runs=3000)
    assert result.refuted == (share != 1)


def test_a_message_is_less_private_than_what_arrives(audited: Any, claim_of: Any) -> None:
    mechanism = COUNTING["behind a channel"]

    def release(data: int, rng: Any, count: int) -> list[int]:
        return mechanism.release([data] * count, rng)

    assert audited(release, (0, 1), claim_of(mechanism.guarantee), runs=3000).refuted


def test_a_counting_mechanism_with_half_the_budget_claimed_is_refuted(audited: Any) -> None:
    mechanism = COUNTING["truncated geometric"]

    def release(data: int, rng: Any, count: int) -> list[int]:
        return mechanism.release([data] * count, rng)

    assert audited(release, (0, 1), ApproximateDP(0.5), runs=3000).refuted


@pytest.mark.parametrize("channel", ["value", "bits"])
def test_rounded_gaussian_noise_on_integers(audited: Any, channel: str) -> None:
    def release(data: int, rng: Any) -> int:
        return data + RoundedGaussian(Q(2)).draw(rng)

    result = audited(release, (0, 1), GaussianDP(0.5), runs=3000, channel=channel)
    assert not result.refuted


def test_rounded_gaussian_noise_of_half_the_deviation_is_refuted(audited: Any) -> None:
    def release(data: int, rng: Any) -> int:
        return data + RoundedGaussian(Q(1)).draw(rng)

    assert audited(release, (0, 1), GaussianDP(0.5), runs=3000).refuted
