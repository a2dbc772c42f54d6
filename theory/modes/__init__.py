"""Formulas about finding the modes of a density privately."""

from provedp.theory.modes import field, metrics
from provedp.theory.modes.field import *  # noqa: F403
from provedp.theory.modes.metrics import *  # noqa: F403

__all__ = [
    *field.__all__,
    *metrics.__all__,
]
