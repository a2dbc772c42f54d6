"""Optimal releases from Python: the command line's `solve release`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import ctx

from provedp.mechanisms.counting import MatrixRelease
from provedp.optima import Given
from provedp.theory.domain import check_argument
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number
from provedp.verify.solvers import certificates
from provedp.verify.solvers.linear_programs.rational import InfeasibleError
from provedp.verify.solvers.release.problem import ReleaseBracket, ReleaseProblem
from provedp.verify.solvers.release.request import Request, read_request
from provedp.verify.solvers.release.solver import enclosed_between
from provedp.verify.solvers.release.structure import Structure, structure

__all__ = ["OptimalRelease", "ReleaseOptimum", "solve_release"]


@dataclass(frozen=True, eq=False)
class ReleaseOptimum:
    """The least loss of a private release of a count, enclosed.

    Attributes
    ----------
    lower, upper
        Exact bounds on it; equal wherever the optimum is found exactly.
    mechanism
        A row-stochastic matrix of fractions: entry (i, j) is the probability of output j for count
        i, both from 0. Its loss is `upper`.
    weights
        y: a prior for which no private release loses less than `lower`; the least favourable one
        if the worst case counts and the bounds are equal.
    structure
        What is tight at the mechanism.
    decided_by
        How the points were found.
    ratio
        The k with ln k ≤ ε for which the mechanism is private; e^ε if that is rational.
    """

    lower: Fraction
    upper: Fraction
    mechanism: Matrix
    weights: tuple[Fraction, ...]
    structure: Structure
    decided_by: str
    ratio: Fraction
    _problem: ReleaseProblem = field(repr=False)
    _ratio_above: Fraction = field(repr=False)
    _brackets: tuple[ReleaseBracket, ReleaseBracket] = field(repr=False)

    def certificate(self) -> dict[str, Any]:
        """Return a certificate as JSON data, which `check_certificate` checks without a solver."""
        first, second = self._brackets
        checked = self._problem.for_the_checker(self._ratio_above)
        return certificates.release_document(checked, first, second)


def solve_release(
    m: int | None,
    epsilon: Given,
    delta: Given = 0,
    *,
    loss: Any = "zero-one",
    criterion: str | None = None,
    prior: Any = None,
    graph: Any = "path",
    outputs: Any = None,
    side: Sequence[str] = (),
) -> ReleaseOptimum:
    """Find the least loss of a private release, with exactly feasible points that enclose it.

    Parameters
    ----------
    m
        Number of counts, at least 2; with a matrix of losses it may be None.
    epsilon
        ε in nats: a whole number, a fraction, or a text such as 'ln(3/2)' or '0.5'.
    delta
        δ in [0, 1), rational.
    loss
        'zero-one', 'absolute', 'squared', or rows ℓ_ij ≥ 0 of whole numbers, fractions or texts.
    criterion
        'worst-case' or 'bayes'; by default 'bayes' if there is a prior.
    prior
        Weights of the counts, of sum one, or 'uniform'.
    graph
        Which counts are neighbours: 'path', 'complete', 'circle', 'within:2', 'grid:3x4',
        'hypercube:3', or pairs of counts from 1.
    outputs
        Positions of the outputs, for losses by name; by default the counts 1, …, m.
    side
        Conditions: 'symmetric', 'fair', 'monotone', 'honest', 'weakly-honest', or 'row-…' and
        'column-…' of monotone and honest; see `provedp.verify.solvers.check.side_rows`.

    Raises
    ------
    ValueError
        If an argument is outside its range, no private release keeps the side conditions, or the
        problem is too large; floats are refused, since they are not what was typed.

    Source: ours; the closed optima of Ghosh, Roughgarden and Sundararajan (2009) and others are
    among the claims.

    >>> best = solve_release(5, "ln(2)", loss="absolute")
    >>> str(best.upper), best.lower == best.upper, best.structure.remaps_geometric
    ('36/43', True, True)
    """
    from provedp.cli.numbers import BITS

    where = "solve_release"
    with ctx.workprec(BITS):
        k, slack = _level(where, epsilon, delta)
        request = Request(
            m,
            k,
            slack,
            loss if isinstance(loss, str) else [_exact_list(where, "loss", row) for row in loss],
            criterion,
            prior
            if prior is None or isinstance(prior, str)
            else _exact_list(where, "prior", prior),
            graph,
            None if outputs is None else _exact_list(where, "outputs", outputs),
            (side,) if isinstance(side, str) else tuple(side),
        )
        problem, above = read_request(where, request)
    return solved(problem, above)


def _level(where: str, epsilon: Given, delta: Given) -> tuple[Number, Fraction]:
    from provedp.cli.numbers import exact, ratio
    from provedp.optima import _text
    from provedp.theory.counting import release

    slack = exact(where, "delta", _text(where, "delta", delta))
    check_argument(where, "delta", release.SLACK, slack)
    return ratio(where, _text(where, "epsilon", epsilon)), slack


def _exact_list(where: str, name: str, values: Any) -> list[Fraction]:
    from provedp.cli.numbers import exact
    from provedp.optima import _text

    return [exact(where, name, _text(where, name, value)) for value in values]


def solved(problem: ReleaseProblem, above: Fraction) -> ReleaseOptimum:
    """Return the optimum of a problem at its k, below the one at a larger k, between them."""
    try:
        first, second = enclosed_between(problem, above)
    except InfeasibleError:
        raise ValueError("No private release keeps the side conditions.") from None
    return ReleaseOptimum(
        second.lower,
        first.upper,
        first.primal,
        tuple(second.dual.y),
        structure(problem, first.primal),
        first.decided_by,
        problem.k,
        problem,
        above,
        (first, second),
    )


class OptimalRelease(MatrixRelease):
    """The private release of a count in {first, …, first + m − 1} that loses least.

    Parameters
    ----------
    m, epsilon, delta
        As for `MatrixRelease`; δ and the weights are exact, so that a float is refused.
    loss, prior, graph, side
        As for `solve_release`.
    first
        The least count.

    Attributes
    ----------
    optimum
        The `ReleaseOptimum`.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: ours.

    >>> mechanism = OptimalRelease(5, "ln(2)", loss="absolute", first=0)
    >>> str(mechanism.optimum.upper), mechanism.guarantee.claim
    ('36/43', 'counting.matrix_release_is_private')
    """

    def __init__(
        self,
        m: int,
        epsilon: Any,
        delta: Any = 0,
        *,
        loss: Any = "zero-one",
        prior: Any = None,
        graph: Any = "path",
        side: Sequence[str] = (),
        first: int = 0,
    ):
        best = solve_release(m, epsilon, delta, loss=loss, prior=prior, graph=graph, side=side)
        self._take(best, epsilon, first)

    @classmethod
    def of(cls, optimum: ReleaseOptimum, epsilon: Any, first: int = 0) -> "OptimalRelease":
        """Return the release of an optimum that was found, for counts from `first` on."""
        made = cls.__new__(cls)
        made._take(optimum, epsilon, first)
        return made

    def _take(self, optimum: ReleaseOptimum, epsilon: Any, first: int) -> None:
        rows, columns = optimum.mechanism.shape
        if rows != columns:
            raise ValueError(
                "The 'loss' parameter of OptimalRelease must have as many columns as counts. "
                f"Got {columns} instead."
            )
        self.optimum = optimum
        problem = optimum._problem
        level = f"ln({optimum.ratio})"
        super().__init__(optimum.mechanism, level, problem.delta, edges=problem.edges, first=first)
        self.epsilon = str(epsilon)
