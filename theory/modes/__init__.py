"""Formulas about finding the modes of a density privately."""

from provedp.theory.modes import metrics
from provedp.theory.modes.metrics import *  # noqa: F403

__all__ = [
    *metrics.__all__,
]
