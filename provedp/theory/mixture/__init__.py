"""Formulas about releasing a Gaussian mixture that was fitted to labelled data."""

from provedp.theory.estimate import Estimate as Estimate
from provedp.theory.mixture import (
    budget,
    class_size_noise,
    columns,
    covariance_noise,
    divergence,
    laguerre,
    log_determinant,
    mean_moves,
    neighbours,
    parameter_sensitivities,
    sensitivities,
    singular_noise,
    smoothing,
    weight_channel,
)
from provedp.theory.mixture.budget import *  # noqa: F403
from provedp.theory.mixture.class_size_noise import *  # noqa: F403
from provedp.theory.mixture.columns import *  # noqa: F403
from provedp.theory.mixture.covariance_noise import *  # noqa: F403
from provedp.theory.mixture.divergence import *  # noqa: F403
from provedp.theory.mixture.laguerre import *  # noqa: F403
from provedp.theory.mixture.log_determinant import *  # noqa: F403
from provedp.theory.mixture.mean_moves import *  # noqa: F403
from provedp.theory.mixture.model import LabelledData as LabelledData
from provedp.theory.mixture.model import admissible_flips as admissible_flips
from provedp.theory.mixture.model import class_covariances as class_covariances
from provedp.theory.mixture.model import class_means as class_means
from provedp.theory.mixture.model import class_weights as class_weights
from provedp.theory.mixture.model import mean_displacements as mean_displacements
from provedp.theory.mixture.neighbours import *  # noqa: F403
from provedp.theory.mixture.parameter_sensitivities import *  # noqa: F403
from provedp.theory.mixture.sensitivities import *  # noqa: F403
from provedp.theory.mixture.singular_noise import *  # noqa: F403
from provedp.theory.mixture.smoothing import *  # noqa: F403
from provedp.theory.mixture.weight_channel import *  # noqa: F403

__all__ = [
    *budget.__all__,
    *class_size_noise.__all__,
    *columns.__all__,
    *covariance_noise.__all__,
    *divergence.__all__,
    *laguerre.__all__,
    *log_determinant.__all__,
    *mean_moves.__all__,
    *neighbours.__all__,
    *parameter_sensitivities.__all__,
    *sensitivities.__all__,
    *singular_noise.__all__,
    *smoothing.__all__,
    *weight_channel.__all__,
]
