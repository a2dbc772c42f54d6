"""Mixtures of the canonical release with P* T⁻¹ (u₁)."""

from provedp.theory.channels.extremes import CHANNEL, undisturbed
from provedp.theory.channels.step_size import UndefinedError, largest_step
from provedp.theory.counting.release import RATIO, SLACK, release_matrix, worst_case_error
from provedp.theory.domain import domain
from provedp.theory.matrices import Matrix, product
from provedp.theory.numbers import Number

__all__ = [
    "mixing_error",
    "mixing_error_as_printed",
    "mixing_matrix",
    "mixing_weight",
    "mixing_weight_as_printed",
]


def mixture(weight: Number, first: Matrix, second: Matrix) -> Matrix:
    """Return weight · first + (1 − weight) · second."""
    result: Matrix = first * weight + second * (1 - weight)
    return result


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def mixing_weight(channel: Matrix, k: Number, delta: Number) -> Number:
    """Largest share of P* T⁻¹ in a mixture with P* that is a mechanism (λ*).

    λ* = max {λ in (0, 1] : λ P* T⁻¹ + (1 − λ) P* ≥ 0}

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    A number in (0, 1]; 1 if and only if P* T⁻¹ ≥ 0.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: counting paper, Section V, first form of λ*.

    >>> from fractions import Fraction as F
    >>> mixing_weight([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0)
    Fraction(1, 2)
    """
    release = release_matrix(len(channel), k, delta)
    return largest_step(release, undisturbed(channel, k, delta) - release, limit=k**0)


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def mixing_weight_as_printed(channel: Matrix, k: Number, delta: Number) -> Number:
    """Second form of λ*, which the paper equates with the first; it may exceed 1.

    min p*_ij / (p*_ij − [P* T⁻¹]_ij) over the entries with [P* T⁻¹]_ij < p*_ij

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    A positive number.

    Raises
    ------
    ValueError
        If the minimum is over the empty set (P* T⁻¹ = P*) or T is singular.

    Source: counting paper, Section V, second form of λ*.

    >>> from fractions import Fraction as F
    >>> mixing_weight_as_printed([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], F(3, 2), 0)
    Fraction(2, 1)
    """
    release = release_matrix(len(channel), k, delta)
    step = largest_step(release, undisturbed(channel, k, delta) - release)
    if step is None:
        raise UndefinedError("P* T⁻¹ = P*: the minimum is over the empty set.")
    return step


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def mixing_matrix(channel: Matrix, k: Number, delta: Number) -> Matrix:
    """Mixture of P* T⁻¹ and P* with the largest share λ* of the former (G₁).

    G₁ = λ* P* T⁻¹ + (1 − λ*) P*

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    An M × M row-stochastic matrix; G₁ T is (ln k, δ)-private.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: counting paper, eq. (37).

    >>> from fractions import Fraction as F
    >>> [str(p) for p in mixing_matrix([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0)[0]]
    ['1', '0']
    """
    weight = mixing_weight(channel, k, delta)
    return mixture(weight, undisturbed(channel, k, delta), release_matrix(len(channel), k, delta))


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def mixing_error(channel: Matrix, k: Number, delta: Number) -> Number:
    """Worst-case error of G₁ through the channel (u₁).

    u₁(T) = 1 − γ(G₁ T)

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    A probability; an upper bound on the least error behind T, at most u₀.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: counting paper, after eq. (37).

    >>> from fractions import Fraction as F
    >>> mixing_error([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0)
    Fraction(1, 3)
    """
    return worst_case_error(product(mixing_matrix(channel, k, delta), channel))


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def mixing_error_as_printed(channel: Matrix, k: Number, delta: Number) -> Number:
    """u₁ with the second form of λ*; no bound where that exceeds 1.

    1 − γ(λ P* + (1 − λ) P* T), with λ from `mixing_weight_as_printed`

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    A number.

    Raises
    ------
    ValueError
        As `mixing_weight_as_printed`.

    Source: counting paper, after eq. (37).

    >>> from fractions import Fraction as F
    >>> mixing_error_as_printed([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], F(3, 2), 0)
    Fraction(1, 3)
    """
    release = release_matrix(len(channel), k, delta)
    weight = mixing_weight_as_printed(channel, k, delta)
    return worst_case_error(mixture(weight, release, product(release, channel)))
