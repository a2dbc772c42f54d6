"""Formulas of the counting paper: the optimal consistent release of a count, and its peers."""

from provedp.theory.counting import families, optimal_set, peers, release, spectrum
from provedp.theory.counting.families import *  # noqa: F403
from provedp.theory.counting.optimal_set import *  # noqa: F403
from provedp.theory.counting.peers import *  # noqa: F403
from provedp.theory.counting.release import *  # noqa: F403
from provedp.theory.counting.spectrum import *  # noqa: F403

__all__ = [
    *release.__all__,
    *spectrum.__all__,
    *optimal_set.__all__,
    *families.__all__,
    *peers.__all__,
]
