"""A box for records that have no public one, at a price: quantiles by noisy bisection."""

from collections.abc import Callable
from fractions import Fraction as Q

import numpy as np

from provedp.mechanisms.exact.gaussian_budget import root_above
from provedp.mechanisms.exact.parameters import root_below
from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.theory.arrays import Floats

COUNT_STEPS = 1 << 10  # of the lattice of noisy counts
SURE = 6  # deviations of the noise that a tail holds at least
WIDEST_TAIL = 0.25
EXPONENTS = 64  # the ends are 0 and ±2^(j/2) for |j| ≤ EXPONENTS: 2e-10 to 4e9


def box_ends() -> Floats:
    """Return the increasing numbers that an interval can end at."""
    positive = 2.0 ** (np.arange(-EXPONENTS, EXPONENTS + 1) / 2)
    return np.concatenate([-positive[::-1], [0.0], positive])


def release_box(
    points: Floats, budget: Q, tail: float, records: int | None, rng: ByteSource | None
) -> Floats:
    """Return d intervals, each cutting off about `tail` of the records at either end.

    Every question is how many records of one column are at most some number: one record moves the
    answer by at most 1, whether it is replaced, comes or goes. There are 1 + 2d ⌈log₂ K⌉ questions
    for K ends, whatever the answers, and all have the same noise.

    Parameters
    ----------
    points
        N × d finite floats.
    budget
        μ² of the whole step.
    tail
        Share of the records beyond either end, in (0, 1/4); more if the noise hides it.
    records
        Number of records, if it is public.
    rng
        A source of bytes, or None for secret noise.
    """
    noise = RoundedGaussian(box_deviation(points.shape[1], budget))

    def noisy(count: int) -> float:
        (found,) = noise.added_to([count * COUNT_STEPS], rng)
        return found / COUNT_STEPS

    return _bisected(points, noisy, float(noise.sigma) / COUNT_STEPS, tail, records)


def release_pure_box(
    points: Floats, ratio: Q, tail: float, records: int | None, rng: ByteSource | None
) -> Floats:
    """Return d intervals as `release_box` does, with (ln ratio, 0) for the whole step."""
    noise = TwoSidedGeometric(pure_box_ratio(points.shape[1], ratio))

    def noisy(count: int) -> float:
        (found,) = noise.added_to([count], rng)
        return float(found)

    return _bisected(points, noisy, noise.deviation, tail, records)


def pure_box_ratio(columns: int, ratio: Q) -> Q:
    """Return e^ε of each question about so many columns, for a product of `ratio` at most."""
    return root_below(ratio, _questions(columns))


def _bisected(
    points: Floats,
    noisy: Callable[[int], float],
    deviation: float,
    tail: float,
    records: int | None,
) -> Floats:
    """Return the intervals that noisy counts lead to, each of that standard deviation."""
    ends = box_ends()
    rounds = len(ends).bit_length()
    counted = noisy(len(points))
    total = max(counted if records is None else float(records), 1.0)
    # A tail within the noise would let one wrong answer move an end by powers of ten.
    tail = min(WIDEST_TAIL, max(tail, SURE * deviation / total))

    def first_above(column: Floats, wanted: float) -> int:
        """Return the place of the least end that at least `wanted` records do not exceed."""
        low, high = 0, len(ends) - 1
        for _ in range(rounds):
            middle = (low + high) // 2
            enough = noisy(int((column <= ends[middle]).sum())) >= wanted
            low, high = (low, middle) if enough else (min(middle + 1, high), high)
        return high

    found = []
    for column in points.T:
        left = max(first_above(column, tail * total) - 1, 0)
        right = first_above(column, (1 - tail) * total)
        found.append((ends[left], ends[max(right, left + 1)]))
    return np.array(found)


def box_deviation(columns: int, budget: Q) -> Q:
    """Return the standard deviation of the noise on the lattice of counts, for a μ² in all."""
    return root_above(Q(COUNT_STEPS**2) * _questions(columns) / budget)


def box_cost(columns: int, deviation: Q) -> Q:
    """Return μ² of all questions about so many columns, for noise of this standard deviation."""
    return _questions(columns) * (COUNT_STEPS / deviation) ** 2


def _questions(columns: int) -> int:
    return 1 + 2 * columns * len(box_ends()).bit_length()
