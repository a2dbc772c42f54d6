"""Figures 4, 8 and 9: the published release beside its baselines, all of them run.

None of them is private as claimed; what is compared is the divergence (8) alone. Every baseline
spends the same (ε, δ) by basic composition over the five parameters that a flip changes.
"""

import warnings
from typing import Any

import numpy as np

from provedp.mechanisms.mixture.published.baselines import (
    ColouredGaussian,
    IndependentGaussian,
    LaplaceMixture,
    SingularGaussian,
)
from provedp.mechanisms.mixture.published.release import PublishedMixture
from provedp.mechanisms.published import RefutedGuaranteeWarning
from provedp.theory.mixture import LabelledData
from provedp.verify.claims.mixture.instances.fitted import fitted_mixture
from provedp.verify.claims.mixture.instances.iris import standardised_iris
from provedp.verify.claims.mixture.instances.synthetic import synthetic_data
from provedp.verify.claims.prelude import *

DELTA = 2e-5  # of Section V-A
SEED = 42  # as the paper's, for another generator
TRIALS = 13
CONFIDENCE = 0.99
SELDOM = 0.3  # the upper limit for no hit in 13 trials is 0.2983
BASELINES = (LaplaceMixture, IndependentGaussian, ColouredGaussian, SingularGaussian)
MECHANISMS = (PublishedMixture, *BASELINES)


def divergences(mechanism: Any, data: LabelledData, epsilon: float) -> list[float]:
    """Return the divergence (8) of 13 releases, with seeds that no other mechanism has."""
    target = fitted_mixture(data)
    given = {} if mechanism is LaplaceMixture else {"delta": DELTA}
    points = np.asarray(data.points, dtype=np.float64)
    first = 100 * MECHANISMS.index(mechanism)
    found = []
    for seed in range(first, first + TRIALS):
        model = mechanism(epsilon, random_state=seed, **given)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RefutedGuaranteeWarning)
            found.append(model.fit(points, np.asarray(data.labels)).mixture_.kl_to(target))
    return found


def _is_closer(ours: list[float], theirs: list[float], factor: float) -> Finding:
    """Find that the average is smaller by that factor, and a release of theirs seldom closer."""
    hits = sum(b <= a for a, b in zip(ours, theirs, strict=True))
    return all_of(
        float_at_most(factor * float(np.mean(ours)), float(np.mean(theirs)), rounding=1e-6),
        frequency_at_most(hits, TRIALS, SELDOM, confidence=CONFIDENCE),
    )


@published(Source(MIXTURE, "Figure 9", "'a smaller KL divergence under the same DP'"))
@supported(epsilon=(0.5, 1.0, 2.0, 5.0))
def published_release_is_closer_than_its_baselines_on_iris(epsilon: float) -> Finding:
    """On Iris, standardised, δ = 2·10⁻⁵, for ε = 1/2, 1, 2 and 5, the divergence of Algorithm 1's
    release from the fitted mixture is, in the average of 13 runs (fixed seeds), at most a fifth
    of that of the i.i.d. Laplace, i.i.d. Gaussian, coloured Gaussian and R1SMG baselines. Of two
    independent releases the baseline's is closer with probability at most 0.3, each at confidence
    0.99.
    """
    data = standardised_iris()
    ours_ = divergences(PublishedMixture, data, epsilon)
    return all_of(*(_is_closer(ours_, divergences(each, data, epsilon), 5) for each in BASELINES))


@published(
    Source(
        MIXTURE, "Figure 4", "'consistently … smaller KL divergence than all the other baselines'"
    ),
    Source(MIXTURE, "Section I-A", "'a much lower KL divergence'"),
)
@supported(epsilon=(0.5, 1.0, 2.0, 5.0))
def published_release_is_closer_than_baselines_on_synthetic_data(epsilon: float) -> Finding:
    """On synthetic data as in Section V-A (N = 1000, K = 5, d = 3, seed 42), for ε = 1/2, 1, 2 and
    5, the divergence of Algorithm 1's release is, in the average of 13 runs (fixed seeds), at most
    a tenth of that of each of the four baselines. Of two independent releases the baseline's is
    closer with probability at most 0.3, each at confidence 0.99.
    """
    data = synthetic_data(SEED)
    ours_ = divergences(PublishedMixture, data, epsilon)
    return all_of(*(_is_closer(ours_, divergences(each, data, epsilon), 10) for each in BASELINES))


@published(Source(MIXTURE, "Figure 8", "'a slightly smaller KL divergence than R1SMG'"))
@supported(dimension=(10, 20))
def published_release_is_closer_than_singular_noise(dimension: int) -> Finding:
    """On synthetic data with 10 and 20 features, ε = 1, the divergence of Algorithm 1's release is
    smaller than that of R1SMG, in the average of 13 runs and with probability at least 0.7 at
    confidence 0.99: here not slightly, but at least a hundredfold.
    """
    data = synthetic_data(SEED, dimension=dimension)
    ours_, theirs = (divergences(each, data, 1.0) for each in (PublishedMixture, SingularGaussian))
    return _is_closer(ours_, theirs, 100)


@ours(Source(MIXTURE, "Figure 8", "R1SMG 'below 3 × 10²'"))
@supported(dimension=(10, 20, 40))
def covariances_cost_more_than_singular_noise(dimension: int) -> Finding:
    """With the covariances and weights of the i.i.d. Gaussian baseline, as the text has it, R1SMG
    on synthetic data with 10, 20 and 40 features at ε = 1 is below the 3·10² of Figure 8 with
    probability at most 0.3, at confidence 0.99, since the covariances alone cost more: it is no
    better than half of the i.i.d. Gaussian baseline in the average of 13 runs.
    """
    data = synthetic_data(SEED, dimension=dimension)
    along, white = (
        divergences(each, data, 1.0) for each in (SingularGaussian, IndependentGaussian)
    )
    return all_of(
        frequency_at_most(sum(x < 300 for x in along), TRIALS, SELDOM, confidence=CONFIDENCE),
        float_at_most(float(np.mean(white)) / 2, float(np.mean(along)), rounding=1e-6),
    )
