"""What one record moves in a density estimate that is smoothed in two halves."""

from provedp.theory.domain import Choice, domain, reals
from provedp.theory.numbers import Number

__all__ = ["field_cost"]

ADJACENCY = Choice(("replace-one", "add-remove"))


@domain(adjacency=ADJACENCY, length=reals(0))
def field_cost(adjacency: str, length: Number) -> Number:
    """Squared length of what one record moves in sums of non-negative weights.

    A record adds a vector w ≥ 0 of squared length at most L to the sums. Where one is replaced,
    ‖w − w′‖² = ‖w‖² + ‖w′‖² − 2 wᵀw′ ≤ 2L; where one comes or goes, it is at most L.

    Parameters
    ----------
    length
        L, in units of the noise's variance.

    Returns
    -------
    μ² of the Gaussian mechanism: 2L or L.

    Source: ours.

    >>> field_cost("add-remove", 3), field_cost("replace-one", 3)
    (Fraction(3, 1), Fraction(6, 1))
    """
    return length if adjacency == "add-remove" else 2 * length
