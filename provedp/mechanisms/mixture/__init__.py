"""Mechanisms that release a Gaussian mixture: the published one, its rivals, and one that holds."""

from provedp.mechanisms.mixture.diagnosis import MixtureDiagnosis, diagnose_mixture
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
    "MixtureDiagnosis",
    "PrivateMixture",
    "PublishedMixture",
    "SingularGaussian",
    "diagnose_mixture",
]
