"""What an optimal release looks like: which constraints are tight, whether it is noise remapped."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from provedp.theory.matrices import Matrix
from provedp.theory.numbers import flint_rational
from provedp.verify.solvers.release.problem import ReleaseProblem
from provedp.verify.solvers.release.rays import remaps_to

__all__ = ["Structure", "structure"]


@dataclass(frozen=True)
class Structure:
    """What is tight at a release.

    Parameters
    ----------
    worst_counts
        Counts, from 1, that lose as much as the worst one; none if there is a prior.
    tight_outputs
        For δ = 0: triples (a, b, j), from 1, with P_aj = k P_bj > 0 for neighbours a, b.
    tight_pairs
        For δ > 0: neighbours (a, b) whose δ is used up.
    remaps_geometric
        Whether it is geometric noise of ratio k and a post-processing; None unless neighbours are
        the next counts alone and k > 1.
    """

    worst_counts: tuple[int, ...]
    tight_outputs: tuple[tuple[int, int, int], ...]
    tight_pairs: tuple[tuple[int, int], ...]
    remaps_geometric: bool | None


def structure(problem: ReleaseProblem, mechanism: Matrix) -> Structure:
    """Return what is tight at a release, in exact arithmetic."""
    rows = [[flint_rational(p) for p in row] for row in mechanism.tolist()]
    costs = [[flint_rational(x) for x in row] for row in problem.loss]
    losses = [_loss(*pair) for pair in zip(costs, rows, strict=True)]
    worst = () if problem.prior is not None else _places(losses, max(losses))
    k, delta = flint_rational(problem.k), flint_rational(problem.delta)
    gaps = {pair: _gaps(rows, pair, k) for pair in problem.pairs}
    outputs = [
        (a, b, j)
        for (a, b), row in gaps.items()
        for j, gap in enumerate(row, start=1)
        if gap == 0 and rows[a - 1][j - 1] > 0
    ]
    used = [pair for pair, row in gaps.items() if sum(g for g in row if g > 0) == delta]
    derived = problem.is_path and problem.k > 1
    return Structure(
        worst,
        () if problem.delta else tuple(outputs),
        tuple(used) if problem.delta else (),
        min(remaps_to(problem.k, mechanism.tolist()).entries()) >= 0 if derived else None,
    )


def _loss(costs: Sequence[fmpq], row: Sequence[fmpq]) -> fmpq:
    return sum((x * p for x, p in zip(costs, row, strict=True)), start=fmpq(0))


def _places(values: Sequence[fmpq], sought: fmpq) -> tuple[int, ...]:
    return tuple(i for i, value in enumerate(values, start=1) if value == sought)


def _gaps(rows: list[list[fmpq]], pair: tuple[int, int], k: fmpq) -> list[fmpq]:
    mine, other = rows[pair[0] - 1], rows[pair[1] - 1]
    return [p - k * q for p, q in zip(mine, other, strict=True)]
