"""What (ε, δ)-differential privacy means, and its value for the laws that the mechanisms use."""

from provedp.theory.privacy import definitions, finite, renyi, testing
from provedp.theory.privacy.auditing import one_run
from provedp.theory.privacy.auditing.one_run import *  # noqa: F403
from provedp.theory.privacy.calibration import Calibration as Calibration
from provedp.theory.privacy.composition import exact, optimal, response_and_gaussian, textbook
from provedp.theory.privacy.composition.exact import *  # noqa: F403
from provedp.theory.privacy.composition.optimal import *  # noqa: F403
from provedp.theory.privacy.composition.response_and_gaussian import *  # noqa: F403
from provedp.theory.privacy.composition.textbook import *  # noqa: F403
from provedp.theory.privacy.definitions import *  # noqa: F403
from provedp.theory.privacy.definitions import Adjacency as Adjacency
from provedp.theory.privacy.definitions import Guarantee as Guarantee
from provedp.theory.privacy.definitions import Mechanism as Mechanism
from provedp.theory.privacy.definitions import MechanismWithLaw as MechanismWithLaw
from provedp.theory.privacy.definitions import composed as composed
from provedp.theory.privacy.definitions import for_group as for_group
from provedp.theory.privacy.definitions import post_processed as post_processed
from provedp.theory.privacy.finite import *  # noqa: F403
from provedp.theory.privacy.noise import (
    discrete_gaussian,
    gaussian,
    gaussian_covariances,
    laplace,
    least_gaussian,
    least_wishart,
    truncation,
    wishart,
)
from provedp.theory.privacy.noise.discrete_gaussian import *  # noqa: F403
from provedp.theory.privacy.noise.gaussian import *  # noqa: F403
from provedp.theory.privacy.noise.gaussian_covariances import *  # noqa: F403
from provedp.theory.privacy.noise.laplace import *  # noqa: F403
from provedp.theory.privacy.noise.least_gaussian import *  # noqa: F403
from provedp.theory.privacy.noise.least_wishart import *  # noqa: F403
from provedp.theory.privacy.noise.truncation import *  # noqa: F403
from provedp.theory.privacy.noise.wishart import *  # noqa: F403
from provedp.theory.privacy.renyi import *  # noqa: F403
from provedp.theory.privacy.sampling import (
    gaussian_mixtures,
    mixtures,
    replacement,
    replacement_bound,
)
from provedp.theory.privacy.sampling.gaussian_mixtures import *  # noqa: F403
from provedp.theory.privacy.sampling.mixtures import *  # noqa: F403
from provedp.theory.privacy.sampling.replacement import *  # noqa: F403
from provedp.theory.privacy.sampling.replacement_bound import *  # noqa: F403
from provedp.theory.privacy.selection import local_responses, noisy_max, sparse_vector, thresholds
from provedp.theory.privacy.selection.local_responses import *  # noqa: F403
from provedp.theory.privacy.selection.noisy_max import *  # noqa: F403
from provedp.theory.privacy.selection.sparse_vector import *  # noqa: F403
from provedp.theory.privacy.selection.thresholds import *  # noqa: F403
from provedp.theory.privacy.testing import *  # noqa: F403

__all__ = [
    *definitions.__all__,
    *finite.__all__,
    *testing.__all__,
    *renyi.__all__,
    *textbook.__all__,
    *optimal.__all__,
    *exact.__all__,
    *response_and_gaussian.__all__,
    *gaussian.__all__,
    *least_gaussian.__all__,
    *gaussian_covariances.__all__,
    *laplace.__all__,
    *discrete_gaussian.__all__,
    *truncation.__all__,
    *wishart.__all__,
    *least_wishart.__all__,
    *mixtures.__all__,
    *gaussian_mixtures.__all__,
    *replacement.__all__,
    *replacement_bound.__all__,
    *noisy_max.__all__,
    *sparse_vector.__all__,
    *thresholds.__all__,
    *local_responses.__all__,
    *one_run.__all__,
]
