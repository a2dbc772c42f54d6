"""Mechanisms of the literature on auditing, all together."""

from .choices import ENTRIES as CHOICES  # noqa: TID251
from .choices import FIVE_ALL as FIVE_ALL  # noqa: TID251
from .choices import FIVE_UP as FIVE_UP  # noqa: TID251
from .choices import noisy_max as noisy_max  # noqa: TID251
from .noise import ENTRIES as NOISE  # noqa: TID251
from .noise import gaussian as gaussian  # noqa: TID251
from .noise import half_laplace as half_laplace  # noqa: TID251
from .noise import laplace as laplace  # noqa: TID251
from .responses import ENTRIES as RESPONSES  # noqa: TID251
from .sparse_vectors import ENTRIES as SPARSE_VECTORS  # noqa: TID251
from .sparse_vectors import SIX as SIX  # noqa: TID251
from .sparse_vectors import no_query_noise as no_query_noise  # noqa: TID251
from .thresholds import ENTRIES as THRESHOLDS  # noqa: TID251

ENTRIES = [*RESPONSES, *NOISE, *CHOICES, *SPARSE_VECTORS, *THRESHOLDS]
