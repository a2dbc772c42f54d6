"""Mechanisms of the literature on auditing, all together."""

from provedp.verify.audit.zoo.choices import ENTRIES as CHOICES
from provedp.verify.audit.zoo.choices import FIVE_ALL as FIVE_ALL
from provedp.verify.audit.zoo.choices import FIVE_UP as FIVE_UP
from provedp.verify.audit.zoo.choices import noisy_max as noisy_max
from provedp.verify.audit.zoo.noise import ENTRIES as NOISE
from provedp.verify.audit.zoo.noise import gaussian as gaussian
from provedp.verify.audit.zoo.noise import half_laplace as half_laplace
from provedp.verify.audit.zoo.noise import laplace as laplace
from provedp.verify.audit.zoo.responses import ENTRIES as RESPONSES
from provedp.verify.audit.zoo.sparse_vectors import ENTRIES as SPARSE_VECTORS
from provedp.verify.audit.zoo.sparse_vectors import SIX as SIX
from provedp.verify.audit.zoo.sparse_vectors import no_query_noise as no_query_noise
from provedp.verify.audit.zoo.thresholds import ENTRIES as THRESHOLDS

ENTRIES = [*RESPONSES, *NOISE, *CHOICES, *SPARSE_VECTORS, *THRESHOLDS]
