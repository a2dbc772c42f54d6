"""Mechanisms that release a count: the optimal one, the one behind a channel, and their peers."""

from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.counting.behind import BehindChannel
from provedp.mechanisms.counting.given import MatrixRelease
from provedp.mechanisms.counting.optimal import OptimalCount
from provedp.mechanisms.counting.peers import (
    ExponentialMechanism,
    RandomizedResponse,
    RoundedLaplace,
    TruncatedGeometric,
)
from provedp.mechanisms.counting.universal import UniversalCount

__all__ = [
    "BehindChannel",
    "CountMechanism",
    "ExponentialMechanism",
    "MatrixRelease",
    "OptimalCount",
    "RandomizedResponse",
    "RoundedLaplace",
    "TruncatedGeometric",
    "UniversalCount",
]
