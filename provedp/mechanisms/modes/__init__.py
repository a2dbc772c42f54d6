"""Mechanisms that find modes, clusters and modal regressions: published ones and private ones."""

from provedp.mechanisms.modes.private.estimators import (
    PrivateModalClustering,
    PrivateModalRegression,
    PrivateModes,
)

__all__ = ["PrivateModalClustering", "PrivateModalRegression", "PrivateModes"]
