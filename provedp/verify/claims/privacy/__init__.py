"""Facts about differential privacy that guarantees cite: textbook statements and our own."""

SUBJECT = "privacy"  # the first part of the ids of its claims
MODULES = (
    "finite",
    "combination",
    "gaussian",
    "gaussian_composition",
    "wishart",
    "selection",
    "sparse_vector",
    "sparse_vector_variants",
    "laplace_noise",
    "discrete_noise",
    "thresholds",
    "local_responses",
    "one_run",
)
