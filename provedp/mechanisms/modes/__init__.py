"""Mechanisms that find modes, clusters and modal regressions: published ones and private ones."""

from provedp.mechanisms.modes.private.estimators import PrivateModalClustering, PrivateModes
from provedp.mechanisms.modes.private.regression import PrivateModalRegression

__all__ = ["PrivateModalClustering", "PrivateModalRegression", "PrivateModes"]
