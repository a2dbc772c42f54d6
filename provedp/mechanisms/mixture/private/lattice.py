"""Records on a lattice, moved and clipped so that each record's part in a sum is exactly bounded.

Every step is either exact in floats (sums and products of integers below 2⁵³, in any order) or a
function of one record alone, so what a record contributes does not depend on the others: not even
in the last bit, as it may where a library multiplies matrices of rounded numbers block by block.
"""

from dataclasses import dataclass

import numpy as np

from provedp.theory.arrays import Floats

EXACT_BITS = 53  # integers up to 2⁵³ are floats
FEATURE_BITS = 24  # the features' lattice has steps of 2⁻²⁴ of their range
RADIUS_BITS = 18
RADIUS = 1 << RADIUS_BITS  # of the ball that clipped records lie in
FAR = 8 * RADIUS  # coordinates beyond are moved here first, so that squares stay exact
DIMENSIONS = 1 << (EXACT_BITS - 2 * (RADIUS_BITS + 3) - 1)  # d · FAR² < 2⁵³
SHRINK = 1 - 2.0**-50  # makes up for the roundings of a square root, a quotient and a product
CHUNK = 1 << (EXACT_BITS - 2 * RADIUS_BITS)  # records whose squares sum to at most 2⁵³


def on_lattice(features: Floats, reach: float) -> Floats:
    """Return ⌊x 2²⁴/reach⌋ towards zero, for |x| ≤ 2 reach; coordinates beyond are moved there.

    Parameters
    ----------
    features
        Array of floats.
    reach
        Public bound on what matters of a coordinate, positive.
    """
    step = 2.0**FEATURE_BITS / reach
    limit = 2.0 ** (FEATURE_BITS + 1)
    with np.errstate(over="ignore"):  # what overflows is clipped, without a word about it
        whole: Floats = np.trunc(np.clip(features * step, -limit, limit))
    return whole


@dataclass(frozen=True, eq=False)
class Frame:
    """The map x ↦ clip(A (x − c)) from the features' lattice into a ball of radius 2¹⁸.

    Parameters
    ----------
    matrix
        d × d array of integers A 2^shift, as floats; each row's sizes sum to less than 2²⁶.
    shift
        How many bits of `matrix` lie behind the point.
    centre
        Lattice point c, d integers of size at most 2²⁵, as floats.
    """

    matrix: Floats
    shift: int
    centre: Floats

    @classmethod
    def of(cls, transform: Floats, centre: Floats) -> "Frame":
        """Return the frame of a d × d `transform` from lattice steps to steps of the ball."""
        largest = float(np.abs(transform).sum(axis=1).max())
        bits = EXACT_BITS - FEATURE_BITS - 3
        shift = bits - int(np.frexp(largest)[1])
        return cls(np.trunc(np.ldexp(transform, shift)), shift, centre)

    def apply(self, points: Floats) -> Floats:
        """Return the images of lattice points (rows): integers of norm at most 2¹⁸, as floats."""
        moved = points - self.centre
        diagonal = np.diag(self.matrix)
        if np.count_nonzero(self.matrix) == np.count_nonzero(diagonal):
            moved *= diagonal
        else:
            moved = moved @ self.matrix.T
        moved = np.trunc(np.ldexp(moved, -self.shift))
        return clipped(np.clip(moved, -FAR, FAR, out=moved))


def clipped(points: Floats) -> Floats:
    """Return integer points (rows, coordinates up to 2²¹), those outside the ball moved inward.

    >>> clipped(np.array([[3.0, 4.0], [2.0**20, 0.0]])).tolist()
    [[3.0, 4.0], [262143.0, 0.0]]
    """
    squares = np.einsum("ij,ij->i", points, points)
    outside = squares > float(RADIUS) ** 2
    if not outside.any():
        return points
    factors = SHRINK * (RADIUS / np.sqrt(squares[outside]))
    moved = points.copy()
    moved[outside] = np.trunc(points[outside] * factors[:, None])
    return moved


def first_moments(points: Floats) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Return Σ z over integer points in the ball (rows), exactly, however many there are."""
    total = np.zeros(points.shape[1], dtype=object)
    for start in range(0, len(points), CHUNK):
        total += points[start : start + CHUNK].sum(axis=0).astype(np.int64)
    return total


def second_moments(points: Floats) -> np.ndarray[tuple[int, int], np.dtype[np.object_]]:
    """Return Σ z zᵀ over integer points in the ball (rows), exactly, however many there are."""
    total = np.zeros((points.shape[1],) * 2, dtype=object)
    for start in range(0, len(points), CHUNK):
        part = points[start : start + CHUNK]
        total += (part.T @ part).astype(np.int64)
    return total
