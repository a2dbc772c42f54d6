"""Published mechanisms without a guarantee: each is refuted by runs, at confidence 1 − 10⁻⁶.

The claim is the one that each makes, ε and δ of the whole release. Pairs are those of the ledger's
counterexamples, or the same idea at a size where a few hundred runs see it: the excess of
Algorithm 1 of the modes paper, say, grows like the root of a minibatch, and that of noise by class
sizes with the number of released entries.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from provedp.mechanisms.mixture import (
    ColouredGaussian,
    IndependentGaussian,
    LaplaceMixture,
    PublishedMixture,
    SingularGaussian,
)
from provedp.mechanisms.modes.published.clustering import (
    PublishedModalClustering,
    PublishedModalClusteringCode,
)
from provedp.mechanisms.modes.published.modes import PublishedModes
from provedp.mechanisms.modes.published.program import PublishedModesCode
from provedp.mechanisms.modes.published.regression import PublishedModalRegression
from provedp.verify.claims.modes.instances.pools import saturated
from provedp.verify.ledger import registry

pytestmark = pytest.mark.filterwarnings(
    "ignore::provedp.mechanisms.published.RefutedGuaranteeWarning"
)
DELTA = "1/100"
PAPER = "2e-5"  # δ of the mixture paper


@dataclass(frozen=True)
class Published:
    """A mechanism, its release as numbers, and a pair on which `runs` per data set refute it.

    Attributes
    ----------
    mechanism
        With its settings.
    read
        What is looked at of a release of its data: nothing but post-processing.
    data
        The data that a member of `pair` stands for.
    pair
        Two neighbours.
    runs
        Per data set, learning included.
    """

    mechanism: Any
    read: Callable[[Any], Any]
    data: Callable[[Any], Any]
    pair: tuple[Any, Any]
    runs: int

    def release(self, which: Any, rng: Any) -> Any:
        """Run once."""
        return self.read(self.mechanism.release(self.data(which), rng))


# ---------------------------------------------------------------------- mixtures
FEATURES = np.array([[0.0], [1.0], [2.0], [4.0], [9.0], [10.0], [11.0]])
LABELS, FLIPPED = [0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1]
ON_A_LINE = np.array([[1.0], [-1.0], [0.0], [0.0], [0.01], [-0.01], [0.0]])
WIDE, RIDGE = 24, 1e4  # features; what keeps the floor of the covariances from moving anything
HIGH, NEAR = 24, 0.4  # features, and 0.8 of the distance of the means
MOVED = np.zeros((7, HIGH))
MOVED[:, 0] = [-1, -1, -1, 1, -1, -1, -1]


def parameters(mixture: Any) -> list[float]:
    parts = (mixture.weights, mixture.means, mixture.covariances)
    return [float(x) for part in parts for x in np.ravel(part)]


def sizes(mixture: Any) -> list[float]:
    """Return the sums of absolute values of the noise on mean and covariance of class 0."""
    noise = mixture.covariances[0] - RIDGE * np.eye(WIDE)
    return [float(np.abs(mixture.means[0]).sum()), float(np.abs(noise).sum())]


def nearby(mixture: Any) -> int:
    """Return 1 near the first mean of three records, −1 near that of four, 0 far from both."""
    three, four = np.zeros(HIGH), np.zeros(HIGH)
    three[0], four[0] = -1.0, -0.5
    gaps = [float(np.linalg.norm(mixture.means[0] - centre)) for centre in (three, four)]
    if min(gaps) > NEAR:
        return 0
    return 1 if gaps[0] < gaps[1] else -1


EQUAL: dict[str, Any] = {
    "read": sizes,
    "data": lambda first: (np.zeros((8, WIDE)), [0] * first + [1] * (8 - first)),
    "pair": (5, 4),
    "runs": 400,
}
SINGULAR: dict[str, Any] = {
    "read": nearby,
    "data": lambda first: (MOVED, [0] * first + [1] * (7 - first)),
    "pair": (3, 4),
    "runs": 1000,
}
MIXTURES = {
    "mixture": Published(
        PublishedMixture(1, DELTA, grid=1, rounds=1, divergence="expected"),
        parameters,
        lambda labels: (FEATURES, labels),
        (LABELS, FLIPPED),
        150,
    ),
    "Laplace by class sizes": Published(LaplaceMixture(1, bound=1, ridge=RIDGE), **EQUAL),
    "Gaussian by class sizes": Published(
        IndependentGaussian(1, PAPER, bound=1, ridge=RIDGE), **EQUAL
    ),
    "coloured Gaussian": Published(
        ColouredGaussian(1, PAPER, bound=1),
        lambda mixture: abs(float(mixture.means[0, 0])),
        lambda first: (ON_A_LINE, [0] * first + [1] * (7 - first)),
        (4, 3),
        200,
    ),
    "noise on a line": Published(SingularGaussian("ln(3)", PAPER, bound=1), **SINGULAR),
    "noise on a line, public sizes": Published(
        SingularGaussian("ln(3)", PAPER, bound=1, calibration="public"), **SINGULAR
    ),
}

# ------------------------------------------------------------------------- modes
FAR = np.linspace(2.5, 3.5, 1999)[:, None]


def beside_far_ones(place: float) -> Any:
    """Return one record near the start at 0, which alone decides where the ascent goes."""
    return np.vstack([FAR, [[place]]])


def flipped(mechanism: Callable[..., Any], batch: int, records: int, unit: float) -> Published:
    """Return Algorithm 1 on records at 0, one of which turns the clipped score of a start round.

    The three starts are so near to each other that their noise is nearly the same. What is looked
    at is how far the middle one moves against the mean of the others; the floor of the density
    makes steps so short that the starts stay apart.
    """
    pool = saturated(batch)
    starts = unit * np.array([[float(start)] for start in pool.starts])
    settings = {"clip": float(pool.clip) / unit**2, "bandwidth": unit, "anchor_share": 0.01}

    def read(modes: Any) -> float:
        moved = np.sort(modes[:, 0]) - starts[:, 0]
        return float(moved[1] - (moved[0] + moved[2]) / 2) / unit * 1e9

    others = np.zeros((records - 1, 1))
    return Published(
        mechanism(**settings, draws=3, candidates=starts),
        read,
        lambda place: np.vstack([others, [[unit * place]]]),
        (1.0, -1.0),
        100,
    )


MODES = {
    "modes": flipped(
        lambda **given: PublishedModes(
            1,
            DELTA,
            floor=0.5,
            modes=3,
            rounds=1,
            batch=50_000,
            step=1e-9,
            suppression=1e-9,
            **given,
        ),
        50_000,
        50_000,
        1.0,
    ),
    "modes, as programmed": Published(
        PublishedModesCode(1, DELTA, modes=1, candidates=[[0.0]]),
        lambda modes: float(modes[0, 0]),
        beside_far_ones,
        (0.12, -0.12),
        600,
    ),
    "clusters, as programmed": Published(
        PublishedModalClusteringCode(1, DELTA, clusters=1, candidates=[[0.0]]),
        lambda centres: float(centres[0, 0]),
        beside_far_ones,
        (0.12, -0.12),
        600,
    ),
    "regression": Published(  # beside one record near the start, the others' shares vanish
        PublishedModalRegression(1, DELTA, candidates=[0.0]),
        lambda branches: float(branches.responses.mean()),
        lambda response: (np.zeros((100, 1)), [5.0] * 99 + [response]),
        (0.05, 5.0),
        300,
    ),
}
LARGE = 200_000  # records: a minibatch has one in twelve of them
CLUSTERS = flipped(
    lambda **given: PublishedModalClustering(2, DELTA, floor=1e5, clusters=3, **given),
    math.ceil(LARGE / math.log(LARGE)),
    LARGE,
    1e4,
)
PUBLISHED = {**MIXTURES, **MODES}
AUDITED = {type(each.mechanism) for each in (*PUBLISHED.values(), CLUSTERS)}


@pytest.mark.parametrize("name", PUBLISHED)
def test_runs_refute_what_is_claimed(audited: Any, claim_of: Any, name: str) -> None:
    published = PUBLISHED[name]
    claim = claim_of(published.mechanism.claimed)
    result = audited(published.release, published.pair, claim, published.runs)
    assert result.refuted, str(result)
    assert result.p_value <= 1 - result.confidence


@pytest.mark.slow
def test_runs_refute_what_clusters_claim(audited: Any, claim_of: Any) -> None:
    """Its minibatches and rounds are not to be chosen: the excess is smaller, the data larger."""
    claim = claim_of(CLUSTERS.mechanism.claimed)
    assert audited(CLUSTERS.release, CLUSTERS.pair, claim, runs=400).refuted


@pytest.mark.parametrize("name", [*PUBLISHED, "clusters"])
def test_no_guarantee_is_given_and_the_ledger_says_why(name: str) -> None:
    mechanism = {**PUBLISHED, "clusters": CLUSTERS}[name].mechanism
    assert mechanism.guarantee is None
    known = registry.claims()
    assert mechanism.refuted_by
    assert all(str(known[claim].verdict) == "refuted" for claim in mechanism.refuted_by)
