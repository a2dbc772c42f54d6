"""What several releases cost together: δ at ε and ε at δ, each as a bracket."""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx
from scipy import special

from provedp.theory.domain import Integers, Reals, check_argument, reals
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.definitions import Adjacency
from provedp.theory.privacy.functions import sqrt
from provedp.verify.accounting.dominating_pairs import DEPTHS, FARTHEST, DominatingPair
from provedp.verify.accounting.exact_composition import exact_bounds
from provedp.verify.accounting.releases import (
    FixedSizeSampledGaussian,
    Gaussian,
    Release,
    SampledWithReplacementGaussian,
)
from provedp.verify.accounting.roots import root
from provedp.verify.accounting.rounding import Rounded
from provedp.verify.accounting.tilting import Composed

Bound = Callable[[Number], float]
Parts = Sequence[tuple[Release, int]]
Pairs = Sequence[DominatingPair]

ROUNDS = Integers(1)
EPSILON = reals(0)
DELTA = reals(0, 1, open_high=True)

BITS = 128  # of the balls that closed forms are evaluated in
POINTS = 1 << 11  # grid points in a standard deviation of the composed loss, unless a grid is given
MOST_POINTS = 1 << 18  # of the loss of one round; beyond, the grid is made coarser
MOST_COMPOSED = 1 << 21  # of the range that a composed loss is likely in
SPREADS = 20  # standard deviations that a composed loss is held for
USUAL_GRID = 1e-4  # for losses without a spread; that of dp-accounting
ROUND_POINTS = 64  # at least, in a standard deviation of the loss of one round
PRECISION = 1e-12  # relative, of the ends of a bracket for ε
SMALL = 1e-12  # δ near which an ε is looked for that δ = 0 does not allow
LEAST = 1e-300  # stands for 0 where a logarithm is taken
COUNTS = 1e-6  # of δ: mass beyond what is told apart that is too much
CLOSE = 1.02  # ratio of the ends of a bracket of δ that is not looked at more closely
FARTHEST_EPSILON = 1e6  # nats, beyond which no upper bound on ε is sought


@dataclass(frozen=True)
class Accounted:
    """The privacy profile of several releases together, enclosed from both sides.

    Parameters
    ----------
    adjacency
        The inputs that are compared; None if two laws are.
    grid
        The grid of the privacy loss, whose sums are floating point; None if the profile is a closed
        form in balls or a finite sum of fractions.
    lower, upper
        Bounds on δ(ε), as functions of ε.
    at_ratio
        Both bounds as a function of a rational e^ε, where they are sums of fractions.
    start
        δ ↦ some ε from which a search for the one at δ starts.
    """

    adjacency: Adjacency | None
    grid: float | None
    lower: Bound
    upper: Bound
    at_ratio: Callable[[Fraction], tuple[Fraction, Fraction]] | None = None
    start: Callable[[float], float] = lambda delta: 1.0

    def delta(self, epsilon: Number) -> tuple[float, float]:
        """Return a lower and an upper bound on the least δ at ε (in nats, at least 0).

        Raises
        ------
        ValueError
            If ε is negative or not a finite number.
        """
        return self.lower(_read("epsilon", EPSILON, epsilon)), self.delta_upper(epsilon)

    def delta_upper(self, epsilon: Number) -> float:
        """Return the upper bound alone, which takes half the time when it is first asked for."""
        return self.upper(_read("epsilon", EPSILON, epsilon))

    def epsilon(self, delta: Number) -> tuple[float, float]:
        """Return a lower and an upper bound on the least ε ≥ 0 at δ, which may be infinite.

        Raises
        ------
        ValueError
            If δ is outside [0, 1).
        """
        target = _read("delta", DELTA, delta)
        low, high = float_below(target), -float_below(-target)
        if high == 0 and self.grid is not None:
            return self._pure()
        start = self.start(max(low, LEAST))
        return _crossing(self.lower, high, start)[0], _crossing(self.upper, max(low, 0.0), start)[1]

    def _pure(self) -> tuple[float, float]:
        """Return bounds on ε at δ = 0, of which the upper one is finite if all losses are."""
        start = self.start(SMALL)
        tried = (start, 0.9 * start, start / 2)
        low = next((each for each in tried if self.lower(each) > 0), 0.0)
        if self.upper(FARTHEST_EPSILON) > 0:
            return low, math.inf
        return low, _crossing(self.upper, 0.0, start)[1]


