"""What (ε, δ)-differential privacy means, and its value for the laws that the mechanisms use."""

from provedp.theory.privacy import definitions, finite
from provedp.theory.privacy.definitions import *  # noqa: F403
from provedp.theory.privacy.definitions import Adjacency as Adjacency
from provedp.theory.privacy.definitions import Guarantee as Guarantee
from provedp.theory.privacy.finite import *  # noqa: F403

__all__ = [*definitions.__all__, *finite.__all__]
