"""Mechanisms of the literature on auditing, all together."""

from .choices import ENTRIES as CHOICES
from .choices import FIVE_ALL as FIVE_ALL
from .choices import FIVE_UP as FIVE_UP
from .choices import noisy_max as noisy_max
from .noise import ENTRIES as NOISE
from .noise import gaussian as gaussian
from .noise import half_laplace as half_laplace
from .noise import laplace as laplace
from .responses import ENTRIES as RESPONSES
from .sparse_vectors import ENTRIES as SPARSE_VECTORS
from .sparse_vectors import SIX as SIX
from .sparse_vectors import no_query_noise as no_query_noise
from .thresholds import ENTRIES as THRESHOLDS

ENTRIES = [*RESPONSES, *NOISE, *CHOICES, *SPARSE_VECTORS, *THRESHOLDS]
