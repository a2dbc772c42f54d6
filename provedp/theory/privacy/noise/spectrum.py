"""Eigenvalues of pairs of exact symmetric matrices, as balls with exact multiplicities."""

from typing import NamedTuple

import numpy as np
from flint import acb, arb

from provedp.theory.matrices import Matrix, fmpq_matrix
from provedp.theory.numbers import ball


class Mode(NamedTuple):
    """An eigenvalue λ of Σ₂⁻¹ Σ₁, its multiplicity, and the weight of its space in Δᵀ Σ₂⁻¹ Δ."""

    eigenvalue: arb
    multiplicity: int
    weight: arb


def pencil_eigenvalues(left: Matrix, right: Matrix) -> list[tuple[arb, int]]:
    """Return the distinct λ with det(left − λ right) = 0 and their multiplicities.

    Parameters
    ----------
    left
        A symmetric matrix of exact numbers.
    right
        A symmetric positive definite matrix of exact numbers; then every λ is real.

    Returns
    -------
    Pairs of a ball at flint's current precision and a multiplicity; they add up to the dimension.
    A root that is 1 is exactly 1.
    """
    polynomial = (fmpq_matrix(right).inv() * fmpq_matrix(left)).charpoly()
    has_one = polynomial(1) == 0
    # flint's stub leaves out the multiplicities.
    roots: list[tuple[acb, int]] = polynomial.complex_roots()  # type: ignore[assignment]
    reals = [(root.real, times) for root, times in roots]
    return [(arb(1) if has_one and root.contains(1) else root, times) for root, times in reals]


def modes(shift: Matrix, first: Matrix, second: Matrix) -> list[Mode]:
    """Return the eigenvalues of Σ₂⁻¹ Σ₁ and how the shift is spread over their spaces.

    The weights w_j solve Σ_j w_j λ_j^n = Δᵀ (Σ₂⁻¹ Σ₁)ⁿ Σ₂⁻¹ Δ for n = 0, 1, …, by Lagrange
    interpolation.

    Parameters
    ----------
    shift
        Δ, exact numbers.
    first, second
        Σ₁ and Σ₂, symmetric positive definite matrices of exact numbers.
    """
    roots = pencil_eigenvalues(first, second)
    moments = _moments(shift, first, second, len(roots))
    nodes = [root for root, _ in roots]
    weights = [
        _interpolated(nodes[:index] + nodes[index + 1 :], node, moments)
        for index, node in enumerate(nodes)
    ]
    if _is_in_range(first - second, shift):
        weights = [w if node != 1 else arb(0) for w, node in zip(weights, nodes, strict=True)]
    return [Mode(*root, weight) for root, weight in zip(roots, weights, strict=True)]


def _is_in_range(difference: Matrix, shift: Matrix) -> bool:
    """Return whether Δ is orthogonal to the directions in which Σ₁ and Σ₂ agree (λ = 1)."""
    extended = np.column_stack([difference, shift])
    return bool(fmpq_matrix(extended).rank() == fmpq_matrix(difference).rank())


def _moments(shift: Matrix, first: Matrix, second: Matrix, count: int) -> list[arb]:
    row = fmpq_matrix(shift.reshape(1, -1))
    step, column = fmpq_matrix(second).inv() * fmpq_matrix(first), fmpq_matrix(second).inv()
    column = column * row.transpose()
    moments = []
    for _ in range(count):
        moments.append(ball((row * column)[0, 0]))
        column = step * column
    return moments


def _interpolated(others: list[arb], node: arb, moments: list[arb]) -> arb:
    """Return the functional x^n ↦ moments[n] of the polynomial that is 1 at `node`, 0 at `others`.

    It is a weight, so the negative part of the ball is left out.
    """
    polynomial = [arb(1)]
    for other in others:
        raised, kept = [arb(0), *polynomial], [*polynomial, arb(0)]
        polynomial = [(x - other * c) / (node - other) for x, c in zip(raised, kept, strict=True)]
    total = sum((c * m for c, m in zip(polynomial, moments, strict=True)), start=arb(0))
    return total.nonnegative_part()
