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
    from provedp.mechanisms.mixture import LabelledMixture, PrivateMixture, PublishedMixture
    from provedp.mechanisms.modes import (
        PrivateModalClustering,
        PrivateModalRegression,
        PrivateModes,
    )
    from provedp.theory.privacy import Adjacency, Guarantee, hockey_stick, path_delta

__all__ = [
    "Adjacency",
    "BehindChannel",
    "ExponentialMechanism",
    "Guarantee",
    "LabelledMixture",
    "OptimalCount",
    "PrivateMixture",
    "PrivateModalClustering",
    "PrivateModalRegression",
    "PrivateModes",
    "PublishedMixture",
    "RandomizedResponse",
    "RoundedLaplace",
    "TruncatedGeometric",
    "hockey_stick",
    "path_delta",
]

_HOMES = {
    "theory.privacy": ("Adjacency", "Guarantee", "hockey_stick", "path_delta"),
    "mechanisms.mixture": ("LabelledMixture", "PrivateMixture", "PublishedMixture"),
    "mechanisms.modes": ("PrivateModalClustering", "PrivateModalRegression", "PrivateModes"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'provedp' has no attribute {name!r}")
    homes = [home for home, names in _HOMES.items() if name in names]
    home = homes[0] if homes else "mechanisms.counting"
    return getattr(importlib.import_module(f"provedp.{home}"), name)
