"""Runs of Algorithm 1 in balls: its draws are exact numbers, all else is bounded, not rounded."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import arb

from provedp.mechanisms.modes.published.ascent import rounds_of
from provedp.mechanisms.modes.published.bandwidths import silverman_bandwidth
from provedp.mechanisms.modes.published.program import PublishedModesCode
from provedp.theory import modes
from provedp.theory.arrays import Floats
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import ball
from provedp.verify.claims.modes.instances.runs import quietly
from provedp.verify.claims.modes.instances.ward import Group
from provedp.verify.ledger import as_dyadic

Merge = Callable[[Matrix], Matrix]


@dataclass(frozen=True)
class Setting:
    """What the paper leaves open for a run: h, A, p_floor; its T, m and η = h² (mean shift)."""

    bandwidth: arb
    clip: arb
    floor: arb
    rounds: int
    batch: int


def oracle(points: Floats, reference: Floats) -> Setting:
    """Return Silverman's h, half the least density at a mode, and 1.1 times a steepest slope.

    The density of one normal component falls by e^(−1/2) at a distance of 1 from its mode, where
    it is steepest; the largest slope at such places stands for all.
    """
    h = ball(as_dyadic(silverman_bandwidth(points)))
    data = exactly(points)
    sides = np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
    near = exactly((reference[:, None, :] + sides).reshape(-1, 2))
    slopes = [(row * row).sum().sqrt() for row in modes.density_gradient(near, data, h)]
    heights = modes.density(exactly(reference), data, h)
    size = len(points)
    return Setting(
        h,
        11 * _fold(slopes, arb.max) / 10,
        _fold(list(heights), arb.min) / 2,
        rounds_of(size),
        math.ceil(as_dyadic(size / math.log(size))),
    )


def exactly(points: Floats) -> Matrix:
    """Return floats as the balls of radius 0 that they are."""
    return np.array([[ball(as_dyadic(x)) for x in row] for row in points], dtype=object)


def ascended(
    program: PublishedModesCode, points: Floats, setting: Setting, budget: tuple[arb, arb]
) -> Matrix:
    """Return where Algorithm 1 leads from the starts of the program's run, with the noise of (9).

    Parameters
    ----------
    program
        The program, with the seed of its run: it gives the starts, its seed the ascent's draws.
    points
        Data, n × d.
    setting
        h, A, p_floor, T and m.
    budget
        (ε_modes, δ) as balls.
    """
    x = exactly(quietly(program.fit, points).starts_)
    rng = np.random.default_rng(program.random_state)
    n, d = points.shape
    bound = modes.joint_sensitivity(setting.bandwidth, d, setting.clip, setting.floor)
    sigma = modes.noise_scale(bound, *budget, n, setting.batch, setting.rounds)
    for _ in range(setting.rounds):
        chosen = exactly(points[rng.choice(n, setting.batch, replace=False)])
        score = modes.stabilised_score(x, chosen, setting.bandwidth, setting.clip, setting.floor)
        root = cholesky(modes.pool_correlation(x, setting.bandwidth))
        noise = sigma * (root @ exactly(rng.standard_normal((len(x), d))))
        x = x + setting.bandwidth**2 * (score + noise)
    return x


def cholesky(matrix: Matrix) -> Matrix:
    """Return the lower triangular L with L Lᵀ = `matrix`."""
    size = len(matrix)
    root = np.array([[arb(0)] * size for _ in range(size)], dtype=object)
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i, j] - (root[i, :j] * root[j, :j]).sum()
            root[i, j] = rest.sqrt() if i == j else rest / root[j, j]
    return root


def merged_within(points: Matrix, radius: arb) -> Matrix:
    """Return the mean of each group: a point and the later ones within `radius`, not yet used.

    A distance that balls leave open ends the check as undecided, as all comparisons here do.
    """
    left, means = list(range(len(points))), []
    while left:
        near = [i for i in left if _square(points[i] - points[left[0]]) <= radius**2]
        means.append(points[near].sum(axis=0) / len(near))
        left = [i for i in left if i not in near]
    return np.array(means, dtype=object)


def merged_to(points: Matrix, count: int) -> Matrix:
    """Return the means of `count` groups by Ward's linkage."""
    groups: list[Group] = [(i,) for i in range(len(points))]
    while len(groups) > count:
        pairs = [(a, b) for i, a in enumerate(groups) for b in groups[i + 1 :]]
        first, second = min(pairs, key=lambda pair: _linkage(points, *pair))
        groups = [group for group in groups if group not in (first, second)]
        groups.append(first + second)
    return np.array([points[list(group)].sum(axis=0) / len(group) for group in groups])


def error_at_least(reference: Floats, found: Matrix) -> arb:
    """Return a lower bound on (14): each point of the smaller set with its nearest in the other."""
    few, many = sorted((list(exactly(reference)), list(found)), key=len)
    total = sum((_fold([_square(a - b) for b in many], arb.min) for a in few), start=arb(0))
    return total / len(many)


def _linkage(points: Matrix, first: Group, second: Group) -> arb:
    a, b = (points[list(group)].sum(axis=0) / len(group) for group in (first, second))
    return len(first) * len(second) * _square(a - b) / (len(first) + len(second))


def _square(vector: Matrix) -> arb:
    found: arb = (vector * vector).sum()
    return found


def _fold(values: list[arb], choose: Callable[[arb, arb], arb]) -> arb:
    found = values[0]
    for value in values[1:]:
        found = choose(found, value)
    return found
