"""The least Gaussian noise for a target over several rounds, on all records or on samples."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from provedp.theory.domain import Choice, Integers, check_argument
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.calibration import (
    EPSILON,
    FIRST_BITS,
    GAUSSIAN_DELTA,
    MOST_BITS,
    SENSITIVITY,
)
from provedp.theory.privacy.definitions import Adjacency
from provedp.theory.privacy.functions import exp, log
from provedp.theory.privacy.noise.least_gaussian import (
    classical_epsilon_limit,
    classical_sigma,
    gaussian_sigma,
    least_sigma_of_rounds,
)
from provedp.theory.privacy.sampling.mixtures import RATE, component_ratio
from provedp.theory.privacy.sampling.replacement import replacement_rate
from provedp.verify.accounting.composition import (
    BITS,
    ROUNDS,
    Accounted,
    compose,
    float_below,
    usual_grid,
)
from provedp.verify.accounting.releases import (
    FixedSizeSampledGaussian,
    Gaussian,
    PoissonSampledGaussian,
    Release,
    SampledWithReplacementGaussian,
)
from provedp.verify.accounting.roots import root

WHERE = "privacy.least_gaussian_noise"
SAMPLED_ROUNDS = Integers(1, 1_000_000)  # of which the losses still compose within a few seconds
CONSTANT = Fraction(5, 4)  # of the classical Gaussian mechanism
PRECISION = 1e-6  # relative, of σ where it comes from a bracket; the next smaller is not ruled out
COARSEST, COARSER = 16, (4, 1)  # times the usual grid: for a first guess, and for better ones
ROUGH = 1e-3  # what the first guess of ln σ is off by, about
FIRST_STEP = 0.1  # of ln σ, around a first guess
SECANTS = 6  # more are not needed, since ln δ is nearly a line in ln σ there
FARTHEST = 10.0  # of ln σ above the noise that is enough without sampling
WITHOUT_REPLACEMENT = "without-replacement"
SAMPLINGS: dict[str, Callable[[Number, Number], Release]] = {
    WITHOUT_REPLACEMENT: FixedSizeSampledGaussian,
    "poisson": PoissonSampledGaussian,
}
WITH_REPLACEMENT = "with-replacement"


@dataclass(frozen=True)
class Request:
    """A target (ε, δ) for all rounds together, and how the noise is used.

    Each round is about all records, or about a sample: `rate` is the share of the records in it,
    or `draws` is (m, n) for m draws with replacement out of n records.
    """

    epsilon: Number
    delta: Number
    sensitivity: Number
    rounds: int = 1
    rate: Number | None = None
    sampling: str = WITHOUT_REPLACEMENT
    draws: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        ranges = {"epsilon": EPSILON, "delta": GAUSSIAN_DELTA, "sensitivity": SENSITIVITY}
        for name, allowed in ranges.items():
            check_argument(WHERE, name, allowed, getattr(self, name))
        rounds = SAMPLED_ROUNDS if self.is_sampled else ROUNDS
        check_argument(WHERE, "rounds", rounds, self.rounds)
        choice = Choice((*SAMPLINGS, WITH_REPLACEMENT))
        check_argument(WHERE, "sampling", choice, self.sampling)
        if self.rate is not None:
            check_argument(WHERE, "rate", RATE, self.rate)
        if self.draws is not None:
            SampledWithReplacementGaussian(1, *self.draws)
        if self.sampling != WITHOUT_REPLACEMENT and not self.is_sampled:
            raise ValueError(f"Sampling {self.sampling} needs a share of the records in a sample.")
        unused = self.draws if self.sampling != WITH_REPLACEMENT else self.rate
        if unused is not None:
            raise ValueError(f"Draws (m, n) are for sampling {WITH_REPLACEMENT}, a rate is not.")

    @property
    def adjacency(self) -> Adjacency | None:
        """The inputs that are compared; None if it is those that the sensitivity is about."""
        return self.accounted(1.0).adjacency if self.is_sampled else None

    @property
    def share(self) -> Number:
        """The share of the records in the sample of a round; 1 without sampling."""
        return 1 if self.rate is None else self.rate

    @property
    def is_sampled(self) -> bool:
        """Whether each round is about a sample."""
        return self.rate is not None or self.draws is not None

    def accounted(self, sigma: float, coarser: int = 1) -> Accounted:
        """Return the profile of all rounds together at this σ, on the usual or a coarser grid."""
        with ctx.workprec(BITS):
            mu = ball(SENSITIVITY.read(self.sensitivity)) / ball(sigma)
        if not self.is_sampled:
            return compose([(Gaussian(mu), self.rounds)])
        parts = [(self._sampled(mu), self.rounds)]
        return compose(parts, coarser * usual_grid(parts), enough=float_below(self.delta))

    def _sampled(self, mu: Number) -> Release:
        if self.draws is not None:
            return SampledWithReplacementGaussian(mu, *self.draws)
        return SAMPLINGS[self.sampling](mu, self.share)


@dataclass(frozen=True)
class Noise:
    """Noise that meets a target.

    Parameters
    ----------
    sigma
        Standard deviation that meets the target: certified, or given what `tilting` assumes of
        floating-point functions where δ comes from a grid.
    delta
        Lower and upper bound on δ(ε) there; the upper one is at most the target.
    is_least
        Whether the next smaller float is certified to miss the target.
    """

    sigma: float
    delta: tuple[float, float]
    is_least: bool


def least_gaussian_noise(request: Request) -> Noise:
    """Return the least Gaussian noise that meets the target over all rounds.

    One Gaussian with sensitivity √T · sensitivity stands for T rounds on all records; one round on
    a sample is δ_μ(ln(1 + (e^ε − 1)/q)) ≤ δ/q. Both are exact. Several rounds on samples, and
    samples with replacement, are bounded by the upper end of the bracket of `accounting`.

    Raises
    ------
    ValueError
        If samples alone meet the target, or δ is smaller than what the accounting resolves.
    """
    if not request.is_sampled:
        return _exact(request, _on_all(request))
    _refuse_if_free(request)
    if request.rounds == 1 and request.draws is None:
        return _one_sample(request)
    return _bounded(request)


def classical_noise(request: Request) -> tuple[float | None, bool | None]:
    """Return the classical σ with (ε/T, δ/T) a round, on all records, and whether it is private.

    None if ε = 0, where the formula is not defined. It is the sufficient condition of basic
    composition; the formula itself keeps its promise up to a certain ε/T alone.
    """
    epsilon, delta = (ball(value) / request.rounds for value in (request.epsilon, request.delta))
    if not epsilon > 0:
        return None, None
    sigma = classical_sigma(epsilon, delta, request.sensitivity, CONSTANT)
    limit = classical_epsilon_limit(delta, CONSTANT).value
    return float(ball(sigma).upper()), bool(epsilon <= limit)


def _on_all(request: Request) -> float:
    with ctx.workprec(BITS):  # the ends of balls are rounded to it
        target = EPSILON.read(request.epsilon), GAUSSIAN_DELTA.read(request.delta)
        sensitivity = SENSITIVITY.read(request.sensitivity)
    return float(least_sigma_of_rounds(*target, sensitivity, request.rounds).value)


def _exact(request: Request, sigma: float) -> Noise:
    is_least = _misses(request, math.nextafter(sigma, 0))
    return Noise(sigma, request.accounted(sigma).delta(request.epsilon), is_least)


def _misses(request: Request, sigma: float) -> bool:
    """Return whether σ certainly misses the target, whatever numbers the balls stand for."""
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            reach = ball(request.sensitivity) * ball(request.rounds).sqrt()
            one = PoissonSampledGaussian(reach / ball(sigma), request.share)
            found, target = ball(one.delta(request.epsilon)), ball(request.delta)
            if found > target:
                return True
            if found <= target:
                return False
        bits *= 2
    return False


def _refuse_if_free(request: Request) -> None:
    rate = ball(request.share) if request.draws is None else _rate_of_draws(*request.draws)
    ever = 1 - (1 - rate) ** request.rounds
    if not ever > ball(request.delta):
        raise ValueError(
            f"A record is ever in a sample with probability {float(ever.mid()):.6g}, which is no "
            f"more than δ: samples meet the target without noise."
        )


def _rate_of_draws(draws: int, size: int) -> arb:
    return ball(replacement_rate(draws, ball(Fraction(1, size))))


def _one_sample(request: Request) -> Noise:
    with ctx.workprec(BITS):
        rate = ball(request.share)
        ratio = component_ratio(exp(ball(EPSILON.read(request.epsilon))), rate)
        delta = ball(GAUSSIAN_DELTA.read(request.delta)) / rate
        sigma = gaussian_sigma(log(ratio), delta, request.sensitivity).value
    return _exact(request, sigma)


def _bounded(request: Request) -> Noise:
    """Return σ from coarse grids first, each of which only says where the next one looks.

    On a finer grid σ is moved by secants, and in the end by steps until it is enough.
    """
    excess = functools.cache(functools.partial(_excess, request, COARSEST))
    low, high = _signs(excess, _central_limit(request), FIRST_STEP)
    guess = root(excess, low, high, xtol=ROUGH)
    for coarser in COARSER if request.rounds > 1 else (1,):
        guess = _moved(functools.partial(_excess, request, coarser), guess)
    found = math.exp(guess)
    return Noise(found, request.accounted(found).delta(request.epsilon), False)


def _central_limit(request: Request) -> float:
    """Return ln σ by the central limit for many small rounds, μ² = q² T (e^(1/σ²) − 1): a guess."""
    reach = float(ball(request.sensitivity))
    mu = reach / _on_all(Request(request.epsilon, request.delta, request.sensitivity))
    draws, size = request.draws or (float(ball(request.share)), 1)
    square = math.log1p((mu * size / draws) ** 2 / request.rounds)
    return math.log(reach) - math.log(square) / 2


def _excess(request: Request, coarser: int, log_sigma: float) -> float:
    """Return by how much ln δ exceeds the target at this σ."""
    accounted = request.accounted(math.exp(log_sigma), coarser)
    reached = accounted.delta_upper(request.epsilon)
    return math.log(reached / float_below(GAUSSIAN_DELTA.read(request.delta)))


def _moved(excess: Callable[[float], float], guess: float) -> float:
    """Return ln σ at which a decreasing function is not positive, about `PRECISION` too large."""
    near, step = guess, ROUGH
    at_near = excess(near)
    far = near + (step if at_near > 0 else -step)
    at_far = excess(far)
    for _ in range(SECANTS):
        slope = (at_far - at_near) / (far - near)
        if not slope < 0:
            break
        near, at_near, far = far, at_far, far - at_far / slope + PRECISION / 2
        at_far = excess(far)
        if 0 >= at_far >= PRECISION * slope:
            return far
    best, step = max(near, far), PRECISION
    while excess(best) > 0:
        best, step = best + step, 2 * step
    return best


def _signs(excess: Callable[[float], float], guess: float, step: float) -> tuple[float, float]:
    """Return points around a guess between which a decreasing function changes its sign."""
    low = high = guess
    while excess(high) > 0:
        low, high, step = high, high + step, min(2 * step, 1.0)
        if high > guess + FARTHEST:
            raise ValueError("The target δ is below the floating-point error of the accounting.")
    while excess(low) <= 0:
        low, high, step = low - step, low, min(2 * step, 1.0)
    return low, high
