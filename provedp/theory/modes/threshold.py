"""How much a threshold hides that only occupied cells of a histogram are released."""

from provedp.theory.domain import domain, reals
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import normal_cdf, transcendental

__all__ = ["threshold_delta"]


@domain(k=reals(1), threshold=reals(0))
def threshold_delta(k: Number, threshold: Number) -> Number:
    """What a histogram adds to δ if cells without records are left out, and so are low ones.

    (1 + k) Φ(−t): a cell that only one of two neighbours occupies holds no record of the other, and
    noise alone takes it over the threshold with probability Φ(−t).

    Parameters
    ----------
    threshold
        t, in standard deviations of the noise.

    Returns
    -------
    An upper bound on the additional δ.

    Source: ours.

    >>> round(threshold_delta(1.0, 0.0), 12)
    1.0
    """
    return (1 + transcendental(k)) * normal_cdf(-transcendental(threshold))
