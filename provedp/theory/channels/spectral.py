"""The rank-one perturbation of the canonical release along a direction v ⊥ 1 (u₂)."""

from typing import Any, NamedTuple

import numpy as np

from provedp.theory.channels.extremes import CHANNEL
from provedp.theory.channels.step_size import UndefinedError, largest_step, release_inverse
from provedp.theory.counting.release import RATIO, SLACK, release_matrix, worst_case_error
from provedp.theory.domain import RealVector, argument_error, domain
from provedp.theory.matrices import Matrix, matrix, product
from provedp.theory.numbers import Field, Number, certainly, common_field, lift

__all__ = ["spectral_direction", "spectral_error", "spectral_matrix", "spectral_step"]

SAME_VALUE = 1e-9  # relative gap below which singular values count as equal
SINGULAR = 1e-12  # rounding of singular values of a stochastic matrix; below it they are zero
NEGLIGIBLE = 1e-6  # a shorter projection is rounding; some e_i has one of at least 1/√M
GRID = 2**20  # exact directions are rounded to multiples of 1/GRID
FLOAT_SUM = 1e-12  # rounding of a sum of float entries, relative to the largest


@domain(channel=CHANNEL)
def spectral_direction(channel: Matrix) -> Matrix:
    """A direction v ⊥ 1 along which Tᵀ stretches most, with a rule for ties and signs.

    v maximises ‖Tᵀ v‖ / ‖v‖ over v ⊥ 1: a right singular vector of Tᵀ H, H = I − 11ᵀ/M

    Parameters
    ----------
    channel
        T, of rationals, floats or balls.

    Returns
    -------
    A vector of length M. Of a space of maximisers (singular values equal to 1e-9 of the largest)
    it is, among the projections of e_i + e_j, i ≤ j, the one with the largest min |Tᵀ v| / ‖v‖
    (what eq. (40) gains for sure); the first such, in the order of (i, j), scaled to a largest
    |entry| of 1. Bounds do not depend on the length or the sign. Computed with floats; unless the
    channel is one of floats, rounded to multiples of 2⁻²⁰ and then made exactly orthogonal to 1,
    so it is only near the maximiser: every v ⊥ 1 gives a valid bound.

    Raises
    ------
    ValueError
        If the channel has symbols.

    Source: counting paper, Section V, before eq. (42).

    >>> from fractions import Fraction as F
    >>> [str(v) for v in spectral_direction([[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]])]
    ['1', '-1']
    """
    field = common_field(channel.ravel()[:1])
    if field is Field.SYMBOL:
        raise UndefinedError("A channel of symbols has no default direction; give one.")
    leading = _leading_vector(np.array(channel, dtype=np.float64))
    if field is Field.FLOAT:
        return leading
    rounded = matrix([[round(entry * GRID) for entry in leading.tolist()]])[0] / GRID
    centred: Matrix = rounded - sum(rounded) / len(rounded)
    direction: Matrix = matrix([centred], field)[0]
    return direction


def _leading_vector(channel: Matrix) -> Matrix:
    size = len(channel)
    centre = np.eye(size) - 1 / size
    _, values, vectors = np.linalg.svd(channel.T @ centre)
    top = vectors[values >= values[0] * (1 - SAME_VALUE) - SINGULAR]
    upper, lower = np.triu_indices(size)
    projector = centre @ top.T @ top @ centre
    candidates = projector[:, upper] + projector[:, lower]
    norms = np.linalg.norm(candidates, axis=0)
    candidates = (candidates / np.maximum(norms, NEGLIGIBLE))[:, norms > NEGLIGIBLE]
    gains = np.min(np.abs(channel.T @ candidates), axis=0)
    first = int(np.argmax(gains >= np.max(gains) - SAME_VALUE))
    leading: Matrix = candidates[:, first] - np.mean(candidates[:, first])
    leading /= np.max(np.abs(leading))
    return leading


class _Parts(NamedTuple):
    release: Matrix
    change_of_release: Matrix
    change_of_channel: Matrix


def _parts(channel: Matrix, k: Number, delta: Number, direction: Matrix | None) -> _Parts:
    """Return P*, Tᵀ v vᵀ and P*⁻¹ Tᵀ v vᵀ T."""
    row = matrix([spectral_direction(channel) if direction is None else direction])
    _check_direction(row, len(channel))
    image = product(row, channel)
    lifted = product(release_inverse(len(channel), k, delta), image.T)
    release = release_matrix(len(channel), k, delta)
    return _Parts(release, product(image.T, row), product(lifted, image))


