"""Gaussian noise on samples, by adjacency, and the sentences on what that assumes."""

from fractions import Fraction

from provedp.theory.numbers import Number
from provedp.theory.privacy.definitions import Adjacency
from provedp.verify.accounting.releases import (
    FixedSizeSampledGaussian,
    Gaussian,
    PoissonReplacedGaussian,
    PoissonSampledGaussian,
    Release,
    SampledWithReplacementGaussian,
)

CLIPPED = "each record is clipped to the norm that the noise multiplier refers to"
TWICE = "replacing a clipped record moves a sum by up to twice the norm that the noise refers to"
INDEPENDENT = "every Poisson sample is drawn anew, each record independently of all others"
DRAWN = "every sample of fixed size is drawn anew, uniformly; batches of one shuffle are none"


def poisson(mu: Number, rate: Number, adjacency: Adjacency) -> Release:
    """Return Gaussian noise on a Poisson sample; all records if the rate is 1.

    Parameters
    ----------
    mu
        Length that one record may add to the sum, over the standard deviation.
    """
    replaced = adjacency is Adjacency.REPLACE_ONE
    if rate == 1:
        return Gaussian(2 * mu if replaced else mu, adjacency)
    return (PoissonReplacedGaussian if replaced else PoissonSampledGaussian)(mu, rate)


def fixed_size(mu: Number, draws: int, size: int, replacement: bool) -> Release:
    """Return Gaussian noise on a number of draws, with or without replacement; replace one.

    Parameters
    ----------
    mu
        Largest distance of sums that differ in one record, over the standard deviation.
    """
    if replacement:
        return SampledWithReplacementGaussian(mu, draws, size)
    if draws > size:
        raise ValueError(f"A sample of {draws} of {size} records cannot be without replacement.")
    return FixedSizeSampledGaussian(mu, Fraction(draws, size))
