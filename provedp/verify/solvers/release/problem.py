"""What is to be minimised: loss, criterion, neighbours, side conditions; and what encloses it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from provedp.theory.counting.losses import LOSSES, loss_matrix
from provedp.theory.matrices import Matrix, matrix
from provedp.verify.solvers.check import (
    Release,
    ReleaseDual,
    SideRow,
    check_release,
    check_release_dual,
    require_problem,
    side_rows,
)
from provedp.verify.solvers.release.graphs import Edges

__all__ = ["LOSSES", "Costs", "ReleaseBracket", "ReleaseProblem", "loss_matrix"]

Costs = tuple[tuple[Fraction, ...], ...]
Numbers = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class ReleaseProblem:
    """The least loss of an (ln k, δ)-private release.

    Parameters
    ----------
    loss
        ℓ_ij ≥ 0, a row for each count and a column for each output.
    prior
        Weights of the counts; None for the worst case.
    edges
        Neighbouring counts, from 1, each pair once; they connect all counts.
    k
        e^ε ≥ 1.
    delta
        δ in [0, 1).
    side
        Names of side conditions, of `check.SIDES`.
    """

    loss: Costs
    prior: Numbers | None
    edges: Edges
    k: Fraction
    delta: Fraction
    side: tuple[str, ...] = ()

    @property
    def counts(self) -> int:
        """Number of counts M."""
        return len(self.loss)

    @property
    def outputs(self) -> int:
        """Number of outputs N."""
        return len(self.loss[0])

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Neighbouring counts, in both orders."""
        return [pair for a, b in self.edges for pair in ((a, b), (b, a))]

    @property
    def is_path(self) -> bool:
        """Whether neighbours are the next counts alone."""
        return all(abs(a - b) == 1 for a, b in self.edges)

    @property
    def is_mirrored(self) -> bool:
        """Whether loss and prior stay the same when counts and outputs are read backwards."""
        mirrored = tuple(row[::-1] for row in self.loss[::-1])
        return mirrored == self.loss and (self.prior is None or self.prior == self.prior[::-1])

    def side_rows(self) -> dict[tuple[str, int], SideRow]:
        """Return the rows of the side conditions by name and place."""
        return {
            (name, place): row
            for name in self.side
            for place, row in enumerate(side_rows(name, self.counts), start=1)
        }

    def for_the_checker(self, k_upper: Fraction | None = None) -> Release:
        """Return the problem as `verify.check` has it."""
        upper = self.k if k_upper is None else k_upper
        return Release(self.loss, self.prior, self.edges, self.k, upper, self.delta, self.side)


@dataclass(frozen=True, eq=False)
class ReleaseBracket:
    """Exact bounds on the least loss, with the points that prove them.

    Parameters
    ----------
    lower, upper
        lower ≤ optimum ≤ upper.
    primal
        A row-stochastic matrix, private and of loss `upper`.
    dual
        Multipliers that prove `lower`.
    decided_by
        How the points were found.
    """

    lower: Fraction
    upper: Fraction
    primal: Matrix
    dual: ReleaseDual
    decided_by: str

    @property
    def gap(self) -> Fraction:
        """Return upper − lower."""
        return self.upper - self.lower


def bracket(
    problem: ReleaseProblem, mechanism: Sequence[Sequence[Fraction]], dual: ReleaseDual, how: str
) -> ReleaseBracket:
    """Return the bracket that a primal and a dual point prove; both are checked exactly.

    Raises
    ------
    CertificateError
        If the mechanism is not as asked for, or the multipliers are not feasible.
    """
    checked = problem.for_the_checker()
    require_problem(checked)
    upper = check_release(mechanism, checked)
    lower = check_release_dual(dual, checked)
    return ReleaseBracket(lower, upper, matrix(mechanism), dual, how)
