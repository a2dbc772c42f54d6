"""Facts about differential privacy that guarantees cite: textbook statements and our own."""

MODULES = (
    "finite",
    "combination",
    "gaussian",
    "gaussian_composition",
    "wishart",
)