def compose(parts: Parts, grid: float | None = None, enough: float = 0.0) -> Accounted:
    """Return the profile of all rounds of all parts together, also if they are chosen adaptively.

    Closed forms are used where there is one: all Gaussian noise together is one Gaussian with
    μ = √(Σ T μ²), one round has its own, and few rounds of finite laws are summed as fractions.
    Otherwise the losses are rounded up and down to a
    grid and composed by Fourier transforms of their tilted laws (`tilting`), so that the error of δ
    is relative to δ.

    Parameters
    ----------
    parts
        Pairs of a release and how many rounds of it there are, all for one adjacency. Releases of
        two laws whose adjacency is None are for that of the others.
    grid
        Step of the grid in nats; chosen from the spread of the composed loss if it is None.
    enough
        δ below which bounds need not be close.

    Returns
    -------
    The profile, for all adjacent inputs of the releases' adjacency.

    Raises
    ------
    ValueError
        If there are no parts, a number of rounds is not an integer ≥ 1, the releases compare
        different inputs, or the grid is not positive.

    >>> both = compose([(Gaussian(0.5), 3), (Gaussian(0.5), 1)])
    >>> both.grid is None, [round(end, 14) for end in both.delta(1)]
    (True, [0.12693673750664, 0.12693673750664])
    """
    adjacency = _common_adjacency(parts)
    for _, rounds in parts:
        check_argument("privacy.compose", "rounds", ROUNDS, rounds)
    if grid is not None:
        check_argument("privacy.compose", "grid", reals(0, 1, open_low=True), grid)
    merged = _merged(parts)
    exact = exact_bounds(parts) if grid is None else None
    if exact is not None:
        return Accounted(adjacency, None, exact.lower, exact.upper, exact.at)
    if len(merged) == 1 and merged[0][1] == 1:
        return _closed(merged[0][0], adjacency)
    step = grid or usual_grid(parts)
    composed = functools.cache(functools.partial(_composed, merged, step))
    lower = functools.partial(_bound, composed, merged, False, enough)
    upper = functools.partial(_bound, composed, merged, True, enough)
    return Accounted(
        adjacency,
        step,
        lower,
        upper if grid is not None else _sharpened(lower, upper, merged, step),
        start=lambda delta: max(way.reach(delta) for way in composed(True, FARTHEST)),
    )


def _sharpened(lower: Bound, upper: Bound, parts: Parts, grid: float) -> Bound:
    """Return the better of an upper bound and of that from pairs for several rounds at once.

    These take seconds, so that they are asked only where the bracket is wide.
    """
    if not any(_in_blocks(*part) for part in parts):
        return upper
    pairs = [
        each
        for release, rounds in parts
        for each in _in_blocks(release, rounds) or [(release.uppers, rounds)]
    ]

    @functools.cache
    def composed() -> list[Composed]:
        return [Composed(way, True) for way in _upper_ways(pairs, grid, FARTHEST)]

    def best(epsilon: Number) -> float:
        found = upper(epsilon)
        if found <= CLOSE * lower(epsilon):
            return found
        at = float_below(epsilon)
        return min(found, max(way.delta(at) for way in composed()))

    return best


def _in_blocks(release: Release, rounds: int) -> list[tuple[Pairs, int]]:
    """Return pairs for several rounds of a release at once, if there are such."""
    if not isinstance(release, (FixedSizeSampledGaussian, SampledWithReplacementGaussian)):
        return []
    return [((pair,), times) for pair, times in release.blocks(rounds)]


def _common_adjacency(parts: Parts) -> Adjacency | None:
    if not parts:
        raise ValueError("There are no releases to compose.")
    known = {release.adjacency for release, _ in parts} - {None}
    if len(known) > 1:
        names = " and ".join(sorted(str(each) for each in known))
        raise ValueError(f"The releases compare different inputs: {names}.")
    return known.pop() if known else None


def _merged(parts: Parts) -> list[tuple[Release, int]]:
    """Return the parts with all unsampled Gaussian noise as one round."""
    noise = [(release.mu, rounds) for release, rounds in parts if isinstance(release, Gaussian)]
    others = [part for part in parts if not isinstance(part[0], Gaussian)]
    if not noise:
        return others
    with ctx.workprec(BITS):
        square = sum((rounds * ball(mu) ** 2 for mu, rounds in noise), start=arb(0))
        return [(Gaussian(sqrt(square)), 1), *others]


Depths = Callable[[bool, float], list[Composed]]


def _composed(parts: Parts, grid: float, up: bool, far: float) -> list[Composed]:
    """Return the composed loss of each consistent choice of pairs, told apart up to a depth."""
    step = max(grid, _span(parts, far) / MOST_POINTS)
    return [Composed(way, up) for way in _ways(parts, step, up, far)]


