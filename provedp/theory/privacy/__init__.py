"""What (ε, δ)-differential privacy means, and its value for the laws that the mechanisms use."""

from provedp.theory.privacy import (
    composition,
    definitions,
    discrete_gaussian,
    exact_composition,
    finite,
    gaussian,
    gaussian_mixtures,
    gaussian_noise,
    gaussian_pair,
    laplace,
    local_responses,
    mixtures,
    optimal_composition,
    renyi,
    replacement,
    replacement_bound,
    response_and_gaussian,
    selection,
    sparse_vector,
    testing,
    thresholds,
    truncation,
    wishart,
    wishart_noise,
)
from provedp.theory.privacy.calibration import Calibration as Calibration
from provedp.theory.privacy.composition import *  # noqa: F403
from provedp.theory.privacy.definitions import *  # noqa: F403
from provedp.theory.privacy.definitions import Adjacency as Adjacency
from provedp.theory.privacy.definitions import Guarantee as Guarantee
from provedp.theory.privacy.definitions import Mechanism as Mechanism
from provedp.theory.privacy.definitions import MechanismWithLaw as MechanismWithLaw
from provedp.theory.privacy.definitions import composed as composed
from provedp.theory.privacy.definitions import for_group as for_group
from provedp.theory.privacy.definitions import post_processed as post_processed
from provedp.theory.privacy.discrete_gaussian import *  # noqa: F403
from provedp.theory.privacy.exact_composition import *  # noqa: F403
from provedp.theory.privacy.finite import *  # noqa: F403
from provedp.theory.privacy.gaussian import *  # noqa: F403
from provedp.theory.privacy.gaussian_mixtures import *  # noqa: F403
from provedp.theory.privacy.gaussian_noise import *  # noqa: F403
from provedp.theory.privacy.gaussian_pair import *  # noqa: F403
from provedp.theory.privacy.laplace import *  # noqa: F403
from provedp.theory.privacy.local_responses import *  # noqa: F403
from provedp.theory.privacy.mixtures import *  # noqa: F403
from provedp.theory.privacy.optimal_composition import *  # noqa: F403
from provedp.theory.privacy.renyi import *  # noqa: F403
from provedp.theory.privacy.replacement import *  # noqa: F403
from provedp.theory.privacy.replacement_bound import *  # noqa: F403
from provedp.theory.privacy.response_and_gaussian import *  # noqa: F403
from provedp.theory.privacy.selection import *  # noqa: F403
from provedp.theory.privacy.sparse_vector import *  # noqa: F403
from provedp.theory.privacy.testing import *  # noqa: F403
from provedp.theory.privacy.thresholds import *  # noqa: F403
from provedp.theory.privacy.truncation import *  # noqa: F403
from provedp.theory.privacy.wishart import *  # noqa: F403
from provedp.theory.privacy.wishart_noise import *  # noqa: F403

__all__ = [
    *definitions.__all__,
    *composition.__all__,
    *optimal_composition.__all__,
    *exact_composition.__all__,
    *finite.__all__,
    *testing.__all__,
    *renyi.__all__,
    *gaussian.__all__,
    *gaussian_noise.__all__,
    *gaussian_pair.__all__,
    *laplace.__all__,
    *mixtures.__all__,
    *gaussian_mixtures.__all__,
    *replacement.__all__,
    *replacement_bound.__all__,
    *response_and_gaussian.__all__,
    *wishart.__all__,
    *wishart_noise.__all__,
    *discrete_gaussian.__all__,
    *local_responses.__all__,
    *selection.__all__,
    *sparse_vector.__all__,
    *thresholds.__all__,
    *truncation.__all__,
]
