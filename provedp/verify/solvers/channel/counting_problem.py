"""One counting problem, with exact numbers or balls, and the solver that fits it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provedp.theory.domain import integers
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Field, Number, common_field, rational
from provedp.verify.solvers import certificates
from provedp.verify.solvers.channel import optimum
from provedp.verify.solvers.channel.bracket import Bracket

SOLVABLE = integers(2, 10**6)  # numbers of counts: seconds

__all__ = ["CountingProblem"]


@dataclass(frozen=True, eq=False)
class CountingProblem:
    """A counting problem; its numbers are fractions, or balls where they must be.

    Attributes
    ----------
    m
        Number of counts.
    k
        e^ε ≥ 1.
    delta
        δ in [0, 1).
    channel
        Row-stochastic m × m matrix; None stands for the identity.
    """

    m: int
    k: Number
    delta: Fraction
    channel: Matrix | None = None

    @property
    def is_exact(self) -> bool:
        """Whether all its numbers are rational."""
        numbers = [self.k] if self.channel is None else [self.k, *self.channel.ravel()]
        return common_field(numbers) is Field.RATIONAL

    def solved(self) -> Bracket:
        """Return exactly feasible points that enclose the least worst-case error."""
        if self.channel is None and self.is_exact:
            return optimum.least_error_by_structure(self.m, rational(self.k), rational(self.delta))
        if self.channel is None:
            return optimum.least_error_of_ball(self.m, self.k, self.delta)
        if self.is_exact:
            k, delta = rational(self.k), rational(self.delta)
            return optimum.least_error_behind(self.channel, k, delta)
        return optimum.least_error_behind_balls(self.channel, self.k, self.delta)

    def require_certifiable(self) -> None:
        """Refuse a problem that no certificate can be about.

        Raises
        ------
        ValueError
            If a number of the problem is not rational, or would be too long.
        """
        if not self.is_exact:
            raise ValueError(
                "A certificate holds rationals alone: give ε as ln(3/2) and a channel of fractions."
            )
        if self.channel is None:
            certificates.require_length(self.m, rational(self.k))

    def certificate(self, best: Bracket) -> dict[str, Any]:
        """Return a certificate of these points as JSON data, for `verify.solvers.check`.

        Raises
        ------
        ValueError
            If a number of the problem is not rational, or would be too long.
        """
        self.require_certifiable()
        return certificates.document(best, certificates.problem(self.channel, self.k, self.delta))
