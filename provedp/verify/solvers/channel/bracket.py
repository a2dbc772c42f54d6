"""Problems of the counting paper, and the exact points that enclose their optimum."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from flint import fmpz_mat

from provedp.theory.arrays import Floats
from provedp.theory.domain import Reals, StochasticMatrix, require
from provedp.theory.matrices import Matrix, entries, matrix, over_common_denominator
from provedp.theory.numbers import Field, common_field, field_of, rational
from provedp.verify.solvers.check import check_dual, check_primal

__all__ = ["Bracket", "Dual", "Points", "Problem", "Whole", "WrittenOut", "bracket", "mirrored"]

Whole = list[list[int]]


@dataclass(frozen=True)
class RationalReals(Reals):
    """Rational numbers between `low` and `high`."""

    def read(self, value: Any) -> Fraction:
        """Return `value` as a fraction."""
        require(field_of(value) <= Field.FLINT)
        return rational(super().read(value))

    def __str__(self) -> str:
        return super().__str__().replace("a number", "a rational number")


@dataclass(frozen=True)
class RationalChannel(StochasticMatrix):
    """Square stochastic matrices of rational numbers."""

    def read(self, value: Any) -> Matrix:
        """Return `value` as a matrix of fractions."""
        result = super().read(value)
        field = common_field(entries(result))
        require(field <= Field.FLINT, "a matrix that is not rational")
        return (
            result
            if field is Field.RATIONAL
            else matrix([[rational(entry) for entry in row] for row in result])
        )

    def __str__(self) -> str:
        return super().__str__().replace("a square matrix", "a square matrix of rational numbers")


def mirrored(rows: Whole) -> bool:
    """Return whether a matrix reads the same backwards."""
    return all(row == other[::-1] for row, other in zip(rows, reversed(rows), strict=True))


@dataclass(frozen=True, eq=False)
class Problem:
    """Least worst-case error of a (ln k, δ)-private release of a count, behind a channel.

    Parameters
    ----------
    channel
        Row-stochastic M × M matrix of fractions; None stands for the identity.
    k
        e^ε ≥ 1.
    delta
        δ in [0, 1).
    """

    channel: Matrix | None
    k: Fraction
    delta: Fraction

    @cached_property
    def cleared(self) -> tuple[Whole, int]:
        """Return the entries of the channel as integers over their common denominator."""
        assert self.channel is not None
        flat, scale = over_common_denominator(self.channel.ravel().tolist())
        size = len(self.channel)
        return [flat[start : start + size] for start in range(0, size * size, size)], scale

    @cached_property
    def sent(self) -> fmpz_mat:
        """Return the integers of `cleared` as a matrix of flint."""
        return fmpz_mat(self.cleared[0])

    @cached_property
    def floats(self) -> Floats:
        """Return the channel in floating point."""
        whole, scale = self.cleared
        return np.array([[entry / scale for entry in row] for row in whole])

    @cached_property
    def mirrored(self) -> bool:
        """Whether T_ij = T_(M+1−i)(M+1−j)."""
        return mirrored(self.cleared[0])


@dataclass(frozen=True, eq=False)
class Dual:
    """Multipliers that bound the error from below (weak duality, see `verify.check`).

    Parameters
    ----------
    weights
        y_1, …, y_M ≥ 0, of sum one: the shares of the constraints x ≤ Q_ii.
    multipliers
        For an ordered pair (a, b) of neighbours, counted from 1, the M numbers μ_abj ≥ 0 on
        Q_aj − k Q_bj. Pairs that are absent have zeros.
    """

    weights: tuple[Fraction, ...]
    multipliers: Mapping[tuple[int, int], tuple[Fraction, ...]]


class Points(Protocol):
    """A primal and a dual point, held entry by entry or by their structure."""

    @property
    def primal(self) -> Matrix:
        """The row-stochastic matrix P."""

    @property
    def dual(self) -> Dual:
        """The multipliers."""


@dataclass(frozen=True, eq=False)
class WrittenOut:
    """Points whose entries are at hand."""

    primal: Matrix
    dual: Dual


@dataclass(frozen=True, eq=False)
class Bracket:
    """Exact bounds on the least worst-case error, with the points that prove them.

    Parameters
    ----------
    lower, upper
        lower ≤ p_e* ≤ upper.
    points
        A row-stochastic matrix P with PT private and of worst-case error `upper`, and multipliers
        that prove `lower`.
    decided_by
        How the points were found.
    """

    lower: Fraction
    upper: Fraction
    points: Points
    decided_by: str

    @property
    def primal(self) -> Matrix:
        """Return the matrix P, M × M."""
        return self.points.primal

    @property
    def dual(self) -> Dual:
        """Return the multipliers."""
        return self.points.dual

    @property
    def gap(self) -> Fraction:
        """Return upper − lower."""
        return self.upper - self.lower


def bracket(problem: Problem, mechanism: Matrix, dual: Dual, decided_by: str) -> Bracket:
    """Return the bracket that a primal and a dual point prove; both are checked exactly.

    Raises
    ------
    CertificateError
        If the mechanism is not stochastic or not private, or the multipliers are not feasible.
    """
    rows = None if problem.channel is None else problem.channel.tolist()
    upper = check_primal(mechanism.tolist(), problem.k, problem.delta, rows)
    lower = check_dual(dual.weights, dual.multipliers, problem.k, problem.delta, rows)
    return Bracket(lower, upper, WrittenOut(mechanism, dual), decided_by)
