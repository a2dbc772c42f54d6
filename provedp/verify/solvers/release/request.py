"""A request for an optimal release, checked at the door."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import arb

from provedp.mechanisms.exact.parameters import ROUNDING, simplest_between
from provedp.theory.domain import argument_error, check_argument, integers
from provedp.theory.numbers import Field, Number, common_field, dyadic, rational
from provedp.verify.solvers.check import SIDES
from provedp.verify.solvers.release import graphs
from provedp.verify.solvers.release.problem import (
    LOSSES,
    Costs,
    Numbers,
    ReleaseProblem,
    loss_matrix,
)
from provedp.verify.solvers.release.solver import require_size

__all__ = ["SIDE_NAMES", "Request", "read_request"]

SIDE_NAMES: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in SIDES},
    "monotone": ("row-monotone", "column-monotone"),
    "honest": ("row-honest", "column-honest"),
}
Table = Sequence[Sequence[Any]]
MOST_RATIO = 10**100  # of e^ε: far beyond what protects anybody, and far below what floats hold


@dataclass(frozen=True)
class Request:
    """What is asked for, as it was given and read into numbers.

    Attributes
    ----------
    m
        Number of counts; None: as many rows as the loss has.
    k
        e^ε, exact or in a ball.
    delta
        δ.
    loss
        A name, or rows of ℓ_ij.
    criterion
        'worst-case' or 'bayes'; None: what the prior says.
    prior
        Weights, 'uniform', or None.
    graph
        A name, or edges between counts from 1.
    outputs
        Positions of the outputs in counts; None: the counts.
    side
        Names of side conditions.
    """

    m: int | None
    k: Number
    delta: Fraction
    loss: str | Table = "zero-one"
    criterion: str | None = None
    prior: str | Sequence[Any] | None = None
    graph: str | Sequence[Sequence[int]] = "path"
    outputs: Sequence[Any] | None = None
    side: Sequence[str] = ()


def read_request(where: str, request: Request) -> tuple[ReleaseProblem, Fraction]:
    """Return the problem at a k of at most e^ε, and a k of at least e^ε: the same if rational.

    Raises
    ------
    ValueError
        If an argument is outside its range, contradicts another, or asks for too much.
    """
    if not request.k <= MOST_RATIO:
        raise argument_error(where, "epsilon", f"at most ln({MOST_RATIO:.0e})", "more")
    m = _counts(where, request)
    outputs = _outputs(where, request.outputs)
    loss = _loss(where, request.loss, m, outputs)
    prior = _prior(where, request, m)
    edges = (
        graphs.named(where, request.graph, m)
        if isinstance(request.graph, str)
        else graphs.checked(where, request.graph, m)
    )
    lower, upper = _ratios(request.k)
    problem = ReleaseProblem(loss, prior, edges, lower, request.delta)
    require_size(where, problem)
    problem = replace(problem, side=_side(where, request.side, problem))
    require_size(where, problem)
    return problem, upper


def _counts(where: str, request: Request) -> int:
    m = request.m
    if m is None and not isinstance(request.loss, str):
        m = len(request.loss)
    if m is None:
        raise ValueError(f"The 'm' parameter of {where} is missing: the number of counts.")
    found: int = check_argument(where, "m", integers(2), m)
    if found > graphs.MOST_VERTICES:
        raise ValueError(f"{where}: {found} counts are too many.")
    return found


def _numbers(where: str, name: str, values: Sequence[Any], allowed: str) -> Numbers:
    """Return rational numbers."""
    listed = list(values)
    try:
        if common_field(listed) > Field.FLINT:
            raise TypeError("irrational or rounded numbers")
    except TypeError as error:
        raise argument_error(where, name, allowed, error) from None
    return tuple(map(rational, listed))


def _outputs(where: str, outputs: Sequence[Any] | None) -> Numbers | None:
    if outputs is None:
        return None
    allowed = "a list of rational positions, none of them twice"
    found = _numbers(where, "outputs", outputs, allowed)
    if not found or len(set(found)) < len(found):
        raise argument_error(where, "outputs", allowed, "none" if not found else "one twice")
    return found


def _loss(where: str, loss: str | Table, m: int, outputs: Numbers | None) -> Costs:
    allowed = f"{', '.join(LOSSES)} or a matrix of rational numbers ≥ 0 with {m} rows"
    if isinstance(loss, str):
        if loss not in LOSSES:
            raise argument_error(where, "loss", allowed, repr(loss))
        return loss_matrix(loss, m, outputs)
    if not all(isinstance(row, Sequence) and not isinstance(row, str) for row in loss):
        raise argument_error(where, "loss", allowed, "one list")
    rows = [_numbers(where, "loss", row, allowed) for row in loss]
    widths = {len(row) for row in rows}
    if len(rows) != m or len(widths) != 1 or 0 in widths:
        found = f"{len(rows)} rows of {' or '.join(map(str, sorted(widths)))} entries"
        raise argument_error(where, "loss", allowed, found)
    if outputs is not None and widths != {len(outputs)}:
        found = f"{widths.pop()} columns for {len(outputs)} outputs"
        raise argument_error(where, "loss", allowed, found)
    for i, row in enumerate(rows, start=1):
        for j, entry in enumerate(row, start=1):
            if entry < 0:
                raise argument_error(where, "loss", allowed, f"{entry} in row {i}, column {j}")
    return tuple(rows)


def _prior(where: str, request: Request, m: int) -> Numbers | None:
    if request.criterion not in (None, "worst-case", "bayes"):
        got = repr(request.criterion)
        raise argument_error(where, "criterion", "'worst-case' or 'bayes'", got)
    if request.prior is None:
        if request.criterion == "bayes":
            allowed = "given with the criterion 'bayes': weights of the counts, or 'uniform'"
            raise argument_error(where, "prior", allowed, "none")
        return None
    if request.criterion == "worst-case":
        raise argument_error(where, "prior", "left out with the criterion 'worst-case'", "one")
    allowed = f"'uniform' or {m} rational weights ≥ 0 that sum to 1"
    if isinstance(request.prior, str):
        if request.prior != "uniform":
            raise argument_error(where, "prior", allowed, repr(request.prior))
        return tuple(Fraction(1, m) for _ in range(m))
    weights = _numbers(where, "prior", request.prior, allowed)
    if len(weights) != m:
        raise argument_error(where, "prior", allowed, f"{len(weights)} weights")
    if min(weights) < 0 or sum(weights) != 1:
        fault = f"the weight {min(weights)}" if min(weights) < 0 else f"the sum {sum(weights)}"
        raise argument_error(where, "prior", allowed, fault)
    return weights


def _side(where: str, names: Sequence[str], problem: ReleaseProblem) -> tuple[str, ...]:
    allowed = f"names out of {', '.join(sorted(SIDE_NAMES))}"
    for name in names:
        if name not in SIDE_NAMES:
            raise argument_error(where, "side", allowed, repr(name))
    if names and problem.counts != problem.outputs:
        fault = f"{problem.outputs} outputs for {problem.counts} counts"
        raise argument_error(where, "side", "left out unless outputs are the counts", fault)
    found = [each for name in names for each in SIDE_NAMES[name]]
    return tuple(dict.fromkeys(found))


def _ratios(k: Number) -> tuple[Fraction, Fraction]:
    """Return the simplest fractions close below and above e^ε, twice the same if rational."""
    if not isinstance(k, arb):
        return rational(k), rational(k)
    low, high = (max(dyadic(end), Fraction(1)) for end in (k.lower(), k.upper()))
    slack = ROUNDING * (low - 1)
    return simplest_between(low - slack, low), simplest_between(high, high + slack)
