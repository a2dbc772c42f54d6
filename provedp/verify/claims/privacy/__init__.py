"""Facts about differential privacy that guarantees cite: textbook statements and our own."""

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
)
