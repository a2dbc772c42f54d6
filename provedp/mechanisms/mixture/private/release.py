"""The steps of a private release: locate the classes, find their spread, refine."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as Q
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from provedp.mechanisms.counting import OptimalCount
from provedp.mechanisms.exact.gaussian_budget import budget_beside_channel, gaussian_budget
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.mechanisms.mixture.gaussian_mixture import LabelledMixture
from provedp.mechanisms.mixture.private import estimation
from provedp.mechanisms.mixture.private.channel import channel_ratio
from provedp.mechanisms.mixture.private.lattice import FEATURE_BITS, RADIUS, Frame, on_lattice
from provedp.mechanisms.mixture.private.moments import (
    NoisyMoments,
    release_distances,
    release_moments,
    release_pooled,
)
from provedp.mechanisms.mixture.private.plan import Noise, Plan, known, plan_for, planned_noise
from provedp.mechanisms.mixture.private.settings import Settings
from provedp.theory.arrays import Floats

ZERO = Q(0)
BEYOND = 20.0  # nats of noise that fit between the ends of the range on the circle of counts
WIDER = 1.2  # ball of the pooled step, in radii of the rounds, which leave some records out
USUAL_RECORDS = 1000  # that a plan is made for if their number is protected and nothing is said


@dataclass(frozen=True, eq=False)
class State:
    """What has been released so far, in coordinates u = S^(−½)(x − location).

    `uncertainty` holds a posterior covariance for each of the `centres`; `transforms` whiten the
    records about them, `radius` is that of the ball they are clipped to then, and `covariances` are
    None until second moments have been released. `seen` are these: noisy covariances, the
    deviations of their noise, and the transforms that the records went through. `common` is the
    covariance that the classes share, if it has been released.
    """

    sizes: Floats
    centres: Floats
    uncertainty: Floats
    transforms: Floats
    radius: float
    covariances: Floats | None = None
    seen: tuple[Floats, Floats, Floats] | None = None
    common: Floats | None = None


@dataclass(frozen=True, eq=False)
class Release:
    """A released mixture, and what it took.

    Parameters
    ----------
    mixture
        The mixture.
    plan
        How the budget was split.
    noise
        The noise of each step, on its lattice.
    spent
        μ² of all steps together.
    budget
        The μ² that (ε, δ) allow.
    channel
        Ratio of the optimal release of the count of the first of two classes, if that was used.
    state
        The numbers that the mixture was made from.
    """

    mixture: LabelledMixture
    plan: Plan
    noise: tuple[Noise, ...]
    spent: Q
    budget: Q
    channel: Q | None
    state: State

    @classmethod
    def of(
        cls,
        settings: Settings,
        features: Floats,
        members: NDArray[np.intp],
        rng: ByteSource | None,
    ) -> "Release":
        """Run all steps on checked data."""
        return _Steps(settings, features, members, rng).run()


class _Steps:
    """One run: the records on their lattice, and the noise spent so far."""

    def __init__(
        self,
        settings: Settings,
        features: Floats,
        members: NDArray[np.intp],
        rng: ByteSource | None,
    ):
        self.settings, self.rng = settings, rng
        self.dimension = features.shape[1]
        identity = np.eye(self.dimension)
        self.factor = identity if settings.factor is None else settings.factor
        self.inverse = np.linalg.inv(self.factor)
        self.location = np.zeros(self.dimension) if settings.location is None else settings.location
        self.reach = settings.bound * float(np.linalg.norm(self.factor, 2))
        with np.errstate(over="ignore"):
            moved = features - self.location
        points = on_lattice(moved, self.reach)
        self.points = [points[members == k] for k in range(len(settings.classes))]
        self.public_records = None if settings.adjacency == "add-remove" else len(features)

    def run(self) -> Release:
        """Return the release; the noise of all steps is fixed before any of it is drawn."""
        classes = len(self.settings.classes)
        budget = gaussian_budget(self.settings.ratio, self.settings.delta)
        records = self.public_records or self.settings.records or USUAL_RECORDS
        pooled = not self.settings.harmonic
        plan = plan_for(records, classes, self.dimension, budget, pooled=pooled)
        channel = self._channel(plan, budget)
        if channel is not None:
            budget = budget_beside_channel(self.settings.ratio, self.settings.delta, channel)
        noise = planned_noise(plan, self.settings.adjacency, budget, channel is None)
        state = self._locate(noise[0], channel)
        if plan.rounds:
            state = self._spread(state, noise[1], plan.tail)
        radius = min(WIDER * state.radius, self.settings.bound)
        for index, each in enumerate(noise[2 : 2 + len(plan.rounds)], start=1):
            state = self._refine(state, each, plan.reach if index < len(plan.rounds) else None)
        if plan.pooled:
            state = self._pool(state, noise[-1], radius)
        spent = sum((each.cost(self.settings.adjacency) for each in noise), start=ZERO)
        return Release(self._mixture(state), plan, noise, spent, budget, channel, state)

    def _channel(self, plan: Plan, budget: Q) -> Q | None:
        """Return the ratio for the count of the first of two classes whose sum is public.

        None if it would take half of ε or more: then the count has Gaussian noise.
        """
        if self.settings.adjacency != "label" or len(self.settings.classes) != 2:
            return None
        channel = channel_ratio(budget, plan.count)
        return channel if channel**2 < self.settings.ratio else None

    def _locate(self, noise: Noise, channel: Q | None) -> State:
        """Release class sizes and the sums of all records, clipped to the public ball."""
        classes, radius = len(self.points), self.settings.bound
        nowhere = np.zeros((classes, self.dimension))
        units = np.stack([np.eye(self.dimension)] * classes)
        anywhere = estimation.PRIOR_REACH * radius / np.sqrt(self.dimension)
        state = State(np.ones(classes), nowhere, units * anywhere**2, units, radius)
        found = release_moments(self._clipped(state), noise, self.rng)
        if channel is not None:
            noisy = self._two_sizes(channel)
        else:
            noisy = np.array([each.count for each in found], dtype=np.float64)
        state = replace(state, sizes=estimation.sizes(noisy, self.public_records))
        return self._moved(state, found, noise)

    def _two_sizes(self, channel: Q) -> Floats:
        """Release how many of a public number of records are in the first of two classes.

        The optimal release goes around a circle of counts: it is made wider than the range, so that
        noise does not turn an empty class into a full one, and what is outside is moved inside.
        """
        total = sum(map(len, self.points))
        margin = ceil(BEYOND / log(channel))
        circle = OptimalCount(total + 1 + 2 * margin, f"ln({channel})", first=-margin)
        first = min(max(circle.noisy(margin + len(self.points[0]), self.rng), 0), total)
        return np.array([float(first), float(total - first)])

    def _spread(self, state: State, noise: Noise, tail: float) -> State:
        """Release the histogram of distances from the centres, and a radius from it."""
        bound = self.settings.bound
        wide = replace(state, radius=2 * bound)
        cells = release_distances(self._clipped(wide), noise, self.rng)
        radius = estimation.radius_of(cells, 2 * bound, tail)
        return replace(state, radius=min(radius, bound))

    def _refine(self, state: State, noise: Noise, reach: float | None) -> State:
        """Release moments about the centres; with `reach`, whiten the records by them."""
        found = release_moments(self._clipped(state), noise, self.rng)
        moved = self._moved(state, found, noise)
        if noise.second is None:
            return moved
        noisy, spread = _scatter(found, state, float(noise.second) / RADIUS**2)
        covariances = self._covariances(state, noisy, spread)
        moved = replace(moved, seen=(noisy, spread, state.transforms))
        if reach is None:
            return replace(moved, covariances=covariances)
        whiten = [estimation.whitener(a, b) for a, b in zip(noisy, spread, strict=True)]
        return replace(
            moved,
            covariances=covariances,
            transforms=np.stack(whiten) @ state.transforms,
            radius=reach * float(np.sqrt(self.dimension)),
        )

    def _pool(self, state: State, noise: Noise, radius: float) -> State:
        """Release second moments of all classes about their centres, and what these have in common.

        About released centres they hold what these are off, which a mixture that is to be close
        from the fitted one has to hold as well.
        """
        units = np.stack([np.eye(self.dimension)] * len(self.points))
        wide = replace(state, transforms=units, radius=radius)
        found = release_pooled(self._clipped(wide), noise, self.rng)
        scale = radius**2 / float(state.sizes.sum())
        deviation = float(known(noise.second or noise.square)) / RADIUS**2 * scale
        found = found * scale
        low, high = self.settings.floor, max(radius**2, self.settings.floor)
        if noise.square is not None:
            found, deviation = found / self.dimension, deviation / self.dimension
        common = estimation.common_covariance(found, deviation, low, high)
        if noise.square is not None:
            common = common * np.eye(self.dimension)
        return replace(state, common=common)

    def _moved(self, state: State, found: Sequence[NoisyMoments], noise: Noise) -> State:
        """Return the state with its centres moved by noisy sums, as far as these are trusted."""
        scales = state.radius / state.sizes
        shifts = np.stack([each.first for each in found]) * scales[:, None]
        deviations = float(known(noise.first)) / RADIUS * scales
        centres, uncertainty = estimation.updated(
            state.centres, state.uncertainty, state.transforms, shifts, deviations
        )
        inside = estimation.within(centres, self.settings.bound)
        return replace(state, centres=inside, uncertainty=uncertainty)

    def _covariances(self, state: State, noisy: Floats, spread: Floats) -> Floats:
        """Return covariances in coordinates u from noisy ones in whitened coordinates."""
        found = []
        inverses = np.linalg.inv(state.transforms)
        for matrix, deviation, transform, inverse in zip(
            noisy, spread, state.transforms, inverses, strict=True
        ):
            least = float(np.linalg.eigvalsh(transform @ transform.T)[0]) * self.settings.floor
            high = max(state.radius**2, least)
            inside = estimation.covariance(matrix, deviation, least, high, self.settings.harmonic)
            found.append(inverse @ inside @ inverse.T)
        return np.stack(found)

    def _clipped(self, state: State) -> Sequence[Floats]:
        """Return each class's records in its frame."""
        step = self.reach / 2.0**FEATURE_BITS
        found = []
        for points, centre, transform in zip(
            self.points, state.centres, state.transforms, strict=True
        ):
            matrix = transform @ self.inverse * (step * RADIUS / state.radius)
            middle = on_lattice(self.factor @ centre, self.reach)
            found.append(Frame.of(matrix, middle).apply(points))
        return found

    def _mixture(self, state: State) -> LabelledMixture:
        settings, high = self.settings, self.settings.bound**2
        covariances = state.covariances
        if state.common is not None:
            covariances = self._beside_common(state, state.common)
        elif covariances is None:
            unseen = estimation.unseen_eigenvalue(
                settings.floor, max(state.radius**2, settings.floor), settings.harmonic
            )
            covariances = np.stack([unseen * np.eye(self.dimension)] * len(self.points))
        if not settings.harmonic and state.common is None:
            covariances = covariances + state.uncertainty
        inside = [estimation.limited(each, settings.floor, high) for each in covariances]
        released = [self.factor @ each @ self.factor.T for each in inside]
        return LabelledMixture(
            settings.classes,
            state.sizes / state.sizes.sum(),
            self.location + state.centres @ self.factor.T,
            np.stack([(each + each.T) / 2 for each in released]),
        )

    def _beside_common(self, state: State, common: Floats) -> Floats:
        """Return covariances that are the common one as far as nothing else has been seen."""
        if state.seen is None:
            return np.stack([common] * len(self.points))
        found = []
        for noisy, deviation, transform in zip(*state.seen, strict=True):
            inverse = np.linalg.inv(transform)
            about = inverse @ noisy @ inverse.T
            noise = deviation * float(np.linalg.norm(inverse, 2)) ** 2
            found.append(estimation.near(about, noise, common))
        return np.stack(found)


def _scatter(
    found: Sequence[NoisyMoments], state: State, deviation: float
) -> tuple[Floats, Floats]:
    """Return noisy covariances, in whitened coordinates, and the deviation of their noise."""
    scales = state.radius / state.sizes
    shifts = np.stack([each.first for each in found]) * scales[:, None]
    second = np.stack([each.second for each in found if each.second is not None])
    outer = np.einsum("ki,kj->kij", shifts, shifts)
    squared = state.radius * scales
    return second * squared[:, None, None] - outer, deviation * squared
