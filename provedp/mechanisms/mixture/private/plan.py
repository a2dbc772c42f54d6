"""How a privacy budget is split over the steps of a release, by public numbers alone."""

from dataclasses import dataclass, replace
from fractions import Fraction as Q
from math import sqrt

from provedp.mechanisms.exact.gaussian_budget import root_above
from provedp.mechanisms.mixture.private.lattice import RADIUS
from provedp.theory.mixture import histogram_cost, moment_cost, pooled_cost
from provedp.theory.numbers import rational

COUNT_STEPS = 1 << 10  # of the lattice of noisy counts, for one record


@dataclass(frozen=True)
class Round:
    """Shares of the sums and of the second moments about the centres known so far."""

    first: Q
    second: Q


@dataclass(frozen=True)
class Plan:
    """Shares of the squared budget μ², which sum to one.

    Parameters
    ----------
    count
        For the class sizes.
    locate
        For the sums of all features, which give the first centres.
    spread
        For the histogram of distances from the first centres; 0 if there are no rounds.
    rounds
        Sums and second moments about the centres; between two rounds the records are whitened.
    tail
        Share of the records that the ball of the rounds may cut off.
    reach
        Radius of the ball of a second round, in units of the root of the dimension.
    pooled
        For the second moments of all classes together, about the last centres.
    whole
        Whether these are a matrix, or their trace alone.
    """

    count: Q
    locate: Q
    spread: Q
    rounds: tuple[Round, ...]
    tail: float = 0.1
    reach: float = 1.8
    pooled: Q = Q(0)
    whole: bool = False

    @property
    def total(self) -> Q:
        """Sum of all shares."""
        rounds = sum((each.first + each.second for each in self.rounds), start=Q(0))
        return self.count + self.locate + self.spread + rounds + self.pooled


def _percent(count: int, locate: int, spread: int, *rounds: int, tail: float = 0.1) -> Plan:
    pairs = zip(rounds[::2], rounds[1::2], strict=True)
    parts = tuple(Round(Q(first, 100), Q(second, 100)) for first, second in pairs)
    return Plan(Q(count, 100), Q(locate, 100), Q(spread, 100), parts, tail)


MEANS_ONLY = _percent(10, 90, 0)
# Least signal for each dimension ↦ plan. The steps were found on generated mixtures whose means
# fill a ball and whose covariances have log-uniform eigenvalues.
PLANS = (
    (0.0, MEANS_ONLY),
    (0.8, _percent(10, 40, 10, 40, 0, tail=0.2)),
    (5.0, _percent(8, 35, 7, 40, 10, tail=0.2)),
    (15.0, _percent(6, 25, 6, 38, 25)),
    (120.0, _percent(5, 10, 5, 10, 30, 20, 20, tail=0.03)),
)


# Least signal for each dimension ↦ share of the pooled step in a plan that has one.
POOLED = ((0.0, Q(1, 10)), (0.8, Q(1, 10)), (5.0, Q(1, 20)), (120.0, Q(0)))
WHOLE = 20.0  # signal of the pooled step, for each dimension, from which it is a matrix
# Where classes are small, one matrix for all of them takes the place of a matrix for each:
INSTEAD = Q(1, 5)  # its share
INSTEAD_UP_TO = 9.0  # signal of a class, for each dimension, below which it does
# The squared error of all centres goes with K², that of one matrix with d: K²/d from which the
# centres need the budget more.
INSTEAD_CLASSES = 5
INSTEAD_FROM = 4.0  # signal of all records at this share, for each dimension, from which it does


def plan_for(
    records: int, classes: int, dimension: int, budget: Q, *, pooled: bool = False
) -> Plan:
    """Return the plan for N records, K classes and d features at a squared budget μ².

    The signal is the size of a class over the noise on it if all of μ² were spent there. `pooled`
    adds a step for what the classes have in common.

    >>> plan_for(150, 3, 4, Q(1, 1000)) is MEANS_ONLY
    True
    """
    signal = records / classes * sqrt(budget / 2) / dimension
    plan = [plan for least, plan in PLANS if signal >= least][-1]
    if not pooled:
        return plan

    def together(share: Q) -> float:
        return records * sqrt(share * budget / 2) / dimension

    few = classes**2 <= INSTEAD_CLASSES * dimension
    if few and signal < INSTEAD_UP_TO and together(INSTEAD) >= INSTEAD_FROM:
        return _with_pooled(_without_seconds(plan), INSTEAD, dimension > 1)
    share = [share for least, share in POOLED if signal >= least][-1]
    whole = dimension > 1 and together(share) >= WHOLE  # of one dimension a trace says as much
    return _with_pooled(plan, share, whole) if share else plan


def _without_seconds(plan: Plan) -> Plan:
    """Return a plan whose rounds release sums alone."""
    return replace(
        plan, rounds=tuple(Round(each.first + each.second, Q(0)) for each in plan.rounds)
    )


