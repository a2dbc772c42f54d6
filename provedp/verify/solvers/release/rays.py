"""Counts in a row at δ = 0: a release as a mixture of rays, and the certificate of 2M numbers.

A column of a private release is a vector x ≥ 0 whose entries are within a factor k of the next. The
extreme ones change by the factor k or 1/k at every step. Those that rise up to a count a and fall
from there are columns of geometric noise, and mixtures of them are post-processings of it.
"""

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_mat

from provedp.theory.counting import geometric_entry
from provedp.theory.numbers import flint_rational
from provedp.verify.solvers.release.problem import Costs

__all__ = ["Ray", "as_flint", "kernel", "normalisers", "remaps_to", "shortfall", "unmixed"]

Ray = tuple[fmpq, ...]


def kernel(k: Fraction, m: int) -> fmpq_mat:
    """Return K = (k^(−|i − a|)), whose columns are those of geometric noise but for a factor."""
    alpha = 1 / flint_rational(k)
    powers = [alpha**gap for gap in range(m)]
    return fmpq_mat(m, m, [powers[abs(i - a)] for i in range(m) for a in range(m)])


def normalisers(k: Fraction, m: int) -> list[fmpq]:
    """Return the s with K s = 1: K times them is noise moved to the nearest count; k > 1."""
    inner, outer = (flint_rational(geometric_entry(k, 0, end)) for end in (False, True))
    return [outer if a in (0, m - 1) else inner for a in range(m)]


def unmixed(k: fmpq, values: Sequence[fmpq]) -> list[fmpq]:
    """Return K⁻¹ v, which has three diagonals: how a column is mixed from those of K.

    K is symmetric, so that it is also the λ with Kᵀ λ = v: what each count pays if column a of K
    pays v_a.
    """
    last = len(values) - 1
    alpha = 1 / k
    unit = 1 / (1 - alpha * alpha)
    result = []
    for i, value in enumerate(values):
        beside = sum((values[j] for j in (i - 1, i + 1) if 0 <= j <= last), start=fmpq(0))
        own = value if i in (0, last) else value * (1 + alpha * alpha)
        result.append(unit * (own - alpha * beside))
    return result


def shortfall(k: fmpq, y: Sequence[fmpq], loss: fmpq_mat, shares: Sequence[fmpq], j: int) -> Ray:
    """Return a ray x that pays more than it loses at output j, Σ (λ_i − y_i ℓ_ij) x_i > 0, or ().

    f_i = y_i ℓ_ij − λ_i + min(k f, f/k), f = f_(i+1), is the least of Σ (y_i ℓ_ij − λ_i) x_i over
    i, …, M with x_i = 1.
    """
    least = fmpq(0)
    rises = []  # whether x_(i+1) is k times x_i, from the last count on
    for i in range(len(y) - 1, -1, -1):
        rises.append(least < 0)
        least = y[i] * loss[i, j] - shares[i] + (least * k if least < 0 else least / k)
    if least >= 0:
        return ()
    ray = [fmpq(1)]
    for rise in reversed(rises[1:]):
        ray.append(ray[-1] * k if rise else ray[-1] / k)
    top = max(ray)
    return tuple(entry / top for entry in ray)


def remaps_to(k: Fraction, rows: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    """Return the R with G R = P: P is a post-processing of geometric noise if R ≥ 0.

    Source: Gupte and Sundararajan (2010), whose criterion is that of the three diagonals.
    """
    columns = zip(*rows, strict=True)
    ratio, scale = flint_rational(k), normalisers(k, len(rows))
    mixed = [unmixed(ratio, [flint_rational(entry) for entry in column]) for column in columns]
    remap = [[z / s for z, s in zip(column, scale, strict=True)] for column in mixed]
    return fmpq_mat(len(mixed), len(rows), [z for column in remap for z in column]).transpose()


def as_flint(table: Costs) -> fmpq_mat:
    """Return a table of fractions as a flint matrix."""
    entries = [flint_rational(entry) for row in table for entry in row]
    return fmpq_mat(len(table), len(table[0]), entries)
