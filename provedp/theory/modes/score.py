"""Kernel density estimates, their gradients, and the stabilised score at many points at once."""

from typing import Any

from provedp.theory.domain import domain, reals
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.modes.kernels import ORDER, gradient_of_products, line_kernel, line_slope
from provedp.theory.modes.points import Points, analytic, larger, same_dimension, sqrt_of
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import transcendental

__all__ = ["clipped", "density", "density_gradient", "stabilised_score"]

BANDWIDTH = reals(0, open_low=True)
LEVEL = reals(0, open_low=True)


@domain(points=Points(), data=Points(), h=BANDWIDTH, order=ORDER)
def density(points: Any, data: Any, h: Number, order: int = 1) -> Matrix:
    """Kernel density estimate.

    p̂(x) = 1/(n h^d) Σ_i K((x − X_i)/h)

    Parameters
    ----------
    points
        Where, k × d.
    data
        The records X_1, …, X_n, n × d.
    order
        Order of the kernel, as for `kernel_polynomial`.

    Returns
    -------
    p̂ at the k points: floats for floats, expressions for symbols, balls for balls and exact
    numbers.

    Raises
    ------
    ValueError
        If the dimensions differ.

    Source: modes paper, eq. (4).

    >>> [round(float(p), 6) for p in density([[0.0], [1.0]], [[0.0], [2.0]], 1.0)]
    [0.226467, 0.241971]
    """
    return _density(_scaled(points, data, h), transcendental(h), order)


@domain(points=Points(), data=Points(), h=BANDWIDTH, order=ORDER)
def density_gradient(points: Any, data: Any, h: Number, order: int = 1) -> Matrix:
    """Gradient of the kernel density estimate.

    ∇p̂(x) = 1/(n h^(d+1)) Σ_i ∇K((x − X_i)/h)

    Parameters
    ----------
    points, data, h, order
        As for `density`.

    Returns
    -------
    ∇p̂ at the k points, k × d, fields as for `density`.

    Raises
    ------
    ValueError
        If the dimensions differ.

    Source: modes paper, eq. (4).

    >>> density_gradient([[0.0], [1.0]], [[0.0], [2.0]], 1.0).round(6).tolist()
    [[0.053991], [0.0]]
    """
    return _gradient(_scaled(points, data, h), transcendental(h), order)


@domain(vectors=Points(), clip=LEVEL)
def clipped(vectors: Any, clip: Number) -> Matrix:
    """Vectors scaled down to a largest norm.

    clip_A(v) = v min{1, A/‖v‖} = A v/max{‖v‖, A}

    Parameters
    ----------
    vectors
        k × d.
    clip
        A.

    Returns
    -------
    k × d, fields as for `density`.

    Source: modes paper, eq. (1) and (2).

    >>> clipped([[3.0, 4.0]], 1.0).round(6).tolist()
    [[0.6, 0.8]]
    """
    return _clipped(analytic(vectors), transcendental(clip))


@domain(points=Points(), data=Points(), h=BANDWIDTH, clip=LEVEL, floor=LEVEL, order=ORDER)
def stabilised_score(
    points: Any, data: Any, h: Number, clip: Number, floor: Number, order: int = 1
) -> Matrix:
    """Score of the density estimate with a clipped gradient and a floor below the density.

    ŝ(x) = clip_A(∇p̂(x))/max{p̂(x), p_floor}

    Parameters
    ----------
    points, data, h, order
        As for `density`.
    clip
        A.
    floor
        p_floor.

    Returns
    -------
    ŝ at the k points, k × d, fields as for `density`.

    Raises
    ------
    ValueError
        If the dimensions differ.

    Source: modes paper, eq. (2).

    >>> stabilised_score([[0.0]], [[0.0], [2.0]], 1.0, 1.0, 0.5).round(6).tolist()
    [[0.107982]]
    """
    scaled = _scaled(points, data, h)
    width, level = transcendental(h), transcendental(floor)
    slopes = _clipped(_gradient(scaled, width, order), transcendental(clip))
    below = larger(_density(scaled, width, order), level)
    return slopes / below[:, None]


def _scaled(points: Matrix, data: Matrix, h: Number) -> Matrix:
    same_dimension("points", points, data)
    differences: Matrix = (points[:, None, :] - data[None, :, :]) / h
    return analytic(differences)


def _density(scaled: Matrix, h: Number, order: int) -> Matrix:
    _, records, dimension = scaled.shape
    found: Matrix = line_kernel(scaled, order).prod(axis=2).sum(axis=1) / (records * h**dimension)
    return found


def _gradient(scaled: Matrix, h: Number, order: int) -> Matrix:
    _, records, dimension = scaled.shape
    slopes = gradient_of_products(line_kernel(scaled, order), line_slope(scaled, order))
    found: Matrix = slopes.sum(axis=1) / (records * h ** (dimension + 1))
    return found


def _clipped(vectors: Matrix, clip: Number) -> Matrix:
    norms = sqrt_of((vectors * vectors).sum(axis=1))
    factors = matrix([[clip]])[0] / larger(norms, clip)
    short: Matrix = vectors * factors[:, None]
    return short
