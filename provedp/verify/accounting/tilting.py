"""Composed privacy losses on a grid, tilted so that the error of δ is relative to δ.

For a loss L on a grid, K(θ) = ln E e^(θL), and the tilted law t(l) = f(l) e^(θl − K(θ)), a sum of
independent losses has the law f*(l) = e^(ΣK − θl) t*(l), and

    δ(ε) = P(L = ∞) + e^(ΣK − θε) Σ_{l > ε} t*(l) v(l),   v(l) = e^(−θ(l − ε)) (1 − e^(ε − l)).

t* comes from one Fourier transform of length N for each loss. Three errors are added:

- what t* has outside the N points that are looked at, by Chernoff's bound, times the maximum of v;
- that of the transforms. Let ‖·‖ be the root of the sum of squares. Each of the log₂ N stages of a
  transform of length N = 2^j errs by at most STAGE units relative to the norm, as for any fast
  transform whose roots of unity are right to a few units (Higham, Accuracy and Stability of
  Numerical Algorithms, Theorem 24.2); a product of two complex numbers by less than PRODUCT units.
  As no coefficient of a law exceeds 1, t* errs by at most Σ T (STAGE log₂ N + PRODUCT) ‖t‖ units in
  the norm, and the sum above by ‖v‖ times that;
- relative ones of the masses and of exponential functions, which all rounds raise to a power.

That numpy's transform and scipy's normal law keep these bounds is taken from how they are written,
not proved. θ is near the saddle point of ε, where e^(ΣK − θε) is δ up to a small factor.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provedp.theory.arrays import Floats
from provedp.verify.accounting.rounding import UNIT, Rounded

STAGE = 10.0  # 1 for a sum, 2√2 for a product, 4 for a root of unity, and 2 for products of errors
PRODUCT = 3.0  # √5 for a complex product, rounded up
OUTSIDE = (1e-15, 1e-9, 1e-5, 1e-2)  # tilted mass that a transform may leave out on either side
SHORTEST, LONGEST = (
    1 << 10,
    1 << 21,
)  # of a transform; beyond, δ is bounded by Chernoff's bound alone
BINS = 200  # for each factor e of the loss, in the law from which tilts are chosen; any is valid
STEPS = 500  # of the ladder of tilts
SMALLER = 16.0  # by which a tilt is divided that was chosen badly
RUNG = 2.5  # standard deviations between the means of neighbouring tilts
FACTORS = tuple(1.7**j for j in range(-26, 10))  # of 1/(standard deviation), for Chernoff's λ
CHERNOFF_MARGIN = 1e-9  # for the rounding of K, which is many digits below it
LEAST_TILTED = 1e-30  # tilted mass at a point below which its relative error does not count
LEAST = 1e-300  # stands for 0 where a logarithm is taken
LEAST_LOG, FARTHEST_LOG = -740.0, 700.0  # of a positive float
MOST_RELATIVE = 0.01  # beyond which relative errors are not small

Losses = Sequence[tuple[Rounded, int]]


@dataclass(frozen=True)
class Tilted:
    """The tilted law of a composed loss.

    Parameters
    ----------
    theta, log_moment
        θ ≥ 0 and ΣK(θ).
    losses, masses
        Grid points and the tilted masses there, computed.
    norm_error
        Bound on the norm of the error of the masses.
    outside
        Bound on the tilted mass elsewhere, and on what errors at single points add to it.
    relative
        Bound on the relative error of f* that the masses stand for.
    """

    theta: float
    log_moment: float
    losses: Floats
    masses: Floats
    norm_error: float
    outside: float
    relative: float

    def log_delta(self, epsilon: float, up: bool) -> float:
        """Return ln of a bound on the finite part of δ(ε); −∞ if the lower one is 0."""
        start = int(np.searchsorted(self.losses, epsilon, side="right"))
        ahead = self.losses[start:] - epsilon
        weights = np.exp(-self.theta * ahead) * -np.expm1(-ahead)
        found = float(self.masses[start:] @ weights)
        exponent = self._exponent(epsilon)
        rounding = 4 * UNIT * (abs(self.log_moment) + self.theta * abs(epsilon) + len(ahead))
        farthest = self.theta * float(ahead[-1]) if len(ahead) else 0.0
        relative = self.relative + rounding + 4 * UNIT * min(farthest, -LEAST_LOG)
        if relative > MOST_RELATIVE:
            return 0.0 if up else -math.inf
        norm = math.sqrt(float(weights @ weights))
        error = 1.01 * (norm * self.norm_error + _largest_weight(self.theta) * self.outside)
        bound = (found + error) * (1 + relative) if up else (found - error) * (1 - relative)
        return exponent + math.log(bound) if bound > 0 else -math.inf

    def is_close(self, epsilon: float, log_delta: float, up: bool) -> bool:
        """Return whether this bound is more than what any tilt of this kind has to say."""
        if not up:
            return log_delta > -math.inf
        return log_delta < min(0.0, self._exponent(epsilon) + math.log(_largest_weight(self.theta)))

    def _exponent(self, epsilon: float) -> float:
        return self.log_moment - self.theta * epsilon


def _largest_weight(theta: float) -> float:
    """Return sup v = θ^θ/(1 + θ)^(1 + θ)."""
    return math.exp(-theta * math.log1p(1 / theta)) / (1 + theta) if theta > 0 else 1.0


@dataclass(frozen=True)
class _Law:
    """One tilted loss: K(θ), the masses, their relative error, and the mass that is beyond it."""

    log_moment: float
    masses: Floats
    relative: float
    beyond: float


class Composed:
    """The loss of all rounds of all parts together, which are on one grid.

    Parameters
    ----------
    parts
        Losses of one round, and how many rounds there are of each.
    up
        Whether they are rounded up, so that δ is bounded from above.
    """

    def __init__(self, parts: Losses, up: bool) -> None:
        self.parts, self.up = parts, up
        self.grid = parts[0][0].grid
        sign = -1 if up else 1
        self.shift = sum(rounds * (loss.shift + sign * loss.loss_error) for loss, rounds in parts)
        finite = sum(rounds * math.log1p(-min(loss.infinite, 1 - UNIT)) for loss, rounds in parts)
        relative = max(loss.relative for loss, _ in parts) + 8 * UNIT
        self.infinite = -math.expm1(finite) * (1 - sign * relative)
        self._coarse = [(_coarse(loss), rounds) for loss, rounds in parts]
        self._rungs = [self._rung(0.0)]
        self._known: dict[float, Tilted] = {}

    def delta(self, epsilon: float) -> float:
        """Return a bound on δ(ε)."""
        if self.up and self.infinite >= 1:
            return 1.0
        found = self._finite_part(epsilon + self.shift)
        if found + self.infinite == 0 and self._is_beyond(epsilon + self.shift):
            return 0.0
        if self.up:
            return min(1.0, math.nextafter(found + self.infinite, math.inf))
        return max(0.0, math.nextafter(found + self.infinite, -math.inf))

    def _finite_part(self, epsilon: float) -> float:
        if self._is_beyond(epsilon):
            return 0.0
        theta = self._theta(epsilon)
        best = 0.0 if self.up else -math.inf
        for tilt in (theta, theta / SMALLER, theta / SMALLER**2, 0.0):
            found = self._known_at(tilt).log_delta(epsilon, self.up)
            best = min(best, found) if self.up else max(best, found)
            if self._known_at(tilt).is_close(epsilon, found, self.up):
                break
        return math.exp(best) if best > LEAST_LOG else 0.0

    def _is_beyond(self, epsilon: float) -> bool:
        """Return whether no finite loss is larger."""
        return epsilon >= sum(rounds * loss.last for loss, rounds in self.parts) * self.grid

    def _known_at(self, theta: float) -> Tilted:
        if theta not in self._known:
            self._known[theta] = self._tilted(theta)
        return self._known[theta]

    def reach(self, delta: float) -> float:
        """Return about the ε at which Chernoff's bound on δ(ε) is this one, to start a search."""
        aim = math.log(max(delta, LEAST))
        self._theta(0.0)
        for place in range(STEPS):
            if place == len(self._rungs):
                self._theta(math.nextafter(self._rungs[-1].mean, math.inf))
            if place == len(self._rungs):
                break
            rung = self._rungs[place]
            moment = sum(n * _log_sum(logs + rung.theta * x) for (x, logs), n in self._coarse)
            weight = math.log(_largest_weight(rung.theta))
            if rung.mean > 0 and moment - rung.theta * rung.mean + weight <= aim:
                break
        return max(self._rungs[min(place, len(self._rungs) - 1)].mean, 0.0)

    def _theta(self, epsilon: float) -> float:
        """Return the tilt of a ladder whose mean is the nearest to ε."""
        while self._rungs[-1].mean < epsilon and len(self._rungs) < STEPS:
            last = self._rungs[-1]
            if not last.deviation > self.grid / 4:
                break
            self._rungs.append(self._next(last))
        return min(self._rungs, key=lambda rung: abs(rung.mean - epsilon)).theta

    def _next(self, last: "_Rung") -> "_Rung":
        """Return a larger tilt, so near that the deviation does not grow by much."""
        step = RUNG / last.deviation
        found = self._rung(last.theta + step)
        while found.deviation * step > 2 * RUNG:
            step /= 2
            found = self._rung(last.theta + step)
        return found

    def _rung(self, theta: float) -> "_Rung":
        mean = variance = 0.0
        for (losses, logs), rounds in self._coarse:
            exponents = logs + theta * losses
            weights = np.exp(exponents - _log_sum(exponents))
            inner = float(weights @ losses)
            mean += rounds * inner
            variance += rounds * float(weights @ (losses - inner) ** 2)
        return _Rung(theta, mean, math.sqrt(variance))

    def _tilted(self, theta: float) -> Tilted:
        laws = [(_law(loss, theta), rounds) for loss, rounds in self.parts]
        log_moment = sum(rounds * law.log_moment for law, rounds in laws)
        for left_out in OUTSIDE:
            first, size = self._window(theta, left_out)
            if size <= LONGEST:
                break
        else:
            return Tilted(theta, log_moment, np.zeros(0), np.zeros(0), 0.0, 1.0, 0.0)
        masses, norm_error = self._power([law.masses for law, _ in laws], size)
        beyond = sum(rounds * law.beyond for law, rounds in laws)
        return Tilted(
            theta,
            log_moment,
            np.asarray((first + np.arange(size)) * self.grid, dtype=np.float64),
            np.maximum(np.roll(masses, -(first % size)), 0.0),
            norm_error,
            beyond + 2 * left_out,
            sum(rounds * law.relative for law, rounds in laws),
        )

    def _power(self, laws: Sequence[Floats], size: int) -> tuple[Floats, float]:
        """Return the law of the sum at indices modulo a length, and the norm of its error."""
        product = np.ones(size // 2 + 1, dtype=np.complex128)
        stages = STAGE * math.log2(size)
        norms, error = [], 0.0
        for law, (loss, rounds) in zip(laws, self.parts, strict=True):
            wrapped = np.bincount(np.arange(loss.first, loss.last + 1) % size, law, size)
            norms.append(math.sqrt(float(wrapped @ wrapped)))
            error += rounds * (stages + PRODUCT) * norms[-1]
            product *= _integer_power(np.fft.rfft(wrapped), rounds)
        masses = np.asarray(np.fft.irfft(product, size))
        return masses, 1.05 * UNIT * (error + stages * min(norms))

    def _window(self, theta: float, left_out: float) -> tuple[int, int]:
        """Return the first index and the length of a window that leaves out a mass on each side."""
        low = sum(rounds * loss.first for loss, rounds in self.parts)
        high = sum(rounds * loss.last for loss, rounds in self.parts)
        low = max(low, math.floor(self._end(theta, -1, left_out) / self.grid) - 1)
        high = min(high, math.ceil(self._end(theta, 1, left_out) / self.grid) + 1)
        size = max(SHORTEST, 1 << (high - low).bit_length())
        return low - (size - (high - low)) // 2, size

    def _end(self, theta: float, side: int, left_out: float) -> float:
        """Return a loss beyond which, to one side, there is at most this tilted mass."""

        def coarse(tilt: float) -> float:
            return sum(n * _log_sum(logs + tilt * losses) for (losses, logs), n in self._coarse)

        def fine(tilt: float) -> float:
            return sum(n * _log_sum(_exponents(loss, tilt)) for loss, n in self.parts)

        def end(log_moment: Callable[[float], float], rate: float) -> float:
            grown = log_moment(theta + side * rate) - log_moment(theta)
            return side * (grown - math.log(left_out)) / rate

        scale = 1 / max(self._rung(theta).deviation, self.grid)
        rate = min((f * scale for f in FACTORS), key=lambda rate: side * end(coarse, rate))
        found = end(fine, rate)
        return found + side * CHERNOFF_MARGIN * (1 + abs(found))


@dataclass(frozen=True)
class _Rung:
    """A tilt, and about the mean and the standard deviation of the tilted composed loss."""

    theta: float
    mean: float
    deviation: float


def _law(loss: Rounded, theta: float) -> _Law:
    exponents = _exponents(loss, theta)
    log_moment = _log_sum(exponents)
    masses = np.exp(exponents - log_moment)
    counted = masses > LEAST_TILTED
    logs = np.abs(exponents[counted] - theta * _losses(loss)[counted])
    farthest = float((theta * np.abs(_losses(loss)[counted])).max() + logs.max() + abs(log_moment))
    beyond = float(masses[~counted].sum()) + loss.middle * math.exp(min(-log_moment, FARTHEST_LOG))
    return _Law(log_moment, masses, 4 * UNIT * (2 + farthest), beyond)


def _exponents(loss: Rounded, theta: float) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(loss.probabilities) + theta * _losses(loss))


