"""Formulas about finding the modes of a density privately."""

from provedp.theory.modes import (
    bins,
    calibration,
    field,
    initialisation,
    kernel_norms,
    kernels,
    legendre_kernel,
    line_norms,
    linear_release,
    metrics,
    minibatch,
    pools,
    rates,
    regression,
    score,
    sensitivity,
    sharp_norms,
    threshold,
)
from provedp.theory.modes.bins import *  # noqa: F403
from provedp.theory.modes.calibration import *  # noqa: F403
from provedp.theory.modes.field import *  # noqa: F403
from provedp.theory.modes.initialisation import *  # noqa: F403
from provedp.theory.modes.initialisation import dap_ratio as dap_ratio
from provedp.theory.modes.kernel_norms import *  # noqa: F403
from provedp.theory.modes.kernels import *  # noqa: F403
from provedp.theory.modes.legendre_kernel import *  # noqa: F403
from provedp.theory.modes.line_norms import *  # noqa: F403
from provedp.theory.modes.linear_release import *  # noqa: F403
from provedp.theory.modes.metrics import *  # noqa: F403
from provedp.theory.modes.minibatch import *  # noqa: F403
from provedp.theory.modes.pools import *  # noqa: F403
from provedp.theory.modes.rates import *  # noqa: F403
from provedp.theory.modes.regression import *  # noqa: F403
from provedp.theory.modes.score import *  # noqa: F403
from provedp.theory.modes.sensitivity import *  # noqa: F403
from provedp.theory.modes.sharp_norms import *  # noqa: F403
from provedp.theory.modes.threshold import *  # noqa: F403

__all__ = [
    *bins.__all__,
    *field.__all__,
    *kernels.__all__,
    *legendre_kernel.__all__,
    *score.__all__,
    *kernel_norms.__all__,
    *line_norms.__all__,
    *sharp_norms.__all__,
    *sensitivity.__all__,
    *linear_release.__all__,
    *calibration.__all__,
    *minibatch.__all__,
    *pools.__all__,
    *initialisation.__all__,
    *rates.__all__,
    *regression.__all__,
    *metrics.__all__,
    *threshold.__all__,
]
