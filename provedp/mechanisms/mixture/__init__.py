"""Mechanisms that release a Gaussian mixture: the published one, its rivals, and one that holds."""

from provedp.mechanisms.mixture.gaussian_mixture import LabelledMixture
from provedp.mechanisms.mixture.private.estimator import PrivateMixture
from provedp.mechanisms.mixture.published.baselines import (
    ColouredGaussian,
    IndependentGaussian,
    LaplaceMixture,
    SingularGaussian,
)
from provedp.mechanisms.mixture.published.release import PublishedMixture

__all__ = [
    "ColouredGaussian",
    "IndependentGaussian",
    "LabelledMixture",
    "LaplaceMixture",
    "PrivateMixture",
    "PublishedMixture",
    "SingularGaussian",
]