def _losses(loss: Rounded) -> Floats:
    return np.asarray(np.arange(loss.first, loss.last + 1) * loss.grid, dtype=np.float64)


def _log_sum(exponents: Floats) -> float:
    top = float(exponents.max())
    return top + math.log(float(np.exp(exponents - top).sum()))


def _coarse(loss: Rounded) -> tuple[Floats, Floats]:
    """Return about the same losses in few bins, and the logarithms of their masses.

    Bins get wider with the distance from 0, as a tilt that matters for a loss is about its inverse.
    """
    index = np.arange(loss.first, loss.last + 1)
    places = np.round(BINS * np.sign(index) * np.log1p(np.abs(index) / BINS)).astype(np.int64)
    starts = np.flatnonzero(np.diff(places, prepend=places[0] - 1))
    masses = np.add.reduceat(loss.probabilities, starts)
    sums = np.add.reduceat(loss.probabilities * _losses(loss), starts)
    return sums[masses > 0] / masses[masses > 0], np.log(masses[masses > 0])


def _integer_power(values: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """Return powers by repeated squares, whose relative error is PRODUCT units for each factor."""
    found = np.ones_like(values)
    while exponent:
        if exponent & 1:
            found *= values
        exponent >>= 1
        if exponent:
            values = values * values
    return found
