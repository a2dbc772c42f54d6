"""A private release of a count through a fixed channel."""

from fractions import Fraction
from typing import Any, final

from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.exact.parameters import ExactStochasticMatrix
from provedp.theory.channels import assignment, assignment_mixing_matrix, mixing_matrix
from provedp.theory.channels.step_size import UndefinedError
from provedp.theory.counting import release_matrix, worst_case_error
from provedp.theory.domain import argument_error, check_argument
from provedp.theory.matrices import Matrix, product
from provedp.theory.numbers import rational
from provedp.theory.privacy import path_delta


@final
class BehindChannel(CountMechanism):
    """Chooses the message to send through a fixed channel T, so that what arrives is private.

    The guarantee is about what arrives, with law P T, and not about the message: one who sees the
    message before the channel disturbs it may learn more. It holds for the channel as it is given,
    so a channel that disturbs less than T may break it, except where P itself is private.

    Parameters
    ----------
    channel
        Square stochastic matrix T; row i is the law of what arrives for message first + i. Floats
        are read as the dyadic numbers they are; their rows must sum to one within 1e-9 and are
        then divided by their exact sums.
    epsilon, delta, first
        As for `CountMechanism`.
    matrix
        Stochastic matrix P to use, read like the channel. It is refused unless P T is private,
        which is decided exactly, as for every other choice; an optimum from a floating-point solver
        usually is not. Without it, the best of these is taken, the first among equals: the
        assignment Q_T if Q_T T is private, the mixture G₁ (P* T⁻¹ if that is a mechanism), the
        repaired mixture G₃, and P*.

    Attributes
    ----------
    construction
        "assignment", "mixing", "assignment_mixing", "release" or "given".

    Source: counting paper, Section V.

    >>> T = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    >>> mechanism = BehindChannel(T, "ln(2)")
    >>> mechanism.construction, mechanism.worst_case_error
    ('mixing', Fraction(1, 3))
    """

    claim = "counting.behind_channel_release_is_private"

    def __init__(
        self, channel: Any, epsilon: Any, delta: Any = 0, matrix: Any = None, first: int = 0
    ):
        self.channel: Matrix = check_argument(
            "BehindChannel", "channel", ExactStochasticMatrix(), channel
        )
        super().__init__(len(self.channel), epsilon, delta, first)
        self.construction, chosen = (
            self._best_closed_form() if matrix is None else ("given", matrix)
        )
        self._sent = self._checked(chosen)

    def end_to_end(self) -> Matrix:
        """Return P T, the law of what arrives."""
        return product(self.law(), self.channel)

    def _matrix(self) -> Matrix:
        return self._sent

    def _received(self) -> Matrix:
        return self.end_to_end()

    def _delta_of(self, matrix: Matrix) -> Fraction:
        return rational(path_delta(product(matrix, self.channel), self.ratio))

    def _checked(self, matrix: Any) -> Matrix:
        allowed = ExactStochasticMatrix(self.m)
        exact: Matrix = check_argument("BehindChannel", "matrix", allowed, matrix)
        least = self._delta_of(exact)
        if least > self.delta:
            level = f"ε = {self.epsilon} and δ = {self.delta}"
            needed = f"one that needs δ ≥ {float(least):.6g}"
            sought = f"a matrix P such that P T is (ε, δ)-private for {level}"
            raise argument_error("BehindChannel", "matrix", sought, needed)
        return exact

    def _best_closed_form(self) -> tuple[str, Matrix]:
        candidates = self._closed_forms()
        return min(candidates, key=lambda named: self._error_of(named[1]))

    def _error_of(self, matrix: Matrix) -> Fraction:
        return rational(worst_case_error(product(matrix, self.channel)))

    def _closed_forms(self) -> list[tuple[str, Matrix]]:
        arguments = (self.channel, self.ratio, self.delta)
        found = []
        chosen = assignment(self.channel)
        if self._delta_of(chosen) <= self.delta:
            found.append(("assignment", chosen))
        for name, construction in _MIXTURES.items():
            try:
                found.append((name, construction(*arguments)))
            except UndefinedError:
                continue
        return [*found, ("release", release_matrix(self.m, self.ratio, self.delta))]


_MIXTURES = {"mixing": mixing_matrix, "assignment_mixing": assignment_mixing_matrix}
