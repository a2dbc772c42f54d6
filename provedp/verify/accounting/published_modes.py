"""What the program behind the modes paper's tables really spends: lower bounds on its ε and δ."""

from dataclasses import dataclass
from itertools import product
from math import comb, sqrt

import flint
import numpy as np
from flint import arb
from scipy import stats

from provedp.mechanisms.modes.published.ascent import JITTER, Schedule
from provedp.mechanisms.modes.published.bandwidths import rate_bandwidth
from provedp.mechanisms.modes.published.base import times_log
from provedp.mechanisms.modes.published.program import TINY, PublishedModesCode
from provedp.mechanisms.modes.published.regression import PublishedModalRegression
from provedp.theory.arrays import Floats
from provedp.theory.numbers import ball

PRECISION = 128
REACHES = (2.0, 3.0, 4.0, 5.0, 6.0)  # distance of the moved record from the start, in bandwidths
TAILS = (3.0, 4.0, 5.0, 6.0, 7.0, 8.0)  # that the noise hardly exceeds, in standard deviations
FAR = 1e100


@dataclass(frozen=True)
class AscentStage:
    """The ascent of the program from one public start, with a public bandwidth.

    Parameters
    ----------
    records, dimension
        n and d.
    batch, rounds
        m and T.
    bandwidth, clip, sigma
        h, C and σ.
    step
        η, by which direction and noise are multiplied.
    """

    records: int
    dimension: int
    batch: int
    rounds: int
    bandwidth: float
    clip: float
    sigma: float
    step: float = 1.0

    @property
    def deviation(self) -> float:
        """Standard deviation of all noise in one coordinate."""
        return self.step * self.sigma * sqrt(self.rounds * (1 + JITTER))

    @property
    def reach(self) -> float:
        """Length of the longest step that one record makes without noise, ηC."""
        return self.step * self.clip


def ascent_stage(model: PublishedModesCode, points: Floats) -> AscentStage:
    """Return the stage that `model` runs on `points`."""
    schedule, direction = model.ascent(points)
    n, d = points.shape
    return _stage(n, d, schedule, direction.clip)


def regression_stage(model: PublishedModalRegression, records: int) -> AscentStage:
    """Return the stage that `model` runs on n records, from a start at one public predictor."""
    schedule, direction = model.ascent(records)
    return _stage(records, 1, schedule, direction.clip)


def _stage(records: int, dimension: int, schedule: Schedule, clip: float) -> AscentStage:
    plan = schedule
    return AscentStage(
        records, dimension, plan.batch, plan.rounds, plan.bandwidth, clip, plan.sigma, plan.step
    )


def stage_epsilon_at_least(stage: AscentStage, delta: float) -> float:
    """Return a certified lower bound on ε of the ascent alone, at `delta`.

    All records are so far from the start that they do not move it, but for one of data set D at a
    distance of some h. Whenever that one is in the minibatch it moves the start by ηC towards
    itself. So the end exceeds s in that direction with probability at least

        Σ_j Bin(T, m/n)(j) Q((s − jηCc)/τ) − η

    under D, and Q(s/τ) under D′, where τ is the deviation of all noise, and the path strays so far
    that the direction's cosine is below c with probability at most η.
    """
    thresholds = stage.deviation * np.linspace(0, 30, 241)
    witnesses = []
    for reach, tail in product(REACHES, TAILS):
        there, here = _probabilities(stage, reach, tail, thresholds)
        epsilons = np.log(np.maximum(there - delta, 1e-300)) - here
        best = int(epsilons.argmax())
        witnesses.append((float(epsilons[best]), reach, tail, float(thresholds[best])))
    _, reach, tail, threshold = max(witnesses)
    return _certified(stage, delta, reach, tail, threshold)


