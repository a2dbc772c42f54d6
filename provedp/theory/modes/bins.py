"""What one record moves in counts that it is shared out among."""

from provedp.theory.domain import domain, reals
from provedp.theory.modes.field import ADJACENCY
from provedp.theory.numbers import Number

__all__ = ["bins_sensitivity"]


@domain(adjacency=ADJACENCY, whole=reals(0))
def bins_sensitivity(adjacency: str, whole: Number) -> Number:
    """L1 distance that one record moves the counts of bins, if its parts sum to W.

    A record adds w ≥ 0 with Σ w = W. Where it comes or goes, the counts move by W; where it is
    replaced, by Σ |w − w′| ≤ 2W.

    Parameters
    ----------
    whole
        W, the parts of one record.

    Returns
    -------
    2W or W.

    Source: ours.

    >>> bins_sensitivity("add-remove", 3), bins_sensitivity("replace-one", 3)
    (Fraction(3, 1), Fraction(6, 1))
    """
    return whole if adjacency == "add-remove" else 2 * whole
