"""The least loss of a post-processing of one mechanism, exactly."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from provedp.theory.numbers import Number
from provedp.verify.solvers.linear_programs.rational import LinearProgram, solve
from provedp.verify.solvers.release.problem import Costs, Numbers

__all__ = ["least_remapped_loss"]

Rows = list[tuple[Mapping[int, Number], Number]]


def least_remapped_loss(
    law: Sequence[Sequence[Fraction]], loss: Costs, prior: Numbers | None
) -> Fraction:
    """Return the least worst-case or mean loss of law·R over stochastic R.

    Parameters
    ----------
    law
        A row for each count; columns are what the mechanism releases.
    loss
        ℓ_ij, a row for each count and a column for each output of R.
    prior
        Weights of the counts; None for the worst case.
    """
    cells, width = len(law[0]), len(loss[0])
    paid = [
        [law[i][a] * loss[i][j] for a in range(cells) for j in range(width)]
        for i in range(len(law))
    ]
    if prior is not None:
        mean = [
            sum((w * row[c] for w, row in zip(prior, paid, strict=True)), start=Fraction(0))
            for c in range(cells * width)
        ]
        best = (min(mean[a * width : (a + 1) * width]) for a in range(cells))
        return sum(best, start=Fraction(0))
    last = cells * width
    sums: Rows = [(dict.fromkeys(range(a * width, (a + 1) * width), 1), 1) for a in range(cells)]
    rows: Rows = [({**{c: v for c, v in enumerate(row) if v}, last: -1}, 0) for row in paid]
    return -solve(LinearProgram(last + 1, {last: -1}, rows, sums)).value
