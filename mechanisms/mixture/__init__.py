"""Mechanisms that release a Gaussian mixture: the published one, its rivals, and one that holds."""

from provedp.mechanisms.mixture.gaussian_mixture import LabelledMixture
from provedp.mechanisms.mixture.private import PrivateMixture

__all__ = ["LabelledMixture", "PrivateMixture"]