def _with_pooled(plan: Plan, share: Q, whole: bool) -> Plan:
    """Return a plan of which one more step takes a share, and the others what is left."""
    left = 1 - share
    rounds = tuple(Round(left * each.first, left * each.second) for each in plan.rounds)
    return replace(
        plan,
        count=left * plan.count,
        locate=left * plan.locate,
        spread=left * plan.spread,
        rounds=rounds,
        pooled=share,
        whole=whole,
    )


def known(deviation: Q | None) -> Q:
    """Return a standard deviation; raise `ValueError` if it is that of what is not released."""
    if deviation is None:
        raise ValueError("This has no noise: it is not released.")
    return deviation


@dataclass(frozen=True)
class Noise:
    """Standard deviations of noise on lattices: on counts, sums and second moments.

    `second` is that of a diagonal entry, `across` that of an entry beside the diagonal, at least
    `second`/√2 (which counts twice in the Frobenius norm). None for what is not released. With
    `pooled` the second moments are those of all classes together; `square` is on their trace.
    """

    count: Q | None = None
    first: Q | None = None
    second: Q | None = None
    square: Q | None = None
    pooled: bool = False

    @property
    def across(self) -> Q:
        """Standard deviation of entries beside the diagonal of second moments."""
        return root_above(known(self.second) ** 2 / 2)

    def cost(self, adjacency: str) -> Q:
        """Return μ² of this release: an upper bound on Σ (change/σ)² for one record."""
        count = _part(COUNT_STEPS, self.count)
        if self.pooled:
            parts = _part(RADIUS**2, self.square), _part(RADIUS**2, self.second)
            return rational(pooled_cost(adjacency, *parts))
        if self.first is None and self.second is None:
            return rational(histogram_cost(adjacency, count))
        first, second = _part(RADIUS, self.first), _part(RADIUS**2, self.second)
        return rational(moment_cost(adjacency, count, first, second))


def noise_for(adjacency: str, count: Q, first: Q, second: Q) -> Noise:
    """Return noise whose μ² is at most count + first + second, in this split where it can be.

    Under 'replace-one' a count costs nothing beside sums of as much noise, since no record both
    moves within its class and changes its size.
    """
    if adjacency == "replace-one":
        together = (count + first) / 4
        return _noise(together if count else Q(0), together, second / 2)
    parts = 1 if adjacency == "add-remove" else 2
    return _noise(count / parts, first / parts, second / parts)


def planned_noise(plan: Plan, adjacency: str, budget: Q, counts: bool) -> tuple[Noise, ...]:
    """Return the noise of all steps, in order, fixed before any of it is drawn.

    Parameters
    ----------
    plan
        The shares; the budget is split among those that are used.
    adjacency
        'label', 'replace-one' or 'add-remove'.
    budget
        μ² of all steps together.
    counts
        Whether class sizes are among them; else they are released otherwise.

    Raises
    ------
    ArithmeticError
        If the steps cost more than the budget, which their rounding excludes.
    """
    unit = budget / (plan.total if counts else plan.total - plan.count)
    found = [noise_for(adjacency, plan.count * unit if counts else Q(0), plan.locate * unit, Q(0))]
    if plan.rounds:
        found.append(histogram_noise(adjacency, plan.spread * unit))
    found += [
        noise_for(adjacency, Q(0), each.first * unit, each.second * unit) for each in plan.rounds
    ]
    if plan.pooled:
        found.append(pooled_noise(adjacency, plan.pooled * unit, whole=plan.whole))
    spent = sum((each.cost(adjacency) for each in found), start=Q(0))
    if spent > budget:
        raise ArithmeticError(f"The steps cost μ² = {spent}, more than the budget {budget}.")
    return tuple(found)


def histogram_noise(adjacency: str, share: Q) -> Noise:
    """Return noise for a histogram whose μ² is at most `share`."""
    return _noise(share if adjacency == "add-remove" else share / 2, Q(0), Q(0))


def pooled_noise(adjacency: str, share: Q, *, whole: bool) -> Noise:
    """Return noise for second moments of all classes, or their trace, of μ² at most `share`."""
    if not whole:
        return Noise(square=_deviation(RADIUS**2, share), pooled=True)
    part = share / (1 if adjacency == "add-remove" else 2)
    return Noise(second=_deviation(RADIUS**2, part), pooled=True)


def _noise(count: Q, first: Q, second: Q) -> Noise:
    """Return the noise with n = count, a = first and b = second, rounded towards privacy."""
    return Noise(
        _deviation(COUNT_STEPS, count), _deviation(RADIUS, first), _deviation(RADIUS**2, second)
    )


def _deviation(size: int, part: Q) -> Q | None:
    return root_above(size**2 / part) if part > 0 else None


def _part(size: int, deviation: Q | None) -> Q:
    return Q(0) if deviation is None else (size / deviation) ** 2
