"""Formulas of the counting paper: the optimal consistent release of a count."""

from provedp.theory.counting import optimal_set, release
from provedp.theory.counting.optimal_set import *  # noqa: F403
from provedp.theory.counting.release import *  # noqa: F403

__all__ = [*release.__all__, *optimal_set.__all__]