def _check_direction(row: Matrix, size: int) -> None:
    values = row.ravel().tolist()
    total = sum(values[1:], start=values[0])
    if isinstance(total, float):
        orthogonal = abs(total) <= FLOAT_SUM * max(abs(value) for value in values)
    else:
        orthogonal = not certainly(total < 0) and not certainly(total > 0)
    if len(values) != size or not orthogonal or all(value == 0 for value in values):
        allowed = f"a non-zero vector of {size} entries that sum to 0"
        shown = [str(value) for value in values]
        raise argument_error("channels.spectral_step", "direction", allowed, shown)


@domain(channel=CHANNEL, k=RATIO, delta=SLACK, direction=RealVector())
def spectral_step(channel: Matrix, k: Number, delta: Number, direction: Any = None) -> Number:
    """Longest step along a direction that keeps both factors stochastic (θ*).

    θ* = max {θ ≥ 0 : P* + θ Tᵀ v vᵀ ≥ 0 and T + θ P*⁻¹ Tᵀ v vᵀ T ≥ 0}

    Parameters
    ----------
    direction
        v, M numbers that sum to zero, not all zero; `spectral_direction` unless given. Its length
        scales the step and nothing else.

    Returns
    -------
    A number ≥ 0. If Tᵀ v = 0, as for every v when T has rank one, no step changes anything, the
    paper's θ_R is a minimum over the empty set, and the step is 0 by convention. The paper steps
    aside by a small ζ where 1 + θ vᵀ u = 0; this is not needed and not done here.

    Raises
    ------
    ValueError
        If ε = δ = 0, where P* is singular.

    Source: counting paper, eqs. (38) and (39).

    >>> from fractions import Fraction as F
    >>> spectral_step([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0, [1, -1])
    Fraction(3, 4)
    """
    return _step(channel, _parts(channel, k, delta, direction))


def _step(channel: Matrix, parts: _Parts) -> Number:
    start = np.concatenate([parts.release, channel])
    change = np.concatenate([parts.change_of_release, parts.change_of_channel])
    step = largest_step(start, change)
    return lift(0, common_field(channel.ravel()[:1])) if step is None else step


@domain(channel=CHANNEL, k=RATIO, delta=SLACK, direction=RealVector())
def spectral_matrix(channel: Matrix, k: Number, delta: Number, direction: Any = None) -> Matrix:
    """The canonical release after the longest step along a direction (G₂).

    G₂ = P* + θ* Tᵀ v vᵀ

    Parameters
    ----------
    direction
        v, as for `spectral_step`.

    Returns
    -------
    An M × M row-stochastic matrix; G₂ T is (ln k, δ)-private, being P* times a stochastic matrix.

    Raises
    ------
    ValueError
        If ε = δ = 0, where P* is singular.

    Source: counting paper, eq. (42).

    >>> from fractions import Fraction as F
    >>> T = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
    >>> [str(p) for p in spectral_matrix(T, 3, 0, [1, -1])[0]]
    ['1', '0']
    """
    parts = _parts(channel, k, delta, direction)
    result: Matrix = parts.release + _step(channel, parts) * parts.change_of_release
    return result


@domain(channel=CHANNEL, k=RATIO, delta=SLACK, direction=RealVector())
def spectral_error(channel: Matrix, k: Number, delta: Number, direction: Any = None) -> Number:
    """Worst-case error of G₂ through the channel (u₂).

    u₂(T) = 1 − γ(G₂ T)

    Parameters
    ----------
    direction
        v, as for `spectral_step`. When the largest singular value is multiple, as for every
        circulant T with M ≥ 3 that is symmetric, the bound depends on the choice.

    Returns
    -------
    A probability; an upper bound on the least error behind T, at most u₀.

    Raises
    ------
    ValueError
        If ε = δ = 0, where P* is singular.

    Source: counting paper, after eq. (42).

    >>> from fractions import Fraction as F
    >>> T = [[F(1, 2), F(1, 4), F(1, 4)], [F(1, 4), F(1, 2), F(1, 4)], [F(1, 4), F(1, 4), F(1, 2)]]
    >>> spectral_error(T, 2, 0, [1, 0, -1]), spectral_error(T, 2, 0, [1, -2, 1])
    (Fraction(5, 8), Fraction(19, 32))
    """
    return worst_case_error(product(spectral_matrix(channel, k, delta, direction), channel))
