"""Executable checks of papers on differential privacy, and the mechanisms that survive them.

`provedp.theory` holds the formulas, `provedp.mechanisms` what runs on data, `provedp.verify` the
ledger of claims, the solvers and the certificates. The names in `__all__` are what most users need;
they are imported when they are first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from provedp.mechanisms.counting import (
        BehindChannel,
        ExponentialMechanism,
        OptimalCount,
        RandomizedResponse,
        RoundedLaplace,
        TruncatedGeometric,
    )
    from provedp.theory.privacy import Adjacency, Guarantee, hockey_stick, path_delta

__all__ = [
    "Adjacency",
    "BehindChannel",
    "ExponentialMechanism",
    "Guarantee",
    "OptimalCount",
    "RandomizedResponse",
    "RoundedLaplace",
    "TruncatedGeometric",
    "hockey_stick",
    "path_delta",
]

_PRIVACY = ("Adjacency", "Guarantee", "hockey_stick", "path_delta")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'provedp' has no attribute {name!r}")
    home = "theory.privacy" if name in _PRIVACY else "mechanisms.counting"
    return getattr(importlib.import_module(f"provedp.{home}"), name)
