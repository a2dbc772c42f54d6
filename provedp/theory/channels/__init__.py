"""Formulas of the counting paper: releasing a count through a fixed channel T."""

from provedp.theory.channels import (
    all_bounds,
    assignment_mixing,
    conditions,
    extremes,
    mixing,
    psk,
    spectral,
)
from provedp.theory.channels.all_bounds import *  # noqa: F403
from provedp.theory.channels.assignment_mixing import *  # noqa: F403
from provedp.theory.channels.conditions import *  # noqa: F403
from provedp.theory.channels.extremes import *  # noqa: F403
from provedp.theory.channels.mixing import *  # noqa: F403
from provedp.theory.channels.psk import *  # noqa: F403
from provedp.theory.channels.spectral import *  # noqa: F403

__all__ = [
    *extremes.__all__,
    *mixing.__all__,
    *spectral.__all__,
    *assignment_mixing.__all__,
    *all_bounds.__all__,
    *conditions.__all__,
    *psk.__all__,
]