def program_delta_at_least(model: PublishedModesCode, points: Floats) -> float:
    """Return a lower bound on δ of the whole program at its own ε, next to data set `points`.

    Let one record move to a distance of 10¹⁰⁰. The bandwidth goes with it, so clip and noise
    vanish, and all modes are averages of grid points but for some τ. With `points` itself the last
    round's noise makes that a matter of chance: the mean of g starts has density at most
    √g/(ησ √(2π)), and the starts have fewer than 2^k subsets.

    Raises
    ------
    ValueError
        If there is only one feature, for then the clip does not depend on the bandwidth, or if
        the candidates are no grid.
    """
    n, d = points.shape
    if d == 1 or model.candidates is not None:
        raise ValueError("The bound needs records with two features or more, and a grid of starts.")
    moved = points.copy()
    moved[0] = FAR
    here, there = ascent_stage(model, points), ascent_stage(model, moved)
    draws = times_log(model.draws_per_log, n)
    with flint.ctx.workprec(PRECISION):
        # A millionth covers the rounding of the program's own settings.
        moved_by = ball(there.step) * there.rounds * there.batch * ball(there.clip)
        tau = moved_by + TAILS[-1] * ball(there.deviation)
        noise = ball(here.step) * ball(here.sigma)
        density = (draws / (2 * arb.pi())).sqrt() / noise + draws / rate_bandwidth(n, d)
        by_chance = arb(2) ** draws * 2 * tau * density * (1 + ball(1e-6)) ** 2
        strays = 2 * draws * d * _upper_tail(ball(TAILS[-1]))
        least = 1 - strays - ball(model.claimed.ratio) * by_chance
        return max(0.0, float(least.lower()) * (1 - 1e-15))


def _cosine(stage: AscentStage, reach: float, tail: float) -> float:
    """Return a lower bound on the cosine, 0 if the moved record might not be clipped."""
    distance, stray = reach * stage.bandwidth, tail * stage.deviation
    ahead = distance - stage.rounds * stage.reach - stray
    if ahead <= 0:
        return 0.0
    sideways = sqrt(stage.dimension - 1) * stray
    furthest = sqrt((distance + stray) ** 2 + sideways**2)
    weight = float(np.exp(-((furthest / stage.bandwidth) ** 2) / 2))
    if weight / (weight + TINY) * ahead < stage.clip:
        return 0.0
    return ahead / sqrt(ahead**2 + sideways**2)


def _probabilities(
    stage: AscentStage, reach: float, tail: float, thresholds: Floats
) -> tuple[Floats, Floats]:
    """Return floats near the chances to exceed each threshold: under D, and its log under D′."""
    step = stage.reach * _cosine(stage, reach, tail)
    counts = np.arange(stage.rounds + 1)
    hits = stats.binom.pmf(counts, stage.rounds, stage.batch / stage.records)
    above = stats.norm.sf((thresholds[:, None] - counts * step) / stage.deviation)
    there: Floats = above @ hits - _strays(stage) * stats.norm.sf(tail)
    return there, stats.norm.logsf(thresholds / stage.deviation)


def _strays(stage: AscentStage) -> int:
    """Return how many normal tails bound the chance of straying.

    Sums of noise over all intervals of rounds bound the sideways coordinates, since moves towards
    the record only shrink them; sums from the start bound the way back and forth.
    """
    return stage.rounds * (stage.rounds + 1) * (stage.dimension - 1) + 2 * stage.rounds


def _certified(
    stage: AscentStage, delta: float, reach: float, tail: float, threshold: float
) -> float:
    """Return the lower end of the bound in ball arithmetic."""
    with flint.ctx.workprec(PRECISION):
        moved = ball(stage.step) * ball(stage.clip)
        step = moved * ball(_cosine(stage, reach, tail) * (1 - 1e-9))
        deviation = (
            ball(stage.step) * ball(stage.sigma) * (stage.rounds * (1 + ball(JITTER))).sqrt()
        )
        q = arb(stage.batch) / stage.records
        there = -_strays(stage) * _upper_tail(ball(tail) * (1 - ball(1e-9)))
        for j in range(stage.rounds + 1):
            chance = comb(stage.rounds, j) * q**j * (1 - q) ** (stage.rounds - j)
            there += chance * _upper_tail((ball(threshold) - j * step) / deviation)
        more = there - ball(delta)
        if not more > 0:
            return 0.0
        epsilon = (more / _upper_tail(ball(threshold) / deviation)).log()
        return max(0.0, float(epsilon.lower()) * (1 - 1e-12))


def _upper_tail(x: arb) -> arb:
    """Return Q(x), the normal probability above x."""
    return (x / arb(2).sqrt()).erfc() / 2