def _bound(composed: Depths, parts: Parts, up: bool, enough: float, epsilon: Number) -> float:
    """Return a bound on δ(ε).

    If δ is so small that the mass beyond what is told apart might count, more is told apart, on a
    grid that may be coarser: the best bound is returned.
    """
    at = float_below(epsilon) if up else -float_below(-epsilon)  # a smaller ε has a larger δ
    rounds = sum(each for _, each in parts)
    found = 1.0 if up else 0.0
    for far in DEPTHS:
        now = max(way.delta(at) for way in composed(up, far))
        found = min(found, now) if up else max(found, now)
        if rounds * float(special.ndtr(-far)) <= COUNTS * max(found, enough):
            break
    return found


def _ways(parts: Parts, grid: float, up: bool, far: float) -> list[list[tuple[Rounded, int]]]:
    """Return, for each consistent choice of one pair from each release, the rounded losses."""
    if up:
        return _upper_ways([(release.uppers, rounds) for release, rounds in parts], grid, far)
    return _consistent(
        [([pair.down(grid, far) for pair in release.lowers], rounds) for release, rounds in parts]
    )


def _upper_ways(
    pairs: Sequence[tuple[Pairs, int]], grid: float, far: float
) -> list[list[tuple[Rounded, int]]]:
    return _consistent([([pair.up(grid, far) for pair in each], rounds) for each, rounds in pairs])


def _consistent(choices: Sequence[tuple[list[Rounded], int]]) -> list[list[tuple[Rounded, int]]]:
    ways = max(len(losses) for losses, _ in choices)
    return [
        [(losses[way % len(losses)], rounds) for losses, rounds in choices] for way in range(ways)
    ]


def usual_grid(parts: Parts) -> float:
    """Return a step that resolves the spread of the composed loss and keeps its length bounded."""
    merged = _merged(parts)
    pairs = [(pair, rounds) for release, rounds in merged for pair in release.uppers]
    spread = math.sqrt(sum(rounds * pair.spread**2 for pair, rounds in pairs))
    finest = max(_span(merged, FARTHEST) / MOST_POINTS, SPREADS * spread / MOST_COMPOSED)
    wanted = min(spread / POINTS, min(pair.spread for pair, _ in pairs) / ROUND_POINTS)
    return max(wanted, finest) or USUAL_GRID


def _span(parts: Parts, far: float) -> float:
    return max(pair.span(far) for release, _ in parts for pair in release.uppers)


def _closed(release: Release, adjacency: Adjacency | None) -> Accounted:
    def delta(epsilon: Number) -> arb:
        with ctx.workprec(BITS):
            return ball(release.delta(epsilon))

    return Accounted(
        adjacency,
        None,
        lambda epsilon: _outward(delta(epsilon).lower(), -math.inf),
        lambda epsilon: _outward(delta(epsilon).upper(), math.inf),
    )


def _outward(exact: arb, towards: float) -> float:
    nearest = float(exact)
    moved = nearest if arb(nearest) == exact else math.nextafter(nearest, towards)
    return min(max(moved, 0.0), 1.0)


def _read(name: str, allowed: Reals, value: Number) -> Number:
    read: Number = check_argument("privacy.Accounted", name, allowed, value)
    return read


def float_below(value: Number) -> float:
    """Return a float that is at most a number (at most the lower end of a ball), and close."""
    least = ball(value).lower() if not isinstance(value, float) else arb(value)
    nearest = float(least)
    return nearest if arb(nearest) <= least else math.nextafter(nearest, -math.inf)


def _crossing(bound: Bound, delta: float, start: float) -> tuple[float, float]:
    """Return the ends of a short interval: the bound exceeds δ at the first, not at the second."""
    if bound(0.0) <= delta:
        return 0.0, 0.0
    low, high = 0.0, start or 1.0
    while bound(high) > delta:
        low, high = high, 2 * high
        if low > FARTHEST_EPSILON:
            return low, math.inf
    aim = math.log(max(delta, LEAST))

    def sign(at: float) -> float:
        """Return the sign of bound − δ, −1 if they are equal; their logarithms alone may be."""
        value = bound(at)
        return math.log(max(value, LEAST)) - aim or (1.0 if value > delta else -1.0)

    place = root(sign, low, high)
    step = PRECISION * place
    while bound(max(place - step, 0.0)) <= delta or bound(place + step) > delta:
        step *= 2
    return max(place - step, 0.0), place + step
