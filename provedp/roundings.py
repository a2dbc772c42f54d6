"""What a receiver who fears the worst count makes of a universal release, from Python."""

from typing import Any

from provedp.mechanisms.counting import UniversalCount
from provedp.mechanisms.counting.rounding import Rounding, unimodal_costs
from provedp.releases import solve_release
from provedp.theory.domain import check_argument, integers
from provedp.verify.solvers.release.solver import MOST_COUNTS

__all__ = ["worst_case_rounding"]


def worst_case_rounding(
    mechanism: UniversalCount, m: int | None = None, loss: Any = "absolute", first: int = 0
) -> Rounding:
    """Return the rounding of a universal release whose worst count loses least.

    The optimal release for the worst case is found, and then a rounding that is nowhere worse.

    Parameters
    ----------
    mechanism
        What was released by.
    m
        Number of counts first, …, first + m − 1; with rows of losses it may be None.
    loss
        'zero-one', 'absolute', 'squared', or rows ℓ_ij ≥ 0 that do not fall away from the count.
    first
        The least count.

    Returns
    -------
    A monotone `Rounding`; its `expected_loss`, that of the worst count, is the least of all private
    releases wherever `solve_release` finds that exactly, and within its bounds otherwise.

    Raises
    ------
    ValueError
        If an argument is outside its range, or the problem is too large.

    >>> rounding = worst_case_rounding(UniversalCount("ln(3/2)", "1/10"), 3, "squared")
    >>> str(rounding.expected_loss)
    '3/4'
    """
    where = "worst_case_rounding"
    released_by: Any = mechanism
    if not isinstance(released_by, UniversalCount):
        raise TypeError(f"{where}: 'mechanism' must be a UniversalCount. Got {mechanism!r:.100}.")
    given = len(loss) if m is None and not isinstance(loss, str) else m
    size = check_argument(where, "m", integers(2, MOST_COUNTS), given)
    check_argument(where, "first", integers(), first)
    costs = unimodal_costs(where, loss, size)
    best = solve_release(size, f"ln({mechanism.ratio})", mechanism.delta, loss=costs)
    return mechanism.dominate(best.mechanism, costs, first)
